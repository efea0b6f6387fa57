import ForageCore
import ForagePluginProtocol

/// What plugins and their host do with the bytes of a page, without a process between them.
enum Codec {
  /// Writes a page as a plugin sends it: a line of items and one that ends the page.
  ///
  /// - Throws: What encoding throws.
  static func encode(_ items: ArraySlice<SearchResult>, provider: String) throws -> [UInt8] {
    let id = RequestID.number(1)
    let params: JSONTree = .object([
      "id": id.tree, "items": .array(items.map { Item($0, provider: provider).tree }),
    ])
    let answer = SearchAnswer(count: items.count, next: String(items.endIndex))
    return Message.notification(method: PluginProtocol.Method.items, params: params).line
      + Message.response(id: id, result: try JSONTree(encoding: answer)).line
  }

  /// Reads a page as the host does, from bytes to results.
  ///
  /// - Returns: How many results it has.
  /// - Throws: `BenchError` where it does not have as many as its end says.
  static func decode(_ bytes: [UInt8], _ itemReader: ItemReader) throws -> Int {
    var lines = LineReader()
    var results: [SearchResult] = []
    var end: SearchAnswer?
    try bytes.withUnsafeBytes { bytes in
      try lines.append(bytes) { line in
        switch try? Message(parsing: line) {
        case .notification(_, let params):
          for item in ItemBatch(params["items"]?.array ?? []).items {
            if let result = itemReader.result(item) { results.append(result) }
          }
        case .response(_, let result): end = try? result.decode()
        default: break
        }
      }
    }
    guard let end, end.count == results.count else {
      throw BenchError("the page does not read as it was written")
    }
    return results.count
  }
}
