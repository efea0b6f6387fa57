import ForageCore
import ForageGit
import ForageStore

/// A matching file as a result.
struct CodeItem {
  private let found: CodeSearch.Found
  private let clones: [CodeClone]
  private let outcome: CodeSearch.Outcome
  private let repositories: CodeRepositories
  private let published: PublishedCommits

  init(
    _ found: CodeSearch.Found, _ clones: [CodeClone], _ outcome: CodeSearch.Outcome,
    _ repositories: CodeRepositories, _ published: PublishedCommits
  ) {
    self.found = found
    self.clones = clones
    self.outcome = outcome
    self.repositories = repositories
    self.published = published
  }

  var result: SearchResult {
    let (file, others) = places
    let clone = clones[file.clone]
    let tree = outcome.trees[file.clone]
    // What is read from the work tree is in no commit.
    let commit = file.id == nil ? nil : file.refs.first?.commit ?? tree?.commit
    let bytes = pathBytes(file)
    let own = Array(bytes.dropFirst(clone.prefix.utf8.count))
    var item = SearchResult(
      id: Self.id(clone, commit: commit, path: Self.exact(clone.ownPath(file.path), own)), kind: .code,
      title: file.path, url: page(file, own))
    item.set(.host, clone.host)
    item.set(.name, String(file.name))
    item.set(.language, file.language)
    item.set(.encoding, found.matches.encoding?.rawValue)
    for (field, value) in place(file, bytes) { item[field] = value }
    if !found.matches.matches.isEmpty { item[.matches] = .items(found.matches.matches.map(Self.value)) }
    if found.matches.count > 0 { item.set(.matchCount, found.matches.count) }
    let symbols = found.matches.matches.flatMap(\.definitions)
    if !symbols.isEmpty { item[.symbols] = .items(symbols.map(\.value)) }
    let elsewhere = found.elsewhere.sorted { rank($0).precedes(rank($1)) }
    if !others.isEmpty || !elsewhere.isEmpty {
      item[.places] = .items(others.map { record($0) } + elsewhere.map { record($0, fits: false) })
    }
    return item
  }

  /// A further place, with a mark where it does not fit the query.
  private func record(_ file: CodeFile, fits: Bool = true) -> FieldValue {
    let fields = place(file, pathBytes(file)).map { ($0.key.rawValue, $0.value) }
    return .record(Dictionary(uniqueKeysWithValues: fields + (fits ? [] : [("fits", .flag(false))])))
  }

  /// The main place and the others, the best first. A place without a file on disk, as in a bare clone, gives
  /// way to one of the same name that has one.
  private var places: (main: CodeFile, others: [CodeFile]) {
    var others = found.others.sorted { rank($0).precedes(rank($1)) }
    guard !others.isEmpty, !isOnDisk(found.file, pathBytes(found.file)),
      let other = others.firstIndex(where: { $0.name == found.file.name && isOnDisk($0, pathBytes($0)) })
    else { return (found.file, others) }
    let main = others.remove(at: other)
    return (main, [found.file] + others)
  }

  private func isOnDisk(_ file: CodeFile, _ bytes: [UInt8]) -> Bool {
    // The folder has what is checked out.
    file.refs.isEmpty && repositories.isOnDisk(bytes, in: clones[file.clone])
  }

  /// The rank of a file among those with the same content.
  private func rank(_ file: CodeFile) -> CodeRank {
    CodeRank(
      file, clones[file.clone], SoughtWords(), committedAt: outcome.trees[file.clone]?.committedAt ?? 0)
  }

  private func place(_ file: CodeFile, _ bytes: [UInt8]) -> [ResultField: FieldValue] {
    let clone = clones[file.clone]
    var fields: [ResultField: FieldValue] = [.repository: .text(clone.repository), .path: .text(file.path)]
    // No commit of the superproject has the text of a file in a submodule.
    if let tree = outcome.trees[file.clone], clone.superproject == nil {
      fields[.ref] = .text(file.refs.first?.name ?? tree.branch ?? tree.commit)
      // What is read from the work tree is in no commit.
      if file.id != nil { fields[.commit] = .text(file.refs.first?.commit ?? tree.commit) }
    }
    let named = clone.superproject?.clone ?? clone
    if !named.standsForRepository { fields[.clone] = .text(named.path) }
    if !file.refs.isEmpty { fields[.refs] = .list(file.refs.map(\.name)) }
    if isOnDisk(file, bytes) {
      fields[.file] = .text(FilePathText.text(Array((clone.base + "/").utf8) + bytes))
    }
    return fields
  }

  private func pathBytes(_ file: CodeFile) -> [UInt8] {
    repositories.pathBytes(of: file, in: clones[file.clone], outcome.trees[file.clone])
  }

  /// A path as it is in ids: names that differ only in bytes that are not UTF-8 look the same.
  private static func exact(_ path: String, _ bytes: [UInt8]) -> String {
    path.utf8.elementsEqual(bytes) ? path : PercentEncoding.encodePath(bytes: bytes)
  }

  private static func id(_ clone: CodeClone, commit: String?, path: String) -> String {
    guard let entity = clone.entityID, let commit else { return clone.path + "/" + path }
    return "\(entity)/blob/\(commit)/\(path)"
  }

  /// The page of a file on GitHub, by its path in its own repository, unless GitHub does not have it as it
  /// is; other forges have other addresses.
  private func page(_ file: CodeFile, _ path: [UInt8]) -> String? {
    let clone = clones[file.clone]
    // Of several branches it is not known which the forge has as they are here.
    guard let host = clone.host, KnownForges.isGitHub(host), let owner = clone.owner,
      let tree = outcome.trees[file.clone],
      file.refs.allSatisfy({ $0.commit == tree.commit }),
      let commit = published.commit(of: file, in: clone, tree)
    else { return nil }
    return "https://\(host)/\(owner)/\(clone.name)/blob/\(commit)/"
      + PercentEncoding.encodePath(bytes: path)
  }

  private static func value(_ match: CodeMatch) -> FieldValue {
    var fields: [String: FieldValue] = [
      "line": .number(match.line), "column": .number(match.column), "text": .text(match.text),
      "ranges": .items(match.ranges.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
      "before": .list(match.before), "after": .list(match.after),
    ]
    let symbol = match.definitions.first ?? match.user
    fields["symbol"] = symbol.map { .text($0.name) }
    fields["symbolKind"] = symbol?.kind.map { .text($0.rawValue) }
    return .record(fields)
  }
}

extension CodeSymbol {
  /// The definition as an element of ``ResultField/symbols``.
  var value: FieldValue {
    var fields: [String: FieldValue] = ["name": .text(name)]
    fields["line"] = line.map(FieldValue.number)
    fields["kind"] = kind.map { .text($0.rawValue) }
    return .record(fields)
  }
}

extension CodeRepositories {
  /// The bytes of a path. The index has text, so the tree is asked where something may have been replaced.
  func pathBytes(of file: CodeFile, in clone: CodeClone, _ tree: CodeIndex.Tree?) -> [UInt8] {
    if let bytes = file.bytesOfPath { return bytes }
    guard file.path.unicodeScalars.contains("\u{FFFD}"),
      let blob = file.id,
      let tree = (tree?.tree).flatMap(ObjectID.init(raw:)),
      let repository = try? open(clone.path),
      let bytes = (try? repository.pathBytes(of: clone.ownPath(file.path)[...], blob: blob, in: tree)) ?? nil
    else { return Array(file.path.utf8) }
    return Array(clone.prefix.utf8) + bytes
  }
}
