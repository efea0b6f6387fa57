import ForageCore
import ForageYAML
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

/// Random input never traps, never hangs, and every problem says where and what to do.
///
/// `FORAGE_FUZZ_INPUTS` sets how many inputs of each sort are tried, for a long run.
struct FuzzTests {
  /// Inputs after which other tests have their turn: a test that never waits keeps a thread to itself.
  private static let turn = 50

  private static func count(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["FORAGE_FUZZ_INPUTS"].flatMap { Int($0) } ?? usual
  }

  /// Paths made of pieces of paths, over values made of pieces of values: what is accepted reads back the
  /// same, and leads only downwards.
  @Test func paths() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "$", ".", "..", "a", "b", "[", "]", "*", "[*]", "0", "1", "-1", "[0]", "['a']", "[\"b\"]", "'", "\"",
      "\\", "é", "o\u{308}", "🚀", " ",
      "?", "@", "(", ":", ",", "\u{0}", "99999999999999999999", ".a", ".b", "$.a", "$[*]",
    ]
    let trees = (0..<200).map { _ in Self.tree(&random, depth: 5) }
    var accepted = 0
    for number in 0..<Self.count(50_000) {
      if number % Self.turn == 0 { await Task.yield() }
      var text = random.chance(0.8) ? "$" : ""
      for _ in 0..<Int.random(in: 0...6, using: &random) { text += random.pick(pieces) }
      guard let path = try? JSONPath(text) else { continue }
      accepted += 1
      if path.description != text { Issue.record("\(path) of \(text)") }
      let tree = random.pick(trees)
      let found = path.values(in: tree)
      let isOne = !path.isSingular || found.count <= 1
      if !isOne || path.value(in: tree) != found.first || found != Self.reference(path.steps[...], tree) {
        Issue.record("\(path) in \(tree)")
      }
    }
    #expect(accepted > 1000)
  }

  /// The same by recursion, one value at a time.
  private static func reference(_ steps: ArraySlice<JSONPath.Step>, _ tree: JSONTree) -> [JSONTree] {
    guard let step = steps.first else { return [tree] }
    let next: [JSONTree]
    switch (step, tree) {
    case (.member(let name), .object(let members)):
      next = members.last { $0.0.utf8.elementsEqual(name.utf8) }.map { [$0.1] } ?? []
    case (.element(let place), .array(let elements)):
      let index = place < 0 ? elements.count + place : place
      next = index >= 0 && index < elements.count ? [elements[index]] : []
    case (.all, .array(let elements)): next = elements
    case (.all, .object(let members)):
      next = members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
    default: next = []
    }
    return next.flatMap { reference(steps.dropFirst(), $0) }
  }

  private static func tree(_ random: inout SeededGenerator, depth: Int) -> JSONTree {
    switch Int.random(in: depth > 0 ? 0...7 : 2...7, using: &random) {
    case 0:
      return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in tree(&random, depth: depth - 1) })
    case 1:
      var members: [String: JSONTree] = [:]
      for name in ["a", "b", "", "é", "o\u{308}"] where random.chance(0.7) {
        members[name] = tree(&random, depth: depth - 1)
      }
      return .object(members)
    case 2: return .null
    case 3: return .bool(random.chance(0.5))
    case 4: return .integer(Int.random(in: -5...5, using: &random))
    case 5: return .double(0.5)
    default: return .string(random.pick(["", "a", "https://a.example/x", "2024-01-31", " ", "&#39;<p>"]))
    }
  }

  /// Rows of any form become results that keep the contract, or are left out.
  @Test func rowsOfAnyForm() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let kinds = ["gitlab", "stackoverflow", "crates", "npm", "zoekt"]
    let readers = try kinds.map { id in
      let manifest = try bundled(id)
      return (
        manifest,
        RowReader(
          provider: id, kind: manifest.kinds[0].kind, map: manifest.search.map, base: "https://a.example")
      )
    }
    let names = [
      "id", "web_url", "path_with_namespace", "namespace", "full_path", "topics", "star_count", "created_at",
      "name", "keywords", "repository", "package",
      "links", "question_id", "link", "title", "owner", "tags", "creation_date", "FileName", "Repository",
      "LineMatches", "Line", "LineFragments", "LineOffset",
      "MatchLength", "LineNumber",
    ]
    var results = 0
    for number in 0..<Self.count(6_000) {
      if number % Self.turn == 0 { await Task.yield() }
      var members: [String: JSONTree] = [:]
      for name in names where random.chance(0.8) { members[name] = Self.tree(&random, depth: 3) }
      members["id"] = .integer(1)
      let (manifest, reader) = random.pick(readers)
      guard let item = reader.result(.object(members)) else { continue }
      results += 1
      #expect(
        !item.id.isEmpty && !item.title.isEmpty && item.url?.hasPrefix("http") == true
          && item.kind == manifest.kinds[0].kind)
      let declared = manifest.kinds[0].abilities.fields
      for (field, value) in item.fields {
        #expect(declared.contains(field), "\(field.rawValue)")
        #expect(value != .text(""))
      }
    }
    #expect(results > 0)
  }

  /// Any number in a manifest: it is read, or refused with a line.
  @Test func numbersOfManifests() async throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: bundledFolder).sorted()
    where name.hasSuffix(".yaml") {
      let text = try String(contentsOfFile: bundledFolder + "/" + name, encoding: .utf8)
      for changed in HostileNumbers.variants(of: text, inQuotes: true) + [text.replacing("1", with: ".nan")] {
        await Task.yield()
        do throws(ManifestProblems) { _ = try Manifest.read(Array(changed.utf8), path: name) } catch {
          #expect(!error.problems.isEmpty)
        }
      }
    }
  }

  /// Any number in a cursor: it is a place that was there, or is refused.
  @Test func numbersOfCursors() {
    for style in [ManifestPaging.Style.single, .page(start: 1), .offset(start: 0), .link(nil)] {
      let contents = ["30 0 ", "30 5 7", "1 2147483647 2147483647"]
      for content in contents.flatMap({ HostileNumbers.variants(of: $0) }) {
        let text = "m1." + ("acme\n" + content).utf8.fingerprint + Base64.encode(Array(content.utf8))
        guard let cursor = ManifestCursor(text, owner: "acme", style: style) else { continue }
        #expect(ManifestCursor(cursor.text(owner: "acme"), owner: "acme", style: style) == cursor)
      }
    }
  }

  /// Manifests with bytes changed, lines moved and pieces put in: read, or refused with a line and a hint.
  @Test func manifests() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let originals = try FileManager.default.contentsOfDirectory(atPath: bundledFolder).sorted().filter {
      $0.hasSuffix(".yaml")
    }
    .compactMap { FileManager.default.contents(atPath: bundledFolder + "/" + $0).map { Array($0) } }
    let pieces = [
      "&a", "*a", "!!x ", "- ", ": ", "{", "}", "[", "]", "\"", "'", "|", ">", "#", "\n", "  ", "\t",
      "%YAML 1.1\n---\n", "---\n", "...\n", "? ", "<<: ",
      "null", "~", "{a: b}", "[*]", "$", "{text}", "{base}", "\u{FEFF}", "\u{0}", "\u{85}", "é", "\\x",
      "\"\\ud800\"", "0x1F", "1e999", ".nan", "1:30", "2001-01-01",
    ].map { Array($0.utf8) }
    #expect(!originals.isEmpty)
    var (read, refused) = (0, 0)
    for number in 0..<Self.count(6_000) {
      if number % Self.turn == 0 { await Task.yield() }
      var bytes = random.pick(originals)
      if random.chance(0.9) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        bytes = Array(bytes[start..<min(bytes.count, start + Int.random(in: 0...400, using: &random))])
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...30, using: &random)))
        default: bytes.insert(contentsOf: random.pick(pieces), at: place)
        }
      }
      do {
        _ = try Manifest.read(bytes, path: "x.yaml")
        read += 1
      } catch {
        refused += 1
        let lines = error.problems.map { $0.line ?? 0 }
        let isTold = error.problems.allSatisfy {
          !$0.message.isEmpty && !$0.hint.isEmpty && ($0.line ?? 1) > 0
        }
        if lines.isEmpty || !isTold || lines != lines.sorted() {
          Issue.record("\(error.lines) of \(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
      }
    }
    #expect(read > 0 && refused > 0)
  }
}
