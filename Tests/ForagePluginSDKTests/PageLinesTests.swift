import ForageCore
import ForagePluginProtocol
import Testing

@testable import ForagePluginSDK

/// The answer to one request, without a process.
struct PageLinesTests {
  /// The messages of a page of items of a size.
  private func messages(_ count: Int, size: Int, limit: Int = 200) throws
    -> [Message]
  {
    let text = String(repeating: "x", count: size)
    let items = (0..<count).map {
      SearchResult(id: "a:\($0)", kind: .repo, title: "t", fields: [.description: .text(text)])
    }
    let lines = PageLines(id: .text("é"), provider: "a")
    let bytes = lines.write(SearchPage(items: items, next: "n"), limit: limit)
    return try bytes.split(separator: 0x0A).map { line in
      #expect(line.count <= PluginProtocol.Limits.line)
      return try Message(parsing: line)
    }
  }

  private func items(_ messages: [Message]) -> [Item] {
    messages.flatMap { message -> [Item] in
      guard case .notification("search/items", let params) = message else { return [] }
      #expect(params["id"] == .string("é"))
      return ItemBatch(params["items"]?.array ?? []).items
    }
  }

  @Test func anEmptyPageIsOnlyAnAnswer() throws {
    let messages = try messages(0, size: 0)
    guard case .response(.text("é"), let result)? = messages.first, messages.count == 1 else {
      Issue.record("\(messages)")
      return
    }
    #expect(try result.decode(SearchAnswer.self) == SearchAnswer(count: 0, next: "n"))
  }

  @Test(arguments: [(1, 10), (200, 10), (200, 20_000), (3, 65_000)])
  func everyItemIsSentOnceInOrder(_ count: Int, _ size: Int) throws {
    let messages = try messages(count, size: size)
    #expect(items(messages).map(\.id) == (0..<count).map(String.init))
    guard case .response? = messages.last else {
      Issue.record("no answer")
      return
    }
  }

  @Test func aPageHasAnEnd() throws {
    let messages = try messages(200, size: 60_000)
    let sent = items(messages)
    let bytes = sent.reduce(0) { $0 + $1.tree.encoded().count }
    #expect(bytes <= PluginProtocol.Limits.page && bytes > PluginProtocol.Limits.page - 61_000)
    guard case .failure(_, let error)? = messages.last else {
      Issue.record("no error")
      return
    }
    #expect(error.message.contains("larger than 8388608 bytes"))
  }

  /// The protocol has no pauses: the list breaks off where it is interrupted, with the reason.
  @Test func aPauseBreaksOff() throws {
    let page = SearchPage(
      items: [], next: "n", notes: [Note(.requestsExceeded, "too many requests", hint: "wait")],
      isPaused: true)
    let line = PageLines(id: .number(1), provider: "a").write(page, limit: 10)
    guard case .failure(.number(1), let error) = try Message(parsing: line.dropLast()) else {
      Issue.record("no error")
      return
    }
    #expect(error.message == "too many requests" && error.data?.hint == "wait")
  }
}
