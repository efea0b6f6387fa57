import ForageCore
import Synchronization
import Testing

@testable import ForageMCP

/// A server whose commands are answered by a closure, and what it has written.
final class Conversation: Sendable {
  private let input: AsyncStream<[UInt8]>.Continuation
  private let server: Task<Void, Never>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - secrets: Masked in everything that is written.
  ///   - run: Answers commands.
  init(
    secrets: [String] = [], run: @escaping CommandRunner,
    read: @escaping FileReader = { _ in .text("") }
  ) {
    let (stream, input) = AsyncStream<[UInt8]>.makeStream()
    self.input = input
    let messages = Messages()
    let server = MCPServer(
      tools: [
        SearchTools.search(run), SearchTools.searchCode(run), ReadTool.make(read), RecordTools.inspect(run),
        RecordTools.show(run), RecordTools.clones(run), RecordTools.star(run),
      ], version: "1.0",
      masked: { bytes in
        bytes.withUnsafeBufferPointer { SecretRedaction(secrets).redacted(json: $0) } ?? bytes
      }, write: { messages.add($0) })
    self.messages = messages
    self.server = Task { await server.serve(stream) }
  }

  private let messages: Messages

  /// Sends a line.
  func send(_ line: String) { input.yield(Array((line + "\n").utf8)) }

  /// Sends a request of revision 2026-07-28.
  func request(
    _ id: Int, _ method: String, _ params: [String: JSONTree] = [:], meta: [String: JSONTree] = [:]
  ) {
    var params = params
    params["_meta"] = .object(
      meta.merging([
        "io.modelcontextprotocol/protocolVersion": .string("2026-07-28"),
        "io.modelcontextprotocol/clientCapabilities": .object([:]),
      ]) { first, _ in first })
    send(
      Self.text([
        "jsonrpc": .string("2.0"), "id": .integer(id), "method": .string(method), "params": .object(params),
      ]))
  }

  /// Calls a tool.
  func call(_ id: Int, _ tool: String, _ arguments: [String: JSONTree] = [:], meta: [String: JSONTree] = [:])
  {
    request(id, "tools/call", ["name": .string(tool), "arguments": .object(arguments)], meta: meta)
  }

  private static func text(_ members: [String: JSONTree]) -> String { AnswerLimit.text(.object(members)) }

  /// Waits for the message that fulfils a condition.
  func message(where isWanted: @escaping @Sendable (JSONTree) -> Bool) async -> JSONTree {
    await messages.first(where: isWanted)
  }

  /// Waits for the response to a request.
  func response(_ id: Int) async -> JSONTree { await message { $0["id"] == .integer(id) } }

  /// Waits for the result of a call.
  func result(_ id: Int) async -> JSONTree { await response(id)["result"] ?? .null }

  /// Ends the input and waits for the server's end.
  ///
  /// - Returns: Everything that was written.
  func end() async -> [JSONTree] {
    input.finish()
    await server.value
    return messages.all
  }
}

/// Messages of a server, and those who wait for one.
final class Messages: Sendable {
  private struct State {
    var all: [JSONTree] = []
    var waiting: [(isWanted: @Sendable (JSONTree) -> Bool, done: CheckedContinuation<JSONTree, Never>)] = []
  }

  private let state = Mutex(State())

  var all: [JSONTree] { state.withLock { $0.all } }

  func add(_ bytes: [UInt8]) {
    guard let tree = try? JSONTree(parsing: bytes) else {
      Issue.record("not JSON: \(String(decoding: bytes, as: UTF8.self))")
      return
    }
    let done = state.withLock { state in
      state.all.append(tree)
      let found = state.waiting.filter { $0.isWanted(tree) }
      state.waiting.removeAll { $0.isWanted(tree) }
      return found
    }
    for waiter in done { waiter.done.resume(returning: tree) }
  }

  func first(where isWanted: @escaping @Sendable (JSONTree) -> Bool) async -> JSONTree {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> JSONTree? in
        if let found = state.all.first(where: isWanted) { return found }
        state.waiting.append((isWanted, continuation))
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
