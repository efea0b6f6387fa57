import Forage
import ForageCore
import ForageLocal
import Foundation
import Testing

@testable import ForageClones
@testable import ForageStore

/// Which clones a text means, as a table.
struct CloneNamesTests {
  private static func clone(_ path: String, _ id: String?, isBare: Bool = false) -> CloneRecord {
    var clone = CloneRecord(
      path: path, folder: "/home/me/src", relativePath: path, fingerprint: "",
      name: (id ?? path).split(separator: "/").last.map(String.init) ?? "")
    (clone.entityID, clone.isBare) = (id, isBare)
    return clone
  }

  private static let clones = [
    clone("/home/me/src/a-mirror.git", "github.com/acme/engine", isBare: true),
    clone("/home/me/src/engine", "github.com/acme/engine"),
    clone("/home/me/src/engine-2", "github.com/acme/engine"),
    clone("/home/me/src/shop", "github.com/acme/web-shop"),
    clone("/home/me/src/team/shop", "git.acme.example/acme/web-shop"),
    clone("/home/me/src/team/only", "git.acme.example/team/only"),
    clone("/home/me/src/groups", "gitlab.com/group/sub/three"),
    clone("/home/me/src/größe", nil),
    clone("/home/me/src/gro\u{308}ße", nil),
    clone("/home/me/src/below", "forge.example/team/below"),
  ]

  /// Everything that exists, without links but for one.
  private static let disk = CloneNames.Disk { path in
    if path == "shop" || path == "./shop" { return "/home/me/src/team/shop" }
    if path == "team/below" { return "/home/me/src/team/only" }
    // Folders in no clone and above none.
    if path == "engine" || path == "group/sub/three" { return "/elsewhere" }
    let path = path == "~link" ? "/home/me/src/engine" : path
    let isThere =
      path == "/home/me/src" || path == "/home/me/src/team" || path == "/elsewhere"
      || clones.contains { path.utf8.elementsEqual($0.path.utf8) || path.hasPrefix($0.path + "/") }
    return isThere ? path : nil
  } root: { path in
    clones.first { path.utf8.elementsEqual($0.path.utf8) || path.hasPrefix($0.path + "/") }?.path
  }

  private static let names = CloneNames(
    clones, hosts: .init(servers: { ["forge.example/code"] }), home: "/home/me", disk: disk)

  private func paths(_ text: String, within: Bool = true) throws -> [String]? {
    try Self.names.meaning(of: text, in: nil, takesFoldersWithin: within)?.clones.map {
      $0.path.replacing("/home/me/src/", with: "")
    }
  }

  @Test(arguments: [
    // The one with a work tree before the bare one.
    ("acme/engine", ["engine", "engine-2", "a-mirror.git"]),
    ("github.com/acme/engine", ["engine", "engine-2", "a-mirror.git"]),
    ("GitHub.com/Acme/Engine", ["engine", "engine-2", "a-mirror.git"]),
    ("https://github.com/acme/engine", ["engine", "engine-2", "a-mirror.git"]),
    ("https://github.com/acme/engine/issues/3", ["engine", "engine-2", "a-mirror.git"]),
    ("git@github.com:acme/engine.git", ["engine", "engine-2", "a-mirror.git"]),
    ("engine", ["engine", "engine-2", "a-mirror.git"]),
    // A name without a host is that of the usual one, and of another one where that has none.
    ("acme/web-shop", ["shop"]), ("git.acme.example/acme/web-shop", ["team/shop"]),
    ("team/only", ["team/only"]), ("sub/three", ["groups"]), ("group/sub/three", ["groups"]),
    // A server below a path.
    ("https://forge.example/code/team/below.git", ["below"]), ("forge.example/code/team/below", ["below"]),
    ("web-shop", ["shop", "team/shop"]),
    // The clone in the current folder, and the folder where no repository has the name.
    ("shop", ["team/shop"]), ("team/below", ["team/only"]), ("engine-2", ["engine-2"]),
    ("groups", ["groups"]),
    ("größe", ["gro\u{308}ße", "größe"]),
    ("/home/me/src/engine", ["engine"]), ("/home/me/src/engine/Sources", ["engine"]),
    ("./shop", ["team/shop"]),
    ("~/src/groups", ["groups"]),
    ("/home/me/src/team", ["team/only", "team/shop"]),
    ("acme/*", ["engine", "engine-2", "shop", "team/shop", "a-mirror.git"]),
    ("*/web-*", ["shop", "team/shop"]),
    ("eng?ne", ["engine", "engine-2", "a-mirror.git"]),
  ])
  func meanings(_ text: String, _ expected: [String]) throws {
    let found = try #require(try paths(text), "\(text)")
    #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text): \(found)")
  }

  /// The case counts where clones of two repositories differ in it alone.
  @Test(arguments: [
    ("git.acme.example/Team/One", ["/a"]), ("git.acme.example/team/one", ["/b"]),
    ("git.acme.example/TEAM/ONE", ["/a", "/b"]), ("git.acme.example/team", []),
  ])
  func ids(_ id: String, _ expected: [String]) {
    let names = CloneNames(
      [Self.clone("/a", "git.acme.example/Team/One"), Self.clone("/b", "git.acme.example/team/one")],
      disk: Self.disk)
    #expect(names.clones(ofID: id).map(\.path).sorted() == expected)
    #expect(names.of(repository: id).map(\.path).sorted() == expected)
  }

