import ForageCore
import ForageGit

extension CodeSearch {
  /// Why files were not searched.
  struct Skipped {
    private(set) var counts: [String: Int] = [:]
    /// The names of the clones whose files were not searched, for reasons that change the completeness.
    private var names: Set<String> = []
    /// The clones that could not be read, and what to do about each.
    private var clones: [(path: String, hint: String)] = []
    /// The paths of these clones, and of those of an unsupported format.
    private var unreadable: Set<String> = []
    /// Whether some clone's tree is not in the index, so that reading it takes longer.
    var isIndexBehind = false
    /// The size above which files are not searched, in bytes.
    let maximumFileSize: Int
    /// Reasons of which nothing is said.
    private static let harmless: Set<String> = ["binary", "gone", "unsupported"]
    /// The most clones that are named.
    private static let namedClones = 3

    init(maximumFileSize: Int) { self.maximumFileSize = maximumFileSize }

    /// Counts files that are not searched.
    mutating func add(_ reason: String, _ count: Int = 1, in clone: CodeClone) {
      guard count > 0 else { return }
      counts[reason, default: 0] += count
      if !Self.harmless.contains(reason) { names.insert(clone.title) }
    }

    /// Counts a clone that cannot be read.
    mutating func add(_ clone: CodeClone, _ error: GitError) {
      guard unreadable.insert(clone.path).inserted else { return }
      // A clone that is gone from the disk is no missing part.
      if FileAccess.entry(clone.path) == nil {
        counts["gone", default: 0] += 1
        return
      }
      let isUnsupported = error.code == .unsupportedExtension
      if isUnsupported, !clone.isCurrent {
        counts["unsupported", default: 0] += 1
        return
      }
      counts["clone", default: 0] += 1
      clones.append((clone.path, isUnsupported ? error.hint : "see why with: forage clones list --status"))
    }

    /// Whether a clone was counted as one that cannot be read.
    func has(_ clone: CodeClone) -> Bool { unreadable.contains(clone.path) }

    /// Why results may be missing; `nil` if none are.
    var missing: Note? {
      var (messages, hints) = ([String](), [String]())
      if !clones.isEmpty {
        messages.append(
          "\(HumanFormat.plural(clones.count, "clone")) could not be read "
            + "(\(Self.listed(clones.map(\.path), of: "clone")))")
        for (_, hint) in clones where !hints.contains(hint) { hints.append(hint) }
      }
      let reasons = counts.filter { !Self.harmless.contains($0.key) && $0.key != "clone" }.sorted {
        $0.key < $1.key
      }
      if !reasons.isEmpty {
        let total = reasons.reduce(0) { $0 + $1.value }
        let parts = reasons.map { (reasons.count == 1 ? "" : "\($0.value) ") + phrase($0.key) }
        messages.append(
          "\(HumanFormat.plural(total, "file")) of \(Self.listed(names.sorted(), of: "clone")) "
            + "\(total == 1 ? "was" : "were") not searched: \(parts.joined(separator: ", "))")
        for hint in self.hints(Set(reasons.map(\.key))) where !hints.contains(hint) { hints.append(hint) }
      }
      guard !messages.isEmpty else { return nil }
      return Note(
        reasons.isEmpty ? .unreadableClones : .incompleteSearch, messages.joined(separator: "; "),
        hint: hints.joined(separator: "; "))
    }

    private func phrase(_ reason: String) -> String {
      switch reason {
      case "index": "without a readable code index"
      case "limit": "beyond a limit of the search"
      case "time": "not reached in time"
      case "tooLarge": "longer than \(limit)"
      default: reason
      }
    }

    private var limit: String {
      maximumFileSize % (1 << 20) == 0 ? "\(maximumFileSize >> 20) MiB" : "\(maximumFileSize) bytes"
    }

    /// The first names of a list, and how many follow.
    private static func listed(_ all: [String], of noun: String) -> String {
      let names = all.prefix(namedClones).joined(separator: ", ")
      let more = all.count - namedClones
      return more > 0 ? "\(names) and \(more) more \(more == 1 ? noun : noun + "s")" : names
    }

    private func hints(_ reasons: Set<String>) -> [String] {
      var hints: [String] = []
      if reasons.contains("time"), isIndexBehind { hints.append("run: forage clones index") }
      if reasons.contains("limit") {
        hints.append("make the query more specific, for example with a word of three or more characters")
      }
      if reasons.contains("index") { hints.append("run: forage doctor") }
      if reasons.contains("missing") || reasons.contains("unreadable") {
        hints.append("run: git fsck in the clone; in a partial clone, git fetches missing files")
      }
      if reasons.contains("tooLarge") {
        hints.append("set code: {maxFileSize: BYTES} in the settings to search longer files")
      }
      return hints
    }
  }
}

extension CodeClone {
  /// `owner/name`, or the root of a clone without a forge.
  var title: String { owner.map { $0 + "/" + name } ?? path }
}
