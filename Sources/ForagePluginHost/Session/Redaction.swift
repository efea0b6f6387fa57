/// Masks secrets in texts.
enum Redaction {
  /// The replacement for a secret.
  private static let mask = Array("•••".utf8)

  /// The text with all secrets masked; of several that begin at the same position the longest.
  static func hiding(_ secrets: [String], in text: String) -> String {
    let wanted = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    guard !wanted.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if let secret = wanted.first(where: { bytes[place...].starts(with: $0) }) {
        result += mask
        place += secret.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
