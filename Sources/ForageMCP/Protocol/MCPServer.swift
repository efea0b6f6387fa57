package import Forage
import ForageCore
import ForagePluginProtocol

/// A server of the Model Context Protocol: reads messages, runs tools, writes responses.
///
/// Requests run at the same time. The server sends no requests. It serves revision 2026-07-28, and clients
/// that begin with `initialize`.
package actor MCPServer {
  private let forage: Forage
  private let tools: [Tool]
  private let lists = OpenLists()
  private let writer: MessageWriter

  /// The maximum length of a message in bytes: larger than any request needs, and small enough to be held in
  /// memory.
  private static let maximumMessage = 4 << 20

  // A line that is cut has one byte more than a message may have.
  private var lines = LineReader(limit: maximumMessage + 1, cutsLongLines: true)
  private var isInitialized = false
  /// Calls that are not answered yet, waiting ones included.
  private var running: [RequestID: Task<Void, Never>] = [:]
  /// The number of calls that had their turn and have not ended, by whether they may ask hosts.
  private var active = [false: 0, true: 0]
  /// Calls that wait for others to end, in order.
  private var waiting: [(id: RequestID, asksHosts: Bool, turn: AsyncStream<Void>.Continuation)] = []

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - forage: What the tools use; its tokens and connections serve every call.
  ///   - allowsWriting: Whether there are tools that change something.
  ///   - write: Writes a message, a line without its line feed; calls do not overlap.
  package init(_ forage: Forage, allowsWriting: Bool, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.forage = forage
    tools = Self.readingTools + (allowsWriting ? Self.writingTools : [])
    writer = MessageWriter(write)
  }

  private static let readingTools = [
    SearchTools.search, SearchTools.searchCode, ReadTool.read, RecordTools.inspect, RecordTools.show,
    RecordTools.clones, HistoryTool.history,
  ]
  private static let writingTools = [RecordTools.star]
  /// The names of the tools that change nothing, and of those that do.
  package static let toolNames = (reading: readingTools.map(\.name), writing: writingTools.map(\.name))

  /// Calls that run at the same time, those that may ask hosts and the others: each may hold many
  /// descriptors.
  private static let maximumCalls = 16
  /// How long calls may still run after the end of the input; the process then has to end within a second.
  private static let endGrace = Duration.milliseconds(500)

  /// Reads messages until the input ends, gives what runs a short time to finish, then cancels it and writes
  /// the rest.
  ///
  /// - Parameter input: Chunks of standard input.
  package func serve(_ input: AsyncStream<[UInt8]>) async {
    for await bytes in input {
      var complete: [[UInt8]] = []
      bytes.withUnsafeBytes { bytes in try? lines.append(bytes) { complete.append(Array($0)) } }
      for line in complete where !line.allSatisfy(Self.isBlank) { await receive(line) }
    }
    let grace = Task.isCancelled ? .zero : Self.endGrace
    let limit = Task {
      try? await Task.sleep(for: grace)
      for task in running.values { task.cancel() }
    }
    while let task = running.values.first { await task.value }
    limit.cancel()
    await writer.flush()
    await lists.close()
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private func receive(_ line: [UInt8]) async {
    do throws(RPCError) {
      let limit = Self.maximumMessage
      guard line.count <= limit else {
        throw RPCError(.invalidRequest, "a message is at most \(limit) bytes; this one was skipped")
      }
      switch try RPCMessage(line) {
      case .request(let id, let method, let params): await start(id, method, params)
      case .notification(let method, let params): receive(method, params)
      case .response: break
      }
    } catch {
      await send(error.response(to: nil))
    }
  }

  private func receive(_ method: String, _ params: JSONTree?) {
    guard method == "notifications/cancelled", let id = RequestID(params?["requestId"]) else { return }
    running[id]?.cancel()
  }

  private func start(_ id: RequestID, _ method: String, _ params: JSONTree?) async {
    guard running[id] == nil else {
      return await send(
        RPCError(.invalidRequest, "a request with this id is still being answered").response(to: id))
    }
    do throws(RPCError) {
      if !ProtocolRevision.isNamed(in: params), let result = try immediate(method, params) {
        return await send(Self.response(id, result))
      }
      let era = try ProtocolRevision.era(of: params, isInitialized: isInitialized)
      switch method {
      case "server/discover": await send(Self.response(id, discovery))
      case "tools/list":
        if let cursor = params?["cursor"], cursor != .null, cursor.string != "" {
          throw RPCError(.invalidParams, "the list of tools has one page and no cursor")
        }
        await send(Self.response(id, list(era)))
      case "tools/call": try call(id, params, era)
      default:
        throw RPCError(.methodNotFound, "there is no method \(method.prefix(ToolArguments.shownLength))")
      }
    } catch {
      await send(error.response(to: id))
    }
  }

  /// The result of the methods of earlier revisions that need no metadata; `nil` for another method.
  private func immediate(_ method: String, _ params: JSONTree?) throws(RPCError) -> JSONTree? {
    switch method {
    case "initialize":
      guard let wanted = params?["protocolVersion"]?.string else {
        throw RPCError(.invalidParams, "initialize needs protocolVersion, a string")
      }
      isInitialized = true
      let agreed =
        ProtocolRevision.handshake.contains(wanted) ? wanted : (ProtocolRevision.handshake.first ?? wanted)
      return .object([
        "protocolVersion": .string(agreed), "capabilities": Self.capabilities, "serverInfo": serverInfo,
        "instructions": .string(Self.instructions),
      ])
    case "ping": return .object([:])
    default: return nil
    }
  }

  private static let capabilities = JSONTree.object(["tools": .object([:])])
  /// How long a client may keep the lists: they change only with the program's options.
  private static let keepMilliseconds = 3_600_000
  private static let instructions = """
    Searches GitHub, other forges and the clones on this disk, and reads files of them. \
    "complete": false means that results are missing; "providers" says whose and why. Continue a list with "next" as cursor.
    """

  private var serverInfo: JSONTree {
    .object(["name": .string("forage"), "title": .string("Forage"), "version": .string(Forage.version)])
  }

  private var discovery: JSONTree {
    .object([
      "resultType": .string("complete"), "supportedVersions": .array([.string(ProtocolRevision.current)]),
      "capabilities": Self.capabilities, "instructions": .string(Self.instructions),
      "ttlMs": .integer(Self.keepMilliseconds), "cacheScope": .string("public"),
      "_meta": ProtocolRevision.serverMeta(serverInfo),
    ])
  }

  private func list(_ era: ProtocolRevision.Era) -> JSONTree {
    var members: [String: JSONTree] = ["tools": .array(tools.map(\.definition))]
    if era == .stateless {
      members["resultType"] = .string("complete")
      members["ttlMs"] = .integer(Self.keepMilliseconds)
      members["cacheScope"] = .string("public")
    }
    return .object(members)
  }

  private func call(_ id: RequestID, _ params: JSONTree?, _ era: ProtocolRevision.Era) throws(RPCError) {
    guard let name = params?["name"]?.string else {
      throw RPCError(.invalidParams, "tools/call needs the name of a tool")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      let shown = String(name.prefix(ToolArguments.shownLength))
      guard name != RecordTools.star.name else {
        throw RPCError(
          .invalidParams, "the tool star is off: start the server with forage mcp --allow-write")
      }
      let nearest = NearestName.of(shown, among: tools.map(\.name))
      let advice = nearest.map { "did you mean \($0)?" } ?? tools.map(\.name).joined(separator: ", ")
      throw RPCError(.invalidParams, "there is no tool \(shown): \(advice)")
    }
    var given = params?["arguments"] ?? .null
    // Some clients send the object as text.
    if let text = given.string {
      given = text.isEmpty ? .null : (try? JSONTree(parsing: Array(text.utf8))) ?? given
    }
    let arguments = given == .null ? .object([:]) : given
    guard arguments.isObject else {
      throw RPCError(.invalidParams, "\"arguments\" must be an object")
    }
    let token = RequestID(params?["_meta"]?["progressToken"])
    let turn = AsyncStream<Void>.makeStream()
    waiting.append((id, tool.asksHosts, turn.continuation))
    startWaiting()
    running[id] = Task { [weak self, forage, lists] in
      let answer = await Self.reportingProgress(token, tool.title, self) { () -> ToolAnswer? in
        for await _ in turn.stream { break }
        return Task.isCancelled ? nil : await tool.call(arguments, forage, lists)
      }
      await self?.finish(id, tool, answer, era)
    }
  }

  /// Starts calls that wait, the first first, while few enough run; hosts that are slow hold up no work on
  /// clones.
  private func startWaiting() {
    while let next = waiting.firstIndex(where: { active[$0.asksHosts, default: 0] < Self.maximumCalls }) {
      active[waiting[next].asksHosts, default: 0] += 1
      waiting.remove(at: next).turn.yield()
    }
  }

  /// How long a call runs before its first report, and between reports.
  private static let progressInterval = Duration.milliseconds(900)

  /// Runs a call; while it works, its client is told so.
  private static func reportingProgress(
    _ token: RequestID?, _ title: String, _ server: MCPServer?, _ body: () async -> ToolAnswer?
  ) async -> ToolAnswer? {
    guard let token, let server else { return await body() }
    let reports = Task {
      var count = 0
      while (try? await Task.sleep(for: progressInterval)) != nil {
        count += 1
        await server.report(token, count, title)
      }
    }
    let answer = await body()
    reports.cancel()
    await reports.value
    return answer
  }

  private func report(_ token: RequestID, _ count: Int, _ title: String) async {
    // A client that does not read needs no further reports.
    guard writer.hasRoom else { return }
    await send(
      .object([
        "jsonrpc": .string("2.0"), "method": .string("notifications/progress"),
        "params": .object([
          "progressToken": token.tree, "progress": .integer(count), "message": .string(title),
        ]),
      ]))
  }

  /// Answers a call, unless it was cancelled.
  private func finish(_ id: RequestID, _ tool: Tool, _ answer: ToolAnswer?, _ era: ProtocolRevision.Era) async
  {
    var message: [UInt8]?
    if let answer, !Task.isCancelled { message = await masked(Self.response(id, Self.result(answer, era))) }
    // From here to the writer nothing is waited for: the server ends when nothing runs and all is written.
    running[id] = nil
    // A call that was cancelled before its turn.
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index)
      return
    }
    if let message { await writer.send(message) }
    active[tool.asksHosts, default: 0] -= 1
    startWaiting()
  }

  private static func result(_ answer: ToolAnswer, _ era: ProtocolRevision.Era) -> JSONTree {
    var result: [String: JSONTree] = [
      "content": .array([.object(["type": .string("text"), "text": .string(answer.text)])]),
      "structuredContent": answer.content, "isError": .bool(answer.isError),
    ]
    if era == .stateless { result["resultType"] = .string("complete") }
    return .object(result)
  }

  private static func response(_ id: RequestID, _ result: JSONTree) -> JSONTree {
    .object(["jsonrpc": .string("2.0"), "id": id.tree, "result": result])
  }

  private func send(_ message: JSONTree) async { await writer.send(await masked(message)) }

  /// A message with every secret masked that the program holds: tokens, and the secrets of plugins and
  /// manifests.
  private func masked(_ message: JSONTree) async -> [UInt8] {
    SecretRedaction(await forage.credentials.knownSecrets()).redacted(message.encoded())
  }
}
