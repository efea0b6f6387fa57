import ForageCore
import ForageLocal
package import ForageSetup
import ForageStore
import Synchronization

/// Updates the code index for clones of the catalogue, and reports how far it is.
package struct CatalogueIndexer: Sendable {
  /// How long an update runs before the notice: shorter ones are not worth stopping.
  private static let noticeDelay: Duration = .seconds(1)

  private let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// Updates the index.
  ///
  /// - Parameters:
  ///   - folders: Only clones in these folders are indexed; `nil` for all of the catalogue.
  ///   - reports: Whether the command is only for the index, so that its result is reported and its failures
  ///     are errors.
  ///   - notice: What is reported when it takes longer than a second, for example how to stop it; `nil` for
  ///     nothing.
  /// - Returns: Whether every clone is indexed.
  @discardableResult
  package func update(
    below folders: [String]? = nil, reports: Bool = false, notice: String? = nil
  ) async throws -> Bool {
    let records = try forage.store.existing()?.clones() ?? []
    let catalogued = records.map(\.path)
    var paths = catalogued
    if let folders {
      paths = catalogued.filter { path in
        folders.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
      }
      if paths.isEmpty {
        paths = folders.flatMap {
          CloneFinder.find(in: $0, isIgnored: forage.ignored.contains, isCancelled: { Task.isCancelled })
            .clones
        }
      }
    }
    guard !paths.isEmpty else {
      guard reports, let folder = folders?.first else { return true }
      throw ForageError("there are no clones in \(folder)", hint: "check the path", code: .nothingFound)
    }
    let settings = try forage.settings()
    let code = CodeSettings(
      index: forage.codeIndex, maximumFileSize: settings.maximumFileSize, ripgrep: forage.ripgrep)
    // The scan before has just observed the clones.
    let stamps =
      reports
      ? [:] : Dictionary(records.map { ($0.path, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
    let show = forage.reporter.progress
    defer { show(nil) }
    let start = ContinuousClock.now
    let pendingNotice = Mutex(notice)
    let summary: CodeIndexUpdate.Summary
    do {
      summary = try await CodeIndexUpdate(code).run(
        paths, stamps: stamps, all: folders == nil ? catalogued : nil, checks: reports
      ) {
        progress in
        if ContinuousClock.now - start > Self.noticeDelay,
          let notice = pendingNotice.withLock({ $0.take() })
        {
          forage.reporter.message(notice)
        }
        show(Self.text(progress, after: ContinuousClock.now - start))
      }
    } catch let error as StoreError {
      if reports { throw error }
      forage.reporter.problem("the code index was not updated: " + error.message, error.hint)
      return false
    }
    show(nil)
    for failure in summary.failures where reports {
      forage.reporter.problem(
        "\(failure.path) could not be indexed: \(failure.message)",
        forage.reporter.text(.unreadableClone(at: failure.path)))
    }
    guard reports else { return true }
    let rebuilt = summary.isRebuilt ? ", built again" : ""
    forage.reporter.message(
      "\(HumanFormat.plural(summary.clones, "clone")), \(HumanFormat.plural(summary.files, "file")), "
        + "\(HumanFormat.bytes(summary.bytes)) of new text\(rebuilt)")
    return summary.failures.isEmpty
  }

  /// How far an update is: clones, rate and, once it can be estimated, what remains.
  static func text(_ progress: CodeIndexUpdate.Progress, after elapsed: Duration) -> String {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Int(Double(progress.bytes) / seconds) : 0
    var text =
      "indexing code: \(HumanFormat.grouped(progress.done)) of \(HumanFormat.plural(progress.total, "clone")), "
      + "\(HumanFormat.plural(progress.files, "file")), \(HumanFormat.bytes(rate))/s"
    if let left = progress.remaining(after: elapsed) { text += ", \(HumanFormat.wait(left)) left" }
    return text
  }
}
