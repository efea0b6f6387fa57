import ArgumentParser
import ForageCore
import ForageGit
import ForageInspector

/// `forage inspect`: facts of a local clone, without the network.
struct InspectCommand: ReportingVerb {
  static let configuration = CommandConfiguration(
    commandName: "inspect", _superCommandName: ForageCommand.name,
    abstract: "Tell the facts of local clones; needs no network and writes nothing.")

  @OptionGroup var reporting: ReportOptions

  @Argument(help: "Clones, or any path inside them; by default the current folder.")
  var paths: [String] = []

  func run(in context: Context) async throws -> ExitStatus {
    let format = try reporting.format(context.output)
    let wanted = paths.isEmpty ? ["."] : paths
    var reports: [InspectionReport] = []
    var failures: [GitError] = []
    for path in wanted {
      do {
        let report = try await Self.inspect(path)
        reports.append(report)
        if report.isDamaged { tellOfDamage(report, context.output) }
        if format != .json { try write(report, format, isFirst: reports.count == 1, context.output) }
      } catch let error as GitError {
        failures.append(error)
        context.output.problem(error.message, hint: error.hint)
      }
    }
    if format == .json, !reports.isEmpty {
      let documents = try reports.map(InspectRendering.json)
      try context.output.result(wanted.count == 1 ? documents[0] : .array(documents))
    }
    guard let first = failures.first else {
      return reports.contains(where: \.isDamaged) ? .partial : .success
    }
    return reports.isEmpty ? Self.status(of: first) : .partial
  }

  private func tellOfDamage(_ report: InspectionReport, _ output: Output) {
    let sections = report.notes.map(\.section)
    let unique = sections.enumerated().filter { sections.firstIndex(of: $0.element) == $0.offset }.map(
      \.element)
    output.problem(
      "\(report.path) is damaged; not everything could be told: \(unique.joined(separator: ", "))",
      hint: "run git fsck in it, or clone it again; the report's notes say more")
  }

  /// Inspects one clone off the cooperative threads.
  static func inspect(_ path: String) async throws(GitError) -> InspectionReport {
    try await BlockingGit.run { isCancelled throws(GitError) in
      try Inspector().inspect(path: path, isCancelled: isCancelled)
    }
  }

  /// A path that names no clone is a mistake in the arguments; a clone that cannot be read is one that gives no answer.
  static func status(of error: GitError) -> ExitStatus {
    switch error.code {
    case .notFound, .notARepository: .usage
    case .cancelled: .interrupted
    default: .noAnswer
    }
  }

  private func write(_ report: InspectionReport, _ format: OutputFormat, isFirst: Bool, _ output: Output)
    throws
  {
    switch format {
    case .ndjson: try output.result(try InspectRendering.json(report).text())
    case .tsv:
      let facts = try InspectRendering.json(report).flattened()
      try output.resultRows(
        facts.map { paths.count > 1 ? [report.path, $0.path, $0.value] : [$0.path, $0.value] })
    default:
      if !isFirst { try output.result("") }
      try InspectRendering.sheet(report, now: output.now).write(to: output, as: format)
    }
  }
}

extension InspectionReport {
  /// Whether HEAD, the history or the files of a repository that has them could not be read.
  fileprivate var isDamaged: Bool {
    guard let head else { return true }
    return head.commit != nil && (commits == nil || size?.files == nil)
  }
}
