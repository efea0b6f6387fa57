import ArgumentParser
import ForageGitHub
import ForageHTTP

/// `forage auth`: which token would be used for which host; never the token.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", abstract: "Tell which token would be used for which host.",
    subcommands: [Status.self],
    defaultSubcommand: Status.self)

  /// `forage auth status`.
  struct Status: ReportingVerb {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Tell for each host where its token comes from; never the token.")

    @OptionGroup var reporting: ReportOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let host = try context.githubHost()
      let finding = await context.tokenFinder.find(host)
      let output = context.output
      let document = JSONValue.members([
        ("host", .string(host.credentialHost)), ("api", .string(host.api.text)),
        ("authenticated", .bool(finding.token != nil)),
        ("source", finding.token.map { .string($0.source) }),
        ("tried", .array(finding.tried.map(JSONValue.string))),
      ])
      switch format {
      case .json: try output.result(.object([("schema", .int(1)), ("hosts", .array([document]))]))
      case .ndjson: try output.result(document.text())
      case .tsv: try output.resultRows([[host.credentialHost, finding.token?.source ?? ""]])
      case .table, .auto, .markdown:
        var sheet = FactSheet(title: host.credentialHost)
        sheet.add("Token", finding.token.map { "from \($0.source)" } ?? "none; public data needs none")
        sheet.add("Tried", finding.tried.joined(separator: ", "))
        sheet.add("API", host.api.text)
        try sheet.write(to: output, as: format)
      }
      if finding.token == nil {
        output.problem(
          "no token for \(host.credentialHost)",
          hint:
            "for higher limits and private data set \(finding.tried.first ?? "GH_TOKEN"), or run: gh auth login"
        )
      }
      return .success
    }
  }
}
