import Yams

/// The settings of clones.
extension SettingsReader {
  /// The largest size of files that are searched (64 MiB): each is read as a whole.
  private static let largestFile = 64 << 20

  /// Reads `code: {maxFileSize: 1048576}`.
  ///
  /// - Throws: `ForageError` for another key or a size out of range.
  func maximumFileSize(_ node: Node) throws -> Int {
    var result = Settings().maximumFileSize
    for (key, value) in try members(node, of: "code") {
      try check(key, among: ["maxFileSize"])
      guard let bytes = value.int, (1...Self.largestFile).contains(bytes) else {
        throw wrong(value, "maxFileSize takes a number of bytes from 1 to \(Self.largestFile)")
      }
      result = bytes
    }
    return result
  }

  /// Reads `clones: {root: ~/src, protocol: https}`.
  ///
  /// - Throws: `ForageError` for a root that is not absolute or an unknown protocol.
  func clones(_ node: Node) throws -> Settings.Clones {
    var result = Settings.Clones()
    for (key, value) in try members(node, of: "clones") {
      try check(key, among: ["root", "protocol"])
      let text = value.scalar?.string ?? ""
      if try name(key) == "root" {
        guard text.hasPrefix("/") || text.hasPrefix("~/") || text == "~" else {
          throw wrong(
            value, "root takes an absolute path", hint: "for example: root: ~/src, or root: /home/me/src")
        }
        result.root = text
      } else {
        guard let choice = Settings.Clones.TransferProtocol(rawValue: text) else {
          throw wrong(value, "protocol takes https or ssh", hint: "for example: protocol: ssh")
        }
        result.transferProtocol = choice
      }
    }
    return result
  }
}
