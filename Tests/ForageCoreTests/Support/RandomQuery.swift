import ForageCore
import TestSupport

/// Invents canonical query trees: exactly those that the parser can return.
struct RandomQuery {
  /// What the leaves are chosen from.
  var leaves: [QueryExpression]
  /// How deep conjunctions, alternatives and negations may nest.
  var depth = 4

  /// One tree.
  func tree(_ random: inout SeededGenerator) -> QueryExpression { tree(depth, &random) }

  private func tree(_ depth: Int, _ random: inout SeededGenerator) -> QueryExpression {
    let leaf = random.pick(leaves)
    guard depth > 0 else { return leaf }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return leaf
    case 3..<5: return QueryExpression.negation(of: tree(depth - 1, &random))
    case 5..<8: return QueryExpression.all(parts(depth, &random)) ?? leaf
    default: return QueryExpression.any(parts(depth, &random)) ?? leaf
    }
  }

  private func parts(_ depth: Int, _ random: inout SeededGenerator) -> [QueryExpression] {
    var parts: [QueryExpression] = []
    for _ in 0..<Int.random(in: 2...4, using: &random) { parts.append(tree(depth - 1, &random)) }
    return parts
  }

  /// Leaves of every type, with texts that look like something else.
  static let nasty = RandomQuery(leaves: words + phrases + texts + numbers + dates + closed)

  private static let words: [QueryExpression] = [
    "swift", "and", "or", "not", "std::vector", "https://a.example/b?c=d&e=f#g", "-", "--x", "a-b", "C++",
    "*",
    "..", ">5", "日本語", "é", "e\u{301}", "👩‍👩‍👧", "12:30", "C:", ":x", "unheard:of", "a\\b", "\\", "a,b;c",
    "\u{0}", "'",
  ].map(word)

  private static let phrases: [QueryExpression] = [
    "two words", "one", "a \" quote", "a \\ backslash", "\\", "\\\"", "\"", "AND", "(", ")", "language:swift",
    " spaces ", "-x", "line\nbreak", "\r\n x",
  ].map(phrase)

  private static let texts: [QueryExpression] = [
    "swift", "c++", "Jupyter Notebook", "a\"b", "(x)", "a\\", "\\\"", "-x", ">5", "..", "https://x/y", "a:b",
    "*", "OR", "日本語", "e\u{301}", " x",
  ].flatMap { [text("language", $0), text("topic", $0), text("props.team", $0)] }

  private static let numbers: [QueryExpression] = {
    let bounds: [Bounds<Int>] = [
      .exactly(0), .exactly(-7), .from(10), .from(10, isInclusive: false), .upTo(10),
      .upTo(10, isInclusive: false), .closed(1, 5), .closed(-5, -1), .exactly(.max),
    ]
    return bounds.map { number("stars", $0) }
  }()

  private static let closed: [QueryExpression] = [
    flag("archived", true), flag("mirror", false), text("fork", "only"), text("fork", "true"),
  ]

  private static let dates: [QueryExpression] = {
    let texts = ["2023-12-31", "2024-02-29T10:00Z", "2024-03-01T10:00:59", "2024-06-30T23:00:00-05:30"]
    let points = texts.compactMap { DatePoint($0) }
    var bounds: [Bounds<DatePoint>] = []
    for point in points {
      bounds += [
        .exactly(point), .from(point), .from(point, isInclusive: false), .upTo(point),
        .upTo(point, isInclusive: false),
      ]
    }
    for (lower, upper) in zip(points, points.dropFirst()) { bounds.append(.closed(lower, upper)) }
    return bounds.map { date("created", $0) }
  }()
}
