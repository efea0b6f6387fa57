import ForageCore
import ForagePlatform

/// Paths as people read them.
struct PathText {
  /// The home folder as it is named and without links; none leaves every path as it is.
  private let homes: [String]
  /// The current folder likewise.
  private let folders: [String]

  /// - Parameters:
  ///   - home: The home folder; `nil` to leave paths as they are.
  ///   - folder: The current folder; `nil` where no path is relative to it.
  init(home: String?, folder: String? = nil) {
    (homes, folders) = (Self.forms(home), Self.forms(folder))
  }

  /// A folder as it is named and without links, without a slash at the end; none for the root of the file
  /// system.
  private static func forms(_ folder: String?) -> [String] {
    let named = folder.map { [$0, realPath($0) ?? $0] } ?? []
    return named.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.filter {
      $0.count > 1
    }
  }

  /// The path of a file relative to the current folder; `nil` where the file is not below it.
  ///
  /// - Parameter file: An absolute path, or the address of a file whose name is not UTF-8.
  func relative(_ file: String) -> String? {
    let path = FilePathText.bytes(file).map { String(decoding: $0, as: UTF8.self) } ?? file
    return folders.first { path.hasPrefix($0 + "/") }.map { String(path.dropFirst($0.count + 1)) }
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