  /// A repository that was renamed on its forge is named by its former names, too.
  @Test(arguments: [
    ("acme/old", ["engine"]), ("https://github.com/ACME/old.git", ["engine"]), ("old", ["engine"]),
    ("acme/older", ["engine"]), ("*/old", ["engine"]), ("acme/engine", ["engine"]), ("older", ["engine"]),
  ])
  func formerNames(_ text: String, _ expected: [String]) throws {
    var clone = Self.clones[1]
    clone.addressID = "github.com/acme/old"
    let former = ["github.com/acme/old", "github.com/acme/older"].compactMap {
      RepositoryName(formerID: $0, name: "github.com/acme/engine")
    }
    let known = Dictionary(uniqueKeysWithValues: former.map { ($0.formerID, $0) })
    let names = CloneNames([clone, Self.clones[3]], hosts: .init(names: { known }), disk: Self.disk)
    let found = try names.meaning(of: text, in: nil)?.clones.map(\.path)
    #expect(found == expected.map { "/home/me/src/" + $0 })
  }

  @Test(arguments: ["eng", "nothing", "acme/nothing", "x/acme/engine", "acme", "nothing*", "/*x", ""])
  func words(_ text: String) throws {
    if !text.hasPrefix("/") { #expect(try paths(text) == nil) }
  }

  @Test(arguments: [
    ("/elsewhere", "add it to the catalogue"), ("/nowhere", "check the path"),
    ("https://github.com/acme/nothing", "list the clones of the catalogue"),
    ("3", "list the clones of the catalogue"), ("0", "numbers count from 1"),
  ])
  func none(_ text: String, _ hint: String) {
    let error = #expect(throws: ForageError.self) { try paths(text) }
    #expect(error?.hint.contains(hint) == true, "\(String(describing: error))")
  }

  /// What deletes takes no folder in a clone for it.
  @Test func foldersWithin() throws {
    let error = #expect(throws: ForageError.self) {
      try paths("/home/me/src/engine/Sources", within: false)
    }
    #expect(error?.hint == "it lies in the clone /home/me/src/engine")
    #expect(try paths("/home/me/src/engine", within: false) == ["engine"])
    let group = try Self.names.meaning(of: "/home/me/src/team", in: nil, takesFoldersWithin: false)
    #expect(group?.group == .folder)
    #expect(try Self.names.meaning(of: "acme/*", in: nil)?.group == .glob)
  }

  @Test func numbers() throws {
    func result(_ id: String, _ fields: [ResultField: FieldValue] = [:]) -> SearchResult {
      SearchResult(id: id, kind: .code, title: id, fields: fields)
    }
    let list = LastList(
      command: "search", arguments: [], hasMore: false,
      items: [
        result("github.com/acme/engine"),
        result("x", [.repository: .text("git.acme.example/team/only")]),
        result("y", [.path: .text("/home/me/src/engine-2")]), result("github.com/acme/nothing"),
        result("z", [.repository: .text("github.com/Acme/Engine")]),
      ], knownUntil: .now)
    func paths(_ text: String) throws -> [String]? {
      try Self.names.meaning(of: text, in: list)?.clones.map(\.path)
    }
    #expect(try paths("2-3") == ["/home/me/src/team/only", "/home/me/src/engine-2"])
    #expect(try paths("1")?.first == "/home/me/src/engine" && paths("5") == paths("1"))
    for text in ["4", "6", "3-4"] { #expect(throws: ForageError.self) { try paths(text) } }
  }

  /// As a query names them: on each host that a name without one may mean.
  @Test func repositories() throws {
    #expect(Self.names.repositories(named: "Engine") == ["acme/engine"])
    #expect(
      Self.names.repositories(named: "web-shop") == ["acme/web-shop", "git.acme.example/acme/web-shop"])
    #expect(Self.names.repositories(named: "three") == ["gitlab.com/group/sub/three"])
    let other = CloneNames(Self.clones, bareHost: "git.acme.example", disk: Self.disk)
    #expect(other.repositories(named: "web-shop") == ["github.com/acme/web-shop", "acme/web-shop"])
  }

  /// The place of a folder that is gone, as the catalogue has it.
  @Test(arguments: ["./gone", "gone/", "other/../gone", "././gone/."])
  func placeOfNothing(_ path: String) {
    let here = ClonePreparation.absolute(".")
    #expect(ClonePreparation.absolute("\(here)/\(path)") == ClonePreparation.absolute(path))
    #expect(ClonePreparation.absolute(path) == here + "/gone")
  }

  /// One clone stands for all of its repository; of several repositories none does.
  @Test func one() throws {
    let engine = Self.names.named("engine")
    #expect(try CloneNames.one(of: engine, named: "engine")?.path == "/home/me/src/engine")
    #expect(try CloneNames.one(of: [], named: "x") == nil)
    let error = #expect(throws: ForageError.self) {
      try CloneNames.one(of: Self.names.named("web-shop"), named: "web-shop")
    }
    #expect(error?.message.contains("names 2 clones") == true && error?.hint.contains("owner/name") == true)
  }
}
