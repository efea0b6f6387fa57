import ForageCore
import TestSupport
import Testing

@Suite struct ParserPropertyTests {
  @Test func generatedTreesPrintAndParseBack() throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<3_000 {
      let tree = RandomQuery.nasty.tree(&random)
      let text = tree.description
      #expect(try parsed(text) == tree, "\(text.debugDescription)")
    }
  }

  @Test func normalFormKeepsTheMeaningAndNegatesOnlyLeaves() throws {
    var random = SeededGenerator(seed: propertySeed())
    let query = RandomQuery(leaves: ["a", "b", "c", "d"].map(word))
    for _ in 0..<1_500 {
      let tree = query.tree(&random)
      let normal = tree.negationNormalForm
      for bits in 0..<16 {
        let item = repository("example.org/x/y")
        let occurs: (QueryTerm) -> Bool = { term in
          let index = ["a": 0, "b": 1, "c": 2, "d": 3][term.text] ?? 0
          return bits >> index & 1 == 1
        }
        #expect(tree.matches(item, occurs: occurs) == normal.matches(item, occurs: occurs), "\(tree)")
      }
      #expect(Self.negatesOnlyLeaves(normal), "\(tree)")
      #expect(try parsed(normal.description) == normal, "\(tree)")
    }
  }

  private static func negatesOnlyLeaves(_ tree: QueryExpression) -> Bool {
    switch tree {
    case .term, .qualifier, .not(.term), .not(.qualifier): true
    case .not: false
    case .and(let children), .or(let children): children.allSatisfy(negatesOnlyLeaves)
    }
  }

  /// Pieces that mean something, or nearly.
  static let pieces = [
    "a", "b", " ", "  ", "\t", "\n", "\r\n", "\"", "\"", "\\", "(", ")", "-", ":", "AND", "OR", "NOT",
    " AND ",
    " OR ", " NOT ", "language:", "stars:", "created:", "archived:true", "fork:only", "props.x:", "foo:", ">",
    ">=",
    "<", "*", "..", "5", "1..3", "2024-01-15", "T10:00Z", "/", "//", "::", "日本", "👩‍👩‍👧", "\u{0}", "\u{a0}", "'",
    ",",
    "%", "&",
  ]

  /// What makes, or nearly makes, a regular expression.
  static let slashes = ["/", "/", "\\/", "\\", "i", "symbol:", "content:", "\" ", " \""]

  /// Characters that join their neighbours in one grapheme: a combining accent, joiners, a prepended sign.
  static let joiners = ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{600}", "🇩", "\u{1100}", "\u{1161}"]

  @Test func anyTextIsAcceptedOrRefused() {
    for seed in propertySeeds(failed: 17_608_750_462_181_867_001) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<6_000 { Self.checkRandomText(Self.pieces, &random) }
    }
  }

  @Test func anyTextWithSlashesIsAcceptedOrRefused() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<6_000 { Self.checkRandomText(Self.pieces + Self.slashes + Self.slashes, &random) }
  }

  @Test func anyTextWithJoinersIsAcceptedOrRefused() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<3_000 { Self.checkRandomText(Self.pieces + Self.joiners + Self.joiners, &random) }
  }

  @Test func anyScalarsAreAcceptedOrRefused() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_500 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let limit: UInt32 = random.chance(0.7) ? 0x7f : 0x10ffff
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) { text.append(scalar) }
      }
      Self.check(String(text))
    }
  }

  /// What a word ends or begins with must not swallow what is printed beside it.
  @Test(arguments: [
    "a\t\u{301}b", "a\n\u{200d}b", "\u{600}\tb", "(a OR \u{600}\n) b", "language:x\u{600}\tb",
    "NOT\t\u{301}b",
  ])
  func printingAcrossGraphemes(text: String) throws {
    let tree = try parsed(text)
    #expect(try parsed(tree.description) == tree)
  }

  /// Quotes make a list, also where none of its values needs them.
  @Test(arguments: [
    "language:a,\"b\"", "language:\"a\",b", "language:bcreated:,\"日本\"", "-language:\"a\",\"b\"",
  ])
  func quotesWithoutNeed(text: String) throws {
    let tree = try parsed(text)
    #expect(try parsed(tree.description) == tree)
  }

  /// A slash that begins no regular expression stays one, whatever is printed after it.
  @Test(arguments: [
    #"/"created:\/ AND 日本日本"5"#, #"/x"\/i" y"#, #"/a"b\/" c"#, #"symbol:/x"a\/ b""#, #"symbol:/x,"b" "\/ c""#,
    #"symbol:"\/x""#, #"content:"\\/" d/"#, #"\/a b/"#, #"\\/a b/"#, #"symbol:\/a b/"#, "-/x \"\\/ y\"", "/",
    "//x",
  ])
  func slashesThatBeginNothing(text: String) throws {
    let tree = try parsed(text)
    #expect(try parsed(tree.description) == tree, "\(tree)")
    #expect(!tree.hasExpression)
  }

  /// A backslash before the first slash makes a word of what would be a regular expression.
  @Test func escapedSlashes() throws {
    #expect(try parsed(#"\/a b/"#) == .and([word("/a"), word("b/")]))
    #expect(try parsed(#"\\/a"#) == word(#"\/a"#))
    #expect(try parsed("/usr/bin").description == #"\/usr/bin"#)
    #expect(try parsed(#"a\/b \d"#) == .and([word(#"a\/b"#), word(#"\d"#)]))
  }

  private static func checkRandomText(_ pieces: [String], _ random: inout SeededGenerator) {
    var text = ""
    for _ in 0..<Int.random(in: 0...16, using: &random) { text += random.pick(pieces) }
    check(text)
  }

  /// An accepted text prints to one with the same tree; the place of a refused one lies within it.
  private static func check(_ text: String) {
    do throws(QueryError) {
      let root = try QueryParser().parse(text).root
      let printed = root.description
      do throws(QueryError) {
        let again = try QueryParser().parse(printed).root
        #expect(again == root, "\(text.debugDescription) was printed as \(printed.debugDescription)")
      } catch {
        Issue.record("\(text.debugDescription) was printed as \(printed.debugDescription): \(error.message)")
      }
    } catch {
      #expect(error.query == text)
      #expect(
        error.range.lowerBound >= 0 && error.range.upperBound <= text.unicodeScalars.count,
        "\(text.debugDescription)")
      #expect(!error.message.isEmpty && !error.hint.isEmpty)
    }
  }
}
