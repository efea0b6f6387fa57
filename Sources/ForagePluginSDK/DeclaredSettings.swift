import ForageCore
import ForagePlatform

/// The settings and secrets that a `plugin.json` declares, for `--declare`.
struct DeclaredSettings {
  private static let fileName = "plugin.json"
  /// A program of a Swift package is three folders below that of the package.
  private static let levels = 5
  private static let byteLimit = 1 << 20
  /// What stands for a secret.
  private static let standIn = "declared"

  /// The file's content; `nil` where there is none in JSON.
  private let file: JSONTree?

  init(_ file: JSONTree?) { self.file = file }

  /// Reads the file of the current folder, or of a folder above the program.
  static func find() -> DeclaredSettings {
    var folders = ["."]
    var folder = realPath(CommandLine.arguments[0]).map(parentFolder) ?? "/"
    for _ in 0..<levels where folder != "/" {
      folders.append(folder)
      folder = parentFolder(of: folder)
    }
    let found = folders.lazy.compactMap { contents(of: $0 + "/" + fileName) }.first
    return DeclaredSettings(found.flatMap { try? JSONTree(parsing: $0) })
  }

  /// The settings with the defaults, and the values that were given.
  func settings(_ given: [String: JSONTree]) -> PluginSettings {
    let defaults = (file?["config"]?.object ?? [:]).compactMapValues { $0["default"] }
    let secrets = (file?["secrets"]?.array ?? []).compactMap(\.string)
    return PluginSettings(
      config: defaults.merging(given) { $1 },
      secrets: Dictionary(secrets.map { ($0, Self.standIn) }) { first, _ in first })
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: byteLimit)
    let count = fread(&bytes, 1, byteLimit, file)
    return Array(bytes.prefix(count))
  }
}
