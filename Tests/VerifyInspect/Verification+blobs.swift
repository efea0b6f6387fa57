extension Verification {
  /// The largest files of the whole history.
  mutating func largestBlobs() async throws {
    guard clone.head != nil, !clone.isPartial else { return }
    guard let listed = try await git.bytes(["rev-list", "--objects", "--no-object-names", "HEAD"]),
      let checked = try await git.bytes(
        ["cat-file", "--batch-check=%(objecttype) %(objectsize)"], input: listed)
    else { return comparison.value("largestBlobs", told.largestBlobs?.count, nil, canTell: false) }
    let prefix = Array("blob ".utf8)
    let sizes = checked.pieces(of: UInt8(ascii: "\n")).compactMap { line in
      line.starts(with: prefix) ? line.dropFirst(prefix.count).number : nil
    }
    comparison.start(
      "largestBlobs", told.largestBlobs?.map { "\($0.bytes)" }, of: sizes.sorted(by: >).map { "\($0)" })
    try await places()
  }

  /// Each must be in its commit at its path, and in none of the commit's parents there that `git log` shows
  /// later: where clocks were off, a parent can come first. A path that is not UTF-8 cannot be asked for
  /// again.
  private mutating func places() async throws {
    guard let blobs = told.largestBlobs else { return }
    var found: [String] = []
    let log = try await git.text("log", "--format=%H", "HEAD")?.split(separator: "\n") ?? []
    let places = Dictionary(log.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    for blob in blobs {
      guard !blob.path.unicodeScalars.contains("\u{FFFD}") else {
        found.append("\(blob.bytes) \(blob.path) new in \(blob.commit)")
        continue
      }
      let id = try await git.text("rev-parse", "--quiet", "--verify", "\(blob.commit):\(blob.path)")
      let size = if let id { try await git.number("cat-file", "-s", id) } else { Int?.none }
      var isNew = true
      for parent in try await git.text("rev-parse", "\(blob.commit)^@")?.split(separator: "\n") ?? [] {
        let old = try await git.text("rev-parse", "--quiet", "--verify", "\(parent):\(blob.path)")
        if old == id, places[parent] ?? 0 > places[blob.commit[...]] ?? 0 { isNew = false }
      }
      found.append("\(size ?? 0) \(blob.path) \(isNew ? "new in" : "older than") \(blob.commit)")
    }
    comparison.list("largestBlobs.place", blobs.map { "\($0.bytes) \($0.path) new in \($0.commit)" }, found)
  }
}
