import ForageCore
import ForagePluginProtocol
import Synchronization
import Testing

struct PeerTests {
  /// What a peer was told and has sent, in order.
  final class Log: Sendable {
    let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  private func peer(_ log: Log, lineLimit: Int = 1000) -> Peer {
    Peer(
      lineLimit: lineLimit,
      handlers: Peer.Handlers(
        request: { id, method, _ in log.add("request \(method)") },
        notification: { method, _ in log.add("told \(method)") },
        unreadable: { error, beginning in log.add("unreadable \(String(decoding: beginning, as: UTF8.self))")
        },
        stray: { _ in log.add("stray") }),
      send: { log.add("sent " + String(decoding: $0.dropLast(), as: UTF8.self)) })
  }

  private func push(_ text: String, into peer: Peer) throws {
    try Array(text.utf8).withUnsafeBufferPointer { buffer throws(FrameError) in
      try peer.receive(UnsafeRawBufferPointer(buffer))
    }
  }

  @Test func whatWasToldBeforeAnAnswerIsThereBeforeIt() throws {
    let log = Log()
    let peer = peer(log)
    let id = peer.request(
      "search", .empty, willSend: { _ in log.add("will send") },
      completion: { log.add((try? $0.get()) == nil ? "failed" : "answered") })
    #expect(id == .number(0))
    try push(
      #"{"jsonrpc":"2.0","method":"a"}"# + "\nnoise\n" + #"{"jsonrpc":"2.0","id":5,"result":1}"# + "\n"
        + #"{"jsonrpc":"2.0","method":"b"}"# + "\n" + #"{"jsonrpc":"2.0","id":0,"result":{}}"# + "\n"
        + #"{"jsonrpc":"2.0","id":0,"result":{}}"# + "\n" + #"{"jsonrpc":"2.0","id":9,"method":"c"}"# + "\n",
      into: peer)
    #expect(
      log.all == [
        "will send", #"sent {"jsonrpc":"2.0","id":0,"method":"search","params":{}}"#, "told a",
        "unreadable noise",
        "stray", "told b", "answered", "stray", "request c",
      ])
  }

  @Test func answersFindTheirRequests() throws {
    let log = Log()
    let peer = peer(log)
    for name in ["x", "y", "z"] {
      peer.request("m", .empty) { result in
        switch result {
        case .success(let text): log.add(name + "=" + String(decoding: text.bytes, as: UTF8.self))
        case .failure(.failed(let error)): log.add("\(name) \(error.code.rawValue)")
        case .failure(let error): log.add("\(name) \(error)")
        }
      }
    }
    try push(
      #"{"jsonrpc":"2.0","id":2,"result":[1]}"# + "\n"
        + #"{"jsonrpc":"2.0","id":0,"error":{"code":1001,"message":""}}"# + "\n"
        + #"{"jsonrpc":"2.0","id":1}"# + "\n", into: peer)
    #expect(
      log.all.suffix(4) == [
        "z=[1]", "x 1001",
        "y unreadable(ForagePluginProtocol.MessageError.notMessage(id: Optional(ForagePluginProtocol.RequestID.number(1))))",
        #"unreadable {"jsonrpc":"2.0","id":1}"#,
      ])
  }

  @Test func theEndOfTheStreamFailsWhatWaits() throws {
    let log = Log()
    let peer = peer(log, lineLimit: 10)
    peer.request("m", .empty) { log.add("\($0)") }
    #expect(throws: FrameError.lineTooLong(limit: 10)) { try push("01234567890", into: peer) }
    #expect(log.all.last == "failure(ForagePluginProtocol.PeerError.closed)")
    #expect(peer.request("m", .empty) { log.add("later \($0)") } == nil)
    #expect(log.all.last == "later failure(ForagePluginProtocol.PeerError.closed)")
    #expect(throws: FrameError.lineTooLong(limit: 10)) { try peer.end() }
  }

  @Test func aClosedPeerAsksNothing() async throws {
    let peer = peer(Log())
    peer.close()
    await #expect(throws: PeerError.closed) { try await peer.answer(to: "m", .empty) }
  }
}
