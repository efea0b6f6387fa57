import ArgumentParser
import ForageCore
import ForageManifest
import ForagePluginHost

extension PluginCommand {
  /// `forage plugin list`.
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List plugins and manifests, and why one is unused.",
      aliases: ["ls"])

    @OptionGroup var reporting: ReportOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let output = context.output
      let rows = context.installed().rows
      switch format {
      case .json:
        try output.result(.object([("schema", .int(1)), ("plugins", .array(rows.map(\.json)))]))
      case .ndjson: for row in rows { try output.result(row.json.text()) }
      case .table, .tsv, .auto, .markdown:
        let table = Table(
          columns: [
            .init(title: "ID", style: .title), .init(title: "VERSION", style: nil, dropOrder: 2),
            .init(title: "TYPE", style: nil), .init(title: "STATE", style: .source),
            .init(title: "PATH", style: nil, dropOrder: 1, isFlexible: true),
          ],
          rows: rows.map { [$0.id, $0.version ?? "", $0.type.rawValue, $0.state, $0.path] })
        if !rows.isEmpty { try output.result(table, format: format) }
      }
      for row in rows { if let problem = row.problem { output.problem(problem.message, hint: problem.hint) } }
      guard rows.isEmpty else { return .success }
      output.problem(
        "no plugins and no manifests are installed",
        hint:
          "install one with: forage plugin install PATH, or write one with: forage plugin new NAME --kind manifest"
      )
      return .nothingFound
    }
  }
}

extension InstalledProviders {
  /// A plugin or manifest in a list.
  struct Row {
    enum Kind: String {
      case plugin, manifest
    }

    var id: String
    var type: Kind
    var version: String?
    /// `trusted`, `bundled`, `untrusted`, `changed` or `broken`; for a manifest, which runs nothing, `used` instead of `trusted`.
    var state: String
    var path: String
    /// Its whole command line.
    var command: [String]?
    var hosts: [String] = []
    var secrets: [String] = []
    /// Why it is not used.
    var problem: SearchError?

    var json: JSONValue {
      .members([
        ("id", .string(id)), ("type", .string(type.rawValue)), ("version", version.map(JSONValue.string)),
        ("state", .string(state)), ("path", .string(path)),
        ("command", command.map { .array($0.map(JSONValue.string)) }),
        ("hosts", .array(hosts.map(JSONValue.string))), ("secrets", .array(secrets.map(JSONValue.string))),
        ("reason", problem.map { .string($0.message) }),
      ])
    }
  }

  /// Every plugin and manifest, usable ones first.
  var rows: [Row] {
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
  var broken: [(row: Row, isOwn: Bool)] {
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
            hint: (first?.hint ?? "fix it") + "; see all with: forage plugin validate \(broken.path)"))
        return (row: row, isOwn: !broken.isBundled)
      }
  }
}

extension SafeText {
  /// The last part of a path.
  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
