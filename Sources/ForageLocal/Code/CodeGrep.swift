package import ForageCore
import ForageGit
import ForagePlatform
import ForageStore
import Synchronization

/// One search for lines in the files of clones: all of them, in order, as soon as they are found.
///
/// It finds candidates as `CodeSearch` does, but ranks nothing that it finds and counts no limit.
struct CodeGrep: Sendable {
  /// The time that a search may take: a person ends one that takes too long.
  private static let patience = Duration.seconds(86_400)
  /// From this number of files two threads read.
  private static let sharedFiles = 8
  /// How many files one thread may be ahead of a file that another one still reads, so that what waits for its turn stays small.
  private static let lead = 256
  /// Between two looks at a file that another thread reads, in microseconds.
  private static let pause: UInt32 = 200

  let search: CodeSearch
  let request: GrepRequest
  let selection: GrepSelection
  let repositories = CodeRepositories()
  /// What is searched, by clone.
  let places: [Int: GrepPlace]
  /// The clones of which the files on disk are searched.
  let worktrees: Set<Int>

  fileprivate let source: PatternSource

  /// - Parameters:
  ///   - known: Clones, to which the places refer.
  ///   - wanted: What is searched.
  /// - Throws: `GrepPatternProblem` for a pattern that cannot be used.
  init(
    _ request: GrepRequest, _ code: CodeSettings, _ known: [CodeClone], _ wanted: [GrepPlace],
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(GrepPatternProblem) {
    // Files of other clones are not even looked up.
    let clones = wanted.map { known[$0.clone] }
    let places = wanted.enumerated().map { number, place in
      GrepPlace(clone: number, folders: place.folders, base: place.base)
    }
    source = try PatternSource(request)
    // Files without a match are found by reading all.
    let pattern =
      request.report == .namesWithoutMatch
      ? CodeQuery.Pattern(source: PatternSource(text: "", kind: .literal, ignoresCase: false))
      : CodeQuery.Pattern(
        source: source, isDefinition: request.symbol != nil,
        name: source.kind == .literal ? Definitions.soughtName(in: source.text) : nil, isPositive: true)
    var search = CodeSearch(
      index: code.index, words: SoughtWords(CodeQuery(pattern)), clones: clones, query: CodeQuery(pattern),
      options: MatchOptions(),
      maximumFileSize: code.maximumFileSize, deadline: .now + Self.patience, isCancelled: isCancelled)
    search.needsKinds =
      !request.languages.isEmpty || !request.otherLanguages.isEmpty || request.symbol != nil
      || !request.includesTests || request.wantsResults || request.ranks && wanted.count > 1
    self.search = search
    self.request = request
    self.places = Dictionary(places.map { ($0.clone, $0) }, uniquingKeysWith: { first, _ in first })
    selection = GrepSelection(request)
    let repositories = repositories
    worktrees = Set(
      places.map(\.clone).filter { clone in
        (clones[clone].isCurrent || request.includesIgnored)
          && (try? repositories.open(clones[clone].path))?.worktree != nil
      })
  }

  /// Searches the files.
  ///
  /// - Parameter each: Receives each file in its turn, on any thread; what it throws ends the search.
  /// - Throws: What `each` throws; `GrepProblem`; `GitError` with the code `cancelled`.
  func run(_ each: @escaping @Sendable (GrepFile) throws -> Void) throws -> GrepSummary {
    var summary = GrepSummary()
    var outcome = CodeSearch.Outcome()
    var skipped = CodeSearch.Skipped(maximumFileSize: search.maximumFileSize)
    let files = try files(&outcome, &skipped, &summary.errors)
    let progress = Progress()
    let (trees, found) = (outcome, files)
    OwnThread.perform(threads: files.count >= Self.sharedFiles ? 2 : 1) {
      guard let worker = try? Worker(self, trees) else { return }
      while let place = progress.next(of: found.count), !search.isLate {
        let verdict = worker.verdict(found[place])
        progress.add(verdict, at: place, each)
        while progress.isAhead(place, by: Self.lead), !search.isLate { usleep(Self.pause) }
      }
    }
    if let error = progress.error { throw error }
    if search.isLate { throw GitError.cancelled }
    for (file, isPointer) in progress.binary {
      skipped.add("binary", in: search.clones[file.clone])
      if places[file.clone]?.folders.contains(file.nameBytes) ?? false {
        skipped.addNamed(typedPath(file.nameBytes, in: file.clone) ?? file.path, isPointer: isPointer)
      }
    }
    for file in progress.limited {
      skipped.addLimited(
        typedPath(file.nameBytes, in: file.clone) ?? file.path, in: search.clones[file.clone])
    }
    for (clone, folders) in outcome.repositories {
      for folder in folders where isSearched(Array(folder.utf8.dropLast()), in: clone) {
        skipped.addRepository(search.clones[clone].base + "/" + folder.dropLast())
      }
    }
    for (reason, clones) in progress.skipped {
      for clone in clones {
        skipped.add(reason, in: search.clones[clone])
      }
    }
    summary.coverage = outcome.coverage
    summary.coverage.skipped = skipped.counts
    summary.notes = [skipped.missing].compactMap(\.self) + skipped.named
    // Submodules belong to the clone around them.
    summary.clones = places.keys.count { search.clones[$0].superproject == nil }
    return summary
  }

  /// Whether a folder is one of those that are looked into.
  private func isSearched(_ path: [UInt8], in clone: Int) -> Bool {
    guard let place = places[clone] else { return false }
    return place.folders.contains {
      GrepSelection.isBelow(path, $0) && selection.includes(path, below: $0, base: place.base, isFolder: true)
    }
  }

  /// How a path in a clone was typed; `nil` if nobody named it.
  func typedPath(_ path: [UInt8], in clone: Int) -> String? {
    let root = Array(search.clones[clone].base.utf8)
    return request.typedPaths[path.isEmpty ? root : root + [UInt8(ascii: "/")] + path]
  }

  enum Verdict: Sendable {
    case found(GrepFile)
    case nothing
    /// Lines of it reached a limit, in the others something may have been found.
    case limited(CodeFile, GrepFile?)
    /// Not searched, because it is no text.
    case binary(CodeFile, isPointer: Bool)
    /// Not searched, for another reason.
    case skipped(String, clone: Int)
  }

  /// Which files were read, shared by threads.
  private final class Progress: Sendable {
    private struct State {
      /// The files that are done before their turn.
      var waiting: [Int: Verdict] = [:]
      var binary: [(file: CodeFile, isPointer: Bool)] = []
      var limited: [CodeFile] = []
      var skipped: [String: [Int]] = [:]
      var error: (any Error)?
    }

    private let taken = Atomic(0)
    private let delivered = Atomic(0)
    private let hasFailed = Atomic(false)
    private let state = Mutex(State())

    var error: (any Error)? { state.withLock { $0.error } }
    var binary: [(file: CodeFile, isPointer: Bool)] { state.withLock { $0.binary } }
    var limited: [CodeFile] { state.withLock { $0.limited } }
    var skipped: [String: [Int]] { state.withLock { $0.skipped } }

    /// The next file to be read, `nil` after the last one.
    func next(of count: Int) -> Int? {
      let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
      return place < count && !hasFailed.load(ordering: .relaxed) ? place : nil
    }

    /// Delivers a file, or keeps it until those before it are done.
    func add(_ verdict: Verdict, at place: Int, _ each: (GrepFile) throws -> Void) {
      state.withLock { state in
        state.waiting[place] = verdict
        var turn = delivered.load(ordering: .relaxed)
        while let next = state.waiting.removeValue(forKey: turn) {
          turn += 1
          delivered.store(turn, ordering: .relaxed)
          var found: GrepFile?
          switch next {
          case .nothing: break
          case .limited(let file, let rest):
            state.limited.append(file)
            found = rest
          case .binary(let file, let isPointer): state.binary.append((file, isPointer))
          case .skipped(let reason, let clone): state.skipped[reason, default: []].append(clone)
          case .found(let file): found = file
          }
          guard let found, state.error == nil else { continue }
          do {
            try each(found)
          } catch {
            state.error = error
            hasFailed.store(true, ordering: .relaxed)
          }
        }
      }
    }

    func isAhead(_ place: Int, by lead: Int) -> Bool {
      place > delivered.load(ordering: .relaxed) + lead && !hasFailed.load(ordering: .relaxed)
    }
  }
}

/// Reads and searches files; used by one thread.
private struct Worker {
  private let grep: CodeGrep
  private let outcome: CodeSearch.Outcome
  private let lines: GrepLines
  private let reader: CodeReader
  private let published: PublishedCommits

