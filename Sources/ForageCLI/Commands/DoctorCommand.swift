import ArgumentParser
import Forage
import ForageCore
import ForageGit
import ForageStore

/// `forage doctor`: checks the installation and says how to fix what is wrong.
struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: ForageCommand.name,
    abstract: "Check settings, store, clones, cache, tokens, providers and plugins.",
    discussion: """
      Sends one or two requests to each enabled GitHub server and starts each trusted plugin. Exit status: 0 without a problem (there may be \
      warnings), 2 if settings are wrong, 4 if anything else is broken.
      """)

  @OptionGroup var reporting: ReportOptions

  /// The result of a check.
  enum Verdict: String {
    case ok, warning, problem
  }

  /// One thing that was checked.
  struct Check {
    var name: String
    var verdict: Verdict
    var message: String
    var hint: String?
    /// Whether the settings or the environment have to be changed.
    var isOfSettings = false
  }

  func run(in context: Context) async throws -> ExitStatus {
    let format = try reporting.format(context.output)
    let (settings, check) = settings(context)
    var checks = [check] + absent(settings) + bundle(context)
    checks += store(context)
    checks += cache(context)
    checks += code(context)
    checks += await context.services.waiting(for: "servers") { await github(settings, context) }
    checks += await context.services.waiting(for: "plugins") { await external(settings, context) }
    try Task.checkCancellation()
    let output = context.output
    switch format {
    case .json:
      try output.result(.object([("schema", .int(1)), ("checks", .array(checks.map(Self.json)))]))
    case .ndjson: for check in checks { try output.result(Self.json(check).text()) }
    case .tsv:
      try output.resultRows(checks.map { [$0.name, $0.verdict.rawValue, $0.message, $0.hint ?? ""] })
    case .markdown:
      try output.result(
        MarkdownWriter.table(
          ["Check", "Verdict", "Message", "Hint"],
          checks.map {
            [$0.name, $0.verdict.rawValue, $0.message, $0.hint ?? ""].map(MarkdownWriter.text)
          }
        ).joined(separator: "\n"))
    case .table, .auto:
      for check in checks {
        let style: Style = check.verdict == .ok ? .source : check.verdict == .warning ? .warning : .error
        let label = TextWidth.padded(check.verdict.rawValue, to: 7)
        try output.result("\(check.name): \(check.message)", label: label, style)
        if let hint = check.hint { try output.result(hint, label: TextWidth.padded("", to: 7)) }
      }
    }
    let problems = checks.filter { $0.verdict == .problem }
    return problems.isEmpty ? .success : problems.contains(where: \.isOfSettings) ? .usage : .noAnswer
  }

  private static func json(_ check: Check) -> JSONValue {
    .members([
      ("name", .string(check.name)), ("verdict", .string(check.verdict.rawValue)),
      ("message", .string(check.message)),
      ("hint", check.hint.map(JSONValue.string)),
    ])
  }

  /// The settings, `nil` when they cannot be read, and their check.
  private func settings(_ context: Context) -> (Settings?, Check) {
    let path = context.services.directories.configFile
    do {
      let settings = try context.services.settings()
      let message = FileAccess.isFile(path) ? "\(path) is fine" : "\(path) does not exist; defaults are used"
      return (settings, Check(name: "settings", verdict: .ok, message: message))
    } catch {
      let failure = error as? ForageError
      let message = failure?.message ?? "\(error)"
      return (
        nil,
        Check(name: "settings", verdict: .problem, message: message, hint: failure?.hint, isOfSettings: true)
      )
    }
  }

  /// Settings for providers that do not exist.
  private func absent(_ settings: Settings?) -> [Check] {
    (settings?.absent ?? []).map { entry in
      let problem = Settings.problem(ofAbsent: entry)
      return Check(name: "settings", verdict: .warning, message: problem.message, hint: problem.hint)
    }
  }

  private func store(_ context: Context) -> [Check] {
    do {
      guard let store = try context.services.store.existing() else {
        return [
          Check(
            name: "store", verdict: .ok, message: "\(context.services.store.path) does not exist yet",
            hint: "add a folder of clones with: forage clones add DIR")
        ]
      }
      guard try store.passesIntegrityCheck() else {
        return [
          Check(
            name: "store", verdict: .problem, message: "\(context.services.store.path) is damaged",
            hint: "move it away, then add favorites and clone folders again")
        ]
      }
      return [Check(name: "store", verdict: .ok, message: "\(context.services.store.path) is sound")]
        + (try clones(store))
    } catch {
      return [Check(name: "store", verdict: .problem, message: error.message, hint: error.hint)]
    }
  }

  private func clones(_ store: Store) throws(StoreError) -> [Check] {
    let folders = try store.cloneFolders()
    let missing = folders.filter { !FileAccess.isDirectory($0.path) }.map { folder in
      Check(
        name: "clones", verdict: .warning, message: "\(folder.path) does not exist",
        hint: "remove it with: forage clones remove \(folder.path)")
    }
    let clones = try store.clones()
    let unreadable = clones.compactMap { clone in
      clone.error.map {
        Check(name: "clones", verdict: .warning, message: "\(clone.path) cannot be read: \($0)")
      }
    }
    let summary =
      "\(HumanFormat.plural(clones.count, "clone")) in \(HumanFormat.plural(folders.count, "folder"))"
    return [Check(name: "clones", verdict: .ok, message: summary)] + missing + unreadable
  }
}
