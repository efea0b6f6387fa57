/// A path pattern of a `.gitattributes` file, as gitignore(5) and gitattributes(5) define it.
///
/// A pattern without a slash matches the last component of a path; others match the path relative to the
/// directory of the file. `*` and `?` stay within a component, `**` between slashes spans any number of
/// components.
struct AttributePattern: Sendable {
  private enum Form: Sendable {
    /// The last component equals these bytes.
    case name([UInt8])
    /// The last component ends with these bytes.
    case suffix([UInt8])
    /// The last component matches this glob.
    case nameGlob([UInt8])
    /// The path's components match these globs; nil is `**`.
    case path([[UInt8]?])
  }

  private let form: Form

  /// Parses a pattern; nil if it can match no file: empty, negated, or with a trailing slash.
  init?(_ pattern: [UInt8]) {
    var pattern = pattern[...]
    guard let first = pattern.first, first != UInt8(ascii: "!"), pattern.last != UInt8(ascii: "/") else {
      return nil
    }
    guard pattern.contains(UInt8(ascii: "/")) else {
      if !pattern.contains(where: Self.isSpecial) {
        form = .name(Array(pattern))
      } else if first == UInt8(ascii: "*"), !pattern.dropFirst().contains(where: Self.isSpecial) {
        form = .suffix(Array(pattern.dropFirst()))
      } else {
        form = .nameGlob(Array(pattern))
      }
      return
    }
    if first == UInt8(ascii: "/") { pattern.removeFirst() }
    form = .path(
      pattern.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
        $0.elementsEqual("**".utf8) ? nil : Array($0)
      })
  }

  /// Whether the pattern matches a path relative to the directory of the pattern's file.
  ///
  /// - Parameters:
  ///   - nameStart: the index where the last component begins.
  ///   - work: grows by about the number of steps taken, so that callers can limit patterns that are made to
  ///     be slow.
  func matches(_ path: UnsafeRawBufferPointer, nameStart: Int, work: inout Int) -> Bool {
    work += 1
    switch form {
    case .name(let name):
      return path.count - nameStart == name.count && Self.ends(path, name)
    case .suffix(let suffix):
      return path.count - nameStart >= suffix.count && Self.ends(path, suffix)
    case .nameGlob(let glob):
      return Self.glob(glob, matches: path, nameStart..<path.count, &work)
    case .path(let globs):
      return Self.globs(globs, match: path, &work)
    }
  }

  private static func ends(_ path: UnsafeRawBufferPointer, _ suffix: [UInt8]) -> Bool {
    let start = path.count - suffix.count
    for at in suffix.indices where path[start + at] != suffix[at] { return false }
    return true
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "\\")
  }

  /// Matches component by component. On a mismatch only the last `**` takes one more component; what precedes
  /// it is matched already, so no other backtracking is needed.
  private static func globs(
    _ globs: [[UInt8]?], match path: UnsafeRawBufferPointer, _ work: inout Int
  ) -> Bool {
    // `n` is where a component begins; past the end of the path there are no more.
    var (g, n) = (0, 0)
    var retry: (g: Int, n: Int)?
    func end(of name: Int) -> Int {
      path[name...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
    }
    while n <= path.count || g < globs.count {
      work += 1
      if g < globs.count {
        if let glob = globs[g] {
          if n <= path.count {
            let end = end(of: n)
            if Self.glob(glob, matches: path, n..<end, &work) {
              (g, n) = (g + 1, end + 1)
              continue
            }
          }
        } else if g + 1 == globs.count {
          // A trailing `/**` is everything inside, so at least one component.
          return n <= path.count
        } else {
          retry = (g + 1, n)
          g += 1
          continue
        }
      }
      guard let (nextGlob, nextName) = retry, nextName <= path.count else { return false }
      let next = end(of: nextName) + 1
      retry = (nextGlob, next)
      (g, n) = (nextGlob, next)
    }
    return true
  }

  /// Matches one component. On a mismatch the last `*` takes one more byte, so the time is at most the
  /// product of both lengths.
  private static func glob(
    _ glob: [UInt8], matches path: UnsafeRawBufferPointer, _ name: Range<Int>, _ work: inout Int
  ) -> Bool {
    var (g, n) = (0, name.lowerBound)
    var retry: (g: Int, n: Int)?
    while n < name.upperBound || g < glob.count {
      work += 1
      if g < glob.count {
        if glob[g] == UInt8(ascii: "*") {
          retry = (g + 1, n)
          g += 1
          continue
        }
        if n < name.upperBound, let width = element(of: glob, at: g, matching: path[n]) {
          (g, n) = (g + width, n + 1)
          continue
        }
      }
      guard let (nextGlob, nextByte) = retry, nextByte < name.upperBound else { return false }
      retry = (nextGlob, nextByte + 1)
      (g, n) = (nextGlob, nextByte + 1)
    }
    return true
  }

  /// Returns the length of the glob's element at `start` (a byte, `\` and a byte, `?` or `[...]`) if it
  /// matches `byte`.
  private static func element(of glob: [UInt8], at start: Int, matching byte: UInt8) -> Int? {
    switch glob[start] {
    case UInt8(ascii: "?"):
      return 1
    case UInt8(ascii: "\\"):
      return start + 1 < glob.count && glob[start + 1] == byte ? 2 : nil
    case UInt8(ascii: "["):
      return set(of: glob, at: start, matching: byte)
    default:
      return glob[start] == byte ? 1 : nil
    }
  }

  /// Returns the length of the set `[...]` at `start` if it contains `byte`; nil for a set that is not
  /// closed.
  private static func set(of glob: [UInt8], at start: Int, matching byte: UInt8) -> Int? {
    var at = start + 1
    var negated = false
    if at < glob.count, glob[at] == UInt8(ascii: "!") || glob[at] == UInt8(ascii: "^") {
      negated = true
      at += 1
    }
    var found = false
    var isFirst = true
    while at < glob.count, isFirst || glob[at] != UInt8(ascii: "]") {
      isFirst = false
      if glob[at] == UInt8(ascii: "["), at + 1 < glob.count, glob[at + 1] == UInt8(ascii: ":"),
        let close = glob[(at + 2)...].firstIndex(of: UInt8(ascii: "]")), close > at + 2,
        glob[close - 1] == UInt8(ascii: ":")
      {
        if inClass(glob[(at + 2)..<(close - 1)], byte) { found = true }
        at = close + 1
        continue
      }
      if glob[at] == UInt8(ascii: "\\"), at + 1 < glob.count { at += 1 }
      let low = glob[at]
      at += 1
      if at + 1 < glob.count, glob[at] == UInt8(ascii: "-"), glob[at + 1] != UInt8(ascii: "]") {
        at += 1
        if glob[at] == UInt8(ascii: "\\"), at + 1 < glob.count { at += 1 }
        if low <= byte, byte <= glob[at] { found = true }
        at += 1
      } else if low == byte {
        found = true
      }
    }
    guard at < glob.count, found != negated else { return nil }
    return at + 1 - start
  }

  /// Whether a byte is in a POSIX class such as `alpha`; an unknown class contains nothing.
  private static func inClass(_ name: ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    let character = Character(Unicode.Scalar(byte))
    switch String(decoding: name, as: UTF8.self) {
    case "alpha": return character.isLetter
    case "digit": return character.isNumber
    case "alnum": return character.isLetter || character.isNumber
    case "upper": return character.isUppercase
    case "lower": return character.isLowercase
    case "xdigit": return character.isHexDigit
    case "space": return byte == 0x20 || (0x09...0x0D).contains(byte)
    case "blank": return byte == 0x20 || byte == 0x09
    case "cntrl": return byte < 0x20 || byte == 0x7F
    case "print": return (0x20...0x7E).contains(byte)
    case "graph": return (0x21...0x7E).contains(byte)
    case "punct": return (0x21...0x7E).contains(byte) && !character.isLetter && !character.isNumber
    default: return false
    }
  }
}
