import ForageCore
import Yams

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The user's settings, from `config.yaml`.
struct Settings: Sendable {
  /// What is set for one provider.
  struct Provider: Sendable, Hashable {
    var isEnabled: Bool?
    var weight: Double?
    var timeout: Duration?
  }

  /// By provider id.
  var providers: [String: Provider] = [:]

  /// Reads the file; without one everything is as by default.
  ///
  /// - Parameter knownProviders: The ids that may be configured.
  /// - Throws: `CommandError` with file and line for anything that is not understood.
  static func read(_ path: String, knownProviders: [String]) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("the settings \(path) cannot be read", hint: "check the permissions of the file")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandError("the settings \(path) are not UTF-8 text", hint: "save the file as UTF-8")
    }
    do {
      guard let root = try Yams.compose(yaml: text) else { return Settings() }
      return try SettingsReader(path: path, knownProviders: knownProviders).settings(root)
    } catch let error as YamlError {
      throw CommandError(
        "the settings \(path) are not valid YAML: \(error)", hint: "mend the file, or move it away")
    }
  }
}

/// Reads the tree of a settings file strictly: an unknown key is an error with the nearest known one and the line.
private struct SettingsReader {
  let path: String
  let knownProviders: [String]

  func settings(_ root: Node) throws -> Settings {
    var settings = Settings()
    if case .scalar(let scalar) = root, scalar.string.isEmpty || scalar.string == "null" { return settings }
    for (key, value) in try members(root, of: "the settings") {
      try check(key, among: ["providers"])
      for (id, entry) in try members(value, of: "providers") {
        try check(id, among: knownProviders)
        settings.providers[try name(id)] = try provider(entry)
      }
    }
    return settings
  }

  private func provider(_ node: Node) throws -> Settings.Provider {
    var result = Settings.Provider()
    for (key, value) in try members(node, of: "a provider") {
      try check(key, among: ["enabled", "weight", "timeout"])
      switch try name(key) {
      case "enabled":
        guard let flag = value.bool else { throw wrong(value, "enabled takes true or false") }
        result.isEnabled = flag
      case "weight":
        guard let number = value.float ?? value.int.map(Double.init), number > 0, number <= 1000 else {
          throw wrong(value, "weight takes a number above 0, at most 1000")
        }
        result.weight = number
      default:
        guard let number = value.float ?? value.int.map(Double.init), number > 0, number <= 3600 else {
          throw wrong(value, "timeout takes seconds above 0, at most 3600")
        }
        result.timeout = .milliseconds(max(1, Int(number * 1000)))
      }
    }
    return result
  }

  private func members(_ node: Node, of what: String) throws -> [(Node, Node)] {
    // A key with nothing behind it, everything commented out perhaps, is an empty list.
    if case .scalar(let scalar) = node,
      scalar.string.isEmpty || scalar.string == "null" || scalar.string == "~"
    {
      return []
    }
    guard case .mapping(let mapping) = node else {
      throw wrong(node, "\(what) must be a list of \"name: value\"")
    }
    return mapping.map { ($0.key, $0.value) }
  }

  private func name(_ node: Node) throws -> String {
    guard case .scalar(let scalar) = node else { throw wrong(node, "a name must be plain text") }
    return scalar.string
  }

  private func check(_ key: Node, among known: [String]) throws {
    let name = try name(key)
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    throw CommandError(
      "\(place(key)): \"\(name)\" is not a known setting",
      hint: nearest.map { "did you mean \"\($0)\"?" }
        ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  private func wrong(_ node: Node, _ what: String) -> CommandError {
    CommandError("\(place(node)): \(what)", hint: "mend the line, or remove it")
  }

  private func place(_ node: Node) -> String { path + (node.mark.map { ":\($0.line)" } ?? "") }
}
