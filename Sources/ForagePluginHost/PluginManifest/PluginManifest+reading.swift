package import ForageCore
import ForagePluginProtocol

extension PluginManifest {
  package static let keys = [
    "forage", "id", "name", "version", "command", "files", "kinds", "concurrency", "hosts", "secrets",
    "config", "providers",
  ]
  static let settingKeys = ["default", "description"]

  /// Parses a `plugin.json`.
  ///
  /// - Parameters:
  ///   - bytes: The complete file.
  ///   - path: The file's path, for messages.
  /// - Throws: `SearchError` with code `configuration` that names the file and the line.
  package init(parsing bytes: [UInt8], path: String) throws(SearchError) {
    guard bytes.count <= Self.byteLimit else {
      throw SearchError(
        .configuration, "\(path) is larger than \(Self.byteLimit >> 10) KiB",
        hint: "keep only the description of the plugin")
    }
    let root: PlacedJSON
    do throws(PlacedJSON.Failure) { root = try PlacedJSON(parsing: bytes) } catch {
      throw SearchError(
        .configuration, "\(path):\(error.line): \(error.message)",
        hint: "correct it; the error is in that line or below")
    }
    let file = try ManifestObject(root, path: path, what: "plugin.json", keys: Self.keys)
    try file.checkVersion()
    id = try file.text("id")
    guard ProviderInfo.isID(id) else {
      throw file.wrong(
        "id", "must be lower-case letters, digits, -, _ and ., at most \(ProviderInfo.longestID)")
    }
    name = try file.text("name")
    version = try file.text("version")
    command = try file.texts("command", isRequired: true)
    let isInside = { Self.isInside(Self.plainName($0)) }
    files = try file.texts("files", where: isInside, "a relative path in the plugin's folder")
      .map(Self.plainName)
    if let word = command.first, word.contains("/") {
      let program = PluginProgram(word, files: files)
      if case .search = program {
        throw file.wrong(
          "command", "begins with \"\(word)\", which is not in \"files\" and does not begin with / or ./")
      }
      if case .file(let name) = program, !Self.isInside(name) {
        throw file.wrong("command", "begins with \"\(word)\", which is outside the plugin's folder")
      }
    }
    hosts = try file.texts(
      "hosts", where: Self.isHost, "a valid host; use a lower-case name without https://")
    secrets = try file.texts("secrets", where: Self.isName, "a valid name; use letters, digits, - and _")
    config = try Self.settings(file)
    providers = try Self.providers(file, id: id, name: name, hosts: hosts)
  }

  /// Reads the `plugin.json` at a path.
  ///
  /// - Throws: `SearchError` with code `configuration` as above, `not_found` if the file does not exist, or
  ///   `local_failure` if it cannot be read.
  static func read(_ path: String) throws(SearchError) -> (manifest: PluginManifest, bytes: [UInt8]) {
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try FileContents.read(path, limit: byteLimit + 1) } catch {
      throw SearchError(
        error.isMissing ? .notFound : .local, "\(path) cannot be read: \(error.reason)",
        hint: "check the path and its permissions")
    }
    return (try PluginManifest(parsing: bytes, path: path), bytes)
  }

  /// A path without a leading `./`.
  static func plainName(_ path: String) -> String {
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(rest)
  }

  /// Whether a path is relative and has no components that leave its folder.
  static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.utf8.contains(0)
      && !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
  }

  /// The maximum length of a host with its port in bytes: a domain name has up to 253.
  private static let hostLimit = 300

  /// Whether a text is a valid host with an optional port.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= hostLimit && text.consists(of: "a"..."z", "0"..."9", and: ".-:[]")
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= ProviderInfo.longestID
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
      }
  }

  private static func settings(_ file: ManifestObject) throws(SearchError) -> [String: Setting] {
    guard let entry = file["config"] else { return [:] }
    guard let members = entry.value.members else { throw file.wrong("config", "must be an object") }
    var settings: [String: Setting] = [:]
    for member in members {
      guard isName(member.name) else {
        throw file.wrong(
          "config", "has \"\(member.name)\", which is not a valid name; use letters, digits, - and _")
      }
      let setting = try ManifestObject(
        member.value, path: file.path, what: "config.\(member.name)", keys: settingKeys)
      settings[member.name] = Setting(
        standard: setting["default"]?.value.tree, description: try setting.optionalText("description"))
    }
    return settings
  }
}
