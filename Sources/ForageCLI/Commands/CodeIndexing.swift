import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Synchronization

/// Updates the code index for a command, with progress on the terminal.
struct CodeIndexing: Sendable {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Updates the index.
  ///
  /// - Parameters:
  ///   - store: The catalogue; `nil` if there is none.
  ///   - folders: Only clones in these folders are indexed; `nil` for all of the catalogue.
  ///   - reports: Whether the command is only for the index, so that its result is reported and decides the status.
  @discardableResult
  func update(_ store: Store?, below folders: [String]? = nil, reports: Bool = false) async throws
    -> ExitStatus
  {
    let records = try store?.clones() ?? []
    let catalogued = records.map(\.path)
    var paths = catalogued
    if let folders {
      paths = catalogued.filter { path in
        folders.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
      }
      if paths.isEmpty {
        paths = folders.flatMap { CloneFinder.find(in: $0, isCancelled: { Task.isCancelled }).clones }
      }
    }
    guard !paths.isEmpty else {
      guard reports, let folder = folders?.first else { return .success }
      throw CommandError("there are no clones in \(folder)", hint: "check the path", status: .nothingFound)
    }
    let settings = try context.settings()
    let code = CodeSettings(index: context.codeIndex, maximumFileSize: settings.maximumFileSize)
    // The scan before has just observed the clones.
    let stamps =
      reports
      ? [:] : Dictionary(records.map { ($0.path, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
    let line = ProgressLine(context.output)
    defer { line.clear() }
    let start = ContinuousClock.now
    let summary: CodeIndexUpdate.Summary
    do {
      summary = try await CodeIndexUpdate(code).run(
        paths, stamps: stamps, all: folders == nil ? catalogued : nil
      ) {
        progress in
        line.show(Self.text(progress, since: start))
      }
    } catch let error as StoreError {
      if reports { throw error }
      context.output.problem("the code index was not updated: " + error.message, hint: error.hint)
      return .partial
    }
    line.clear()
    for failure in summary.failures where reports {
      context.output.problem(
        "\(failure.path) could not be indexed: \(failure.message)", hint: "run: forage clones scan")
    }
    guard reports else { return .success }
    let rebuilt = summary.isRebuilt ? ", built again" : ""
    context.output.message(
      "\(HumanFormat.plural(summary.clones, "clone")), \(HumanFormat.plural(summary.files, "file")), "
        + "\(HumanFormat.bytes(summary.bytes)) of new text\(rebuilt)")
    return summary.failures.isEmpty ? .success : .partial
  }

  /// How far an update is: clones, rate and, once it can be estimated, what remains.
  private static func text(_ progress: CodeIndexUpdate.Progress, since start: ContinuousClock.Instant)
    -> String
  {
    let elapsed = ContinuousClock.now - start
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Int(Double(progress.bytes) / seconds) : 0
    var text =
      "indexing code: \(progress.done) of \(HumanFormat.plural(progress.total, "clone")), "
      + "\(HumanFormat.plural(progress.files, "file")), \(HumanFormat.bytes(rate))/s"
    if progress.done > 0, progress.done < progress.total {
      let left = seconds / Double(progress.done) * Double(progress.total - progress.done)
      text += ", \(HumanFormat.duration(.milliseconds(Int(left * 1000)))) left"
    }
    return text
  }
}
