import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

/// One search for code in clones.
struct CodeSearch: Sendable {
  /// The new files that a search indexes on the spot, and the time for that: a pull, not a new clone.
  static let budget = (files: 2_000, time: Duration.milliseconds(500))
  /// The most time before the deadline at which reading ends, so that what was found is delivered: a call of
  /// a catastrophic expression may take some tens of milliseconds more, on two threads. It is a fifth of a
  /// short time.
  private static let margin = Duration.milliseconds(150)

  let index: CodeIndex
  let words: SoughtWords
  let clones: [CodeClone]
  let query: CodeQuery
  let options: MatchOptions
  let maximumFileSize: Int
  /// When reading ends.
  let end: ContinuousClock.Instant
  var isCancelled: @Sendable () -> Bool
  /// The files that are read before the best of them are results, if there are enough.
  var batch = CodeSettings.defaultBatch

  /// A matching file.
  struct Found: Sendable {
    var file: CodeFile
    /// The other files with the same content that fit the query.
    var others: [CodeFile]
    /// Those that do not fit, because they stand in another repository or folder.
    var elsewhere: [CodeFile]
    var rank: CodeRank
    var matches: FoundMatches
  }

  /// What a search found.
  struct Outcome: Sendable {
    /// The best files, best first.
    var found: [Found] = []
    /// The number of files that match, and whether that is all of them.
    var total = 0
    var isExact = true
    var coverage = SearchCoverage()
    /// Why results may be missing.
    var notes: [Note] = []
    /// The indexed or read trees, by the index of the clone.
    var trees: [Int: CodeIndex.Tree] = [:]
    /// The clones whose tree is not indexed.
    var postponed: Set<Int> = []
    /// The tracked files that are searched as they are on disk; they are counted as files of the tree.
    var changed: [Int: Set<ExactText>] = [:]
    /// The clones whose files are counted.
    var counted: Set<Int> = []

    /// Why nothing can be said: nothing was found, and not all was searched that the time or a limit allows.
    var failure: SearchError? {
      guard total == 0, let note = notes.first(where: \.isMissing) else { return nil }
      let (late, limited) = (coverage.skipped["time"] ?? 0, coverage.skipped["limit"] ?? 0)
      guard late + limited > 0 else { return nil }
      return SearchError(
        late > 0 ? .timeout : .other, "nothing was found, but " + note.message, hint: note.hint)
    }
  }

  /// Whether texts decide which files match, and not their paths alone.
  var readsTexts: Bool { !query.patterns.isEmpty && query.searchesText }

  var isLate: Bool { ContinuousClock.now > end || isCancelled() }

  /// When reading ends, for an answer that is wanted at a time.
  static func end(before deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    deadline - min(margin, max(.zero, deadline - .now) / 5)
  }

  /// Runs the search.
  ///
  /// - Parameter wanted: How many files are wanted.
  func run(wanted: Int) throws -> Outcome {
    let repositories = CodeRepositories()
    var outcome = Outcome()
    var skipped = Skipped(maximumFileSize: maximumFileSize)
    let wantedClones = try wantedClones()
    outcome.coverage.clones = wantedClones.count
    var files = try gathered(wantedClones, repositories, &outcome, &skipped)
    outcome.counted = Set(wantedClones)
    for (clone, tree) in outcome.trees where tree.number > 0 && outcome.counted.contains(clone) {
      outcome.coverage.files += tree.files
      skipped.add("binary", tree.binary, in: clones[clone])
      skipped.add("missing", tree.missing, in: clones[clone])
    }
    countLongFiles(outcome, &skipped)
    let groups = grouped(files, outcome)
    files = []
    read(groups, wanted: wanted, repositories, &outcome, &skipped)
    outcome.coverage.skipped = skipped.counts
    outcome.notes = skipped.missing.map { [$0] } ?? []
    if skipped.missing != nil { outcome.isExact = false }
    return outcome
  }

  /// The clones whose files can fit the query; with `ref:` those that the query names, or the one that one
  /// stands in.
  private func wantedClones() throws(SearchError) -> [Int] {
    let fitting = clones.indices.filter { mayFit($0) }
    guard query.ref != nil else { return fitting }
    let chosen = fitting.filter {
      clones[$0].superproject == nil && (query.namesRepositories || clones[$0].isCurrent)
    }
    guard !chosen.isEmpty || query.namesRepositories else {
      throw SearchError(
        .unknownRef, "ref: needs a repository, because the current folder is in no clone",
        hint: "name one with repo:owner/name")
    }
    return chosen
  }

  /// Whether files of a clone can fit the query.
  private func mayFit(_ clone: Int) -> Bool {
    let verdict = query.holds(
      { condition in
        switch condition {
        case .repository(let repo): clones[clone].isMeant(by: repo)
        case .owner(let name): clones[clone].isOwned(by: name)
        case .always: true
        case .never: false
        default: nil
        }
      }, { _ in nil })
    return verdict != false
  }

  /// Several files with the same content as one group, the best first. Some may not fit the query: from their
  /// clones, too, the content can be read.
  struct Group: Sendable {
    var files: [CodeFile]
  }

  /// The rank of a file of the search.
  func rank(
    _ file: CodeFile, _ trees: [Int: CodeIndex.Tree], _ matches: FoundMatches
  ) -> CodeRank {
    CodeRank(
      file, clones[file.clone], words, committedAt: trees[file.clone]?.committedAt ?? 0, matches: matches)
  }

  /// The groups of files that fit the conditions, the most promising first.
  private func grouped(_ files: [CodeFile], _ outcome: Outcome) -> [Group] {
    // A frequent word has a hundred thousand files: each group is held once.
    var groups: [Group] = []
    var ranks: [CodeRank?] = []
    var places: [ObjectID: Int] = [:]
    groups.reserveCapacity(files.count)
    ranks.reserveCapacity(files.count)
    for file in files {
      let fits = query.holds({ file.holds($0, in: clones[file.clone]) }, { _ in nil }) != false
      let own = fits ? CodeRank(file, clones[file.clone], words, committedAt: 0) : nil
      guard let place = file.id.flatMap({ places[$0] }) else {
        if let id = file.id { places[id] = groups.count }
        if fits || file.id != nil {
          groups.append(Group(files: [file]))
          ranks.append(own)
        }
        continue
      }
      groups[place].files.append(file)
      if let own, ranks[place].map(own.precedes) ?? true {
        groups[place].files.swapAt(0, groups[place].files.count - 1)
        ranks[place] = own
      }
    }
    // Numbers are sorted, because ranks are large.
    let ranked = ranks.indices.filter { ranks[$0] != nil }
    let order = ranks.compactMap(\.self).withUnsafeBufferPointer { ranks in
      ranks.indices.sorted { ranks[$0].precedes(ranks[$1]) }
    }
    return order.map { groups[ranked[$0]] }
  }
}
