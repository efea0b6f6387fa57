import ForageCore
import Foundation
import TestSupport
import Testing

/// The built plugin.
struct ProgramTests {
  @Test func aSearchOverThePipes() async throws {
    let fake = FakeHackerNews.sample(count: 3)
    try await withFake(fake) { server in
      let lines = [
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"test","version":"1"},"config":{"url":"\#(server.baseURL)"},"secrets":{}}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"search","params":{"provider":"hackernews","kind":"story","text":["parser"],"filters":[{"field":"points","op":"ge","value":0}],"limit":2,"cursor":null,"deadlineMs":9000}}"#,
      ]
      let result = try await runPlugin(hackerNewsPluginBinary, lines, waitingFor: 1)
      let messages = try result.stdout.split(separator: 0x0A).map { try JSONTree(parsing: $0) }
      #expect(messages.first?["result"]?["protocol"] == .integer(1))
      #expect(messages.last?["result"]?["count"] == .integer(2), "\(result.out) \(result.err)")
      #expect(messages.last?["result"]?["next"]?.string == "1x2")
      #expect(result.status == 0 && result.err.isEmpty)
    }
  }

  @Test func theManifestAgreesWithTheProgram() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let manifest = try JSONTree(
      parsing: Data(contentsOf: folder.appending(path: "Plugins/HackerNews/plugin.json")))
    let line =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"test","version":"1"},"config":{},"secrets":{}}}"#
    let result = try await runPlugin(hackerNewsPluginBinary, [line], waitingFor: 0)
    #expect(try JSONTree(parsing: result.stdout)["result"]?["version"] == manifest["version"])
    // The host goes by what the manifest says, so the two must not drift apart.
    let declared = try await ProcessRunner.run(hackerNewsPluginBinary, ["--declare"], environment: [:])
    let members = try #require(try JSONTree(parsing: declared.stdout).object)
    #expect(members.keys.sorted() == ["concurrency", "kinds"])
    for (name, value) in members { #expect(manifest[name] == value, "\(name): \(declared.out)") }
  }
}
