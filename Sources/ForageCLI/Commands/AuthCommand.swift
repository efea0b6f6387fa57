import ArgumentParser
import ForageCore
import ForageGitHub
import ForageHTTP

/// `forage auth`: shows which token is used for which host, never the token itself.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", abstract: "Show which token is used for which host.",
    subcommands: [Status.self],
    defaultSubcommand: Status.self)

  /// `forage auth status`.
  struct Status: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the source of each host's token, and check it.")

    @OptionGroup var reporting: ReportOptions

    /// One host, with the account that is used there and the providers that use it.
    private struct Entry {
      var host: GitHubHost
      var providers: [String]
      var finding: TokenFinder.Finding
      /// How it can be given a token.
      var hint: String
    }

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let settings = try context.settings()
      let instances = GitHubInstance.all(settings, environment: context.environment)
      let entries = await context.waiting(for: "tokens") { await self.entries(instances, settings, context) }
      let output = context.output
      let documents = entries.map(Self.json)
      switch format {
      case .json: try output.result(.object([("schema", .int(1)), ("hosts", .array(documents))]))
      case .ndjson: for document in documents { try output.result(document.text()) }
      case .tsv:
        try output.resultRows(
          entries.map { [$0.host.credentialHost, $0.finding.token?.source ?? ""] })
      case .table, .auto, .markdown:
        for (index, entry) in entries.enumerated() {
          if index > 0 { try output.result("") }
          try Self.sheet(entry).write(to: output, as: format)
        }
      }
      for entry in entries where entry.finding.token == nil {
        output.problem(
          "no token for \(entry.host.credentialHost)",
          hint: "for higher limits and private data " + entry.hint)
      }
      var status = ExitStatus.success
      for instance in instances {
        guard case .failure(let error) = instance.host else { continue }
        output.problem("\(instance.id): " + error.message, hint: error.hint)
        status = .usage
      }
      return status
    }

    /// Each host once for each account that the settings name for it, in the order of the providers; all are looked up at once.
    private func entries(_ instances: [GitHubInstance], _ settings: Settings, _ context: Context) async
      -> [Entry]
    {
      let (finder, owners) = context.tokenFinder(settings)
      var groups: [(host: GitHubHost, instances: [GitHubInstance])] = []
      for instance in instances {
        guard let host = try? instance.host.get() else { continue }
        let known = groups.firstIndex {
          $0.host.credentialHost == host.credentialHost
            && $0.instances.first?.tokenVariable == instance.tokenVariable
        }
        if let known {
          groups[known].instances.append(instance)
        } else {
          groups.append((host, [instance]))
        }
      }
      let findings = await concurrently(groups) { group in
        await finder.find(group.host, variable: group.instances.first?.tokenVariable)
      }
      return zip(groups, findings).map { group, finding in
        Entry(
          host: group.host, providers: group.instances.map(\.id), finding: finding,
          hint: group.instances.first?.tokenHint(owners) ?? "")
      }
    }

    private static func json(_ entry: Entry) -> JSONValue {
      .members([
        ("host", .string(entry.host.credentialHost)), ("api", .string(entry.host.api.text)),
        ("providers", .array(entry.providers.map(JSONValue.string))),
        ("authenticated", .bool(entry.finding.token != nil)),
        ("source", entry.finding.token.map { .string($0.source) }),
        ("tried", .array(entry.finding.tried.map(JSONValue.string))),
        (
          "withheld",
          entry.finding.withheld.isEmpty ? nil : .array(entry.finding.withheld.map(JSONValue.string))
        ),
      ])
    }

    private static func sheet(_ entry: Entry) -> FactSheet {
      let finding = entry.finding
      var sheet = FactSheet(title: entry.host.credentialHost)
      sheet.add("Token", finding.token.map { "from \($0.source)" } ?? "none; public data needs none")
      sheet.add("Tried", finding.tried.joined(separator: ", "))
      if !finding.withheld.isEmpty {
        sheet.add("Withheld", finding.withheld.joined(separator: ", ") + ", for another host")
      }
      sheet.add("API", entry.host.api.text)
      sheet.add("Used by", entry.providers.joined(separator: ", "))
      return sheet
    }
  }
}
