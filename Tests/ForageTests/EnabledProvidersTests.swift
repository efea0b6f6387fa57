import Foundation
import TestSupport
import Testing

@testable import ForageSetup

/// The file in which `providers enable` and `disable` write.
struct EnabledProvidersTests {
  private func settings(_ folder: TemporaryDirectory) throws -> Settings {
    try Settings.read(folder.path("config.yaml"), types: BuiltInProvider.types)
  }

  @Test func switchedOnAndOff() throws {
    let folder = try TemporaryDirectory()
    let file = EnabledProviders(beside: folder.path("sub/config.yaml"))
    #expect(file.path == folder.path("sub/providers.enabled.yaml"))
    // Nothing is written where nothing is to be removed.
    #expect(try file.set(nil, for: ["local"]) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path("sub")))
    #expect(try file.set(false, for: ["local", "1"]) == ["local", "1"])
    #expect(try file.set(false, for: ["local"]) == [])
    #expect(try file.set(true, for: ["github"]) == ["github"])
    #expect(file.read().content == ["1": false, "github": true, "local": false])
    let text = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(text.hasSuffix("\n\"1\": false\n\"github\": true\n\"local\": false\n"), "\(text)")
    #expect(try file.set(nil, for: ["local", "acme"]) == ["local"])
    #expect(file.read().content == ["1": false, "github": true])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test func theSettingsWin() throws {
    let folder = try TemporaryDirectory()
    try folder.write("config.yaml", "providers:\n  github:\n    enabled: true\n  local: {weight: 2}\n")
    try folder.write(EnabledProviders.fileName, "github: false\nlocal: false\nacme: true\n")
    let settings = try Settings.read(folder.path("config.yaml"), types: BuiltInProvider.types) {
      InstalledIDs(manifests: ["acme"])
    }
    #expect(settings.providers.mapValues(\.isEnabled) == ["github": true, "local": false, "acme": true])
    #expect(settings.providers["local"]?.weight == 2 && settings.problems.isEmpty && settings.absent.isEmpty)
    #expect(settings.enabledPlaces == ["github": folder.path("config.yaml:3")])
  }

  /// A provider that is not there any more.
  @Test func theAbsent() throws {
    let folder = try TemporaryDirectory()
    try folder.write(EnabledProviders.fileName, "github: false\nacme: true\n")
    let settings = try settings(folder)
    #expect(settings.providers.mapValues(\.isEnabled) == ["github": false])
    #expect(
      settings.absent.map(\.id) == ["acme"] && settings.absent[0].place.hasSuffix(EnabledProviders.fileName))
  }

  @Test func withoutSettings() throws {
    let folder = try TemporaryDirectory()
    _ = try EnabledProviders(beside: folder.path("config.yaml")).set(false, for: ["github"])
    #expect(try settings(folder).providers == ["github": .init(isEnabled: false)])
  }

  /// What is not understood is a problem that says what to do; the rest holds, and nothing is written over
  /// it.
  @Test(
    arguments: [
      ("github: perhaps\nlocal: false\n", "1: github takes true or false", false),
      ("local: false\n- github\n", "2:1: this is not valid YAML", nil),
      ("[local]\n", "1: the file must be a mapping", nil),
    ] as [(String, String, Bool?)])
  func broken(_ text: String, _ told: String, _ local: Bool?) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(EnabledProviders.fileName, text)
    let settings = try settings(folder)
    #expect(settings.providers["local"]?.isEnabled == local && settings.providers["github"]?.isEnabled == nil)
    let problem = try #require(settings.problems.first)
    #expect(
      settings.problems.count == 1 && problem.section == nil && problem.error.hint.contains("delete the file")
    )
    #expect(problem.error.message.contains("/providers.enabled.yaml:\(told)"), "\(problem.error.message)")
    let error = #expect(throws: ForageError.self) {
      try EnabledProviders(beside: folder.path("config.yaml")).set(true, for: ["github"])
    }
    #expect(error == problem.error)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func aLinkStaysALink() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("dotfiles/enabled.yaml", "local: true\n")
    let link = folder.path(EnabledProviders.fileName)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    _ = try EnabledProviders(beside: folder.path("config.yaml")).set(false, for: ["local"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
    #expect(try settings(folder).providers["local"]?.isEnabled == false)
  }

  @Test func aFolderBehindABrokenLink() throws {
    let folder = try TemporaryDirectory()
    let link = folder.path("forage")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone")
    let error = #expect(throws: ForageError.self) {
      try EnabledProviders(beside: link + "/config.yaml").set(false, for: ["local"])
    }
    #expect(error?.message.contains("\(link) is a link that leads nowhere") == true, "\(error as Any)")
  }

  /// A link whose target is gone stays, and is named by who reads and who writes.
  @Test(arguments: ["config.yaml", EnabledProviders.fileName])
  func aBrokenLink(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let link = folder.path(name)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone.yaml")
    let told = "\(link) is a link that leads nowhere"
    do {
      let settings = try settings(folder)
      #expect(settings.problems.map(\.error.message) == [told])
    } catch let error as ForageError {
      #expect(name == "config.yaml" && error.message == told, "\(error)")
    }
    let file = EnabledProviders(beside: folder.path("config.yaml"))
    for flag in [true, nil] where name != "config.yaml" {
      let error = #expect(throws: ForageError.self) { try file.set(flag, for: ["local"]) }
      #expect(error?.message == told && error?.hint == "create what the link names, or remove the link")
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "gone.yaml")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  /// A file that others could read or write is closed to them when it is written, also behind a link.
  @Test func neverMoreOpen() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("dotfiles/enabled.yaml", "local: true\n", mode: 0o666)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(EnabledProviders.fileName), withDestinationPath: file.path)
    _ = try EnabledProviders(beside: folder.path("config.yaml")).set(false, for: ["local"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  /// The other ending of YAML is named, unless it is a link to the settings.
  @Test func anotherEnding() throws {
    let folder = try TemporaryDirectory()
    let other = try folder.write("config.yml", "providers: {}\n").path
    #expect(try settings(folder).problems.map(\.error.message) == ["\(other) is not read"])
    try FileManager.default.moveItem(atPath: other, toPath: folder.path("config.yaml"))
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "config.yaml")
    #expect(try settings(folder).problems.isEmpty)
    try FileManager.default.removeItem(atPath: other)
    let elsewhere = try folder.write("elsewhere/other.yml", "providers: {}\n").path
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: elsewhere)
    #expect(try settings(folder).problems.map(\.error.message) == ["\(other) is not read"])
  }

  /// Two at once lose nothing.
  @Test func manyAtOnce() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("config.yaml")
    let ids = (0..<20).map { "p\($0)" }
    await withTaskGroup { group in
      for id in ids {
        group.addTask { _ = try? EnabledProviders(beside: path).set(true, for: [id]) }
      }
    }
    #expect(Set(EnabledProviders(beside: path).read().content.keys) == Set(ids))
  }
}
