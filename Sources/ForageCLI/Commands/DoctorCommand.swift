import ArgumentParser
import Forage
import ForageCore

/// `forage doctor`: checks the installation and says how to fix what is wrong.
struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: ForageCommand.name,
    abstract: "Check settings, tokens, providers, plugins and clones.",
    discussion: """
      Sends one or two requests to each enabled GitHub server and starts each trusted plugin. Exit status: 0 without a problem (there may be \
      warnings), 2 if settings are wrong, 4 if anything else is broken.
      """)

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let format = try reporting.format(context.output)
    var reporter = context.forage.reporter
    reporter.hint = { $0.advice(hasTimeLimit: false) }
    let checks = try await Diagnosis(context.forage.reporting(to: reporter)).run()
    let output = context.output
    try output.list(checks, named: "checks", as: format, document: Self.json, fields: Self.row) {
      if format == .markdown {
        let titles = ["CHECK", "VERDICT", "MESSAGE", "HINT"]
        let table = Table(columns: titles.map { TableColumn(title: $0) }, rows: checks.map(Self.row))
        return try output.result(table, format: format)
      }
      for check in checks {
        let style: Style = check.verdict == .ok ? .source : check.verdict == .warning ? .warning : .error
        let label = TextWidth.padded(check.verdict.rawValue, to: 7)
        try output.result("\(check.name): \(check.message)", label: label, style)
        if let hint = check.hint { try output.result(hint, label: TextWidth.padded("", to: 7)) }
      }
    }
    let problems = checks.filter { $0.verdict == .problem }
    return problems.isEmpty ? .success : problems.contains(where: \.isOfSettings) ? .usage : .failed
  }

  private static func row(_ check: Diagnosis.Check) -> [String] {
    [check.name, check.verdict.rawValue, check.message, check.hint ?? ""]
  }

  static let fields = DocumentFields(["name", "verdict", "message", "hint"], list: "checks")

  private static func json(_ check: Diagnosis.Check) -> JSONTree {
    JSONTree([
      "name": check.name, "verdict": check.verdict.rawValue, "message": check.message, "hint": check.hint,
    ])
  }
}
