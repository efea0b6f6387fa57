package import ForageCore
import ForageGit
import ForagePlatform
import ForageStore

extension LocalProvider {
  /// More lines than any file has, and more files than a search reads at once.
  private static let unlimited = 1_000_000
  /// A person ends a search that takes too long.
  private static let patience = Duration.seconds(86_400)

  /// Finds lines in the files of clones; unlike a search it reads all of them.
  ///
  /// Of the clones that are named, changed files are searched as they are on disk.
  ///
  /// - Returns: The files, by clone and path.
  /// - Throws: `SearchError` for an expression that is not valid and for a ref or path that no clone has;
  ///   `CancellationError`.
  @concurrent
  package func lines(_ request: CodeLines) async throws -> SearchPage {
    guard let code else { return SearchPage(items: []) }
    let query = try CodeQuery(request.query)
    let current = code.currentFolder().map { [$0] } ?? []
    var clones = try codeClones(code, around: request.locations?.map(\.root) ?? current)
    if let locations = request.locations {
      let roots = Set(locations.map { ExactText($0.root) })
      clones.removeAll { !roots.contains(ExactText($0.base)) }
    }
    guard !clones.isEmpty else { throw Self.noClones }
    // Of a ref no work tree is compared.
    if query.ref != nil { for place in clones.indices { clones[place].isCurrent = true } }
    let search = CodeSearch(
      index: code.index, words: SoughtWords(query), clones: clones, query: query,
      options: MatchOptions(contextLines: request.context, limit: Self.unlimited),
      maximumFileSize: code.maximumFileSize, end: .now + Self.patience, isCancelled: { false },
      batch: Self.unlimited)
    let outcome: CodeSearch.Outcome
    do {
      outcome = try await BlockingGit.run { isCancelled throws(GitError) in
        var search = search
        search.isCancelled = isCancelled
        return Result { try search.run(wanted: Self.unlimited) }
      }.get()
    } catch let error as GitError where error.code == .cancelled {
      throw CancellationError()
    }
    try Task.checkCancellation()
    let repositories = CodeRepositories()
    let published = PublishedCommits(repositories)
    if let ref = query.ref { try Self.checkPaths(request.locations ?? [], of: ref, repositories) }
    let wanted = Dictionary(grouping: request.locations ?? []) { ExactText($0.root) }.mapValues {
      $0.map(\.path)
    }
    let found = outcome.found.flatMap { found in
      // Each place of a text has lines of its own.
      ([found.file] + found.others).map { file in
        CodeSearch.Found(file: file, others: [], elsewhere: [], rank: found.rank, matches: found.matches)
      }
    }.filter { found in
      let paths = wanted[ExactText(clones[found.file.clone].base)] ?? []
      return paths.isEmpty || paths.contains { Self.isBelow(found.file.nameBytes, $0) }
    }.sorted { a, b in
      a.file.clone == b.file.clone
        ? a.file.nameBytes.lexicographicallyPrecedes(b.file.nameBytes)
        : clones[a.file.clone].base.bytesPrecede(clones[b.file.clone].base)
    }
    return SearchPage(
      items: found.map { CodeItem($0, clones, outcome, repositories, published).result },
      total: ResultTotal(found.count), notes: outcome.notes, coverage: outcome.coverage)
  }

  /// Whether a path is a folder or below it.
  private static func isBelow(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    folder.isEmpty || path == folder
      || path.count > folder.count && path.starts(with: folder) && path[folder.count] == UInt8(ascii: "/")
  }

  /// - Throws: `SearchError` for a path that no clone has in a ref.
  private static func checkPaths(
    _ locations: [GrepLocation], of ref: String, _ repositories: CodeRepositories
  ) throws(SearchError) {
    for path in Set(locations.map(\.path)) where !path.isEmpty {
      let isThere = locations.contains { location in
        guard location.path == path, let repository = try? repositories.open(location.root),
          let commit = repository.commit(named: ref)
        else { return false }
        let name = String(decoding: path, as: UTF8.self)
        return ((try? repository.entry(at: name, in: commit.tree)) ?? nil) != nil
      }
      guard !isThere, ref != "*" else { continue }
      throw SearchError(
        .notFound, "\(ref) has no file or folder \(String(decoding: path, as: UTF8.self))",
        hint: "list the files that it has: git ls-tree -r --name-only \(ref.shellQuoted)")
    }
  }
}
