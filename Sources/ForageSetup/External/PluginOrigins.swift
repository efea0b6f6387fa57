import ForageCore
import ForageYAML
import Yams

/// Where the plugins and manifests of the user were installed from, in a file of the program's own beside the
/// settings: what `forage plugin upgrade` asks.
struct PluginOrigins: OwnSettingsFile {
  /// Where one was installed from.
  struct Origin: Hashable, Sendable {
    /// An absolute path, or the address of a git repository.
    var source: String
    /// The branch, tag or commit that was asked for; `nil` for the default branch, and for a path.
    var revision: String?
    /// The commit that was installed; `nil` for a path.
    var commit: String?
  }

  static let fileName = "plugins.origins.yaml"
  static let noun = "the list of what plugins were installed from"
  static let head = """
    # Written by forage plugin install: what forage plugin upgrade asks.

    """
  static let advice = "delete the file, and install the plugins again"
  static let empty: [String: Origin] = [:]

  let path: String

  /// Writes where one was installed from; `nil` forgets it.
  ///
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  func set(_ origin: Origin?, of id: String) throws(ForageError) {
    try change(creates: origin != nil) { origins in
      guard origins[id] != origin else { return false }
      origins[id] = origin
      return true
    }
  }

  func content(of root: Node, _ problem: inout YAMLProblem?) throws(YAMLProblem) -> [String: Origin] {
    var origins: [String: Origin] = [:]
    for member in try StrictYAML.members(root, of: "the file") {
      let texts = try StrictYAML.members(member.value, of: member.name).map { ($0.name, $0.value.string) }
      let values = Dictionary(texts, uniquingKeysWith: { first, _ in first }).compactMapValues(\.self)
      guard let source = values["source"] else {
        problem = problem ?? StrictYAML.wrong(member.value, "\(member.name) has no source")
        continue
      }
      origins[member.name] = Origin(
        source: source, revision: values["revision"], commit: values["commit"])
    }
    return origins
  }

  static func lines(_ origins: [String: Origin]) -> [String] {
    origins.sorted { $0.key < $1.key }.map { id, origin in
      let members = [
        ("source", origin.source), ("revision", origin.revision), ("commit", origin.commit),
      ].compactMap { name, value in value.map { "\(name): \(JSONTree.string($0).text())" } }
      // A text in JSON is one in YAML, too.
      return "\(JSONTree.string(id).text()): {\(members.joined(separator: ", "))}\n"
    }
  }
}

extension Forage {
  /// Every plugin and manifest, with what it was installed from.
  package var installedRows: [InstalledProviders.Row] {
    let origins = PluginOrigins(beside: paths.configFile).read().content
    return installed().rows.map { row in
      var row = row
      guard row.state != .bundled, let origin = origins[row.id] else { return row }
      row.source = origin.source + (origin.revision.map { "#" + $0 } ?? "")
      row.commit = origin.commit
      return row
    }
  }
}
