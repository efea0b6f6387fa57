import Forage
import ForageCore
import Testing

/// What a text names that a plugin is installed from.
struct PluginSourceTests {
  /// A repository that is named without a host is fetched from where its forge is: on a server without TLS or
  /// below a path, too.
  @Test func namesOfRepositories() throws {
    func source(_ text: String, _ server: String?) throws -> PluginSource {
      try PluginSource(text, currentFolder: "/does-not-exist", bareHost: "git.acme.example") { entity in
        server.map { entity.webAddress(at: $0) }
      }
    }
    #expect(
      try source("Acme/plug", nil) == .git(address: "https://git.acme.example/Acme/plug", revision: nil))
    #expect(
      try source("Acme/plug#v1", "http://git.acme.example/lab")
        == .git(address: "http://git.acme.example/lab/Acme/plug", revision: "v1"))
    // What has an address keeps it.
    #expect(
      try source("https://github.com/o/n", "http://git.acme.example")
        == .git(address: "https://github.com/o/n", revision: nil))
  }
}
