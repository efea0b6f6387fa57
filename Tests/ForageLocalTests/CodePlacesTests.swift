import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Texts that stand at several places.
struct CodePlacesTests {
  typealias World = CodeSearchTests.World

  /// Each place decides for itself whether it fits a query of which the text decides a part.
  @Test func conditionsHoldForEachPlace() async throws {
    let world = try World()
    let text = "zebra näher\n"
    _ = try await world.clone("a", ["aaa/x": text, "bbb/x": text, "bbb/ÿ.md": "symbol\nstruct Zebra {}\n"])
    _ = try await world.clone("b", ["x": text, "y.c": "symbol\nstruct Zebra {}\n"])
    _ = try await world.update()
    func places(_ query: String) async throws -> [String] {
      try await world.page(query).items.flatMap { item in
        [Self.place(item[.repository]?.text, item[.path]?.text)]
          + (item[.places]?.elements ?? []).filter { $0["fits"] == nil }.map {
            Self.place($0["repository"]?.text, $0["path"]?.text)
          }
      }.sorted()
    }
    #expect(try await places("(path:bbb zebra näher) OR (path:aaa nothinghere)") == ["a bbb/x"])
    #expect(try await places("näher NOT (path:aaa zebra)") == ["a bbb/x", "b x"])
    #expect(try await places("näher NOT (path:aaa quagga)") == ["a aaa/x", "a bbb/x", "b x"])
    #expect(try await places("(repo:owner/a nothinghere) OR (repo:owner/b näher)") == ["b x"])
    #expect(try await places("repo:owner/b näher") == ["b x"])
    #expect(try await places("path:bbb is:documentation symbol") == ["a bbb/ÿ.md"])
    // Prose defines nothing, the same text in a program does.
    #expect(try await places("symbol:Zebra") == ["b y.c"])
    #expect(try await places("symbol NOT symbol:Zebra") == ["a bbb/ÿ.md"])
  }

  /// A place as the name of its repository and its path.
  private static func place(_ repository: String?, _ path: String?) -> String {
    (repository?.split(separator: "/").last ?? "") + " " + (path ?? "")
  }

  /// What a partial clone lacks is read from another clone, whichever comes first.
  @Test(arguments: [("a", "b"), ("b", "a")])
  func aPartialCloneHidesNothing(_ partial: String, _ full: String) async throws {
    let world = try World()
    let files = ["src/größe.c": "int needle;\n"]
    let lacking = try await world.clone(partial, files)
    let other = try await world.clone(full, files)
    let blob = try await lacking.git("rev-parse HEAD:src/größe.c")
    try FileManager.default.removeItem(
      atPath: lacking.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    try FileManager.default.removeItem(atPath: lacking.path + "/src/größe.c")
    _ = try await world.update()
    for query in ["needle", "needle repo:owner/\(partial)"] {
      let page = try await world.page(query)
      #expect(page.items.count == 1, "\(query)")
      #expect(page.items.first?[.matchCount] == .number(1), "\(query)")
      #expect(page.coverage?.missing == nil, "\(query)")
    }
    // The place on disk is the first.
    #expect(
      try await world.page("needle").items.first?[.file] == .text(other.path + "/src/größe.c"))
  }
}
