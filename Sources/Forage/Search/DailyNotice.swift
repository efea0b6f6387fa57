import ForageFoundation
import ForageStore

/// Something that is said once a day, and again when it is something else.
package struct DailyNotice {
  /// How long it is not repeated, in seconds: a day.
  private static let interval: Double = 24 * 60 * 60
  private static let maximumBytes = 1 << 16

  private let path: String

  /// - Parameter name: The name of its file.
  package init(_ name: String, _ forage: Forage) { path = forage.paths.stateFolder + "/" + name }

  /// Whether a text is due: not where the same was said within a day. It is then noted as said.
  package func take(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    // Files have the time of the system, whatever relative times count from.
    let age = PrivateFile.writtenAt(path).map { abs(Date().timeIntervalSince1970 - $0) }
    if let age, age < Self.interval, PrivateFile.read(path, limit: Self.maximumBytes) == bytes {
      return false
    }
    return PrivateFile.write(bytes, to: path)
  }
}
