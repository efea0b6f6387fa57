import ArgumentParser
import Forage
import ForageCore
import ForageGitHub
import ForageHTTP

/// `forage auth`: the tokens for the hosts; it never prints a token.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", abstract: "Show which token is used for which host.",
    discussion: """
      To log in to github.com, run gh auth login, or set GH_TOKEN; for another host set GH_ENTERPRISE_TOKEN. Public data needs no token.
      """,
    subcommands: [Status.self],
    defaultSubcommand: Status.self)

  /// `forage auth status`.
  struct Status: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the source of each host's token, and test it.",
      discussion: """
        Sends one request for each token, and shows the account and the scopes. It never prints a token. Exit status: 0; 4 if a server refuses \
        a token or does not test it; 2 if an address in the settings is wrong.
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var reporting: ReportOptions

    /// A host with one account, and the providers that use it.
    private struct Entry {
      var host: GitHubHost
      var providers: [String]
      var finding: TokenFinder.Finding
      /// The test of the token; `nil` without a token, and when every provider is disabled.
      var check: TokenCheck?
      /// How to provide a token.
      var hint: String
    }

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let settings = try context.services.settings()
      let instances = context.services.instances
      let entries = await context.services.waiting(for: "tokens") {
        await self.entries(instances, settings, context)
      }
      try Task.checkCancellation()
      let output = context.output
      try output.list(entries, named: "hosts", as: format, document: Self.json, fields: Self.row) {
        for (index, entry) in entries.enumerated() {
          if index > 0 { try output.result("") }
          try Self.sheet(entry).write(to: output, as: format)
        }
      }
      return report(entries, instances, context.services.environment, output)
    }

    /// Says which variables for github.com are set, where another host has no token; empty where none is.
    private static func dotComOnly(_ host: GitHubHost, _ environment: [String: String]) -> String {
      let names = ["GH_TOKEN", "GITHUB_TOKEN"].filter { environment[$0]?.isEmpty == false }
      guard host.credentialHost != GitHubHost.dotCom, !names.isEmpty else { return "" }
      return "; \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") for github.com only"
    }

    /// Reports what is missing or wrong.
    private func report(
      _ entries: [Entry], _ instances: [GitHubInstance], _ environment: [String: String], _ output: Output
    ) -> ExitStatus {
      var status = ExitStatus.success
      for entry in entries {
        switch entry.check {
        case .accepted: break
        case .refused(let error):
          output.problem(error.message, hint: error.hintOutsideSearch)
          status = .noAnswer
        case .unknown(let error):
          output.problem(
            "the token for \(entry.host.credentialHost) could not be tested: \(error.message)",
            hint: error.hintOutsideSearch)
          status = .noAnswer
        case nil where entry.finding.token == nil:
          output.warning(
            "no token for \(entry.host.credentialHost)" + entry.finding.unusable,
            hint: "for higher limits and private data " + entry.hint
              + Self.dotComOnly(entry.host, environment))
        case nil: break
        }
      }
      for instance in instances {
        guard case .failure(let error) = instance.host else { continue }
        output.problem("\(instance.id): " + error.message, hint: error.advice)
        status = .usage
      }
      return status
    }

    /// Each host once for each account that the settings name for it, in the order of the providers; all are tested at once.
    private func entries(_ instances: [GitHubInstance], _ settings: Settings, _ context: Context) async
      -> [Entry]
    {
      let finder = context.services.tokenFinder
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
      return await concurrently(groups) { group in
        var finding = await finder.find(group.host, variable: group.instances.first?.tokenVariable)
        for variable in group.instances.compactMap(\.withheldVariable)
        where context.services.environment[variable]?.isEmpty == false && !finding.withheld.contains(variable)
        {
          finding.withheld.append(variable)
        }
        let enabled = group.instances.first { settings.providers[$0.id]?.isEnabled != false }
        var check: TokenCheck?
        if let token = finding.token, let enabled {
          do throws(SearchError) {
            check = await .run(try context.services.client(enabled, isNamed: true), token: token)
          } catch {
            check = .unknown(error)
          }
        }
        return Entry(
          host: group.host, providers: group.instances.map(\.id), finding: finding, check: check,
          hint: group.instances.first?.tokenHint(finder.owners) ?? "")
      }
    }

    static let fields = DocumentFields(
      [
        "host", "api", "providers", "authenticated", "source", "valid", "login", "scopes", "reason", "tried",
        "skipped", "withheld",
      ], list: "hosts")

    private static func json(_ entry: Entry) -> JSONValue {
      let finding = entry.finding
      let skipped = finding.skipped.map { ["source": $0.source, "reason": $0.reason] as JSONValue }
      return [
        "host": entry.host.credentialHost, "api": entry.host.api.text, "providers": entry.providers,
        "authenticated": finding.token != nil, "source": finding.token?.source,
        "valid": entry.check?.isValid, "login": entry.check?.account?.login,
        "scopes": entry.check?.account?.scopes, "reason": entry.check?.error?.message,
        "tried": finding.tried, "skipped": skipped.isEmpty ? nil : skipped,
        "withheld": finding.withheld.isEmpty ? nil : finding.withheld,
      ]
    }

    /// Host, source, state of the token, account, scopes.
    private static func row(_ entry: Entry) -> [String] {
      let state = entry.check.map { $0.isValid.map { $0 ? "valid" : "refused" } ?? "unknown" }
      let account = entry.check?.account
      return [
        entry.host.credentialHost, entry.finding.token?.source ?? "", state ?? "", account?.login ?? "",
        account?.scopes?.joined(separator: ",") ?? "",
      ]
    }

    private static func sheet(_ entry: Entry) -> FactSheet {
      let finding = entry.finding
      var sheet = FactSheet(title: entry.host.credentialHost)
      sheet.add("Token", finding.token.map { "from \($0.source)" } ?? "none; public data needs none")
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
      sheet.add("Skipped", finding.skipped.map { "\($0.source): \($0.reason)" }.joined(separator: "; "))
      if !finding.withheld.isEmpty {
        sheet.add("Withheld", finding.withheld.joined(separator: ", ") + ", for another host")
      }
      sheet.add("API", entry.host.api.text)
      sheet.add("Used by", entry.providers.joined(separator: ", "))
      return sheet
    }
  }
}
