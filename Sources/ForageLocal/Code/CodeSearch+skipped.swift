import ForageCore
import ForageGit

extension CodeSearch {
  /// Why files were not searched.
  struct Skipped {
    var counts: [String: Int] = [:]
    /// The clones that could not be read, and what to do about each.
    private var clones: [(path: String, hint: String)] = []
    /// The names of the clones whose files are longer than the limit.
    private var clonesOfLongFiles: [String] = []
    /// The size above which files are not searched, in bytes.
    let maximumFileSize: Int
    /// Reasons that change neither `complete` nor the status.
    private static let harmless: Set<String> = ["binary", "unsupported"]
    /// Reasons that have a sentence of their own.
    private static let told: Set<String> = ["clone", "tooLarge"]
    /// The most clones that are named.
    private static let namedClones = 3

    init(maximumFileSize: Int) { self.maximumFileSize = maximumFileSize }

    mutating func add(_ reason: String, _ count: Int = 1) {
      if count > 0 { counts[reason, default: 0] += count }
    }

    /// Counts a file that is longer than the limit.
    mutating func add(longFileIn clone: CodeClone) {
      add("tooLarge")
      let name = clone.owner.map { $0 + "/" + clone.name } ?? clone.path
      if !clonesOfLongFiles.contains(name) { clonesOfLongFiles.append(name) }
    }

    /// Counts a clone that cannot be read.
    mutating func add(clone path: String, _ error: GitError) {
      if error.code == .unsupportedExtension { return add("unsupported") }
      add("clone")
      clones.append(
        (path, FileAccess.entry(path) == nil ? "run: forage clones scan" : "run: git fsck in the clone"))
    }

    /// Why results may be missing; `nil` if none are.
    var missing: Note? {
      let reasons = counts.filter { !Self.harmless.contains($0.key) && !Self.told.contains($0.key) }.sorted {
        $0.key < $1.key
      }
      var (messages, hints) = ([String](), [String]())
      if !clones.isEmpty {
        messages.append(
          "\(HumanFormat.plural(clones.count, "clone")) could not be read (\(Self.names(clones.map(\.path))))"
        )
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
      if let count = counts["tooLarge"] {
        messages.append(
          "\(HumanFormat.plural(count, "file")) longer than \(limit) \(count == 1 ? "was" : "were") "
            + "not searched (\(Self.names(clonesOfLongFiles.sorted())))")
        hints.append("set code: {maxFileSize: BYTES} in the settings to search them")
      }
      guard !messages.isEmpty else { return nil }
      let isOnlyLong = clones.isEmpty && reasons.isEmpty
      return Note(
        isOnlyLong ? .filesTooLong : .incompleteSearch, messages.joined(separator: "; "),
        hint: hints.joined(separator: "; "))
    }

    private var limit: String {
      maximumFileSize % (1 << 20) == 0 ? "\(maximumFileSize >> 20) MiB" : "\(maximumFileSize) bytes"
    }

    /// The first names of a list, and how many follow.
    private static func names(_ all: [String]) -> String {
      let names = all.prefix(namedClones)
      let more = all.count > names.count ? ["and \(all.count - names.count) more"] : []
      return (names + more).joined(separator: ", ")
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
