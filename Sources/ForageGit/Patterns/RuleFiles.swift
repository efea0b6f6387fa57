/// Files of rules for paths (`.gitignore`, `.gitattributes`): which of them libgit2 cannot be given.
///
/// It cannot be interrupted while it reads and matches them, and some take it hours.
package enum RuleFiles {
  /// The most `*` in a part of a pattern between slashes, and the most parts `**`: libgit2 tries every way to
  /// fill them, so that a lookup takes a second at worst. Real patterns have two of them.
  private static let (starLimit, deepLimit) = (3, 2)
  /// The most lines of a file of attributes; real files have some hundred.
  private static let lineLimit = 5_000
  /// The longest line of a file of attributes in bytes: git passes over longer ones, and libgit2 sorts their
  /// attributes one by one.
  private static let longestLine = 2_048
  /// The most macros of a file of attributes, each of which can contain all before it.
  private static let macroLimit = 250
  /// How much may be compared to find out about exceptions, in bytes of one times bytes of the rules before
  /// it: fifty exceptions among a thousand rules, in some tens of milliseconds.
  static let exceptionWork = 1 << 25
  /// The bytes that each rule counts for besides its own.
  private static let ruleBytes = 16

  /// The names of files with rules for untracked files, and with attributes.
  static let names = [".gitignore", ".gitattributes"].map { Array($0.utf8) }

  /// Refuses a pipe or a device, also one that a link leads to: libgit2 and git would wait for it. The null
  /// device is an empty file.
  ///
  /// - Throws: `other`, with the path.
  static func checkKind(_ path: [UInt8]) throws(GitError) {
    guard FileAccess.entry(bytes: path)?.kind == .other,
      FileAccess.realPath(String(decoding: path, as: UTF8.self)) != "/dev/null"
    else { return }
    throw GitError(
      .other, "\(String(decoding: path, as: UTF8.self)) is not a regular file", hint: "remove it")
  }

  /// The lines of a file that are not empty.
  static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  /// Whether libgit2 can take long to read or match the lines of a file of attributes.
  package static func isSlow(attributes bytes: [UInt8]) -> Bool {
    let lines = lines(bytes)
    return lines.count > lineLimit || lines.count { $0.starts(with: "[attr]".utf8) } > macroLimit
      || lines.contains { line in
        line.count > longestLine
          || isSlow(line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 })
      }
  }

  /// Whether libgit2 can take long to match a pattern.
  private static func isSlow(_ pattern: ArraySlice<UInt8>) -> Bool {
    var (stars, deep, last) = (0, 0, UInt8(ascii: "/"))
    for byte in pattern {
      if byte == UInt8(ascii: "/") { stars = 0 }
      if byte == UInt8(ascii: "*") {
        stars += 1
        if last == byte { deep += 1 }
        if stars > starLimit || deep > deepLimit { return true }
      }
      last = byte
    }
    return false
  }

  /// Whether libgit2 sees something else than git in rules for untracked files, or can take long.
  ///
  /// It forgets an exception (`!`) whose pattern no rule before it in the same file matches, which it finds
  /// out by comparing each exception with all rules before it.
  ///
  /// - Parameter room: How much may be compared, for all files together.
  static func mayDiffer(ignoring rules: [ArraySlice<UInt8>], _ room: inout Int) -> Bool {
    var globs: [Glob] = []
    var bytes = 0
    for rule in rules {
      if isSlow(rule) { return true }
      if rule.first == UInt8(ascii: "!") {
        room -= rule.count * bytes
        if room < 0 { return true }
        let isKnown = rule.dropFirst().withUnsafeBytes { pattern in globs.contains { $0.matches(pattern) } }
        if !isKnown { return true }
      } else {
        globs.append(Glob(rule))
      }
      bytes += rule.count + ruleBytes
    }
    return false
  }
}
