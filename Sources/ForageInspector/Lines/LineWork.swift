import ForageGit

/// The files whose lines are to be counted, and how one thread counts some of them.
struct LineWork: Sendable {
  /// One file.
  struct Item: Sendable {
    /// Its position in the listing.
    let file: Int
    /// Its position in `syntaxes`.
    let language: Int
    /// Whether the work tree has its bytes.
    let isClean: Bool
  }

  /// What was counted, by language.
  struct Result: Sendable {
    var counts: [LineCounts]
    var files: [Int]
    var tooLarge = 0
    var unreadable = 0

    init(languages: Int) {
      counts = Array(repeating: LineCounts(), count: languages)
      files = Array(repeating: 0, count: languages)
    }

    static func += (a: inout Result, b: Result) {
      for number in a.counts.indices {
        a.counts[number] += b.counts[number]
        a.files[number] += b.files[number]
      }
      a.tooLarge += b.tooLarge
      a.unreadable += b.unreadable
    }
  }

  let listing: TreeListing
  let items: [Item]
  let syntaxes: [CommentSyntax]
  let worktree: String?

  /// Counts the files of the ranges that are given out, until there are none.
  func run(
    reopen: () throws(GitError) -> GitRepository, next: () -> Range<Int>?
  ) -> Result {
    var result = Result(languages: syntaxes.count)
    let reader = worktree.flatMap { WorktreeReader($0) }
    var repository: GitRepository?
    var mayOpen = true
    while let range = next() {
      for item in items[range] {
        let file = listing.files[item.file]
        guard let size = file.size else { continue }
        guard size <= LineTotals.fileLimit else {
          result.tooLarge += 1
          continue
        }
        if size == 0 {
          result.files[item.language] += 1
          continue
        }
        let syntax = syntaxes[item.language]
        if item.isClean, let reader,
          let counts = reader.read(file.path, size: size, { Self.count($0, syntax) })
        {
          result.add(counts, item.language)
          continue
        }
        if repository == nil, mayOpen {
          repository = try? reopen()
          mayOpen = repository != nil
        }
        guard let bytes = try? repository?.blob(file.id, limit: size) else {
          result.unreadable += 1
          continue
        }
        result.add(bytes.withUnsafeBytes { Self.count($0, syntax) }, item.language)
      }
    }
    return result
  }

  /// The lines of a file; nil inside if it is no text.
  private static func count(_ bytes: UnsafeRawBufferPointer, _ syntax: CommentSyntax) -> LineCounts? {
    LineCounter.isBinary(bytes) ? nil : LineCounter.count(bytes, syntax)
  }
}

extension LineWork.Result {
  fileprivate mutating func add(_ counts: LineCounts?, _ language: Int) {
    guard let counts else { return }
    self.counts[language] += counts
    files[language] += 1
  }
}
