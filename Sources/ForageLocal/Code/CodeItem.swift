import ForageCore
import ForageGit
import ForageStore

/// A matching file as a result.
struct CodeItem {
  private let found: CodeSearch.Found
  private let clones: [CodeClone]
  private let outcome: CodeSearch.Outcome

  init(_ found: CodeSearch.Found, _ clones: [CodeClone], _ outcome: CodeSearch.Outcome) {
    self.found = found
    self.clones = clones
    self.outcome = outcome
  }

  /// The result.
  var result: SearchResult {
    let file = found.file
    let clone = clones[file.clone]
    let tree = outcome.trees[file.clone]
    // What is read from the work tree is in no commit.
    let commit = file.id == nil ? nil : tree?.commit
    var item = SearchResult(
      id: Self.id(clone, commit: commit, path: file.path), kind: .code, title: file.path,
      url: Self.page(clone, commit: commit, path: file.path))
    item.set(.host, clone.host)
    item.set(.name, String(file.name))
    item.set(.language, file.language)
    for (field, value) in place(file) { item[field] = value }
    if !found.matches.matches.isEmpty { item[.matches] = .items(found.matches.matches.map(Self.value)) }
    if found.matches.count > 0 { item.set(.matchCount, found.matches.count) }
    let others = found.others.sorted { rank($0).precedes(rank($1)) }
    if !others.isEmpty {
      item[.places] = .items(
        others.map { other in
          .record(Dictionary(uniqueKeysWithValues: place(other).map { ($0.key.rawValue, $0.value) }))
        })
    }
    return item
  }

  /// The rank of a file among those with the same content.
  private func rank(_ file: CodeFile) -> CodeRank {
    CodeRank(
      file, clones[file.clone], words: [], definition: 0, wholeWords: 0, nearby: 0,
      committedAt: outcome.trees[file.clone]?.committedAt ?? 0)
  }

  /// Where a file is.
  private func place(_ file: CodeFile) -> [ResultField: FieldValue] {
    let clone = clones[file.clone]
    var fields: [ResultField: FieldValue] = [.repository: .text(clone.repository), .path: .text(file.path)]
    if let tree = outcome.trees[file.clone] {
      fields[.ref] = .text(tree.branch ?? tree.commit)
      // What is read from the work tree is in no commit.
      if file.id != nil { fields[.commit] = .text(tree.commit) }
    }
    let path = clone.path + "/" + file.path
    if FileAccess.entry(path, follow: false)?.kind == .file { fields[.file] = .text(path) }
    return fields
  }

  private static func id(_ clone: CodeClone, commit: String?, path: String) -> String {
    guard let entity = clone.entityID, let commit else { return clone.path + "/" + path }
    return "\(entity)/blob/\(commit)/\(path)"
  }

  /// The page of a file on GitHub; other forges have other addresses.
  private static func page(_ clone: CodeClone, commit: String?, path: String) -> String? {
    guard clone.host == "github.com", let owner = clone.owner, let commit else { return nil }
    return "https://github.com/\(owner)/\(clone.name)/blob/\(commit)/" + PercentEncoding.encodePath(path)
  }

  private static func value(_ match: CodeMatch) -> FieldValue {
    .record([
      "line": .number(match.line), "column": .number(match.column), "text": .text(match.text),
      "ranges": .items(match.ranges.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
      "before": .list(match.before), "after": .list(match.after),
    ])
  }
}
