import Foundation

extension Verification {
  /// The files of `HEAD`'s tree and what is told from their contents.
  mutating func tree() async throws {
    guard let files = clone.files else {
      return comparison.value("size.files", told.size?.files, nil, canTell: false)
    }
    let blobs = files.filter { !$0.isSubmodule }
    comparison.value("size.files", told.size?.files, blobs.count)
    let sizes = blobs.compactMap(\.size)
    let bytes = clone.isPartial ? nil : sizes.reduce(0, +)
    comparison.value("size.bytes", told.size?.bytes, bytes, canTell: false)
    if let bytes {
      largestFiles(blobs)
      languages(bytes)
    }
    try await lines(blobs.count)
    let paths = Set(blobs.map(\.path))
    for (fact, named) in [
      ("licenses", told.licenses?.map(\.path)), ("dependencies", told.dependencies?.map(\.manifest)),
      ("version.path", told.version?.path.map { [$0] }),
    ] {
      let strange = named?.filter { !paths.contains($0) } ?? []
      let git = strange.isEmpty ? "files of HEAD" : "not in HEAD: \(strange[0])"
      comparison.check(fact, told: named.map { "\($0.count) paths" } ?? "-", git: git, holds: strange.isEmpty)
    }
    let attributes = try await git.bytes(
      ["grep", "-l", "-E", "^[^#]*filter=lfs", "HEAD", "--", ":(top,glob)**/.gitattributes"])
    if clone.head != nil, !clone.isPartial { comparison.value("lfs", told.lfs, attributes != nil) }
  }

  /// Files of the same size may be in any order.
  private mutating func largestFiles(_ blobs: [Clone.File]) {
    let sizes = blobs.compactMap(\.size).sorted(by: >)
    comparison.start("largestFiles", told.largestFiles?.map { "\($0.bytes)" }, of: sizes.map { "\($0)" })
    let named = told.largestFiles.map { files in files.map { "\($0.bytes) \($0.path)" }.sorted() }
    let known = Set(named ?? [])
    let found = blobs.map { "\($0.size ?? 0) \($0.path)" }.filter { known.contains($0) }.sorted()
    comparison.list("largestFiles.path", named, named == nil ? nil : found)
  }

  private mutating func languages(_ bytes: Int) {
    guard let languages = told.languages else {
      return comparison.value("languages", nil, "\(bytes) bytes")
    }
    let sum = languages.reduce(0) { $0 + $1.bytes }
    comparison.check("languages.bytes", told: "\(sum)", git: "<= \(bytes)", holds: sum <= bytes)
    // Each share is rounded to four decimals.
    let shares = languages.reduce(0) { $0 + $1.share }
    let rounding = 0.00005 * Double(languages.count) + 1e-9
    let isWhole = languages.isEmpty || sum == 0 || abs(shares - 1) <= rounding
    comparison.check("languages.share", told: "sum \(shares)", git: "1", holds: isWhole)
    let wrong = languages.filter { $0.share != share($0.bytes, of: sum) }
    comparison.check("languages.shares", told: "\(languages.count)", git: "by bytes", holds: wrong.isEmpty)
    let order = languages.map(\.bytes)
    comparison.check(
      "languages.order", told: "\(order.count)", git: "most first", holds: order == order.sorted(by: >))
  }

  /// Git knows no languages; no more lines can be told than there are.
  private mutating func lines(_ files: Int) async throws {
    guard clone.head != nil, !clone.isPartial else { return }
    guard let lines = told.lines else { return comparison.value("lines", nil, "lines of \(files) files") }
    let counted = try await git.bytes([
      "grep", "--text", "--no-recurse-submodules", "-z", "-c", "-e", "", "HEAD", "--", ":(top)",
    ])
    // Git stops at the first file that is damaged.
    if counted == nil, files > 0 { return comparison.value("lines", lines.count, nil, canTell: false) }
    // `HEAD:path`, a zero byte, the count, a line end.
    let total = (counted ?? []).pieces(of: 0).dropFirst().reduce(0) { sum, piece in
      sum + (piece.prefix { $0 != UInt8(ascii: "\n") }.number ?? 0)
    }
    let sum = lines.reduce(0) { $0 + $1.code + $1.comment + $1.blank }
    comparison.check("lines", told: "\(sum)", git: "<= \(total)", holds: sum <= total)
    let told = lines.reduce(0) { $0 + $1.files }
    comparison.check("lines.files", told: "\(told)", git: "<= \(files)", holds: told <= files)
  }
}
