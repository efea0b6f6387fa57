import Dispatch
package import ForageGit
import Synchronization

/// The lines of a tree by language.
///
/// Which files count is for the caller to say: the section `lines` has those that `languages` has, programming and
/// markup that is the project's own.
package struct LineTotals: Sendable {
  /// Larger files are left out (64 MiB): what people write has a hundredth of that.
  package static let fileLimit = 64 << 20
  /// Two threads: as many as the machine at hand was measured with; more wait for the disk.
  private static let threads = 2
  /// A thread takes so many files at a time: few enough that both end together.
  private static let stride = 16

  /// Most code first, then by name.
  package let lines: [InspectionReport.Lines]
  /// What is missing.
  package let notes: [InspectionReport.Note]
  /// Whether files could not be read.
  let isIncomplete: Bool

  /// Counts.
  ///
  /// - Parameters:
  ///   - listing: the files.
  ///   - languages: for each file of the listing its language under its name on GitHub; nil to leave it out.
  ///   - worktree: the folder with the files; nil if there is none.
  ///   - isClean: whether the work tree's file at this position of the listing has the blob's bytes; asked
  ///     before any thread is started.
  ///   - reopen: opens the repository once more; called by each thread at its first file that is not clean.
  ///   - isCancelled: asked every few files; what is told after it says true is incomplete.
  package init(
    _ listing: TreeListing, languages: [String?], worktree: String?, isClean: (Int) -> Bool,
    reopen: @escaping @Sendable () throws(GitError) -> GitRepository,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    var names: [String] = []
    var numbers: [String: Int] = [:]
    var work: [LineWork.Item] = []
    for (position, file) in listing.files.enumerated() where position < languages.count {
      guard let name = languages[position], file.kind != .symlink, let size = file.size else { continue }
      let number = numbers[name] ?? names.count
      if number == names.count {
        numbers[name] = number
        names.append(name)
      }
      let isThere = worktree != nil && size > 0 && isClean(position)
      work.append(.init(file: position, language: number, isClean: isThere))
    }
    let syntaxes = names.map { CommentSyntax.of(language: $0) }
    let job = LineWork(
      listing: listing, items: work, syntaxes: syntaxes.map { $0 ?? .plain }, worktree: worktree)
    let next = Atomic<Int>(0)
    let found = Mutex<[LineWork.Result]>([])
    let stride = Self.stride
    // A second thread costs more than it saves for a handful of files.
    let threads = work.count > 4 * stride ? Self.threads : 1
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      let result = job.run(
        reopen: reopen,
        next: {
          let start = next.wrappingAdd(stride, ordering: .relaxed).oldValue
          guard start < job.items.count, !isCancelled() else { return nil }
          return start..<min(start + stride, job.items.count)
        })
      found.withLock { $0.append(result) }
    }
    var total = LineWork.Result(languages: names.count)
    for result in found.withLock({ $0 }) { total += result }
    lines = names.indices.compactMap { number -> InspectionReport.Lines? in
      guard total.files[number] > 0 else { return nil }
      let counts = total.counts[number]
      return .init(
        language: names[number], files: total.files[number], code: counts.code, comment: counts.comment,
        blank: counts.blank)
    }.sorted { ($1.code, $0.language) < ($0.code, $1.language) }
    var notes: [InspectionReport.Note] = []
    func note(_ message: String) { notes.append(.init(section: "lines", message: message)) }
    if total.tooLarge > 0 {
      note("\(total.tooLarge) files of more than \(Self.fileLimit >> 20) MiB are not counted")
    }
    if total.unreadable > 0 { note("\(total.unreadable) files could not be read") }
    let unknown = names.indices.filter { syntaxes[$0] == nil && total.files[$0] > 0 }.map { names[$0] }
    if !unknown.isEmpty {
      note("comments are not told from code in \(unknown.sorted().joined(separator: ", "))")
    }
    self.notes = notes
    isIncomplete = total.unreadable > 0
  }
}
