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
    ("lib.py", "print(2)", ["lib.py"]), ("run", "#!/bin/su\n", ["run"]), ("README", "new", []),
    ("plugin.json", nil, ["plugin.json"]), ("lib.py", nil, ["lib.py"]),
  ]) func changes(_ name: String, _ contents: String?, _ changed: [String]) throws {
    try trust.trust(plugin())
    // Waits for the stamps to be kept, as if it had been trusted long ago.
    try settle()
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
    #expect(try trust.state(of: plugin()) == (changed.isEmpty ? .trusted : .changed(changed)))
    try settle()
    #expect(try trust.state(of: plugin()) == (changed.isEmpty ? .trusted : .changed(changed)))
  }

  /// Keeps a stamp of every file as it is, as reading it a few seconds later does.
  private func settle() throws {
    try trust.file.update { entries in
      for (folder, var entry) in entries.plugins {
        for (name, var print) in entry.files where name != "plugin.json" {
          var status = stat()
          if stat(folder + "/" + name, &status) == 0, print.stamp == nil {
            print.stamp = FileStamp(status, now: 0).text
            entry.files[name] = print
          }
        }
        entries.plugins[folder] = entry
      }
    }
  }

  /// A file that was not touched since is not read again, which is seen by a digest that it has not.
  @Test func untouchedFilesAreNotRead() throws {
    try trust.trust(plugin())
    try trust.file.update { $0.plugins[root.path("acme")]?.files["lib.py"]?.digest = "0" }
    #expect(try trust.state(of: plugin()) == .changed(["lib.py"]))
    try settle()
    #expect(try trust.state(of: plugin()) == .trusted)
  }

  /// Programs of other people compare the recorded digests with those of `sha256sum`.
  @Test func digestsAreSHA256() throws {
    try root.write("acme/lib.py", "abc")
    try trust.trust(plugin())
    #expect(
      try trust.file.read().plugins[root.path("acme")]?.files["lib.py"]?.digest
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func stamps() {
    var status = stat()
    stat(root.path("acme/run"), &status)
    let now = Int(Date().timeIntervalSince1970)
    #expect(!FileStamp(status, now: now).isUnchanged && FileStamp(status, now: now + 10).isUnchanged)
    var other = status
    other.st_size += 1
    #expect(FileStamp(status, now: now).text != FileStamp(other, now: now).text)
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
    "", "{", "[]", #"{"forage":2,"plugins":{}}"#, #"{"forage":1,"plugins":{"/x":{"id":"x"}}}"#,
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
    #expect(await script.remains() == [])
    try script.directory.write("plugins/hostile/main.py", "")
    let again = PluginHost(version: "1", environment: script.environment).providers(of: found)[0]
    let changed = await failure { _ = try await again.search(try request()) }
    #expect(changed?.code == .configuration && changed?.message.contains("main.py") == true)
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
