import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// What a plugin says to lines that are written to it by hand, over plain pipes, and how it ends.
struct PluginConversation {
  /// The messages in their order.
  let messages: [JSONTree]
  /// How the program ended.
  let process: ProcessResult

  /// Starts a bundled plugin as its manifest says, writes lines, closes its input, and waits for its end.
  ///
  /// Every line of standard output must be JSON, none longer than the protocol allows, and the program must
  /// end well by itself.
  ///
  /// - Parameters:
  ///   - folder: The plugin's folder below `Plugins`.
  ///   - lines: What is written, each line with an end, unless `input` is given.
  ///   - input: The bytes that are written instead.
  init(
    _ folder: String, _ lines: [String], input: Data? = nil, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let place = Self.root.appendingPathComponent("Plugins/" + folder)
    let manifest = try JSONTree(parsing: Data(contentsOf: place.appendingPathComponent("plugin.json")))
    let command = (manifest["command"]?.array ?? []).compactMap(\.string)
    try #require(!command.isEmpty, sourceLocation: location)
    let environment = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    process = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), command, environment: environment, workingDirectory: place,
      stdin: input ?? Data(lines.map { $0 + "\n" }.joined().utf8))
    let told = "\(process.status) \(process.err.suffix(2000))"
    #expect(process.status == 0 && !process.timedOut, "\(told)", sourceLocation: location)
    #expect(process.out.isEmpty || process.out.hasSuffix("\n"), sourceLocation: location)
    messages = try process.outLines.map { line in
      #expect(line.utf8.count <= PluginProtocol.Limits.line, sourceLocation: location)
      let message = try JSONTree(parsing: Array(line.utf8))
      #expect(message["jsonrpc"]?.string == "2.0", "\(line.prefix(200))", sourceLocation: location)
      return message
    }
  }

  /// The folder of the package.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The answer to a request.
  func answer(_ id: Int) -> JSONTree? {
    messages.first { $0["id"]?.integer == id && $0["method"] == nil }
  }

  /// The result of a request as its type.
  func result<Value: Decodable>(
    _ id: Int, _ type: Value.Type, _ location: SourceLocation = #_sourceLocation
  ) throws -> Value {
    let answer = answer(id)
    let told = String(describing: answer).prefix(1000)
    let result = try #require(answer?["result"], "\(told)", sourceLocation: location)
    return try JSONDecoder().decode(type, from: Data(result.encoded()))
  }

  /// The code of the error that answers a request.
  func errorCode(_ id: Int) -> Int? { answer(id)?["error"]?["code"]?.integer }

  /// The items of a request, which must be as many as its answer counts.
  func items(_ id: Int, _ location: SourceLocation = #_sourceLocation) throws -> [Item] {
    let parts = try messages.filter { $0["method"]?.string == PluginProtocol.Method.items }.map { message in
      try JSONDecoder().decode(ItemsParams.self, from: Data((message["params"] ?? .null).encoded()))
    }.filter { $0.id == .number(id) }
    let items = parts.flatMap(\.items)
    #expect(try result(id, SearchAnswer.self).count == items.count, sourceLocation: location)
    // No item can be too large where no line is.
    for item in items where process.stdout.count > PluginProtocol.Limits.item {
      #expect(try JSONEncoder().encode(item).count <= PluginProtocol.Limits.item, sourceLocation: location)
    }
    return items
  }
}
