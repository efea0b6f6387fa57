import ForageCore
import ForageGit
import ForageInspector
import ForagePlatform
import ForageStore

/// The files that may match.
extension CodeGrep {
  /// The files of the request, in the order in which they are delivered.
  ///
  /// - Parameter errors: Receives one for each path that was named and that a commit does not have.
  func files(
    _ outcome: inout CodeSearch.Outcome, _ skipped: inout CodeSearch.Skipped, _ errors: inout [Note]
  ) throws -> [CodeFile] {
    var files: [CodeFile] = []
    var indexed: [Int] = []
    var named: [CodeFile] = []
    for place in places.values.sorted(by: { $0.clone < $1.clone }) {
      let isSubmodule = search.clones[place.clone].superproject != nil
      // A commit has no files of submodules; a walk looks into their folders.
      if isSubmodule, request.ref != nil || request.includesIgnored { continue }
      if let ref = request.ref {
        files += try self.files(of: ref, place, &outcome, &skipped, &errors)
      } else if worktrees.contains(place.clone), request.includesIgnored || hasOnlyFiles(place) {
        let found = walk(place)
        outcome.coverage.files += found.count
        files += found
      } else {
        indexed.append(place.clone)
        named += walkNamed(place)
      }
    }
    if let ref = request.ref, outcome.trees.isEmpty {
      // What a clone that cannot be read has is not known.
      if let missing = skipped.missing { throw GrepProblem(message: missing.message, hint: missing.hint) }
      throw GrepProblem(
        message: "\(places.count == 1 ? "the clone has" : "the clones have") no branch, tag or commit \(ref)",
        hint: "see which there are: \(gitInClone) branch --all, or: \(gitInClone) tag")
    }
    if !indexed.isEmpty {
      files += try search.gathered(indexed, repositories, &outcome, &skipped)
      countLongFiles(indexed, outcome, named, &skipped)
    }
    if !named.isEmpty {
      let known = Dictionary(grouping: files, by: \.clone).mapValues { files in
        Set(
          files.map { repositories.pathBytes(of: $0, in: search.clones[$0.clone], outcome.trees[$0.clone]) })
      }
      files += named.filter { known[$0.clone]?.contains($0.nameBytes) != true }
    }
    for (clone, tree) in outcome.trees where places[clone] != nil {
      if tree.number > 0 { outcome.coverage.files += tree.files }
      skipped.add("missing", tree.number > 0 ? tree.missing : 0, in: search.clones[clone])
    }
    outcome.coverage.clones = places.count
    return ordered(files.filter(isWanted), outcome)
  }

  /// `git`, as it is called for the clone that is searched, or for each of several.
  private var gitInClone: String {
    let path = places.count == 1 ? places.values.first.map { search.clones[$0.clone].path } : nil
    return "git -C \(path?.shellQuoted ?? "CLONE")"
  }

  private func isWanted(_ file: CodeFile) -> Bool {
    guard let place = places[file.clone] else { return false }
    // Of other languages it is not known what lines define.
    if request.symbol != nil, LanguageFamily(of: file.language) == nil { return false }
    return selection.includes(file, file.nameBytes, in: place)
  }

  /// By path in each clone, whose folders stand where their names belong; or by rank.
  private func ordered(_ files: [CodeFile], _ outcome: CodeSearch.Outcome) -> [CodeFile] {
    // Submodules belong to the clone around them.
    let groups = search.clones.map { clone in search.clones.firstIndex { $0.base == clone.base } ?? 0 }
    guard request.ranks, Set(groups).count > 1 else {
      let slash = UInt8(ascii: "/")
      // Names are compared, not paths: "a/b" comes before "a-b".
      return files.map { (file: $0, key: $0.path.utf8.map { $0 == slash ? 0 : $0 }) }.sorted { a, b in
        let (first, second) = (groups[a.file.clone], groups[b.file.clone])
        return first != second ? first < second : a.key.lexicographicallyPrecedes(b.key)
      }.map(\.file)
    }
    return files.map { file in
      (
        file: file,
        rank: CodeRank(
          file, search.clones[file.clone], search.words,
          committedAt: outcome.trees[file.clone]?.committedAt ?? 0)
      )
    }.sorted { $0.rank.precedes($1.rank) }.map(\.file)
  }

  /// Counts the files that are too long to be searched and that the request is for.
  ///
  /// - Parameter named: Files that are read in any case, and counted then.
  private func countLongFiles(
    _ clones: [Int], _ outcome: CodeSearch.Outcome, _ named: [CodeFile], _ skipped: inout CodeSearch.Skipped
  ) {
    var numbers: [Int64: Int] = [:]
    for clone in clones {
      if let tree = outcome.trees[clone], tree.number > 0, tree.tooLarge > 0 { numbers[tree.number] = clone }
    }
    guard !numbers.isEmpty, let found = try? search.index.longFiles(of: Set(numbers.keys)) else { return }
    for candidate in found {
      guard let clone = numbers[candidate.clone] else { continue }
      var file = CodeFile(clone, candidate)
      file.path = search.clones[clone].prefix + file.path
      // A changed file is searched as it is on disk.
      if outcome.changed[clone]?.contains(ExactText(file.path)) ?? false { continue }
      let isNamed = named.contains { $0.clone == clone && ExactText($0.path) == ExactText(file.path) }
      if !isNamed, isWanted(file) { skipped.add("tooLarge", in: search.clones[clone]) }
    }
  }

  /// Whether nothing but files were named, which are read without looking for others.
  private func hasOnlyFiles(_ place: GrepPlace) -> Bool {
    let clone = search.clones[place.clone]
    // Results have the commit of a file, which only the index knows.
    return places.count == 1 && !request.wantsResults
      && place.folders.allSatisfy { repositories.isOnDisk($0, in: clone) }
  }

