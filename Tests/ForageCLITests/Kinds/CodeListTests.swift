import Forage
import ForageCore
import TestSupport
import Testing

@testable import ForageCLI

/// Places in files: what was found, where, and never wider than the terminal.
struct CodeListTests {
  private static func file(_ fragments: [FieldValue], path: String = "Sources/Net/client.swift")
    -> SearchResult
  {
    var item = SearchResult(
      id: "github.com/acme/tool/blob/main/\(path)", kind: .code, title: path,
      url: "https://github.com/Acme/Tool/blob/main/\(path)")
    item.set(.repository, "github.com/acme/tool")
    item.set(.path, path)
    if !fragments.isEmpty { item[.fragments] = .items(fragments) }
    return item
  }

  private static func fragment(_ text: String, line: Int? = nil, _ matches: [Range<Int>]) -> FieldValue {
    var members: [String: FieldValue] = [
      "text": .text(text),
      "matches": .items(matches.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
    ]
    if let line { members["line"] = .number(line) }
    return .record(members)
  }

  private static let known = file([
    fragment("// nothing\n    let client = HTTPClient()\n\treturn client", line: 9, [19..<25, 49..<55])
  ])

  @Test func linesForPrograms() async throws {
    let address = "https://github.com/Acme/Tool/blob/main/Sources/Net/client.swift"
    #expect(
      try await KindListTests.written([Self.known], .tsv) == """
        Acme/Tool:Sources/Net/client.swift:10\t    let client = HTTPClient()\t\(address)\tforge
        Acme/Tool:Sources/Net/client.swift:11\t return client\t\(address)\tforge

        """)
    let unknown = Self.file([Self.fragment("a client\r\nand none", [2..<8])])
    #expect(
      try await KindListTests.written([unknown], .tsv)
        == "Acme/Tool:Sources/Net/client.swift\ta client\t\(address)\tforge\n")
    #expect(
      try await KindListTests.written([Self.file([])], .tsv)
        == "Acme/Tool:Sources/Net/client.swift\t\t\(address)\tforge\n")
  }

  private static func match(
    _ line: Int, _ column: Int, _ text: String, _ ranges: [Range<Int>], before: [String] = [],
    after: [String] = []
  ) -> FieldValue {
    .record([
      "line": .number(line), "column": .number(column), "text": .text(text),
      "ranges": .items(ranges.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
      "before": .list(before), "after": .list(after),
    ])
  }

  private static var local: SearchResult {
    var item = file([], path: "größe.swift")
    item.set(.language, "Swift")
    item.set(.file, "/src/tool/größe.swift")
    item[.matches] = .items([
      match(2, 5, "let client = 1", [4..<10], before: ["// one"], after: ["client = 2"]),
      match(3, 1, "client = 2", [0..<6], before: ["let client = 1"], after: ["}"]),
    ])
    item.set(.matchCount, 7)
    return item
  }

  @Test func linesWithColumns() async throws {
    let address = "https://github.com/Acme/Tool/blob/main/größe.swift"
    #expect(
      try await KindListTests.written([Self.local], .tsv) == """
        Acme/Tool:größe.swift:2:5\tlet client = 1\t\(address)\tforge
        Acme/Tool:größe.swift:3:1\tclient = 2\t\(address)\tforge

        """)
    #expect(
      try await KindListTests.written([Self.local], columns: 60) == """
        Acme/Tool  größe.swift  Swift  forge
          2  let client = 1
          3  client = 2
          … 5 more matches

        """)
    #expect(
      try await KindListTests.written([Self.local], columns: 60, contextLines: 1) == """
        Acme/Tool  größe.swift  Swift  forge
          1  // one
          2  let client = 1
          3  client = 2
          4  }
          … 5 more matches

        """)
  }

  @Test func linesForEditors() async throws {
    let shown = try await KindListTests.written([Self.local], .tsv, isForEditors: true)
    #expect(shown == "/src/tool/größe.swift:2:5:let client = 1\n/src/tool/größe.swift:3:1:client = 2\n")
  }

  /// Tabs are as wide as on a terminal that counts from the beginning of the line; wide characters take two
  /// columns.
  @Test(
    arguments: [
      ("a\tb", [2..<3], 4, "a   [b]"), ("a\tb", [1..<2], 4, "a[   ]b"), ("a\tb", [0..<3], 8, "[a       b]"),
      ("abcd\te", [5..<6], 4, "abcd    [e]"), ("日本\tx", [3..<4], 4, "日本    [x]"),
      ("日\tx\ty", [2..<3, 4..<5], 4, "日  [x]   [y]"), ("e\u{301}\tx", [3..<4], 4, "e\u{301}   [x]"),
      ("x\t\u{301}y", [3..<4], 4, "x   \u{301}[y]"), ("👩‍👩‍👧\tx", [6..<7], 4, "👩‍👩‍👧  [x]"),
      ("a\u{1B}\tx", [3..<4], 4, "a\u{241B}  [x]"), ("no tabs", [3..<7], 4, "no [tabs]"),
      ("a\tb\tc", [0..<Int.max], 2, "[a b c]"), ("a\t\tb", [3..<4], 1, "a  [b]"),
    ] as [(String, [Range<Int>], Int, String)])
  func tabs(_ text: String, _ matches: [Range<Int>], _ width: Int, _ expected: String) {
    var listing = CodeListing(width: 60, isColored: true)
    listing.tabWidth = width
    let line = CodeLine(text: text, matches: matches)
    for shown in [listing.highlighted(line, width: 60, indentation: 0)] + listing.broken(line, width: 60) {
      let marked = shown.replacing("\u{1B}[31;1m", with: "[").replacing("\u{1B}[0m", with: "]")
      #expect(Array(marked.unicodeScalars) == Array(expected.unicodeScalars), "\(marked.debugDescription)")
    }
  }

  /// What is left out of the text moves no match.
  @Test func invisibleCharacters() {
    let line = CodeLine(text: "\u{FEFF}a\u{AD}b\u{200B}needle\u{2060} ❤\u{200B}\u{FE0F}", matches: [5..<11])
    let shown = CodeListing(width: 40, isColored: true).highlighted(line, width: 40)
    #expect(shown == "ab\u{1B}[31;1mneedle\u{1B}[0m ❤️")
  }

  /// A long line is broken into pieces that have all of it, matches over the break in both.
  @Test func brokenLines() {
    let line = CodeLine(text: "\tab検索cd  ", matches: [3..<5])
    func pieces(_ width: Int) -> [String] {
      CodeListing(width: width, isColored: true).broken(line, width: width).map {
        $0.replacing("\u{1B}[31;1m", with: "[").replacing("\u{1B}[0m", with: "]")
      }
    }
    #expect(pieces(12) == ["    ab[検索]cd"])
    #expect(pieces(8) == ["    ab[検]", "[索]cd"])
    #expect(pieces(1) == [" ", " ", " ", " ", "a", "b", "[検]", "[索]", "c", "d"])
    #expect(CodeListing(width: 8, isColored: true).broken(CodeLine(text: " "), width: 8) == [""])
  }

  /// The indentation that all lines around a match have is left out, tabs and spaces alike.
  @Test func tabsAroundMatches() async throws {
    var item = Self.local
    item[.matches] = .items([
      Self.match(7, 3, "\t\tclient\t= 1", [2..<8], before: ["\tif a {"], after: ["    }", ""])
    ])
    item.set(.matchCount, 2)
    #expect(
      try await KindListTests.written([item], columns: 60, contextLines: 2) == """
        Acme/Tool  größe.swift  Swift  forge
          6  if a {
          7      client  = 1
          8  }
          9\u{20}\u{20}
          … 1 more match

        """)
    #expect(
      try await KindListTests.written([item], columns: 60, tabWidth: 8) == """
        Acme/Tool  größe.swift  Swift  forge
          7  client  = 1
          … 1 more match

        """)
  }

  /// In rows a tab separates fields; what editors read has the line as it is.
  @Test func tabsForPrograms() async throws {
    var item = Self.local
    item[.matches] = .items([Self.match(7, 3, "\t\tclient\t= 1\u{1B}", [2..<8])])
    let rows = try await KindListTests.written([item], .tsv)
    #expect(rows.hasPrefix("Acme/Tool:größe.swift:7:3\t  client = 1\u{241B}\thttps://"))
    let lines = try await KindListTests.written([item], .tsv, isForEditors: true)
    #expect(lines == "/src/tool/größe.swift:7:3:\t\tclient\t= 1\u{241B}\n")
  }

  /// The path of a file below the current folder is relative to it on a terminal, so that it can be clicked;
  /// the link is always whole.
  @Test(
    arguments: [
      ("/src/tool", "größe.swift"), ("/src", "tool/größe.swift"), ("/src/", "tool/größe.swift"),
      ("/src/too", "größe.swift"), ("/", "größe.swift"), (nil, "größe.swift"),
    ] as [(String?, String)])
  func pathsFromTheCurrentFolder(_ folder: String?, _ path: String) async throws {
    let shown = try await KindListTests.written([Self.local], columns: 60, folder: folder)
    #expect(shown.hasPrefix("Acme/Tool  \(path)  Swift  forge\n"), "\(shown)")
    let colored = try await KindListTests.written([Self.local], columns: 60, color: true, folder: folder)
    #expect(
      colored.contains(
        "  \u{1B}]8;;file:///src/tool/gr%C3%B6%C3%9Fe.swift\u{1B}\\\u{1B}[1m\(path)\u{1B}[0m\u{1B}]8;;\u{1B}\\"
      ),
      "\(colored.debugDescription)")
    let rows = try await KindListTests.written([Self.local], .tsv, folder: folder)
    #expect(rows.hasPrefix("Acme/Tool:größe.swift:2:5\t"))
    var other = Self.local
    other.set(.file, "file:///src/tool/x%FF")
    let name = try await KindListTests.written([other], columns: 60, folder: "/src")
    #expect(name.hasPrefix("Acme/Tool  tool/x\u{FFFD}  Swift"))
  }

  /// What rows leave out is said after them; a table counts it in its place.
  @Test func linesThatAreNotPrinted() {
    func notes(_ format: OutputFormat, isForEditors: Bool = false) -> String {
      Self.notes(Self.local, format, isForEditors: isForEditors)
    }
    #expect(notes(.table) == "" && notes(.json) == "")
    #expect(notes(.tsv).hasPrefix("forage: 5 matching lines are not printed\nhint: "))
    #expect(notes(.tsv).hasSuffix("--matches 7\n") && notes(.markdown) == notes(.tsv))
    #expect(
      notes(.table, isForEditors: true).hasPrefix(
        "forage: 5 matching lines are not printed\nhint: leave --matches out"))
  }

  private static func notes(_ item: SearchResult, _ format: OutputFormat, isForEditors: Bool = false)
    -> String
  {
    let outcome = ProviderOutcome(id: "forge", name: "Forge", kind: .code, state: .ok)
    let capture = Capture()
    let result = FederatedResult(items: [MergedItem(item)], outcomes: [outcome])
    let report = SearchReport(result, of: FederatedSearch(feedOf: [.code]))
    let style = ListStyle(format: format, isForEditors: isForEditors)
    SearchRendering(report, nil, style, output: capture.output()).writeNotes()
    return capture.messages
  }

  /// Rows are of one place of files with the same content; how many others fit is said once, where nothing
  /// else shows them.
  @Test func identicalFilesThatAreNotPrinted() {
    var item = Self.local
    item.set(.matchCount, 2)
    item[.places] = .items([
      .record(["path": .text("b.swift")]), .record(["path": .text("c.swift")]),
      .record(["path": .text("d.swift"), "fits": .flag(false)]),
    ])
    for format in [OutputFormat.tsv, .markdown] {
      let notes = Self.notes(item, format)
      #expect(notes.hasPrefix("forage: 2 identical files are not printed\nhint: "))
      #expect(notes.contains("--vimgrep") && notes.contains("--format json"))
      #expect(Self.notes(item, format, isForEditors: true).isEmpty)
    }
    for format in [OutputFormat.table, .json, .ndjson] { #expect(Self.notes(item, format).isEmpty) }
  }

  /// A name that is not UTF-8 is the address of the file; neither a terminal nor a control character gets its
  /// bytes.
  @Test(arguments: [("/a/%FF%20%C3%A9", "/a/\u{FFFD} é"), ("/a/%FF%1B%0A", "/a/\u{FFFD}\u{241B} ")])
  func namesThatAreNotUTF8(_ address: String, _ shown: String) async throws {
    var item = Self.local
    item.set(.file, "file://" + address)
    let lines = try await KindListTests.written([item], .tsv, isForEditors: true)
    #expect(lines.hasPrefix(shown + ":2:5:let client = 1\n" + shown + ":3:1:"))
    var listing = CodeListing(width: 60, isColored: true)
    listing.hasLinks = true
    let merged = MergedItem(item)
    #expect(listing.lines(merged).first?.contains("\u{1B}]8;;file://\(address)\u{1B}\\") == true)
  }

  /// Files with the same content are counted, and an editor gets the lines of each.
  @Test func identicalFiles() async throws {
    var item = Self.local
    item[.places] = .items([
      .record(["path": .text("b.swift"), "file": .text("/src/fork/b.swift")]),
      .record(["path": .text("c.swift")]),
    ])
    let shown = try await KindListTests.written([item], columns: 60)
    #expect(shown.hasPrefix("Acme/Tool  größe.swift  +2 identical  Swift  forge\n"))
    let lines = try await KindListTests.written([item], .tsv, isForEditors: true).split(separator: "\n")
    #expect(lines.count == 4 && lines[2] == "/src/fork/b.swift:2:5:let client = 1")
  }

  @Test func terminal() async throws {
    #expect(
      try await KindListTests.written([Self.known, Self.file([], path: "b.swift")], columns: 60) == """
        Acme/Tool  Sources/Net/client.swift  forge
          10  let client = HTTPClient()
          11  return client

        Acme/Tool  b.swift  forge

        """)
    let found = "\u{1B}[31;1mclient\u{1B}[0m"
    #expect(
      try await KindListTests.written([Self.known], columns: 60, color: true) == """
        \u{1B}[36mAcme/Tool\u{1B}[0m  \u{1B}[1mSources/Net/client.swift\u{1B}[0m  \u{1B}[32mforge\u{1B}[0m
          \u{1B}[2m10\u{1B}[0m  let \(found) = HTTPClient()
          \u{1B}[2m11\u{1B}[0m  return \(found)

        """)
  }

  /// Files of one folder can be told apart on a narrow terminal, in a list and in the rows of the screens.
  @Test(arguments: [60, 80])
  func theNameOfTheFileStays(_ width: Int) async throws {
    let folder = "Sources/AsyncHTTPClient/ConnectionPool/HTTP1/"
    let names = ["HTTP1ConnectionStateMachine.swift", "HTTP1ClientChannelHandler.swift"]
    let files = names.map { name in
      var item = Self.file([], path: folder + name)
      item.set(.repository, "github.com/swift-server/async-http-client")
      item.set(.language, "Swift")
      return item
    }
    let lines = try await KindListTests.written(files, columns: width).split(separator: "\n")
    try #require(lines.count == 2)
    for (name, line) in zip(names, lines) {
      #expect(line.contains("async-http-client  ") && line.contains("/" + name), "\(line)")
      #expect(TextWidth.of(String(line)) <= width)
    }
    let items = files.map { MergedItem($0) }
    let table = KindRendering.code.table(items, width: width - 3, dates: .ages(Capture.now))
    let rows = table.lines(width: width - 3, isColored: false)
    for (name, row) in zip(names, rows.dropFirst()) {
      #expect(row.contains(name) && row.contains("http-client"), "\(row)")
    }
  }

  /// Repositories and folders have one form of their names in all rows, the whole one where it has room.
  @Test func namesOfRepositories() async throws {
    let files = [("github.com/acme/tool", "a.swift"), ("/home/me/src/local", "b.swift")].map { name, path in
      var item = Self.file([], path: path)
      item.set(.repository, name)
      return item
    }
    func shown(_ width: Int) async throws -> [[String]] {
      let list = try await KindListTests.written(files, columns: width, home: "/home/me")
      let table = KindRendering.code.table(
        files.map { MergedItem($0) }, width: width, dates: .ages(Capture.now), home: "/home/me")
      return [
        list.split(separator: "\n").map { String($0.prefix { $0 != " " }) },
        table.lines(width: width, isColored: false).dropFirst().map {
          String($0.split(separator: " ").last ?? "")
        },
      ]
    }
    let names = ["Acme/Tool", "~/src/local"]
    #expect(try await shown(80) == [names, names])
    #expect(try await shown(18) == [["Tool", "local"], ["Acme/Tool", "~/sr…ocal"]])
  }

  /// What was found is seen even where it stands far to the right; wide characters count twice.
  @Test func longLines() {
    let text = String(repeating: "long ", count: 40) + "検索 here " + String(repeating: "tail ", count: 40)
    let line = CodeLine(number: nil, text: text, matches: [200..<202])
    let shown = CodeListing(width: 40, isColored: false).highlighted(line, width: 38)
    #expect(shown.hasPrefix("…") && shown.hasSuffix("…") && shown.contains("検索 here"))
    #expect(TextWidth.of(shown) <= 38)
    let colored = CodeListing(width: 40, isColored: true).highlighted(line, width: 38)
    #expect(colored.contains("\u{1B}[31;1m検索\u{1B}[0m"))
  }

  @Test func manyLinesAreCounted() async throws {
    let text = (1...9).map { "x\($0)" }.joined(separator: "\n")
    let file = Self.file([Self.fragment(text, line: 1, (0..<9).map { ($0 * 3)..<($0 * 3 + 1) })])
    let lines = try await KindListTests.written([file]).split(separator: "\n")
    #expect(lines.count == 7 && lines.last == "  … 4 more matches" && lines[5] == "  5  x5")
    #expect(try await KindListTests.written([file], .tsv).split(separator: "\n").count == 9)
  }

  /// The lines around a match, as far as they are there; what does not follow on is set apart.
  @Test func linesAroundMatches() async throws {
    let text = "func a() {\n    one\n    client\n    two\n}\n\nfunc b() {\n\tclient\n}\n"
    let start = text.unicodeScalars.count - "client\n}\n".unicodeScalars.count
    let file = Self.file([
      Self.fragment(text, line: 1, [23..<29, start..<(start + 6)]), Self.fragment("last client", [5..<11]),
    ])
    func shown(_ context: Int) async throws -> [String] {
      let list = try await KindListTests.written([file], columns: 60, contextLines: context)
      return list.split(separator: "\n").dropFirst().map(String.init)
    }
    #expect(try await shown(0) == ["  3  client", "  8  client", "     last client"])
    #expect(
      try await shown(1) == [
        "  2  one", "  3  client", "  4  two", "  --", "  7  func b() {", "  8      client", "  9  }", "  --",
        "     last client",
      ])
    #expect(try await shown(100).count == 11)
    #expect(try await shown(100).contains("  3      client"))
  }

  @Test func hostileText() async throws {
    let text = "\u{1B}[2Jmatch\u{202E}\u{9B}31m\u{7}"
    let file = Self.file([Self.fragment(text, line: 1, [4..<9])], path: "a\u{1B}[31m\nb\tc.swift")
    for format in [OutputFormat.table, .tsv, .markdown] {
      let shown = try await KindListTests.written([file], format)
      let bad = shown.unicodeScalars.filter {
        $0.value < 32 && $0 != "\n" && $0 != "\t" || (127...159).contains($0.value) || $0.value == 0x202E
      }
      #expect(bad.isEmpty && shown.contains("match"), "\(format) \(shown.debugDescription)")
    }
  }

  /// Places that point nowhere, odd shapes of values and any text at all: every line fits, colours change
  /// nothing else.
  @Test func everyLineFits() {
    var random = SeededGenerator(seed: propertySeed())
    // What joins the character before it must not join the end of an escape sequence.
    let escapes = /\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar)
    let pieces = [
      "a", "word ", "日本", "👩‍👩‍👧", "🚀", "e\u{301}", "\n", "\r\n", "\t", "\u{1B}", " ", "مك", "\u{200D}",
    ]
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in random.pick(pieces) }.joined()
      let matches = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let start = Int.random(in: -3...60, using: &random)
        return FieldValue.items([.number(start), .number(start + Int.random(in: -1...20, using: &random))])
      }
      let fragment = FieldValue.record([
        "text": .text(text), "line": .number(random.pick([1, 999, .max, .min])), "matches": .items(matches),
      ])
      let width = Int.random(in: 1...60, using: &random)
      for line in CodeLine.lines(of: fragment) {
        let plain = CodeListing(width: width, isColored: false).highlighted(line, width: width)
        #expect(TextWidth.of(plain) <= max(1, width), "\(text.debugDescription) \(width)")
        let colored = CodeListing(width: width, isColored: true).highlighted(line, width: width)
        #expect(colored.replacing(escapes, with: "") == plain)
      }
    }
  }
}
