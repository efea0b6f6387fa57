import ForageStore
import TestSupport
import Testing

/// The hosts for SSH that forges have named, in one file.
struct KnownSSHHostsTests {
  @Test func theLastAnswerCounts() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("cache/ssh-hosts")
    let known = KnownSSHHosts(path: path)
    #expect(known.hosts.isEmpty)
    known.record([("ssh.a.example", "a.example"), ("ssh.b.example", "b.example:8443")])
    known.record([("ssh.a.example", "c.example"), ("ssh d.example", "d.example")])
    let expected = ["ssh.a.example": "c.example", "ssh.b.example": "b.example:8443"]
    #expect(known.hosts == expected && KnownSSHHosts(path: path).hosts == expected)
  }
}
