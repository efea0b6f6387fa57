import ForageCore
import Foundation
import TestSupport

/// Invented things that fake APIs give out: every text has the word `parser`, some have others.
struct FakeThing: Sendable {
  var number: Int
  var name: String
  var owner: String
  var text: String
  var tags: [String]
  var stars: Int
  var created: Int
  var updated: Int
  var isArchived: Bool
  var answers: Int
  var isAccepted: Bool
  var language: String
  /// Its only file.
  var path: String { "Sources/\(name).swift" }

  /// So many things, always the same.
  static func shelf(_ count: Int) -> [FakeThing] {
    var random = SeededGenerator(seed: 11)
    return (1...count).map { number in
      let created = 1_500_000_000 + Int.random(in: 0..<100_000_000, using: &random)
      return FakeThing(
        number: number, name: "parser-\(random.pick(["json", "yaml", "html"]))-\(number)",
        owner: random.pick(["ada", "bao"]),
        text: "A \(random.pick(["fast", "small", "safe"])) parser, number \(number)",
        tags: [random.pick(["swift", "c"]), "parsing"],
        stars: Int.random(in: 0..<5000, using: &random), created: created,
        updated: created + Int.random(in: 0..<50_000_000, using: &random), isArchived: random.chance(0.2),
        answers: Int.random(in: 0..<5, using: &random), isAccepted: random.chance(0.4),
        language: random.pick(["Swift", "C"]))
    }
  }

  /// Whether each word stands in name, owner or text.
  func has(_ words: [Substring]) -> Bool {
    words.allSatisfy { word in
      [name, owner + "/" + name, text].contains { $0.lowercased().contains(word.lowercased()) }
    }
  }

  static func iso(_ seconds: Int) -> String { Timestamp.text(Date(timeIntervalSince1970: Double(seconds))) }
}

/// A fake API: things, and how a request is answered, after the documentation of the real one.
struct FakeAPI: Sendable {
  var path: String
  var method = "GET"
  var answer: @Sendable (RecordedRequest, [FakeThing]) -> ScriptedResponse

  func handler(_ things: [FakeThing]) -> LoopbackServer.Handler {
    { [self] request in
      guard request.path == path, request.method == method, request.header("user-agent")?.isEmpty == false
      else {
        return .json(status: 404, body: #"{"message":"404 Not Found"}"#)
      }
      return answer(request, things)
    }
  }

  /// A value as JSON.
  static func json(_ tree: JSONTree) -> String {
    String(decoding: tree.encoded(), as: UTF8.self)
  }

  static func texts(_ values: [String]) -> JSONTree { .array(values.map(JSONTree.string)) }

  /// Whole numbers of the query.
  static func number(_ request: RecordedRequest, _ name: String, _ usual: Int) -> Int {
    request.query(name).flatMap { Int($0) } ?? usual
  }

  /// The part of a list that a page shows.
  static func page(_ things: [FakeThing], from first: Int, _ size: Int) -> ArraySlice<FakeThing> {
    things.dropFirst(max(0, first)).prefix(max(0, size))
  }

  /// Sorted by a number, largest first unless the order says otherwise.
  static func sorted(_ things: [FakeThing], _ ascending: Bool, _ key: (FakeThing) -> Int) -> [FakeThing] {
    things.sorted { a, b in
      key(a) == key(b) ? a.number < b.number : ascending ? key(a) < key(b) : key(a) > key(b)
    }
  }
}
