import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

/// The files that may match.
extension CodeSearch {
  /// The files that may match, of the index and of what it lacks.
  func gathered(
    _ wanted: [Int], _ repositories: CodeRepositories, _ outcome: inout Outcome, _ skipped: inout Skipped
  ) throws -> [CodeFile] {
    // An index that another process changes is read once more.
    for isLast in [false, true] {
      var (found, reasons) = (outcome, skipped)
      if let files = try gather(wanted, repositories, &found, &reasons, isLast: isLast) {
        (outcome, skipped) = (found, reasons)
        return files
      }
    }
    return []
  }

  /// The files that may match, of one state of the index and of what it lacks.
  ///
  /// - Parameter isLast: Whether clones that the index lacks although it was updated are left out; otherwise
  ///   the result is `nil`.
  private func gather(
    _ wanted: [Int], _ repositories: CodeRepositories, _ outcome: inout Outcome, _ skipped: inout Skipped,
    isLast: Bool
  ) throws -> [CodeFile]? {
    let numbers = Dictionary(
      clones.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    var files: [CodeFile] = []
    // While the index is asked, which often takes as long.
    let changes = query.ref == nil ? startedComparison(of: wanted.filter(searchesDisk), repositories) : nil
    defer { changes?.cancel() }
    var heads = try update(wanted, repositories, &files, &outcome, &skipped)
    let (readable, postponed) = (Set(heads.keys), outcome.postponed)
    var places: [Int64: Int] = [:]
    let unindexed = files.count
    // A search ends without an index that cannot be read.
    let result = try? index.candidates(
      expression: query.patterns.isEmpty ? nil : query.formula.expression,
      includesAll: !readsTexts, named: query.fileName,
      isWanted: { tree in
        // A clone that is not searched can still be another place of a file, as it was when it was indexed.
        guard let clone = numbers[tree.path] else { return false }
        if postponed.contains(clone) { return false }
        if readable.contains(clone) { return heads[clone]?.tree == tree.tree }
        return !wanted.contains(clone)
      },
      { candidate in
        files.append(CodeFile(Int(candidate.clone), candidate))
      })
    // Of an index that turned out to be damaged there may be some files, but no trees.
    if result?.isEmpty ?? true { files.removeLast(files.count - unindexed) }
    for tree in result ?? [] {
      if let clone = numbers[tree.path] {
        places[tree.number] = clone
        heads[clone] = tree
      }
    }
    let prefixes = clones.map(\.prefix)
    for place in files.indices where files[place].number != nil {
      let clone = places[Int64(files[place].clone)] ?? 0
      files[place].clone = clone
      if !prefixes[clone].isEmpty { files[place].path = prefixes[clone] + files[place].path }
    }
    // Another process has changed the index since it was updated.
    let found = Set(places.values)
    for clone in readable where !found.contains(clone) && !outcome.postponed.contains(clone) {
      if !isLast { return nil }
      skipped.add(
        result == nil ? "index" : "time", max(1, heads[clone]?.files ?? 1), in: clones[clone])
      heads[clone]?.number = 0
    }
    replaceConverted(&files, places, repositories)
    outcome.trees = heads
    if let ref = query.ref {
      try replaceByRefs(ref, &files, wanted, repositories, &outcome, &skipped)
    } else {
      replaceChanged(
        &files, wanted, try changes?.result(isCancelled: { false }) ?? [:], repositories, &outcome, &skipped)
    }
    return files
  }

  /// Replaces files whose text is that of the file on disk, and is another one now, by what is there; with
  /// `ref:` by the blobs of the tree.
  ///
  /// - Parameter places: The clones, by the number of the tree.
  private func replaceConverted(
    _ files: inout [CodeFile], _ places: [Int64: Int], _ repositories: CodeRepositories
  ) {
    guard let converted = try? index.convertedFiles(of: Set(places.keys)), !converted.isEmpty else { return }
    var replaced: [Int: Set<ExactText>] = [:]
    for candidate in converted {
      guard let clone = places[candidate.clone] else { continue }
      var file = CodeFile(clone, candidate)
      let onDisk = repositories.files(in: clones[clone].path)
      let path = Array(file.path.utf8)
      let stamp = onDisk?.stamp(of: path)
      if query.ref == nil, stamp == file.stamp, stamp != nil { continue }
      replaced[clone, default: []].insert(ExactText(clones[clone].prefix + file.path))
      if query.ref != nil {
        guard let repository = try? repositories.open(clones[clone].path),
          let head = repository.refs.head.commit, let commit = try? repository.commit(head),
          let entry = (try? repository.entry(at: file.path, in: commit.tree)) ?? nil
        else { continue }
        file.id = entry.id
      } else {
        guard stamp != nil else { continue }
        file.id = nil
      }
      file.path = clones[clone].prefix + file.path
      (file.number, file.stamp, file.bytes) = (nil, nil, nil)
      files.append(file)
      replaced[clone]?.insert(ExactText(file.path))
    }
    files.removeAll { file in
      file.number != nil && replaced[file.clone]?.contains(ExactText(file.path)) == true
    }
  }

  /// Finds what is changed on disk, by clone.
  private func startedComparison(of wanted: [Int], _ repositories: CodeRepositories) -> StartedWork<
    [Int: Result<WorktreeChanges?, GitError>]
  >? {
    if wanted.isEmpty { return nil }
    return StartedWork { isCancelled in
      wanted.reduce(into: [:]) { found, clone in
        found[clone] = Result { () throws(GitError) in
          try repositories.open(clones[clone].path).worktreeChanges { isLate || isCancelled() }
        }
      }
    }
  }

  /// Whether changed files of a clone are searched as they are on disk.
  private func searchesDisk(_ clone: Int) -> Bool {
    clones[clone].isCurrent || options.searchesWorkTrees && query.namesPlaces
  }

  /// Counts the files of the index that are too long to be searched and may fit the query.
  func countLongFiles(_ outcome: Outcome, _ skipped: inout Skipped) {
    // Of paths alone, long files are searched too.
    guard readsTexts else { return }
    let clones = outcome.counted.filter {
      outcome.trees[$0].map { $0.number > 0 && $0.tooLarge > 0 } ?? false
    }
    let places = Dictionary(
      clones.compactMap { clone in outcome.trees[clone].map { ($0.number, clone) } }
    ) { first, _ in first }
    guard !places.isEmpty, let found = try? index.longFiles(of: Set(places.keys)) else { return }
    for candidate in found {
      guard let clone = places[candidate.clone] else { continue }
      var file = CodeFile(clone, candidate)
      file.path = self.clones[clone].prefix + file.path
      // A changed file is searched as it is on disk.
      if outcome.changed[clone]?.contains(ExactText(file.path)) ?? false { continue }
      let fits = query.holds({ file.holds($0, in: self.clones[clone]) }, { _ in nil }) != false
      if fits { skipped.add("tooLarge", in: self.clones[clone]) }
    }
  }

  /// Brings the index up to date as far as the budget goes.
  ///
  /// - Returns: The trees of the clones that can be read.
  private func update(
    _ wanted: [Int], _ repositories: CodeRepositories, _ files: inout [CodeFile], _ outcome: inout Outcome,
    _ skipped: inout Skipped
  ) throws -> [Int: CodeIndex.Tree] {
    try? index.setMaximumFileSize(maximumFileSize)
    // A search needs no index: what it lacks is read from the clones.
    let trees = try? index.trees()
    let known = trees ?? [:]
    let current = wanted.filter { known[clones[$0].path]?.stamp == CloneProbe.fingerprint(clones[$0].path) }
    let indexed = Set(current)
    let end = min(ContinuousClock.now + Self.budget.time, self.end)
    var indexer = CloneIndexer(
      index: index, repositories: repositories, maximumFileSize: maximumFileSize,
      budget: CloneIndexer.Budget(files: Self.budget.files, end: end), isCancelled: { isLate })
    indexer.hasIndex = trees != nil
    var heads: [Int: CodeIndex.Tree] = [:]
    for clone in wanted {
      let path = clones[clone].path
      if indexed.contains(clone), let tree = known[path] {
        heads[clone] = tree
        continue
      }
      if isLate {
        skipped.isIndexBehind = true
        skipped.add("time", max(1, known[path]?.files ?? 1), in: clones[clone])
        continue
      }
      do {
        switch try indexer.update(path, clone: clone, known: known[path]) {
        case .indexed(let tree): heads[clone] = tree
        case .empty: break
        case .postponed(let found, let tree):
          heads[clone] = tree
          skipped.isIndexBehind = true
          outcome.postponed.insert(clone)
          outcome.coverage.files += found.count
          skipped.add("missing", tree.missing, in: clones[clone])
          for var file in found {
            file.path = clones[clone].prefix + file.path
            files.append(file)
          }
          indexer.budget?.files = 0
        }
      } catch let error as GitError where error.code == .cancelled {
        skipped.isIndexBehind = true
        skipped.add("time", max(1, known[path]?.files ?? 1), in: clones[clone])
      } catch let error as GitError {
        skipped.add(clones[clone], error)
      }
    }
    return heads
  }

  /// Replaces files that are changed in a work tree by what is on disk, where that is wanted.
  private func replaceChanged(
    _ files: inout [CodeFile], _ wanted: [Int], _ found: [Int: Result<WorktreeChanges?, GitError>],
    _ repositories: CodeRepositories, _ outcome: inout Outcome, _ skipped: inout Skipped
  ) {
    for clone in wanted where !skipped.has(clones[clone]) {
      let changes: WorktreeChanges?
      do throws(GitError) {
        changes = try found[clone]?.get()
      } catch {
        if error.code != .notFound {
          skipped.add(error.code == .cancelled ? "time" : "unreadable", in: clones[clone])
        }
        continue
      }
      guard let changes, !changes.tracked.isEmpty || !changes.untracked.isEmpty else { continue }
      let (prefix, onDisk) = (clones[clone].prefix, repositories.files(in: clones[clone].base))
      let tracked = Set(changes.tracked.map { ExactText(prefix + $0.text) })
      files.removeAll { $0.clone == clone && tracked.contains(ExactText($0.path)) }
      var classifier = FileClassifier()
      // A file that is removed from the index but not from the folder is untracked, or ignored.
      for name in changes.tracked.subtracting(changes.removed).sorted() + changes.untracked {
        let bytes = changes.bytes[name].map { Array(prefix.utf8) + $0 }
        // What git takes for deleted is no file either: it looks behind no link.
        guard let entry = onDisk?.entry(bytes ?? Array((prefix + name.text).utf8)), entry.kind == .file else {
          continue
        }
        let (language, flags) = classifier.classify(name.text, size: entry.size) { nil }
        files.append(
          CodeFile(
            clone: clone, path: prefix + name.text, bytesOfPath: bytes, language: language, flags: flags,
            id: nil,
            number: nil, bytes: entry.size))
        if !changes.tracked.contains(name) { outcome.coverage.files += 1 }
      }
      outcome.changed[clone] = tracked
    }
  }
}
