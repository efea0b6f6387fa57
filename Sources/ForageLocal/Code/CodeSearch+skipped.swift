import ForageCore
import ForageGit

extension CodeSearch {
  /// Why files were not searched.
  struct Skipped {
    var counts: [String: Int] = [:]
    /// The clones that could not be read, and what to do about each.
    private var clones: [(path: String, hint: String)] = []
    /// Reasons that change neither `complete` nor the status.
    private static let harmless: Set<String> = ["binary", "tooLarge", "unsupported"]
    /// The most clones that are named.
    private static let namedClones = 3

    mutating func add(_ reason: String, _ count: Int = 1) {
      if count > 0 { counts[reason, default: 0] += count }
    }

    /// Counts a clone that cannot be read.
    mutating func add(clone path: String, _ error: GitError) {
      if error.code == .unsupportedExtension { return add("unsupported") }
      add("clone")
      clones.append(
        (path, FileAccess.entry(path) == nil ? "run: forage clones scan" : "run: git fsck in the clone"))
    }

    /// Why results may be missing; `nil` if none are.
    var missing: SearchError? {
      let reasons = counts.filter { !Self.harmless.contains($0.key) && $0.key != "clone" }.sorted {
        $0.key < $1.key
      }
      var (messages, hints) = ([String](), [String]())
      if !clones.isEmpty {
        let names = clones.prefix(Self.namedClones).map(\.path)
        let more = clones.count > names.count ? ["and \(clones.count - names.count) more"] : []
        messages.append(
          "\(clones.count) \(clones.count == 1 ? "clone" : "clones") could not be read "
            + "(\((names + more).joined(separator: ", ")))")
        for (_, hint) in clones where !hints.contains(hint) { hints.append(hint) }
      }
      if !reasons.isEmpty {
        let names = [
          "index": "without the code index, which cannot be read", "limit": "beyond a limit of the search",
          "missing": "missing", "time": "not reached in time", "unreadable": "unreadable",
        ]
        let parts = reasons.map { (reasons.count == 1 ? "" : "\($0.value) ") + (names[$0.key] ?? $0.key) }
        let total = reasons.reduce(0) { $0 + $1.value }
        messages.append(
          "\(total) \(total == 1 ? "file" : "files") could not be searched (\(parts.joined(separator: ", ")))"
        )
        if let hint = Self.hint(Set(reasons.map(\.key))) { hints.append(hint) }
      }
      guard !messages.isEmpty else { return nil }
      return SearchError(
        .incompleteSearch, messages.joined(separator: "; "), hint: hints.joined(separator: "; "))
    }

    private static func hint(_ reasons: Set<String>) -> String? {
      if reasons.contains("time") { return nil }
      if reasons.contains("limit") {
        return "make the query more specific, for example with a word of three or more characters"
      }
      if reasons.contains("index") { return "run: forage doctor" }
      return "run: git fsck in the clone; in a partial clone, git fetches missing files"
    }
  }
}
