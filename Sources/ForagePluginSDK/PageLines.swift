import ForageCore
import ForagePluginProtocol

/// Writes the answer to one request: its items in lines that the host takes, then what ends it.
struct PageLines {
  private let id: RequestID
  private let provider: String
  private let lineLimit: Int

  /// Bytes of a line of items beside the items: the envelope, and an id of the length that a host may sensibly use.
  static let overhead = 512

  init(id: RequestID, provider: String, lineLimit: Int) {
    self.id = id
    self.provider = provider
    self.lineLimit = lineLimit
  }

  /// Writes a page.
  ///
  /// An item that is too large, or more than was asked for, makes the answer an error behind the items that are well, and so does what broke the
  /// page off.
  mutating func write(_ page: SearchPage, limit: Int, unapplied: [Int]) -> [UInt8] {
    let (lines, count, fault) = items(page.items, limit: limit)
    return lines
      + end(
        SearchAnswer(page, count: count, unapplied: Set(unapplied).sorted()),
        page.failure.map { ErrorObject($0) } ?? fault)
  }

  /// Writes what is known of one entity, `nil` for nothing.
  mutating func write(_ details: FullDetails?) -> [UInt8] {
    let (lines, count, fault) = items(details.map { [$0.item] } ?? [], limit: 1)
    let page = SearchPage(
      items: [], cacheAge: details?.cacheAge, isStale: details?.isStale ?? false)
    var answer = SearchAnswer(page, count: count, unapplied: [])
    if let missing = details?.missing, !missing.isEmpty {
      answer.missing = missing.map { MissingInfo(field: $0.field.rawValue, error: ErrorObject($0.error)) }
    }
    return lines + end(answer, fault)
  }

  private func end(_ answer: SearchAnswer, _ fault: ErrorObject?) -> [UInt8] {
    if let fault { return Message.failure(id: id, error: fault).line }
    do { return Message.response(id: id, result: try JSONText(encoding: answer)).line } catch {
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
        .internalError, "the provider delivered \(results.count) items where \(limit) were asked for")
    }
    var batch = JSONWriter()
    func flush() {
      guard !batch.bytes.isEmpty else { return }
      var params = JSONWriter()
      params.object { writer in
        writer.member("id") { $0.write(id) }
        writer.member("seq") { $0.write(seq) }
        writer.member("items") { writer in writer.array { $0.write(json: batch.bytes) } }
      }
      lines += Message.notification(method: PluginProtocol.Method.items, params: JSONText(params)).line
      seq += 1
      batch = JSONWriter()
    }
    for (place, result) in results.prefix(limit).enumerated() {
      var item = JSONWriter()
      Item(result, provider: provider).write(to: &item)
      let size = item.bytes.count
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
      if batch.bytes.count + size + 1 > lineLimit - Self.overhead { flush() }
      batch.write(json: item.bytes)
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

  /// Characters of an id in a message: ids are shorter, and what makes the item too large may be its id.
  private static let longestName = 200
}
