import ForageCore
import ForagePluginProtocol

/// Encodes the answer to a request: lines of items within the size limit, then the result.
struct PageLines {
  let id: RequestID
  let provider: String

  /// The number of bytes of an items line besides the items: the envelope, including an id of realistic
  /// length.
  private static let overhead = 512

  /// Encodes a page.
  ///
  /// If an item is too large, there are more items than requested, or the page was interrupted, the valid
  /// items are followed by an error.
  func write(_ page: SearchPage, limit: Int, unapplied: [Int]) -> [UInt8] {
    let (lines, count, fault) = items(page.items, limit: limit)
    return lines
      + end(
        SearchAnswer(page, count: count, unapplied: Set(unapplied).sorted()),
        page.failure.map { ErrorObject($0) } ?? fault)
  }

  /// Encodes the details of an entity; `nil` for an unknown entity.
  func write(_ details: EntityDetails?) -> [UInt8] {
    let (lines, count, fault) = items(details.map { [$0.item] } ?? [], limit: 1)
    let page = SearchPage(items: [], cache: details?.cache ?? .none)
    var answer = SearchAnswer(page, count: count, unapplied: [])
    if let missing = details?.missing, !missing.isEmpty {
      answer.missing = missing.map { MissingInfo(field: $0.field.rawValue, error: ErrorObject($0.error)) }
    }
    return lines + end(answer, fault)
  }

  private func end(_ answer: SearchAnswer, _ fault: ErrorObject?) -> [UInt8] {
    if let fault { return Message.failure(id: id, error: fault).line }
    do { return Message.response(id: id, result: try JSONTree(encoding: answer)).line } catch {
      return Message.failure(id: id, error: ErrorObject(whatever: error)).line
    }
  }

  private func items(_ results: [SearchResult], limit: Int)
    -> (lines: [UInt8], count: Int, fault: ErrorObject?)
  {
    var (lines, seq, count, total): ([UInt8], Int, Int, Int) = ([], 0, 0, 0)
    var fault: ErrorObject?
    if results.count > limit {
      fault = ErrorObject(
        .internalError, "the provider returned \(results.count) items, but at most \(limit) were requested")
    }
    var batch: [JSONTree] = []
    var batchBytes = 0
    func flush() {
      guard !batch.isEmpty else { return }
      let params: JSONTree = .object(["id": id.tree, "seq": .integer(seq), "items": .array(batch)])
      lines += Message.notification(method: PluginProtocol.Method.items, params: params).line
      seq += 1
      (batch, batchBytes) = ([], 0)
    }
    for (place, result) in results.prefix(limit).enumerated() {
      let item = Item(result, provider: provider).tree
      let size = item.encoded().count
      guard size <= PluginProtocol.Limits.item else {
        fault = fault ?? Self.tooLarge(result, place: place, size: size)
        continue
      }
      guard total + size <= PluginProtocol.Limits.page else {
        fault =
          fault
          ?? ErrorObject(.internalError, "the page is larger than \(PluginProtocol.Limits.page) bytes")
        break
      }
      if batchBytes + size + 1 > PluginProtocol.Limits.line - Self.overhead { flush() }
      batch.append(item)
      batchBytes += size + 1
      (count, total) = (count + 1, total + size)
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
