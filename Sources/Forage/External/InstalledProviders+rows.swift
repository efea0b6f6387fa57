package import ForageCore
import ForageManifest
import ForagePluginHost

extension InstalledProviders {
  /// A plugin or manifest in a list.
  package struct Row {
    package enum Kind: String {
      case plugin, manifest
    }

    package var id: String
    package var type: Kind
    package var version: String?
    /// `trusted`, `bundled`, `untrusted`, `changed` or `broken`; for a manifest, which runs nothing, `used` instead of `trusted`.
    package var state: String
    package var path: String
    /// Its whole command line.
    package var command: [String]?
    package var hosts: [String] = []
    package var secrets: [String] = []
    /// Why it is not used.
    package var problem: SearchError?
  }

  /// Every plugin and manifest, usable ones first.
  package var rows: [Row] {
    var rows = plugins.plugins.map { plugin in
      let state = state(of: plugin)
      return Row(
        id: plugin.id, type: .plugin, version: plugin.manifest.version, state: state.word,
        path: plugin.folder,
        command: plugin.manifest.command, hosts: plugin.manifest.hosts, secrets: plugin.manifest.secrets,
        problem: state.problem(plugin))
    }
    rows += manifests.found.map { found in
      Row(
        id: found.manifest.id, type: .manifest, state: found.isBundled ? "bundled" : "used",
        path: found.manifest.path,
        hosts: found.manifest.hosts, secrets: found.manifest.auth.map { [$0.secret] } ?? [])
    }
    rows += broken.map(\.row)
    return rows
  }
}

extension InstalledProviders {
  /// The plugins and manifests that cannot be used.
  package var broken: [(row: Row, isOwn: Bool)] {
    let plugins = plugins.problems.map { problem in
      let row = Row(
        id: SafeText.lastComponent(problem.folder), type: .plugin, state: "broken", path: problem.folder,
        problem: problem.error)
      return (row: row, isOwn: problem.folder.hasPrefix(places.places.first?.folder ?? "/"))
    }
    return plugins
      + manifests.broken.map { broken in
        let (first, file) = (broken.problems.first, SafeText.lastComponent(broken.path))
        let row = Row(
          id: file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file, type: .manifest, state: "broken",
          path: broken.path,
          problem: SearchError(
            .configuration, first?.text(path: broken.path) ?? broken.path,
            hint: (first?.hint ?? "fix it")
              + (broken.problems.count > 1 ? "; the file has \(broken.problems.count) problems" : "")))
        return (row: row, isOwn: !broken.isBundled)
      }
  }
}

extension SafeText {
  /// The last part of a path.
  package static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
