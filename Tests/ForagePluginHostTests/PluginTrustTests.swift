import Dispatch
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForagePluginHost

struct PluginTrustTests {
  private let root: TemporaryDirectory
  private let trust: PluginTrust

  init() throws {
    root = try TemporaryDirectory()
    trust = PluginTrust(path: root.path("data/forage/trust.json"))
    try write("acme")
  }

  private func write(_ id: String) throws {
    try root.write(
      "\(id)/plugin.json",
      #"{"forage":1,"id":"\#(id)","name":"A","version":"1","kinds":["repo"],"command":["./run"],"files":["lib.py"]}"#
    )
    try root.write("\(id)/lib.py", "print(1)")
    try root.write("\(id)/run", "#!/bin/sh\n", mode: 0o755)
    try root.write("\(id)/README", "")
  }

  private func plugin(_ id: String = "acme", origin: FoundPlugin.Origin = .user) throws -> FoundPlugin {
    try FoundPlugin(at: root.path(id), origin: origin)
  }

  @Test func trustedOnceAgreed() throws {
    #expect(try trust.state(of: plugin()) == .untrusted)
    try trust.trust(plugin())
    #expect(try trust.state(of: plugin()) == .trusted)
    #expect(try trust.state(of: plugin(origin: .machine)) == .trusted)
    let mode = try FileManager.default.attributesOfItem(atPath: trust.file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try trust.revoke("acme"))
    #expect(try trust.state(of: plugin()) == .untrusted)
    #expect(try !trust.revoke("acme"))
  }

  @Test func withoutAgreement() throws {
    #expect(try trust.state(of: plugin(origin: .installation)) == .bundled)
    #expect(try trust.state(of: plugin(origin: .named)) == .named)
  }

  /// Any change of what it runs is noticed, also one that keeps size and time of change; of other files none.
  @Test(arguments: [
    ("lib.py", "print(2)", true), ("run", "#!/bin/su\n", true), ("README", "new", false),
    ("plugin.json", nil, true), ("lib.py", nil, true),
  ]) func changes(_ name: String, _ contents: String?, _ isChange: Bool) throws {
    try trust.trust(plugin())
    let path = root.path("acme/" + name)
    let before = try FileManager.default.attributesOfItem(atPath: path)
    if let contents {
      try root.write("acme/" + name, contents, mode: 0o755)
      try FileManager.default.setAttributes(
        [.modificationDate: before[.modificationDate] as Any], ofItemAtPath: path)
    } else if name == "plugin.json" {
      let text = try String(contentsOfFile: path, encoding: .utf8).replacing("\"A\"", with: "\"B\"")
      try root.write("acme/plugin.json", text)
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try trust.state(of: plugin()) == (isChange ? .changed : .trusted))
    #expect(try trust.state(of: plugin()).problem(of: plugin())?.subject == (isChange ? "acme" : nil))
  }

  /// Other programs can compute the digest: `sha256sum plugin.json lib.py run | sha256sum`.
  @Test func theDigestIsThatOfSums() throws {
    try trust.trust(plugin())
    let digest = try trust.file.read().plugins[root.path("acme")]?.sha256
    #expect(digest == "bf973a873d58608d93319b28303e64f47cfb4893cbb42496637a6a3133b0d9be")
  }

