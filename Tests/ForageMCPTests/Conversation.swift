import Dispatch
import Forage
import ForageCore
import Synchronization
import TestSupport
import Testing

@testable import ForageMCP

/// A provider whose pages a closure makes.
struct ClosureProvider: SearchProvider {
  static let id = "shelf"

  let info = ProviderInfo(id: ClosureProvider.id, name: "Shelf")

  let kinds: [ResultKind: Abilities] = {
    let abilities = Abilities(
      fields: [.description, .name, .stars], qualifiers: ["stars": .exact, "is": .exact], sorts: ["stars"],
      needsText: false)
    return [.repo: abilities, .user: abilities, .issue: abilities, .code: abilities]
  }()

  let page: @Sendable (SearchRequest) async throws -> SearchPage

  func search(_ request: SearchRequest) async throws -> SearchPage { try await page(request) }
}

/// A server with a home of its own, of which every provider is disabled but one, and what it has written.
final class Conversation: Sendable {
  private let home: IsolatedHome
  private let forage: Forage
  private let input: AsyncStream<[UInt8]>.Continuation
  private let server: Task<Void, Never>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - environment: Added to that of the home.
  ///   - reading: Is waited for before each message: how far the client has read.
  ///   - page: Answers searches; by default nothing is found.
  init(
    environment: [String: String] = [:], reading: DispatchSemaphore? = nil,
    page: @escaping @Sendable (SearchRequest) async throws -> SearchPage = { _ in SearchPage(items: []) }
  ) throws {
    home = try IsolatedHome()
    if environment["FORAGE_GITHUB_URL"] == nil {
      try home.writeConfig("forage/config.yaml", "providers:\n  github: {enabled: false}\n")
    }
    let setup = ForageSetup(
      environment: home.environment(
        adding: environment.merging(["PATH": home.directory.path("no-programs")]) { given, _ in given }))
    forage = try Forage(setup, adding: [ClosureProvider(page: page)])
    let (stream, input) = AsyncStream<[UInt8]>.makeStream()
    self.input = input
    let messages = Messages()
    let server = MCPServer(forage, allowsWriting: true) {
      reading?.wait()
      messages.add($0)
    }
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

  private static func text(_ members: [String: JSONTree]) -> String { ResponseLimit.text(.object(members)) }

  /// Calls a tool and waits for its answer.
  func answer(_ tool: String, _ arguments: [String: JSONTree], id: Int = 1) async -> (
    content: JSONTree, isError: Bool
  ) {
    call(id, tool, arguments)
    let result = await result(id)
    let content = result["structuredContent"] ?? .null
    #expect(result["content"]?.array?.first?["text"]?.string == ResponseLimit.text(content))
    #expect(content["complete"]?.bool != nil && content["providers"]?.array != nil, "\(content)")
    return (content, result["isError"] == .bool(true))
  }

  /// Finds clones in a folder, as `forage clones add` does.
  func addClones(in folder: String) async throws { try await forage.scanClones(adding: [folder]) }

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
    await forage.close()
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
