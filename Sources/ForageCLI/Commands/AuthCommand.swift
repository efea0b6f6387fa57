import ArgumentParser
import Forage
import ForageCore

/// `forage auth`: the tokens for the hosts; it never prints a token.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", abstract: "Show which token is used for which host.",
    discussion: """
      To log in to github.com, run gh auth login, or set GH_TOKEN; for another host set GH_ENTERPRISE_TOKEN. Public data needs no token.
      """,
    subcommands: [Status.self],
    defaultSubcommand: Status.self)

  struct Status: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the source of each host's token, and test it.",
      discussion: """
        Sends one request for each token, and shows the account and the scopes. It never prints a token. Exit status: 0; 4 if a server refuses \
        a token or does not test it; 2 if an address in the settings is wrong.
        """)

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let settings = try context.forage.settings()
      let entries = await context.forage.reporter.waiting(for: "tokens") {
        await context.forage.hostTokens(settings)
      }
      try Task.checkCancellation()
      let output = context.output
      try output.list(entries, named: "hosts", as: format, document: Self.json, fields: Self.row) {
        for (index, entry) in entries.enumerated() {
          if index > 0 { try output.result("") }
          try Self.sheet(entry).write(to: output, as: format)
        }
      }
      return report(entries, context.forage, output)
    }

    /// Reports what is missing or wrong.
    private func report(_ entries: [HostToken], _ forage: Forage, _ output: Output) -> ExitStatus {
      var status = ExitStatus.success
      for entry in entries {
        switch entry.check {
        case .accepted: break
        case .refused(let error):
          output.problem(error.message, hint: error.advice(hasTimeLimit: false))
          status = .failed
        case .unknown(let error) where error.code == .unsupportedQuery:
          output.warning(
            "the token for \(entry.host) cannot be tested: \(error.message)", hint: "it is sent all the same")
        case .unknown(let error):
          output.problem(
            "the token for \(entry.host) could not be tested: \(error.message)",
            hint: error.advice(hasTimeLimit: false))
          status = .failed
        case nil where entry.providers.allSatisfy(forage.isDisabled): break
        case nil where entry.finding.token == nil:
          output.warning(
            "no token for \(entry.host)",
            hint: "for higher limits and private data " + entry.hint)
        case nil: break
        }
      }
      for forge in forage.forges {
        guard case .failure(let error) = forge.address else { continue }
        output.problem("\(forge.id): " + error.message, hint: error.advice)
        status = .usage
      }
      return status
    }

    static let fields = DocumentFields(
      [
        "host", "api", "providers", "authenticated", "source", "valid", "login", "scopes", "reason", "tried",
        "skipped", "withheld",
      ], list: "hosts")

    private static func json(_ entry: HostToken) -> JSONTree {
      let finding = entry.finding
      let skipped = finding.skipped.map { JSONTree(["source": $0.source, "reason": $0.reason]) }
      return JSONTree([
        "host": entry.host, "api": entry.api, "providers": entry.providers,
        "authenticated": finding.token != nil, "source": finding.source,
        "valid": entry.check?.isValid, "login": entry.check?.login,
        "scopes": entry.check?.scopes, "reason": entry.check?.error?.message,
        "tried": finding.tried, "skipped": skipped.isEmpty ? nil : skipped,
        "withheld": finding.withheld.isEmpty ? nil : finding.withheld,
      ])
    }

    /// Host, source, state of the token, account, scopes.
    private static func row(_ entry: HostToken) -> [String] {
      let state = entry.check.map { $0.isValid.map { $0 ? "valid" : "refused" } ?? "unknown" }
      return [
        entry.host, entry.finding.source ?? "", state ?? "", entry.check?.login ?? "",
        entry.check?.scopes?.joined(separator: ",") ?? "",
      ]
    }

    private static func sheet(_ entry: HostToken) -> FactSheet {
      let finding = entry.finding
      var sheet = FactSheet(title: entry.host)
      sheet.add("Token", finding.source.map { "from \($0)" } ?? "none; public data needs none")
      switch entry.check {
      case .accepted(let account):
        sheet.add("Valid", "yes")
        sheet.add("Account", account.loginText)
        sheet.add("Scopes", account.scopesText)
      case .refused: sheet.add("Valid", "no, the server refuses it")
      case .unknown: sheet.add("Valid", "unknown, it could not be tested")
      case nil: break
      }
      sheet.add("Tried", finding.tried.joined(separator: ", "))
      sheet.add("Skipped", finding.skipped.map(\.text).joined(separator: "; "))
      if !finding.withheld.isEmpty {
        sheet.add("Withheld", finding.withheld.joined(separator: ", ") + ", for another host")
      }
      sheet.add("API", entry.api)
      sheet.add("Used by", entry.providers.joined(separator: ", "))
      return sheet
    }
  }
}