  /// A file of an earlier format, with a digest for each file: its plugins are not trusted, and are again
  /// once the user agrees.
  @Test func anEarlierFormat() throws {
    let folder = root.path("acme")
    try root.write(
      "data/forage/trust.json",
      #"""
      {"forage":1,"plugins":{"\#(folder)":{"id":"acme","trustedAt":"2025-01-01T00:00:00Z",
      "files":{"plugin.json":{"sha256":"0"},"lib.py":{"sha256":"1","stamp":"1:2:3"}}}},
      "manifests":{"gitlab":{"hosts":["gitlab.example"]}}}
      """#, mode: 0o600)
    let state = try trust.state(of: plugin())
    #expect(state == .untrusted)
    #expect(state.problem(of: try plugin())?.hint == "read what it runs, and trust it")
    #expect(try !trust.covers(plugin()) && trust.hosts(ofManifest: "gitlab") == ["gitlab.example"])
    try trust.trust(plugin())
    #expect(try trust.state(of: plugin()) == .trusted && trust.covers(plugin()))
    #expect(try trust.hosts(ofManifest: "gitlab") == ["gitlab.example"])
  }

  /// The same plugin elsewhere may load other files beside it.
  @Test func anotherFolder() throws {
    try trust.trust(plugin())
    try FileManager.default.copyItem(atPath: root.path("acme"), toPath: root.path("copy"))
    #expect(try trust.state(of: try FoundPlugin(at: root.path("copy"), origin: .user)) == .untrusted)
  }

  /// The hosts of manifests stand beside the plugins, and go with them.
  @Test func hostsOfManifests() throws {
    #expect(try trust.hosts(ofManifest: "gitlab") == nil)
    try trust.trust(plugin())
    try trust.setHosts([], ofManifest: "gitlab")
    #expect(try trust.hosts(ofManifest: "gitlab") == [])
    try trust.setHosts(["gitlab.example", "127.0.0.1:80"], ofManifest: "gitlab")
    let again = PluginTrust(path: trust.file.path)
    #expect(try again.hosts(ofManifest: "gitlab") == ["gitlab.example", "127.0.0.1:80"])
    #expect(try again.hosts(ofManifest: "acme") == nil && again.state(of: plugin()) == .trusted)
    #expect(try trust.revoke("gitlab"))
    #expect(try again.hosts(ofManifest: "gitlab") == nil && again.state(of: plugin()) == .trusted)
  }

  /// Many at once, each with a lock of its own, lose nothing.
  @Test func atTheSameTime() throws {
    let ids = (0..<24).map { "p\($0)" }
    for id in ids { try write(id) }
    let plugins = try ids.map { try plugin($0) }
    let path = trust.file.path
    DispatchQueue.concurrentPerform(iterations: plugins.count) { index in
      try? PluginTrust(path: path).trust(plugins[index])
    }
    #expect(try plugins.map { try trust.state(of: $0) } == plugins.map { _ in .trusted })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root.path("data/forage")).sorted() == [
        "trust.json", "trust.json.lock",
      ])
  }

  /// Nothing is trusted by a file that is not what was written, and it is not written over.
  @Test(arguments: [
    "", "{", "[]", #"{"forage":2,"plugins":{}}"#, #"{"forage":1,"plugins":{"/x":{"sha256":"x"}}}"#,
  ])
  func damaged(_ text: String) throws {
    try root.write("data/forage/trust.json", text, mode: 0o600)
    let error = #expect(throws: SearchError.self) { try trust.state(of: plugin()) }
    #expect(error?.message.hasSuffix("is damaged") == true)
    #expect(throws: SearchError.self) { try trust.trust(plugin()) }
    #expect(try String(contentsOfFile: trust.file.path, encoding: .utf8) == text)
  }

  @Test func writtenByOthers() throws {
    try trust.trust(plugin())
    chmod(trust.file.path, 0o620)
    let error = #expect(throws: SearchError.self) { try trust.state(of: plugin()) }
    #expect(error?.message.hasSuffix("is writable by others") == true)
  }

  /// A file of trust that is a link stays one, and is not taken for empty where its target is gone.
  @Test func aLinkStaysALink() throws {
    let target = root.path("data/trust.json")
    try root.makeDirectory("data/forage")
    try FileManager.default.createSymbolicLink(atPath: trust.file.path, withDestinationPath: target)
    let error = #expect(throws: SearchError.self) { try trust.trust(plugin()) }
    #expect(error?.message.hasSuffix("\(trust.file.path), is a link that leads nowhere") == true)
    try root.write("data/trust.json", #"{"forage":1,"plugins":{}}"#, mode: 0o600)
    try trust.trust(plugin())
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: trust.file.path) == target)
    #expect(try trust.state(of: plugin()) == .trusted)
  }

  /// It is told, and nothing runs.
  @Test func nothingRunsUntrusted() async throws {
    let script = try ScriptedPlugin("hello()\nanswer(receive(), [item(0)])\nreceive()")
    let found = try FoundPlugin(at: script.folder, origin: .user)
    let provider = script.host.providers(of: found)[0]
    let untrusted = await failure { _ = try await provider.search(try request()) }
    #expect(untrusted?.code == .configuration && untrusted?.message.contains("not trusted") == true)
    #expect(untrusted?.subject == "hostile" && script.processes == [])
    try script.host.trust.trust(found)
    #expect(try await provider.search(try request()).items.count == 1)
    #expect(try await script.remains() == [])
    try script.directory.write("plugins/hostile/main.py", "")
    let again = PluginHost(version: "1", environment: script.environment).providers(of: found)[0]
    let changed = await failure { _ = try await again.search(try request()) }
    #expect(
      changed?.code == .configuration
        && changed?.message.hasSuffix("has changed since it was trusted") == true)
  }
}

struct PluginEnvironmentTests {
  @Test func onlyWhatIsNeeded() {
    let environment = [
      "PATH": "/bin", "LC_ALL": "C", "XDG_CONFIG_HOME": "/c", "ALL_PROXY": "socks5://p",
      "http_proxy": "http://p",
      "GITHUB_TOKEN": "t", "LCX": "", "FORAGE_X": "", "LD_PRELOAD": "x", "XDG_A=B": "", "TZ": "a\u{0}b",
    ]
    #expect(
      PluginEnvironment.filtered(environment).keys.sorted()
        == ["ALL_PROXY", "LC_ALL", "PATH", "XDG_CONFIG_HOME", "http_proxy"])
  }
}
