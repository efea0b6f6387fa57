import Yams

/// The settings of `forage clone`.
extension SettingsReader {
  /// Reads `clones: {root: ~/src, protocol: https}`.
  ///
  /// - Throws: `CommandError` for a root that is not absolute or an unknown protocol.
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
