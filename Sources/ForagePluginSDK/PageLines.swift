import ForageCore
import ForagePluginProtocol

/// Encodes the answer to a request: lines of items within the size limit, then the result.
struct PageLines {
  let id: RequestID
  let provider: String

  /// Encodes a page.
  ///
  /// If an item is too large, there are more items than requested, or the page was interrupted, the valid
  /// items are followed by an error.
  func write(_ page: SearchPage, limit: Int) -> [UInt8] {
    let (lines, count, fault) = items(page.items, limit: limit)
    // The protocol has no pauses: the list breaks off with the reason.
    let pause = page.isPaused ? page.notes.first(where: \.isMissing) : nil
    let failure = page.failure ?? pause.map { SearchError($0.code, $0.message, hint: $0.hint) }
    return lines + end(SearchAnswer(page, count: count), failure.map { ErrorObject($0) } ?? fault)
  }

  /// Encodes the details of an entity; `nil` for an unknown entity.
  func write(_ details: EntityDetails?) -> [UInt8] {
    let (lines, count, fault) = items(details.map { [$0.item] } ?? [], limit: 1)
    let missing = details?.missing.map { NoteInfo(Note($0.error), field: $0.field) } ?? []
    return lines + end(SearchAnswer(count: count, notes: missing.isEmpty ? nil : missing), fault)
  }

  private func end(_ answer: SearchAnswer, _ fault: ErrorObject?) -> [UInt8] {
    if let fault { return Message.failure(id: id, error: fault).line }
    do { return Message.response(id: id, result: try JSONTree(encoding: answer)).line } catch {
      return Message.failure(id: id, error: ErrorObject(whatever: error)).line
    }
  }

  /// Each item is encoded once: its size decides in which line it is.
  private func items(_ results: [SearchResult], limit: Int)
    -> (lines: [UInt8], count: Int, fault: ErrorObject?)
  {
    var (lines, count, total): ([UInt8], Int, Int) = ([], 0, 0)
    var fault: ErrorObject?
    if results.count > limit {
      fault = ErrorObject(
        .internalError, "the provider returned \(results.count) items, but at most \(limit) were requested")
    }
    let head =
      Array(#"{"jsonrpc":"2.0","method":"search/items","params":{"id":"#.utf8) + id.tree.encoded()
      + Array(#","items":["#.utf8)
    let tail = Array("]}}\n".utf8)
    var batch: [UInt8] = []
    func flush() {
      guard !batch.isEmpty else { return }
      lines += head + batch + tail
      batch = []
    }
    for (place, result) in results.prefix(limit).enumerated() {
      let item = Item(result, provider: provider).tree.encoded()
      guard item.count <= PluginProtocol.Limits.item else {
        fault = fault ?? Self.tooLarge(result, place: place, size: item.count)
        continue
      }
      guard total + item.count <= PluginProtocol.Limits.page else {
        fault =
          fault
          ?? ErrorObject(.internalError, "the page is larger than \(PluginProtocol.Limits.page) bytes")
        break
      }
      if head.count + batch.count + item.count + tail.count > PluginProtocol.Limits.line { flush() }
      if !batch.isEmpty { batch.append(UInt8(ascii: ",")) }
      batch += item
      (count, total) = (count + 1, total + item.count)
    }
    flush()
    return (lines, count, fault)
  }

  private static func tooLarge(_ result: SearchResult, place: Int, size: Int) -> ErrorObject {
    let name = String(result.id.unicodeScalars.prefix(longestName))
    return ErrorObject(
      .internalError,
      "item \(place) (\"\(name)\") is \(size) bytes of JSON, more than \(PluginProtocol.Limits.item)")
  }

  /// The number of characters of an id in a message; the id itself may be what makes the item too large.
  private static let longestName = 200
}
