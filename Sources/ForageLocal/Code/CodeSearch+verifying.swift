import ForageCore
import ForageGit
import ForagePlatform
import ForageStore
import Synchronization

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
    guard reason == "tooLarge" else { return skipped.add(reason, max(1, files.count)) }
    for file in files.isEmpty ? group.files.prefix(1) : files[...] {
      skipped.add(longFileIn: clones[file.clone])
    }
  }
}

/// The files that match.
extension CodeSearch {
  /// The files that are verified between two looks at what was found: few at first, because a page is often full
  /// soon, then more, because each look starts threads and opens clones again.
  private static let chunk = (first: 64, most: 1024)
  /// From this number of files two threads verify.
  private static let sharedFiles = 8

  /// Verifies groups in their order until enough are found and no better one can come.
  func verify(
    _ groups: [Group], wanted: Int, _ repositories: CodeRepositories, _ outcome: inout Outcome,
    _ skipped: inout Skipped
  ) throws {
    var best: [Found] = []
    var compared = 0
    var (start, chunk) = (0, Self.chunk.first)
    while start < groups.count {
      if best.count >= wanted, wanted > 0, !groups[start].rank.precedes(best[wanted - 1].rank) {
        outcome.isExact = false
        break
      }
      if isLate {
        for group in groups[start...] { outcome.leaveOut(group, "time", of: clones, &skipped) }
        break
      }
      let end = min(groups.count, start + chunk)
      let results = try verifyChunk(Array(groups[start..<end]), repositories, outcome.trees)
      for (group, result) in zip(groups[start..<end], results) {
        switch result {
        case .found(let found):
          best.append(found)
          outcome.total += 1
        case .skipped(let reason):
          outcome.leaveOut(group, reason, of: clones, &skipped)
          if reason == "missing", !outcome.isDamaged, compared < Self.comparedFiles {
            compared += 1
            outcome.isDamaged = group.files.contains { differs($0, outcome.trees, repositories) }
          }
        case .noMatch: break
        }
      }
      best.sort { $0.rank.precedes($1.rank) }
      if best.count > wanted { best.removeLast(best.count - wanted) }
      start = end
      chunk = min(chunk * 2, Self.chunk.most)
    }
    outcome.found = best
  }

  /// The most missing files that are compared with the trees: a partial clone may lack all.
  private static let comparedFiles = 16

  /// Whether the index has another blob for a file than the tree, so that it is damaged.
  private func differs(
    _ file: CodeFile, _ trees: [Int: CodeIndex.Tree], _ repositories: CodeRepositories
  ) -> Bool {
    // A name that is not UTF-8 does not lead back to its file.
    guard file.number != nil, !file.path.unicodeScalars.contains("\u{FFFD}"),
      let tree = (trees[file.clone]?.tree).flatMap(ObjectID.init(raw:)),
      let repository = try? repositories.open(clones[file.clone].path),
      let entry = try? repository.entry(at: file.path, in: tree)
    else { return false }
    return entry.id != file.id
  }

  private enum Verdict: Sendable {
    case found(Found)
    case noMatch
    case skipped(String)
  }

  private func verifyChunk(
    _ groups: [Group], _ repositories: CodeRepositories, _ trees: [Int: CodeIndex.Tree]
  ) throws -> [Verdict] {
    let next = Atomic(0)
    let results = Mutex([Verdict](repeating: .skipped("time"), count: groups.count))
    let names = SoughtNames(query)
    OwnThread.perform(threads: groups.count >= Self.sharedFiles ? 2 : 1) {
      guard let verifier = try? CodeVerifier(query, options, clones, isLate: { isLate }) else { return }
      let reader = CodeReader(repositories, clones, limit: maximumFileSize)
      while true {
        let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < groups.count, !isLate else { return }
        let verdict = verdict(groups[place], verifier, reader, names, trees)
        results.withLock { $0[place] = verdict }
      }
    }
    return results.withLock { $0 }
  }

  private func verdict(
    _ group: Group, _ verifier: CodeVerifier, _ reader: CodeReader, _ names: SoughtNames,
    _ trees: [Int: CodeIndex.Tree]
  ) -> Verdict {
    var files = group.files
    if query.patterns.isEmpty {
      let places = files.indices.filter { place in
        query.holds({ files[place].holds($0, in: clones[files[place].clone]) }, { _ in nil }) == true
      }
      return found(files, at: places, group, FoundMatches(), names, trees)
    }
    do throws(CodeReader.Failure) {
      let find = { (text: UnsafeRawBufferPointer) in
        Result { () throws(CodePattern.Failure) in try verifier.find(in: text, at: files) }
      }
      // Words in paths alone need no text.
      let result =
        readsTexts
        ? try reader.read(files) { text in
          for place in files.indices { files[place].bytes = text.count }
          return find(text)
        } : find(UnsafeRawBufferPointer(start: nil, count: 0))
      if verifier.wasLate { return .skipped("time") }
      switch result {
      case .failure: return .skipped("limit")
      case .success(nil): return .noMatch
      case .success(let (matches, places)?):
        return found(files, at: places, group, matches, names, trees)
      }
    } catch {
      switch error {
      case .binary: return .skipped("binary")
      case .tooLarge: return .skipped("tooLarge")
      case .unreadable: return .skipped("unreadable")
      // A file that was removed since the work tree was compared is no file.
      case .missing: return files[0].id == nil ? .noMatch : .skipped("missing")
      }
    }
  }

  /// The files with one text as one result, the best of those that fit first.
  private func found(
    _ files: [CodeFile], at places: [Int], _ group: Group, _ matches: FoundMatches, _ names: SoughtNames,
    _ trees: [Int: CodeIndex.Tree]
  ) -> Verdict {
    var best: (place: Int, rank: CodeRank)?
    for place in places {
      let file = files[place]
      // Nearly every text has one place, whose rank is known.
      var rank =
        group.files.count == 1
        ? group.rank
        : CodeRank(file, clones[file.clone], names, committedAt: trees[file.clone]?.committedAt ?? 0)
      let defines = !CodeFile.isProse(file.language)
      rank.settle(
        names, wholeWords: matches.wholeWords, nearby: matches.nearby, alone: matches.aloneDefinitions
      ) { defines ? matches.definitions[$0] ?? .none : .none }
      if best.map({ rank.precedes($0.rank) }) ?? true { best = (place, rank) }
    }
    guard let best else { return .noMatch }
    let others = places.filter { $0 != best.place }.map { files[$0] }
    let elsewhere = files.indices.filter { !places.contains($0) }.map { files[$0] }
    return .found(
      Found(
        file: files[best.place], others: others, elsewhere: elsewhere, rank: best.rank, matches: matches))
  }
}
