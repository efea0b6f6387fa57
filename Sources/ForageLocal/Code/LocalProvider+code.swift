import ForageCore
import ForageFoundation
import ForageGit
import ForageInspector
import ForagePlatform
package import ForageStore

package struct CodeSettings: Sendable {
  /// The default size above which files are not searched (16 MiB): larger ones are data.
  package static let defaultMaximumFileSize = 16 << 20

  /// The files that a search reads before the best of them are results.
  package static let defaultBatch = 2_000

  package var index: CodeIndex
  package var batch = defaultBatch
  /// Larger files are not searched, in bytes.
  package var maximumFileSize: Int
  /// The current folder; the clone that contains it is searched with its changed files.
  package var currentFolder: @Sendable () -> String?
  /// The reader of addresses of the current clone's remotes.
  package var hosts: RemoteHosts
  /// The rg program, which tells which files of a work tree are searched; `nil` to index no work trees.
  package var ripgrep: Ripgrep?

  package init(
    index: CodeIndex, maximumFileSize: Int = CodeSettings.defaultMaximumFileSize,
    currentFolder: @escaping @Sendable () -> String? = { FileAccess.realPath(".") },
    hosts: RemoteHosts = RemoteHosts(), ripgrep: Ripgrep? = nil
  ) {
    self.index = index
    self.ripgrep = ripgrep
    self.maximumFileSize = maximumFileSize
    self.currentFolder = currentFolder
    self.hosts = hosts
  }
}

extension LocalProvider {
  static let codeAbilities = Abilities(
    fields: [
      .host, .name, .path, .repository, .clone, .ref, .commit, .language, .file, .encoding, .matches,
      .matchCount, .symbols, .places, .refs,
    ],
    qualifiers: Dictionary(
      uniqueKeysWithValues: [
        "repo", "user", "org", "owner", "language", "path", "filename", "extension", "size", "case", "is",
        "in",
        "symbol", "symbol-kind", "uses", "ref",
      ].map { ($0, .exact) }),
    booleans: true, expressions: true, needsText: false, maximumPageSize: 10_000)

  /// The qualifiers whose meaning differs from, or adds to, the common ones.
  static let codeVocabulary: [QualifierDefinition] = [
    // The size of a file in bytes, unlike the size of a repository.
    QualifierDefinition("size", .number, kinds: [.code]),
    QualifierDefinition("filename", .text, kinds: [.code]),
    QualifierDefinition("extension", .text, kinds: [.code]),
    QualifierDefinition("is", .words(CodeFile.traitWords), kinds: [.code]),
    QualifierDefinition("ref", .text, kinds: [.code]),
  ]

  /// Searches the code of the clones.
  func search(_ code: CodeSettings, _ request: SearchRequest) async throws -> SearchPage {
    let query = try CodeQuery(request.query)
    let start = try request.cursor.map(Self.offset) ?? 0
    let clones = try codeClones(code, around: [code.currentFolder()].compactMap(\.self))
    guard !clones.isEmpty else { throw Self.noClones }
    // A twentieth of the time is for making results of what was found.
    let deadline = request.deadline - max(.zero, request.deadline - ContinuousClock.now) / 20
    var outcome = try await BlockingGit.run {
      isCancelled throws(GitError) -> Result<CodeSearch.Outcome, any Error> in
      let search = CodeSearch(
        index: code.index, words: SoughtWords(query), clones: clones, query: query, options: request.matches,
        maximumFileSize: code.maximumFileSize, end: CodeSearch.end(before: deadline),
        isCancelled: isCancelled, batch: code.batch)
      return Result { try search.run(wanted: start + request.pageSize) }
    }.get()
    var found = outcome.found
    // A page can have a million lines: those of a file are released when the item has them.
    outcome.found = []
    let end = min(found.count, start + request.pageSize)
    let repositories = CodeRepositories()
    let published = PublishedCommits(repositories)
    var items: [SearchResult] = []
    for place in found.indices.dropFirst(start) {
      items.append(CodeItem(found[place], clones, outcome, repositories, published).result)
      found[place].matches = FoundMatches()
    }
    let hasMore = end == start + request.pageSize && (!outcome.isExact || outcome.total > end)
    if let failure = outcome.failure { throw failure }
    if let pattern = query.patternWithoutIndex {
      let reason =
        pattern.kind == .literal
        ? "the index knows nothing shorter than three characters, as \"\(pattern.text)\""
        : "no three characters are in all that /\(pattern.text)/ finds"
      outcome.notes.append(
        Note(
          "without_index", "every file is read, because " + reason, hint: "add a longer word",
          isMissing: false))
    }
    return SearchPage(
      items: items, next: hasMore ? String(end) : nil,
      total: ResultTotal(outcome.total, outcome.isExact ? .equal : .atLeast), notes: outcome.notes,
      coverage: outcome.coverage)
  }

  /// The clones of the catalogue, and those that contain some folders, with their submodules that are checked
  /// out.
  ///
  /// - Parameter folders: Absolute paths without links.
  func codeClones(_ code: CodeSettings, around folders: [String]) throws -> [CodeClone] {
    // Of files that differ in nothing else, that of the clone that stands for its repository is the best.
    let records = (try store()?.clones() ?? []).sorted { $0.precedes($1) }
    var clones = records.map(CodeClone.init)
    var roots: Set<ExactText> = []
    for root in folders.compactMap(CloneProbe.root) where roots.insert(ExactText(root)).inserted {
      _ = Self.place(of: root, in: &clones, code.hosts).map { clones[$0].isCurrent = true }
    }
    var repositories: Set<String> = []
    for place in clones.indices {
      guard let id = clones[place].entityID else { continue }
      clones[place].standsForRepository =
        repositories.insert(id).inserted && RepositoryIdentity.isReference(id)
    }
    for superproject in clones {
      for path in GitRepository.checkedOutSubmodules(in: superproject.path) {
        let root = superproject.path + "/" + path
        guard let place = Self.place(of: root, in: &clones, code.hosts) else { continue }
        // One that is in the catalogue, too, or that one stands in, is a clone by itself where one does not
        // stand in the other.
        let isOwn = place < records.count || clones[place].isCurrent
        guard superproject.isCurrent || !isOwn else { continue }
        clones[place].isCurrent = superproject.isCurrent
        clones[place].superproject = CodeClone.Superproject(superproject, prefix: path + "/")
      }
    }
    return clones
  }

  /// The index of a clone, which is added where it is not in the catalogue.
  ///
  /// - Returns: `nil` for a folder that only looks like a clone.
  private static func place(of root: String, in clones: inout [CodeClone], _ hosts: RemoteHosts) -> Int? {
    if let place = clones.firstIndex(where: { $0.path == root }) { return place }
    let inspector = Inspector()
    guard let location = try? inspector.location(path: root), location.path == root else { return nil }
    let identity = CloneIdentity.of(location.remotes, at: root, inspector: inspector, hosts: hosts)
    clones.append(
      CodeClone(
        path: root, entityID: identity?.id, host: identity?.host, owner: identity?.owner,
        name: identity?.name ?? String(FileAccess.name(of: root))))
    return clones.count - 1
  }
}
