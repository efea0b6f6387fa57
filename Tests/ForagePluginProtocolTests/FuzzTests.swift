import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// Whatever arrives is a message or an error, and nothing traps.
struct FuzzTests {
  /// Inputs of a usual run; `FORAGE_FUZZ_INPUTS` makes a long one.
  static let inputs = ProcessInfo.processInfo.environment["FORAGE_FUZZ_INPUTS"].flatMap { Int($0) } ?? 50_000

  /// Lines that are well, for changing.
  static let seeds = [
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"forage","version":"1"},"config":{"url":"x"},"secrets":{"token":"x"}}}"#,
    #"{"jsonrpc":"2.0","id":0,"result":{"protocol":1,"version":"1.2.0"}}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"search","params":{"provider":"a","kind":"repo","text":["x"],"filters":[{"field":"stars","op":"range","value":[1,9223372036854775807]},{"field":"created","op":"lt","value":"2024-01-15","negated":true}],"sort":null,"limit":50,"cursor":null,"deadlineMs":2800}}"#,
    #"{"jsonrpc":"2.0","method":"search/items","params":{"id":7,"items":[{"id":"42","kind":"repo","url":"https://a.example/b/c","title":"é\u00e9\ud83d\ude00","fields":{"stars":12,"share":-1.5e-3,"topics":["a"],"createdAt":"2024-01-15T10:00:00.5Z","x":null},"related":[{"url":"https://github.com/a/b","why":"link"}]}]}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1003,"message":"slow","data":{"retryAfterMs":5}}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{"count":1,"next":"n","notes":[{"code":"own","message":"m","incomplete":true}]}}"#,
  ].map { Array($0.utf8) }

  static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "true", "-", "0", "9", "e", ".",
    "1e999",
    "9223372036854775808", "-9223372036854775808", "\u{0}", "\n", "\u{FEFF}", "\"id\":", "\"op\":\"in\"",
    "\"limit\":-9223372036854775808", "\"deadlineMs\":9223372036854775807",
  ].map { Array($0.utf8) }

  static func input(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = random.pick(seeds)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.replaceSubrange(place..<end, with: random.pick(pieces))
      case 1: bytes.insert(contentsOf: random.pick(pieces), at: place)
      case 2: bytes.removeSubrange(place..<end)
      case 3: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      default: bytes.append(contentsOf: bytes[place..<end])
      }
    }
    return bytes
  }

  @Test func noInputTraps() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var readable = 0
    for _ in 0..<Self.inputs {
      let line = Self.input(&random)
      guard let message = try? Message(parsing: line) else { continue }
      readable += 1
      Self.use(message)
      // What was read is written as one line that reads the same.
      let written = message.line
      #expect(written.last == 0x0A && written.firstIndex(of: 0x0A) == written.count - 1)
      #expect((try? Message(parsing: written.dropLast())) == message)
    }
    #expect(readable > Self.inputs / 20)
  }

  /// Any number in a message, and in the answer and the error that one ends with.
  @Test func noNumberTraps() throws {
    for seed in Self.seeds {
      for line in HostileNumbers.variants(of: String(decoding: seed, as: UTF8.self)) {
        // The id of a request and the code of an error are whole numbers.
        if let message = try? Message(parsing: line.utf8) { Self.use(message) }
      }
    }
    let wait = try JSONTree(parsing: #"{"code":1003,"message":"slow","data":{"retryAfterMs":1e308}}"#.utf8)
    #expect(
      SearchError(try wait.decode(ErrorObject.self), from: "A").retryAfterMilliseconds == 86_400_000)
  }

  /// Does with a message what host and plugin do.
  private static func use(_ message: Message) {
    switch message {
    case .request(_, "initialize", let params): _ = try? params.decode(InitializeParams.self)
    case .request(_, "search", let params):
      guard let search = try? params.decode(SearchParams.self) else { return }
      _ = EncodedQuery((try? search.condition(.common)) ?? nil)
      _ = ContinuousClock.Instant.now(plusMilliseconds: search.deadlineMs).millisecondsFromNow
    case .notification("search/items", let params):
      let batch = ItemBatch(params["items"]?.array ?? [])
      let reader = ItemReader(ProviderInfo(id: "a"))
      for item in batch.items { if let result = reader.result(item) { _ = Item(result, provider: "a") } }
    case .response(_, let result):
      _ = try? result.decode(InitializeResult.self)
      if let answer = try? result.decode(SearchAnswer.self) {
        _ = SearchPage(answer, items: [], unreadable: 0, query: EncodedQuery(nil))
      }
    case .failure(_, let error): _ = SearchError(error, from: "A")
    default: break
    }
  }
}
