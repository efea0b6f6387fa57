import ForageCore
import ForagePlatform

/// Paths as people read them.
struct PathText {
  /// The home folder as it is named and without links; none leaves every path as it is.
  private let homes: [String]

  /// - Parameter home: The home folder; `nil` to leave paths as they are.
  init(home: String?) {
    let named = home.map { [$0, realPath($0) ?? $0] } ?? []
    homes = named.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.filter {
      $0.count > 1
    }
  }

  /// The path with `~` for the home folder.
  func text(_ path: String) -> String {
    for home in homes {
      if path == home { return "~" }
      if path.hasPrefix(home + "/") { return "~" + path.dropFirst(home.count) }
    }
    return path
  }

  /// A message about what is at a path: the path and the reason, which may name the path itself.
  static func message(_ path: String, _ reason: String) -> String {
    reason.contains(path) ? reason : "\(path): \(reason)"
  }
}

extension String {
  /// The word as a shell needs it: in quotes, where a character means something to a shell.
  var shellQuoted: String {
    let isPlain =
      !isEmpty && consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "-_./=:@+,%")
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
