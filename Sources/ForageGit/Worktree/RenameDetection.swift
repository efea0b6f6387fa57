/// Detects renames among added and deleted files by git's rules (diffcore-rename.c): first equal content,
/// then equal names with similar content, then the most similar pairs.
struct RenameDetection {
  /// The score of equal files.
  static let fullScore = 60_000
  /// The score from which two files count as one: half.
  static let minimumScore = 30_000
  /// The score for pairs whose name is unique on both sides: three quarters.
  private static let minimumBasenameScore = 45_000
  /// The most sources with equal content that are examined for each target.
  private static let alternatives = 100
  /// The most similar sources that are kept for each target.
  private static let candidates = 4
  /// The upper bound of the rename limit, whatever the configuration: limit times limit comparisons take some
  /// minutes.
  private static let greatestLimit = 4_000
  /// Git's default of `diff.renameLimit`.
  private static let standardLimit = 1_000

  struct Settings {
    var isOn = true
    var findsCopies = false
    var limit = RenameDetection.standardLimit

    init(_ config: GitConfig) {
      for key in ["diff.renames", "status.renames"] {
        guard let value = config.string(key)?.lowercased() else {
          if config.bool(key) == true { (isOn, findsCopies) = (true, false) }
          continue
        }
        findsCopies = value == "copies" || value == "copy"
        isOn = findsCopies || GitConfig.boolean(value) != false
      }
      for key in ["diff.renamelimit", "status.renamelimit"] {
        if let number = config.string(key).flatMap(GitConfig.number) { limit = number }
      }
      let isUnlimited = limit <= 0 || limit > RenameDetection.greatestLimit
      if isUnlimited { limit = RenameDetection.greatestLimit }
    }
  }

  /// Returns the summary of a source or a target; nil if there is none.
  typealias Content = (_ isTarget: Bool, _ number: Int) throws(GitError) -> FileContent?

  private struct Pair {
    var source = 0
    /// -1 for none.
    var target = -1
    var score = 0
    var nameScore = 0

    /// Git's order of pairs: negative if this one is better.
    func order(_ other: Pair) -> Int {
      if target < 0 { return other.target >= 0 ? 1 : 0 }
      if other.target < 0 { return -1 }
      return score == other.score ? other.nameScore - nameScore : other.score - score
    }
  }

  private let sources: [FileVersion]
  private let targets: [FileVersion]
  private let settings: Settings
  /// The number of uses of each source; sources that are not deleted begin with 1.
  private var uses: [Int]
  private var isMatched: [Bool]
  private var contents: [Int: FileContent] = [:]

  /// Finds the files in `deleted` that have another name in `added`.
  ///
  /// - Parameters:
  ///   - deleted: in the order of their paths, like `kept` and `added`.
  ///   - kept: the old versions of changed files, as possible sources of copies.
  ///   - content: returns the summary of a source (`deleted`, then `kept`) or a target (`added`); nil if
  ///     there is none.
  /// - Returns: for each of `deleted` whether it is renamed.
  static func find(
    deleted: [FileVersion], kept: [FileVersion], added: [FileVersion], _ settings: Settings,
    isCancelled: () -> Bool, content: Content
  ) throws(GitError) -> [Bool] {
    guard settings.isOn, !deleted.isEmpty, !added.isEmpty else { return deleted.map { _ in false } }
    let others = settings.findsCopies ? kept : []
    var search = RenameDetection(
      sources: deleted + others, targets: added, settings: settings,
      uses: deleted.map { _ in 0 } + others.map { _ in 1 }, isMatched: added.map { _ in false })
    search.matchExactly()
    if !settings.findsCopies { try search.matchByName(isCancelled, content) }
    try search.matchBySimilarity(isCancelled, content)
    return search.uses.prefix(deleted.count).map { $0 > 0 }
  }

  private mutating func use(_ source: Int, for target: Int) {
    uses[source] += 1
    isMatched[target] = true
  }

  private mutating func matchExactly() {
    var byID: [ObjectID: [Int]] = [:]
    for (number, source) in sources.enumerated() { byID[source.id, default: []].append(number) }
    for (number, target) in targets.enumerated() {
      var best: Int?
      var bestScore = -1
      for source in (byID[target.id] ?? []).prefix(Self.alternatives) {
        let other = sources[source]
        let areFiles = isFile(other) && isFile(target)
        guard areFiles || other.mode == target.mode, uses[source] == 0 || settings.findsCopies else {
          continue
        }
        let score = (uses[source] == 0 ? 1 : 0) + (Self.hasSameName(other, target) ? 1 : 0)
        if score > bestScore { (best, bestScore) = (source, score) }
      }
      if let best { use(best, for: number) }
    }
  }

  private mutating func matchByName(_ isCancelled: () -> Bool, _ content: Content) throws(GitError) {
    // -1 for names that are not unique.
    var sourceNames: [ArraySlice<UInt8>: Int] = [:]
    var targetNames: [ArraySlice<UInt8>: Int] = [:]
    for number in sources.indices where uses[number] == 0 {
      let name = Self.name(sources[number])
      sourceNames[name] = sourceNames[name] == nil ? number : -1
    }
    for number in targets.indices where !isMatched[number] {
      let name = Self.name(targets[number])
      targetNames[name] = targetNames[name] == nil ? number : -1
    }
    for number in sources.indices where uses[number] == 0 {
      if isCancelled() { throw .cancelled }
      let name = Self.name(sources[number])
      guard sourceNames[name] == number, let target = targetNames[name], target >= 0, !isMatched[target],
        try similarity(number, target, Self.minimumBasenameScore, content) >= Self.minimumBasenameScore
      else { continue }
      use(number, for: target)
    }
  }