  /// The files that were named, and those of ignored folders that were named: as in rg, rules do not exclude them.
  private func walkNamed(_ place: GrepPlace) -> [CodeFile] {
    guard worktrees.contains(place.clone) else { return [] }
    let clone = search.clones[place.clone]
    let repository = try? repositories.open(clone.path)
    var named = place
    named.folders = place.folders.filter { folder in
      guard folder.count > clone.prefix.utf8.count, folder.starts(with: clone.prefix.utf8) else {
        return false
      }
      if repositories.isOnDisk(folder, in: clone) { return true }
      let own = Array(folder.dropFirst(clone.prefix.utf8.count))
      return (try? repository?.isIgnored(own)) ?? false
    }
    return named.folders.isEmpty ? [] : walk(named)
  }

  /// Every file of a work tree, except those of git itself.
  private func walk(_ place: GrepPlace) -> [CodeFile] {
    let slash = UInt8(ascii: "/")
    guard let onDisk = repositories.files(in: search.clones[place.clone].base) else { return [] }
    var classifier = FileClassifier()
    var files: [CodeFile] = []
    var known: Set<[UInt8]> = []
    // Depth and hidden folders count from each of them, so that each is walked, also below another one.
    for folder in place.folders {
      var pending = [folder]
      while let path = pending.popLast(), !search.isLate {
        guard let entry = onDisk.entry(path) else { continue }
        let isIncluded = selection.includes(
          path, below: folder, base: place.base, isFolder: entry.kind == .directory)
        guard isIncluded || path.isEmpty else { continue }
        switch entry.kind {
        case .directory:
          let prefix = path.isEmpty ? [] : path + [slash]
          pending += onDisk.names(in: path).map { prefix + $0 }
        case .file:
          guard place.folders.count == 1 || known.insert(path).inserted else { continue }
          let name = String(decoding: path, as: UTF8.self)
          let (language, flags) = classifier.classify(name, size: entry.size) {
            guard needsLanguages else { return nil }
            return ((try? onDisk.read(path, first: LanguageClassifier.prefixLimit)) ?? nil)?.bytes
          }
          files.append(
            CodeFile(
              clone: place.clone, path: name, bytesOfPath: name.utf8.elementsEqual(path) ? nil : path,
              language: language, flags: flags, id: nil, number: nil, bytes: entry.size))
        case .symlink, .other: break
        }
      }
    }
    return files
  }

  /// The files of a commit.
  private func files(
    of ref: String, _ place: GrepPlace, _ outcome: inout CodeSearch.Outcome,
    _ skipped: inout CodeSearch.Skipped, _ errors: inout [Note]
  ) throws(GitError) -> [CodeFile] {
    do throws(GitError) {
      return try readFiles(of: ref, place, &outcome, &skipped, &errors)
    } catch {
      if error.code == .cancelled { throw error }
      skipped.add(search.clones[place.clone], error)
      return []
    }
  }

  /// The paths that were named and that a commit does not have, as they were typed.
  private func absentPaths(of place: GrepPlace, in listing: TreeListing) -> [String] {
    let named = place.folders.filter { !$0.isEmpty && typedPath($0, in: place.clone) != nil }
    // What is in a folder that could not be read is not known.
    guard !named.isEmpty, listing.lostFolders == 0 else { return [] }
    var known: Set<ArraySlice<UInt8>> = []
    for path in listing.files.map(\.path) + listing.submodules.map(\.path) {
      var part = Array(path.utf8)[...]
      while !part.isEmpty, known.insert(part).inserted {
        part = part[..<(part.lastIndex(of: UInt8(ascii: "/")) ?? part.startIndex)]
      }
    }
    return named.filter { !known.contains($0[...]) }.compactMap { typedPath($0, in: place.clone) }.sorted()
  }

  private func readFiles(
    of ref: String, _ place: GrepPlace, _ outcome: inout CodeSearch.Outcome,
    _ skipped: inout CodeSearch.Skipped, _ errors: inout [Note]
  ) throws(GitError) -> [CodeFile] {
    let clone = place.clone
    let path = search.clones[clone].path
    let repository = try repositories.open(path)
    guard let commit = repository.commit(named: ref) else { return [] }
    let listing = try repository.listing(of: commit.tree, skipsDamage: true, isCancelled: { search.isLate })
    outcome.trees[clone] = CodeIndex.Tree(
      path: path, tree: commit.tree.raw, stamp: "", commit: commit.id.hex, branch: ref,
      committedAt: Int(commit.committedAt))
    skipped.add("missing", listing.lostFolders, in: search.clones[clone])
    errors += absentPaths(of: place, in: listing).map { path in
      Note(
        .notFound, "\(ref) has no file or folder \(path)",
        hint:
          "list the files that it has: git -C \(search.clones[place.clone].path.shellQuoted) ls-tree -r --name-only \(ref.shellQuoted)"
      )
    }
    var classifier = FileClassifier()
    let files = listing.files.filter(\.kind.isFile)
    outcome.coverage.files += files.count
    return files.map { file in
      let (language, flags) = classifier.classify(file.path, size: file.size) {
        needsLanguages ? try? repository.blob(file.id, limit: LanguageClassifier.prefixLimit) : nil
      }
      return CodeFile(
        clone: clone, path: file.path, language: language, flags: flags, id: file.id, number: nil,
        bytes: file.size)
    }
  }

  /// Whether the content of a file must be read where its name does not tell the language.
  private var needsLanguages: Bool { !request.languages.isEmpty || !request.otherLanguages.isEmpty }
}
