import Testing

@testable import ForageGit
@testable import ForageInspector

@Suite("The files of a tree by language")
struct ClassifiedFilesTests {
  private func listing(_ files: [(path: String, kind: TreeEntry.Kind, size: Int?)]) throws -> TreeListing {
    let id = try #require(ObjectID(hex: String(repeating: "0", count: 40)))
    var listing = TreeListing()
    listing.files = files.map { TreeFile(path: $0.path, id: id, kind: $0.kind, size: $0.size) }
    return listing
  }

  private let contents: [String: String] = [
    "run": "#!/bin/sh\n", "a.h": "namespace a {\n}\n", "bin": "a\0b", "x.ts": "export {};\n",
  ]

  @Test func verdictsAndShares() throws {
    let listing = try listing([
      ("run", .executable, 30), ("a.h", .file, 20), ("a.c", .file, 50), ("b.tsx", .file, 60),
      ("x.ts", .file, 40), ("link.c", .symlink, 3), ("empty.c", .file, 0), ("missing.c", .file, nil),
      ("bin", .file, 3), ("a.json", .file, 1000), ("vendor/a.c", .file, 1000), ("gone", .file, 10),
    ])
    var asked: [String] = []
    let files = ClassifiedFiles(
      listing, attributes: { _ in nil }, countsLines: false, readsPointers: false, isCancelled: { false },
      reader: { count in
        #expect(count == 6)
        return TextReader(contents) { asked.append($0) }
      })
    // Only what the name leaves open, and what may be generated.
    #expect(asked.sorted() == ["a.h", "b.tsx", "bin", "gone", "run", "x.ts"])
    #expect(files.unreadCount == 2)
    #expect(
      files.verdicts.map { $0?.languageName } == [
        "Shell", "C++", "C", "TSX", "TypeScript", nil, nil, nil, nil, "JSON", "C", nil,
      ])
    #expect(files.verdicts.map { $0?.counts ?? false }.filter { $0 }.count == 5)
    #expect(
      files.shares() == [
        .init(name: "TypeScript", bytes: 100, share: 0.5), .init(name: "C", bytes: 50, share: 0.25),
        .init(name: "Shell", bytes: 30, share: 0.15), .init(name: "C++", bytes: 20, share: 0.1),
      ])
  }

  @Test func largeFilesAreNotRead() throws {
    let listing = try listing([("run", .file, 9 << 20), ("a.h", .file, 9 << 20)])
    let files = ClassifiedFiles(
      listing, attributes: { _ in nil }, countsLines: false, readsPointers: false, isCancelled: { false },
      reader: { _ in TextReader([:]) { path in Issue.record("\(path) was read") } })
    #expect(files.verdicts.map { $0?.languageName } == [nil, "C"])
    #expect(files.unreadCount == 2)
  }

  @Test func cancelled() throws {
    let listing = try listing([("a.c", .file, 1)])
    let files = ClassifiedFiles(
      listing, attributes: { _ in nil }, countsLines: true, readsPointers: false, isCancelled: { true },
      reader: { _ in TextReader([:]) { path in Issue.record("\(path) was read") } })
    #expect(files.verdicts == [nil] && files.shares().isEmpty)
  }
}

/// Reads from texts by path.
private final class TextReader: FileReader {
  private let texts: [String: String]
  private let asked: (String) -> Void

  init(_ texts: [String: String], asked: @escaping (String) -> Void) {
    self.texts = texts
    self.asked = asked
  }

  func read(_ file: TreeFile, limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    asked(file.path)
    #expect(limit == LanguageClassifier.prefixLimit)
    guard let text = texts[file.path] else { return false }
    Array(text.utf8).withUnsafeBytes(body)
    return true
  }
}