  init(_ grep: CodeGrep, _ outcome: CodeSearch.Outcome) throws(ExpressionProblem) {
    self.grep = grep
    self.outcome = outcome
    lines = try GrepLines(grep.request, grep.source) { grep.search.isLate }
    reader = CodeReader(grep.repositories, grep.search.clones, limit: grep.search.maximumFileSize)
    published = PublishedCommits(grep.repositories)
  }

  func verdict(_ file: CodeFile) -> CodeGrep.Verdict {
    do throws(CodeReader.Failure) {
      return try reader.read([file]) { text in
        do throws(CodePattern.Failure) {
          let found = try lines.find(in: text, of: file.language)
          if lines.wasLate { return .nothing }
          let isWanted = (found.count == 0) == (grep.request.report == .namesWithoutMatch)
          let result = isWanted ? self.file(file, found, in: text) : nil
          if found.limited > 0 { return .limited(file, found.count > 0 ? result : nil) }
          return result.map { .found($0) } ?? .nothing
        } catch {
          return lines.wasLate ? .nothing : .limited(file, nil)
        }
      }
    } catch {
      switch error {
      case .binary, .pointer: return .binary(file, isPointer: error == .pointer)
      case .tooLarge: return .skipped("tooLarge", clone: file.clone)
      case .unreadable: return .skipped("unreadable", clone: file.clone)
      // A file that was removed since the work tree was compared is no file.
      case .missing: return file.id == nil ? .nothing : .skipped("missing", clone: file.clone)
      }
    }
  }

