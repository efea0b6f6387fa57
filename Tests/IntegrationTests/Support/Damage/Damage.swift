import Foundation
import TestSupport

/// Random damage to a copy of a small repository.
struct Damage {
  /// What was done, for people.
  private(set) var told: [String] = []
  private var random: SeededGenerator

  /// - Parameter seed: The same seed does the same to the same files.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Copies one of the bases and damages one to three of its files.
  ///
  /// - Returns: The repository in the copy.
  mutating func make(from bases: [DamageBase], at folder: String) throws -> String {
    let base = random.pick(bases)
    told.append(base.name)
    try base.copy(to: folder)
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      if !base.objects.isEmpty, random.chance(0.25) {
        try craft(random.pick(base.objects), in: folder)
      } else {
        try damage(pick(base), base, in: folder)
      }
    }
    return "\(folder)/\(base.repository)"
  }

  /// One of the targets; what is not a loose object more often than such, of which there are most.
  private mutating func pick(_ base: DamageBase) -> String {
    var path = random.pick(base.targets)
    for _ in 0..<3 where path.contains("/objects/") && !Self.isSummed(path) {
      path = random.pick(base.targets)
    }
    return path
  }

  /// Changes what an object says and stores it so that it can be read.
  private mutating func craft(_ object: DamageBase.Object, in folder: String) throws {
    told.append("says otherwise: \(object.path)")
    var bytes = object.bytes
    let start = (bytes.firstIndex(of: 0) ?? 0) + 1
    // Half of them keep a header that is right for what follows.
    if random.chance(0.5) {
      var body = Array(bytes[start...])
      change(&body)
      let kind = bytes.prefix { $0 != UInt8(ascii: " ") }
      bytes = kind + Array(" \(body.count)\u{0}".utf8) + body
    } else {
      change(&bytes)
    }
    try replace("\(folder)/\(object.path)", ObjectBytes.stored(bytes))
  }

  private mutating func damage(_ path: String, _ base: DamageBase, in folder: String) throws {
    let target = "\(folder)/\(path)"
    switch Int.random(in: 0..<30, using: &random) {
    case 0:
      told.append("removed: \(path)")
      unlink(target)
    case 1:
      told.append("a folder: \(path)")
      unlink(target)
      mkdir(target, 0o755)
    case 2:
      told.append("a link to itself: \(path)")
      unlink(target)
      symlink(target, target)
    case 3:
      let other = random.pick(base.targets)
      told.append("\(other) instead of \(path)")
      try replace(target, Array(Data(contentsOf: URL(fileURLWithPath: "\(base.folder)/\(other)"))))
    default:
      guard var bytes = try? Array(Data(contentsOf: URL(fileURLWithPath: target))) else { return }
      let isSealed = Self.isSummed(path) && bytes.count > 20 && random.chance(0.6)
      told.append("\(isSealed ? "changed, sum right" : "changed"): \(path)")
      if isSealed { bytes.removeLast(20) }
      change(&bytes)
      try replace(target, isSealed ? bytes + ObjectBytes.sha1(bytes) : bytes)
    }
  }

  /// Flips bits, cuts, repeats, inserts, overwrites.
  private mutating func change(_ bytes: inout [UInt8]) {
    // The first bytes are headers and tables; what is wrong there leads further.
    let reach = random.chance(0.4) ? min(bytes.count, 128) : bytes.count
    let start = reach == 0 ? 0 : Int.random(in: 0..<reach, using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...64, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: bytes.removeSubrange(start...)
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
    case 3: bytes += bytes
    case 4:
      let count = Int.random(in: 1...32, using: &random)
      bytes.insert(contentsOf: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, at: start)
    case 5: for index in start..<end { bytes[index] = random.pick([0, 0x20, 0x0A, 0x7F, 0x80, 0xFF]) }
    case 6: overwrite(&bytes, at: start, with: random.pick(Self.numbers))
    case 7: overwrite(&bytes, at: start, with: random.pick(Self.words))
    case 8: bytes.replaceSubrange(start..<end, with: random.pick(Self.words))
    default:
      guard reach > 0 else { return }
      for _ in 0..<Int.random(in: 1...16, using: &random) {
        bytes[Int.random(in: 0..<reach, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
  }

  private func overwrite(_ bytes: inout [UInt8], at start: Int, with new: [UInt8]) {
    for (index, byte) in new.enumerated() where start + index < bytes.count { bytes[start + index] = byte }
  }

  /// Numbers of four and eight bytes at the ends of their ranges.
  private static let numbers: [[UInt8]] = [
    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 1],
    [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0, 0, 0, 0, 0],
    [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x70, 0, 0, 0],
  ]

  /// Words that mean something somewhere.
  private static let words: [[UInt8]] = [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "+9999", "-0000", "<>", "\n\n",
    "../",
    "..", "/", "ref: ", "tree ", "parent ", "author ", "gpgsig ", "\u{0}", "40000 ", "160000 ", "[core]\n",
    "\tbare = true\n", "\trepositoryformatversion = 1\n", "[include]\n\tpath = config\n",
    "\tworktree = ../..\n",
    "**", "[!", "\\", "\"", "{", "[[", "'''", "DIRC", "TREE", "link", "sdir", "CDAT",
    "0000000000000000000000000000000000000000",
  ].map { Array($0.utf8) }

  /// Whether a file ends with the SHA-1 of all before.
  private static func isSummed(_ path: String) -> Bool {
    [".pack", ".idx", ".rev", ".graph", "/commit-graph", "/multi-pack-index", "/index"].contains {
      path.hasSuffix($0)
    } || path.contains("/sharedindex.")
  }

  private func replace(_ path: String, _ bytes: [UInt8]) throws {
    // The old one is shared with others.
    unlink(path)
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
  }
}
