import ForageCore
import ForageGit

/// Decides whether a reference is a path.
package enum ReferencePath {
  /// The path of a text that is written as one, `nil` for any other text.
  ///
  /// - Parameter home: What `~` stands for.
  package static func written(_ text: String, home: String?) -> String? {
    let scheme = "file://"
    if text.hasPrefix(scheme) {
      let path = String(text.dropFirst(scheme.count))
      let decoded = PercentEncoding.decode(path[...])
      return exists(path) || !exists(decoded) ? path : decoded
    }
    if let home, text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    let isPath = ["/", "./", "../", "~/"].contains { text.hasPrefix($0) } || [".", "..", "~"].contains(text)
    return isPath ? text : nil
  }

  /// Whether a text is an address of a page, which has a host.
  package static func isWebAddress(_ text: String) -> Bool {
    ["https://", "http://"].contains { scheme in
      guard text.prefix(8).lowercased().hasPrefix(scheme) else { return false }
      let host = host(of: text.dropFirst(scheme.count))
      return host.first == "[" ? host.contains("]") : host.first.map { $0.isLetter || $0.isNumber } == true
    }
  }

  /// The host of an address behind its scheme, with the port; browsers read a backslash as a slash.
  private static func host(of rest: Substring) -> Substring {
    let authority = rest.prefix { !"/?#\\".contains($0) }
    return authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
  }

  /// Whether there is a file or a folder at a path.
  package static func exists(_ path: String) -> Bool { !path.isEmpty && FileAccess.entry(path) != nil }

  /// Whether a path exists and is in a clone.
  package static func isInClone(_ path: String) -> Bool {
    FileAccess.realPath(path).flatMap(CloneProbe.root) != nil
  }
}

extension Forage {
  /// The path of a text that is written as one, with the home folder of the user for `~`; `nil` for any other
  /// text.
  package func writtenPath(_ text: String) -> String? {
    ReferencePath.written(text, home: paths.home.isEmpty ? nil : paths.home)
  }
}