  /// A matching file; `nil` for one that is only in the repository where those on disk are searched.
  private func file(
    _ file: CodeFile, _ found: GrepLines.Found, in text: UnsafeRawBufferPointer
  ) -> GrepFile? {
    let clone = grep.search.clones[file.clone]
    let path = grep.repositories.pathBytes(of: file, in: clone, outcome.trees[file.clone])
    let isOnDisk = file.id == nil || grep.repositories.isOnDisk(path, in: clone)
    if !isOnDisk, grep.request.ref == nil, grep.worktrees.contains(file.clone) { return nil }
    var result = GrepFile(
      clone: (clone.superproject?.clone ?? clone).title, repository: clone.repository, path: path,
      file: isOnDisk && grep.request.ref == nil ? Array((clone.base + "/").utf8) + path : nil)
    result.count = found.count
    if grep.request.report == .lines, grep.request.wantsText {
      result.text = Array(text)
      result.lines = lines.shown(found.lines, in: text)
    }
    if grep.request.wantsResults { result.result = item(file, found, in: text) }
    return result
  }

  private func item(
    _ file: CodeFile, _ found: GrepLines.Found, in text: UnsafeRawBufferPointer
  ) -> SearchResult {
    var matches = FoundMatches()
    matches.count = found.count
    matches.encoding = reader.encoding
    matches.matches = lines.matches(found.lines, in: text)
    let place = CodeSearch.Found(
      file: file, others: [], elsewhere: [],
      rank: CodeRank(file, grep.search.clones[file.clone], SoughtWords(), committedAt: 0), matches: matches)
    var item = CodeItem(place, grep.search.clones, outcome, grep.repositories, published).result
    // The file on disk may differ from that of another commit.
    if grep.request.ref != nil { item[.file] = nil }
    return item
  }
}

extension LocalProvider {
  /// Finds lines in the files of clones.
  ///
  /// - Parameter each: Receives each file in its turn, on any thread, one at a time; what it throws ends the search.
  /// - Throws: What `each` throws; `GrepPatternProblem`; `GrepProblem`; `CancellationError`.
  @concurrent
  package func grep(
    _ request: GrepRequest, _ each: @escaping @Sendable (GrepFile) throws -> Void
  ) async throws -> GrepSummary {
    guard let code else { return GrepSummary() }
    do {
      return try await BlockingGit.run {
        isCancelled throws(GitError) -> Result<GrepSummary, any Error> in
        Result {
          let (clones, places, problems) = try scope(of: request, code)
          var summary = try CodeGrep(request, code, clones, places, isCancelled: isCancelled).run(each)
          summary.errors += problems.map { Note(.notFound, $0.message, hint: $0.hint) }
          return summary
        }
      }.get()
    } catch let error as GitError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