  private mutating func matchBySimilarity(_ isCancelled: () -> Bool, _ content: Content) throws(GitError) {
    let open = sources.indices.filter { settings.findsCopies || uses[$0] == 0 }
    let wanted = targets.indices.filter { !isMatched[$0] }
    guard !open.isEmpty, !wanted.isEmpty, open.count * wanted.count <= settings.limit * settings.limit else {
      return
    }
    var pairs: [Pair] = []
    for target in wanted {
      var best = [Pair](repeating: Pair(), count: Self.candidates)
      for source in open {
        if isCancelled() { throw .cancelled }
        let pair = Pair(
          source: source, target: target, score: try similarity(source, target, Self.minimumScore, content),
          nameScore: Self.hasSameName(sources[source], targets[target]) ? 1 : 0)
        var worst = 0
        for position in 1..<Self.candidates where best[position].order(best[worst]) > 0 { worst = position }
        if best[worst].order(pair) > 0 { best[worst] = pair }
      }
      pairs += best
    }
    // A stable order, as git's sort is here.
    let order = pairs.indices.sorted {
      let order = pairs[$0].order(pairs[$1])
      return order == 0 ? $0 < $1 : order < 0
    }
    for copies in settings.findsCopies ? [false, true] : [false] {
      for position in order {
        let pair = pairs[position]
        guard pair.target >= 0, pair.score >= Self.minimumScore else { break }
        if isMatched[pair.target] || !copies && uses[pair.source] > 0 { continue }
        use(pair.source, for: pair.target)
      }
    }
  }

  /// Returns the similarity of two files, from 0 to ``fullScore``; 0 if it cannot reach `minimum`.
  private mutating func similarity(_ source: Int, _ target: Int, _ minimum: Int, _ content: Content)
    throws(GitError) -> Int
  {
    guard isFile(sources[source]), isFile(targets[target]) else { return 0 }
    guard let left = try load(false, source, content), let right = try load(true, target, content) else {
      return 0
    }
    let larger = max(left.size, right.size)
    let difference = larger - min(left.size, right.size)
    guard larger * (Self.fullScore - minimum) >= difference * Self.fullScore, right.size > 0 else { return 0 }
    return left.copied(to: right) * Self.fullScore / larger
  }

  private mutating func load(_ isTarget: Bool, _ number: Int, _ content: Content) throws(GitError)
    -> FileContent?
  {
    let key = isTarget ? ~number : number
    if let known = contents[key] { return known }
    let loaded = try content(isTarget, number)
    contents[key] = loaded ?? FileContent.none
    return loaded
  }

  private func isFile(_ file: FileVersion) -> Bool { file.mode & IndexView.Mode.type == IndexView.Mode.file }

  private static func name(_ file: FileVersion) -> ArraySlice<UInt8> {
    guard let slash = file.path.lastIndex(of: UInt8(ascii: "/")) else { return file.path[...] }
    return file.path[(slash + 1)...]
  }

  private static func hasSameName(_ left: FileVersion, _ right: FileVersion) -> Bool {
    name(left) == name(right)
  }
}

/// A summary of a file's content for the detection of renames: the number of bytes in its lines, by hash.
///
/// Lines, in pieces of at most 64 bytes, are hashed as in git (diffcore-delta.c), so that the similarity of
/// files is that of git.
struct FileContent {
  private static let pieceBytes = 64
  /// The modulus of git's hashes.
  private static let modulus: UInt32 = 107_927

  /// The size of the file in bytes.
  let size: Int
  /// Sorted; the lower half of each is the number of bytes, the upper half the hash.
  private let pieces: [UInt64]

  /// The summary of an empty file.
  static let none = FileContent(UnsafeRawBufferPointer(start: nil, count: 0))

  init(_ bytes: UnsafeRawBufferPointer) {
    size = bytes.count
    let isText = !bytes.isBinary
    var hashes: [UInt64] = []
    var count: UInt64 = 0
    var first: UInt32 = 0
    var second: UInt32 = 0
    for position in 0..<bytes.count {
      let byte = bytes[position]
      if isText, byte == UInt8(ascii: "\r"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "\n")
      {
        continue
      }
      let before = first
      first = (first << 7) ^ (second >> 25)
      second = (second << 7) ^ (before >> 25)
      first &+= UInt32(byte)
      count += 1
      if count < Self.pieceBytes, byte != UInt8(ascii: "\n") { continue }
      let hash = (first &+ second &* 0x61) % Self.modulus
      hashes.append(UInt64(hash) << 32 | count)
      (count, first, second) = (0, 0, 0)
    }
    hashes.sort()
    var pieces: [UInt64] = []
    for hash in hashes {
      if let last = pieces.last, last >> 32 == hash >> 32 {
        pieces[pieces.count - 1] = last &+ (hash & 0xFFFF_FFFF)
      } else {
        pieces.append(hash)
      }
    }
    self.pieces = pieces
  }

  /// Returns the number of bytes of this file that another file also contains.
  func copied(to other: FileContent) -> Int {
    var copied: UInt64 = 0
    var position = 0
    for piece in pieces {
      while position < other.pieces.count, other.pieces[position] >> 32 < piece >> 32 { position += 1 }
      guard position < other.pieces.count else { break }
      guard other.pieces[position] >> 32 == piece >> 32 else { continue }
      copied += min(piece & 0xFFFF_FFFF, other.pieces[position] & 0xFFFF_FFFF)
      position += 1
    }
    return Int(copied)
  }
}
