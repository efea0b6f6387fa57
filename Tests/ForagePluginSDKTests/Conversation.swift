import ForageCore
import Foundation
import TestSupport

/// What the sample plugin says to a file of requests.
struct Conversation {
  /// The messages, in order.
  var messages: [JSONTree]
  /// The process.
  var result: ProcessResult

  /// Runs the plugin with the lines of requests behind the greeting, then the end of input when the answer to
  /// a request is there.
  static func hold(
    _ lines: [String], config: String = "{}", isGreeted: Bool = true, waitingFor id: Int? = 1
  ) async throws -> Conversation {
    let greeting =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"test","version":"1"},"config":\#(config),"secrets":{}}}"#
    let result = try await runPlugin(
      samplePluginBinary, (isGreeted ? [greeting] : []) + lines, waitingFor: id)
    let messages = result.stdout.split(separator: 0x0A).map { line in
      (try? JSONTree(parsing: line)) ?? .string(String(decoding: line, as: UTF8.self))
    }
    return Conversation(messages: messages, result: result)
  }

  /// The request of a page.
  static func search(
    _ id: Int, _ words: [String], filters: String = "[]", limit: Int = 50, cursor: String = "null",
    deadline: Int = 20_000
  ) -> String {
    let text = words.map { "\"\($0)\"" }.joined(separator: ",")
    return
      #"{"jsonrpc":"2.0","id":\#(id),"method":"search","params":{"provider":"sample","kind":"repo","text":[\#(text)],"filters":\#(filters),"limit":\#(limit),"cursor":\#(cursor),"deadlineMs":\#(deadline)}}"#
  }

  /// The answer to a request.
  func answer(_ id: Int) -> JSONTree? {
    messages.first { $0["id"] == .integer(id) && $0["method"] == nil }
  }
  /// The messages with items of a request.
  func batches(_ id: Int) -> [JSONTree] {
    messages.filter { $0["method"]?.string == "search/items" && $0["params"]?["id"] == .integer(id) }
  }
  /// The items of a request.
  func items(_ id: Int) -> [JSONTree] { batches(id).flatMap { $0["params"]?["items"]?.array ?? [] } }
}
