import ForageCore
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Texts in other encodings than UTF-8, with byte order marks, and with other line ends.
struct CodeEncodingTests {
  typealias World = CodeSearchTests.World

  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func utf16(_ text: String, isLittleEndian: Bool) -> [UInt8] {
    (isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
      + text.utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isLittleEndian ? bytes.reversed() : bytes
      }
  }

  /// The places of matches as `path:line:column:text`.
  private static func rows(_ page: SearchPage) -> Set<String> {
    Set(
      page.items.flatMap { item in
        (item[.matches]?.elements ?? []).map { match in
          "\(item.title):\(match["line"]?.number ?? 0):\(match["column"]?.number ?? 0):"
            + (match["text"]?.text ?? "")
        }
      })
  }

  /// Searches a query with an index, without one, and in files that are not committed.
  private func check(
    _ files: [String: [UInt8]], _ body: (World, _ step: String) async throws -> Void
  ) async throws {
    var world = try World()
    let clone = try await world.clone("one", ["readme": "\n"])
    for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: clone.path + "/" + name)) }
    _ = try await world.update()
    world.current = clone.path
    try await body(world, "changed")
    world.current = nil
    try await clone.commit("files")
    try await body(world, "indexed on the spot")
    _ = try await world.update()
    try await body(world, "indexed")
    world.index = CodeIndex(path: "/dev/null/code.db")
    try await body(world, "without index")
  }

  /// A byte order mark is no character of the text; only the first one is a mark.
  @Test func byteOrderMarks() async throws {
    let files = [
      "größe.c": Self.utf8Mark + Array("needle é\n\u{FEFF}needle\n".utf8),
      "two.c": Self.utf8Mark + Self.utf8Mark + Array("needle\n".utf8),
    ]
    try await check(files) { world, step in
      let first = try await world.page("/^needle/")
      #expect(Self.rows(first) == ["größe.c:1:1:needle é"], "\(step)")
      let all = Self.rows(try await world.page("needle"))
      #expect(
        all == [
          "größe.c:1:1:needle é", "größe.c:2:4:\u{FEFF}needle", "two.c:1:4:\u{FEFF}needle",
        ], "\(step)")
      #expect(first.items.allSatisfy { $0[.encoding] == nil }, "\(step)")
    }
  }

  /// UTF-16 is text, and its columns are bytes of the UTF-8 form.
  @Test func utf16() async throws {
    let text = "größe needle\r\n𝄞 日本語 needle\r\n"
    let files = [
      "little.txt": Self.utf16(text, isLittleEndian: true),
      "big.txt": Self.utf16(text, isLittleEndian: false),
      "plain.txt": Array(text.utf8),
      "unmarked.txt": Array(Self.utf16(text, isLittleEndian: true).dropFirst(2)),
    ]
    try await check(files) { world, step in
      let page = try await world.page("/needle$/ 日本語")
      let rows = ["1:9:größe needle", "2:6:𝄞 日本語 needle"]
      let expected = ["little.txt", "big.txt", "plain.txt"].flatMap { name in rows.map { "\(name):\($0)" } }
      #expect(Self.rows(page) == Set(expected), "\(step)")
      let encodings = Dictionary(uniqueKeysWithValues: page.items.map { ($0.title, $0[.encoding]?.text) })
      #expect(
        encodings == ["little.txt": "UTF-16LE", "big.txt": "UTF-16BE", "plain.txt": nil], "\(step)")
      #expect(page.coverage?.skipped == ["binary": 1] && page.notes.isEmpty, "\(step)")
      // The size is that of the file.
      let size = Self.utf16(text, isLittleEndian: true).count
      #expect(try await world.page("größe size:\(size)").items.count == 2, "\(step)")
    }
  }

  /// What an earlier version took for binary is read again.
  @Test func anEarlierIndexIsReadAgain() async throws {
    var world = try World()
    let clone = try await world.clone("one", [:])
    try Data(Self.utf16("größe needle\n", isLittleEndian: true)).write(
      to: URL(fileURLWithPath: clone.path + "/a.txt"))
    try await clone.commit("utf-16")
    _ = try await world.update()
    try execute(
      "UPDATE blobs SET state = 1; UPDATE trees SET files = 0, binary_files = 2; PRAGMA user_version = 9",
      in: world.index)
    world.index = CodeIndex(path: world.index.path)
    #expect(try await world.paths("needle") == ["a.txt"])
  }

  /// Half units and lone surrogates are replaced; UTF-32 and what only looks like UTF-16 are binary.
  @Test func damagedUTF16() async throws {
    let needle = Self.utf16("needle ", isLittleEndian: true)
    let files: [String: [UInt8]] = [
      "odd.txt": needle + [0x61], "lone.txt": needle + [0x00, 0xD8, 0x61, 0x00],
      "mark.txt": [0xFF, 0xFE], "mark-odd.txt": [0xFE, 0xFF, 0x00],
      "utf32.txt": [0xFF, 0xFE, 0, 0] + "needle".utf8.flatMap { [$0, 0, 0, 0] },
    ]
    try await check(files) { world, step in
      let page = try await world.page("needle")
      #expect(
        Self.rows(page) == ["odd.txt:1:1:needle \u{FFFD}", "lone.txt:1:1:needle \u{FFFD}a"], "\(step)")
      #expect(page.coverage?.skipped == ["binary": 1], "\(step)")
    }
  }

  /// A line may end with CR LF wherever its end decides, and the carriage return is not part of what is
  /// shown.
  @Test(arguments: [
    ("/foo$/", ["1:3:a foo", "4:1:foo"]), ("/^$/", ["3:1:"]), ("/^foo\\r$/", ["4:1:foo"]),
    ("/^foo\\s$/", ["4:1:foo"]), ("/o(?!.)/", ["1:5:a foo", "4:3:foo"]),
    ("/foo\\b/", ["1:3:a foo", "2:1:foo b", "4:1:foo"]),
    ("/z$/", ["5:3:x\rz"]), ("/x$/", []), ("/^z/", []), ("\"foo\"", ["1:3:a foo", "2:1:foo b", "4:1:foo"]),
  ])
  func lineEnds(_ query: String, _ expected: [String]) async throws {
    let text = "a foo\r\nfoo b\n\r\nfoo\r\nx\rz"
    try await check(["größe.txt": Array(text.utf8)]) { world, step in
      let rows = Self.rows(try await world.page(query + " path:größe"))
      #expect(rows == Set(expected.map { "größe.txt:" + $0 }), "\(step)")
    }
  }

  /// The whole text of a file, as it is shown.
  @Test func shownTexts() {
    #expect(CodeText.string(Self.utf8Mark + Array("é\r\n".utf8)) == "é\r\n")
    #expect(CodeText.string(Self.utf16("é\n", isLittleEndian: false)) == "é\n")
    #expect(CodeText.string([0x61, 0xFF]) == "a\u{FFFD}")
    #expect(CodeText.string([0x61, 0x00]) == nil && CodeText.string([]) == "")
  }
}
