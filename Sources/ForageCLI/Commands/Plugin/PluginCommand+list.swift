import ArgumentParser
import Forage
import ForageCore

extension PluginCommand {
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List plugins and manifests, and why one is unused.",
      aliases: ["ls"])

    @Flag(help: "Search the forges for repositories with plugins and manifests: topic:\(Self.topic).")
    var available = false

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    static let fields = DocumentFields(
      [
        "id", "type", "version", "state", "path", "kinds", "command", "hosts", "secrets", "fields", "actions",
        "source", "commit", "reason",
      ],
      list: "plugins")

    var fields: DocumentFields { available ? SearchCommand.fields : Self.fields }

    /// The topic of repositories that can be installed.
    private static let topic = "forage-plugin"

    func run(in context: Context) async throws -> ExitStatus {
      if available {
        return try await SearchCommand.ofRepositories("topic:" + Self.topic, reporting, common).run(
          in: context)
      }
      let format = try reporting.format(context.output)
      let output = context.output
      let rows = context.forage.installedRows
      try output.list(rows, named: "plugins", as: format, document: \.json) {
        var table = Table(
          columns: [
            .init(title: "ID", style: .title), .init(title: "VERSION", style: nil, dropOrder: 2),
            .init(title: "TYPE", style: nil), .init(title: "STATE", style: .source),
            .init(title: "PATH", style: nil, dropOrder: 1, isFlexible: true),
          ],
          rows: rows.map { [$0.id, $0.version ?? "", $0.type.rawValue, $0.state.rawValue, $0.path] })
        if format == .table {
          table.columns.append(.init(title: "ADDS", style: nil, dropOrder: 3, isFlexible: true))
          for (index, row) in rows.enumerated() { table.rows[index].append(row.additions) }
        }
        if !rows.isEmpty { try output.result(table, format: format) }
      }
      for row in rows {
        if let problem = row.problem { output.problem(problem.message, hint: problem.advice) }
      }
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

extension InstalledProviders.Row {
  var json: JSONTree {
    JSONTree([
      "id": id, "type": type.rawValue, "version": version, "state": state.rawValue, "path": path,
      "kinds": kinds.isEmpty ? nil : kinds.map(\.rawValue),
      "command": command, "hosts": hosts, "secrets": secrets,
      "fields": fields.isEmpty ? nil : fields,
      "actions": actions.isEmpty ? nil : JSONTree.array(actions.map(\.json)),
      "source": source, "commit": commit,
      "reason": problem?.message,
    ])
  }
}
