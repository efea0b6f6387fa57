import ForageGit

/// The globs of `-g`, as rg reads them: in the syntax of gitignore, but a file must fit one unless all of them exclude.
struct GrepGlobs: Sendable {
  private struct Rule: Sendable {
    var glob: Glob
    var excludes: Bool
    var isFolder: Bool
  }

  enum Verdict {
    case included, excluded
    /// No glob fits.
    case open
  }

  /// The most globs that braces of one stand for.
  private static let expansionLimit = 1_000

  private var rules: [Rule] = []

  init(_ globs: [String]) {
    for text in globs {
      var text = text[...]
      let excludes = text.hasPrefix("!")
      if excludes { text = text.dropFirst() }
      // A slash in one of several alternatives is one of the glob.
      let isPath = text.dropLast().contains("/")
      for expanded in Self.expanded(String(text)).prefix(Self.expansionLimit) {
        rules.append(Self.rule(expanded, excludes: excludes, isPath: isPath))
      }
    }
  }

  private static func rule(_ text: String, excludes: Bool, isPath: Bool) -> Rule {
    let slash = UInt8(ascii: "/")
    var bytes = Array(text.utf8)
    let isFolder = bytes.count > 1 && bytes.last == slash
    if isFolder { bytes.removeLast() }
    if bytes.first == slash {
      bytes.removeFirst()
    } else if !isPath, !bytes.contains(slash) {
      // A name without folders fits at any depth.
      bytes = Array("**/".utf8) + bytes
    }
    return Rule(glob: Glob(bytes[...]), excludes: excludes, isFolder: isFolder)
  }

  /// Whether a bracket or brace of a glob is not closed.
  static func isOpen(_ glob: String) -> Bool {
    var (isEscaped, inBrackets, braces) = (false, false, 0)
    for character in glob {
      switch character {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = true
      case "]": inBrackets = false
      case "[": inBrackets = true
      case "{" where !inBrackets: braces += 1
      case "}" where !inBrackets: braces -= 1
      default: break
      }
    }
    return inBrackets || braces > 0
  }

  /// The globs without braces that one with braces stands for.
  static func expanded(_ glob: String) -> [String] {
    let text = Array(glob)
    var (depth, start) = (0, 0)
    var parts: [[Character]] = []
    var part: [Character] = []
    var place = 0
    while place < text.count {
      let character = text[place]
      if character == "\\", place + 1 < text.count {
        if depth > 0 { part += text[place...place + 1] }
        place += 2
        continue
      }
      switch character {
      case "{":
        if depth == 0 { (start, parts, part) = (place, [], []) } else { part.append(character) }
        depth += 1
      case "}" where depth > 0:
        depth -= 1
        if depth > 0 {
          part.append(character)
        } else {
          let (head, rest) = (String(text[..<start]), expanded(String(text[(place + 1)...])))
          return (parts + [part]).flatMap { expanded(String($0)) }.flatMap { middle in
            rest.map { head + middle + $0 }
          }
        }
      case "," where depth == 1:
        parts.append(part)
        part = []
      default: if depth > 0 { part.append(character) }
      }
      place += 1
    }
    return [glob]
  }

  /// What the last glob that fits a file or a folder says.
  func verdict(_ path: some Sequence<UInt8>, isFolder: Bool) -> Verdict {
    guard !rules.isEmpty else { return .open }
    let bytes = Array(path)
    return bytes.withUnsafeBytes { buffer in
      let rule = rules.last { (!$0.isFolder || isFolder) && $0.glob.matches(buffer) }
      return rule.map { $0.excludes ? .excluded : .included } ?? .open
    }
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Whether a file must fit a glob.
  var requiresFit: Bool { rules.contains { !$0.excludes } }
}
