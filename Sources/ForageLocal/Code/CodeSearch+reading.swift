import ForageCore
import ForageGit
import ForagePlatform
import ForageStore
import Synchronization

/// The files that match.
extension CodeSearch {
  /// From this number of files two threads read.
  private static let sharedFiles = 8

  /// Reads groups in their order, a batch at a time, until enough are found. The files of a batch come after
  /// those of the one before, so that a longer list begins with the shorter one.
  func read(
    _ groups: [Group], wanted: Int, _ repositories: CodeRepositories, _ outcome: inout Outcome,
    _ skipped: inout Skipped
  ) {
    var start = 0
    while start < groups.count {
      if start > 0, outcome.found.count >= wanted {
        outcome.isExact = false
        break
      }
      let batch = groups[start..<min(groups.count, start + batch)]
      let best = BestRanks(limit: wanted - outcome.found.count)
      var found: [Found] = []
      for (group, verdict) in zip(batch, verdicts(Array(batch), repositories, outcome.trees, best)) {
        switch verdict {
        case .found(let file):
          outcome.total += 1
          if let file { found.append(file) }
        case .skipped(let reason): outcome.leaveOut(group, reason, of: clones, &skipped)
        case .noMatch: break
        }
      }
      found.sort { $0.rank.precedes($1.rank) }
      outcome.found += found.prefix(wanted - outcome.found.count)
      start += batch.count
    }
  }

  private enum Verdict: Sendable {
    /// A match; `nil` if others are better and enough.
    case found(Found?)
    case noMatch
    case skipped(String)
  }

  private func verdicts(
    _ groups: [Group], _ repositories: CodeRepositories, _ trees: [Int: CodeIndex.Tree], _ best: BestRanks
  ) -> [Verdict] {
    let next = Atomic(0)
    let results = Mutex([Verdict](repeating: .skipped("time"), count: groups.count))
    OwnThread.perform(threads: readsTexts && groups.count >= Self.sharedFiles ? 2 : 1) {
      guard let verifier = try? CodeVerifier(query, words, options, clones, isLate: { isLate }) else {
        return
      }
      let reader = CodeReader(repositories, clones, limit: maximumFileSize)
      while true {
        let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < groups.count, !isLate else { return }
        let verdict = verdict(groups[place], verifier, reader, trees, best)
        results.withLock { $0[place] = verdict }
      }
    }
    return results.withLock { $0 }
  }

  private func verdict(
    _ group: Group, _ verifier: CodeVerifier, _ reader: CodeReader, _ trees: [Int: CodeIndex.Tree],
    _ best: BestRanks
  ) -> Verdict {
    var files = group.files
    var first: (place: Int, rank: CodeRank)?
    if query.patterns.isEmpty {
      let places = files.indices.filter { place in
        query.holds({ files[place].holds($0, in: clones[files[place].clone]) }, { _ in nil }) == true
      }
      guard !places.isEmpty else { return .noMatch }
      first = self.first(of: files, at: places, FoundMatches(), trees, best)
      return .found(found(files, at: places, FoundMatches(), first))
    }
    do throws(CodeReader.Failure) {
      let find = { (text: UnsafeRawBufferPointer) in
        Result { () throws(CodePattern.Failure) in
          try verifier.find(in: text, at: files) { matches, places in
            first = self.first(of: files, at: places, matches, trees, best)
            return first != nil
          }
        }
      }
      // Words in paths alone need no text.
      let result =
        readsTexts
        ? try reader.read(files) { text in
          for place in files.indices { files[place].bytes = reader.size }
          return find(text)
        } : find(UnsafeRawBufferPointer(start: nil, count: 0))
      if verifier.wasLate { return .skipped("time") }
      switch result {
      case .failure: return .skipped("limit")
      case .success(nil): return .noMatch
      case .success((var matches, let places)?):
        matches.encoding = reader.encoding
        return .found(found(files, at: places, matches, first))
      }
    } catch {
      switch error {
      case .binary, .pointer: return .skipped("binary")
      case .tooLarge: return .skipped("tooLarge")
      case .unreadable: return .skipped("unreadable")
      // A file that was removed since the work tree was compared is no file.
      case .missing: return files[0].id == nil ? .noMatch : .skipped("missing")
      }
    }
  }

  /// The best of the files with one text; `nil` if it is not among the best of all.
  private func first(
    of files: [CodeFile], at places: [Int], _ matches: FoundMatches, _ trees: [Int: CodeIndex.Tree],
    _ best: BestRanks
  ) -> (place: Int, rank: CodeRank)? {
    let ranks = places.map { (place: $0, rank: rank(files[$0], trees, matches)) }
    return ranks.min { $0.rank.precedes($1.rank) }.flatMap { best.admit($0.rank) ? $0 : nil }
  }

  /// Whether the query asks for other owners than that of a file, whose copies are then not even mentioned.
  private func isOfOtherOwner(_ file: CodeFile) -> Bool {
    query.holds(
      { if case .owner(let wanted) = $0 { clones[file.clone].isOwned(by: wanted) } else { nil } },
      { _ in nil }) == false
  }

  /// The files with one text as one result, the best of those that fit first.
  private func found(
    _ files: [CodeFile], at places: [Int], _ matches: FoundMatches, _ first: (place: Int, rank: CodeRank)?
  ) -> Found? {
    guard let first else { return nil }
    let others = places.filter { $0 != first.place }.map { files[$0] }
    let fitting = Set(places)
    let elsewhere = files.indices.filter { !fitting.contains($0) && !isOfOtherOwner(files[$0]) }.map {
      files[$0]
    }
    return Found(
      file: files[first.place], others: others, elsewhere: elsewhere, rank: first.rank, matches: matches)
  }
}

/// The ranks of the best files so far, shared by threads: of a file that is none of them, no lines are kept.
private final class BestRanks: Sendable {
  private let limit: Int
  private let ranks = Mutex<[CodeRank]>([])

  init(limit: Int) { self.limit = limit }

  /// Takes a rank in; returns whether it is one of the best.
  func admit(_ rank: CodeRank) -> Bool {
    ranks.withLock { ranks in
      let place = ranks.indices.search { !rank.precedes(ranks[$0]) }
      guard place < limit else { return false }
      ranks.insert(rank, at: place)
      if ranks.count > limit { ranks.removeLast() }
      return true
    }
  }
}

extension CodeSearch.Outcome {
  /// Counts the files of a group as not searched.
  mutating func leaveOut(
    _ group: CodeSearch.Group, _ reason: String, of clones: [CodeClone], _ skipped: inout CodeSearch.Skipped
  ) {
    let files = group.files.filter { file in
      counted.contains(file.clone)
        && (file.id != nil || changed[file.clone]?.contains(ExactText(file.path)) != true)
    }
    coverage.files -= files.count
    for file in files.isEmpty ? group.files.prefix(1) : files[...] {
      skipped.add(reason, in: clones[file.clone])
    }
  }
}
