/// Manifests that are read line by line, and programs, which are not executed.
extension PackageManifestReader {
  static func goModule(_ bytes: [UInt8]) -> Facts? {
    var names: Set<Substring> = []
    var isInBlock = false
    for line in lines(bytes) {
      let parts = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
      var words = parts[0].split { $0 == " " || $0 == "\t" }[...]
      if words.first == ")" { isInBlock = false }
      if !isInBlock, words.popFirst() != "require" { continue }
      if words.first == "(" {
        isInBlock = true
      } else if let name = words.first, parts.count < 2 || !trimmed(parts[1]).hasPrefix("indirect") {
        names.insert(name)
      }
    }
    return (names.count, nil)
  }

  static func requirements(_ bytes: [UInt8]) -> Facts? {
    var count = 0
    var continues = false
    for line in lines(bytes) where !line.hasPrefix("#") {
      let isOption = line.hasPrefix("-") && !line.hasPrefix("-e ") && !line.hasPrefix("--editable")
      if !continues, !isOption { count += 1 }
      continues = line.hasSuffix("\\")
    }
    return (count, nil)
  }

  /// Counts the distinct first arguments of the calls of `gem` that begin a line (`gem "rails"`).
  static func gemfile(_ bytes: [UInt8]) -> Facts? {
    var names: Set<String> = []
    for line in lines(bytes) where line.hasPrefix("gem ") || line.hasPrefix("gem(") {
      if let name = quoted(line.dropFirst(4)) { names.insert(name) }
    }
    return (names.count, nil)
  }

  static func gradle(_ bytes: [UInt8]) -> Facts? {
    var count = 0
    var version: String?
    var depth = 0
    var blockDepth: Int?
    for line in lines(bytes) where !line.hasPrefix("//") && !line.hasPrefix("*") && !line.hasPrefix("/*") {
      if let inside = blockDepth {
        if depth == inside, isGradleDependency(line) { count += 1 }
      } else if line.hasPrefix("dependencies"), trimmed(line.dropFirst("dependencies".count)).hasPrefix("{") {
        blockDepth = depth + 1
        // A block on one line: `dependencies { implementation "a" }`.
        if let block = line.split(separator: "{", maxSplits: 1).last, isGradleDependency(trimmed(block)) {
          count += 1
        }
      } else if depth == 0, version == nil, line.hasPrefix("version") {
        version = quoted(line.dropFirst("version".count).drop { $0 == " " || $0 == "=" })
      }
      depth = max(0, depth + line.count { $0 == "{" } - line.count { $0 == "}" })
      if let inside = blockDepth, depth < inside { blockDepth = nil }
    }
    return (count, version)
  }

  /// Whether a line adds to a configuration: `implementation("a:b:1")`, `testImplementation libs.junit`.
  private static func isGradleDependency(_ line: Substring) -> Bool {
    var cursor = ByteCursor(Array(line.utf8))
    // In Kotlin the name of a custom configuration is a string.
    let isQuoted = cursor.take("\"")
    let name = cursor.text { ByteCursor.isWord($0) }
    if isQuoted, !cursor.take("\"") { return false }
    guard !["", "constraints", "def", "val"].contains(name) else { return false }
    guard let next = cursor.peek, next == UInt8(ascii: "(") || next == 0x20 else { return false }
    cursor.skip { $0 == 0x20 || $0 == UInt8(ascii: "(") }
    if cursor.takeQuote() != nil || cursor.stands("group:") || cursor.stands("projects.") { return true }
    return [
      "libs.", "project(", "project ", "platform(", "enforcedPlatform(", "kotlin(", "files(", "fileTree(",
      "npm(",
    ]
    .contains { line.contains($0) }
  }

  /// Counts the calls of `.package(` in a `Package.swift` outside comments and strings.
  static func swiftPackage(_ bytes: [UInt8]) -> Facts? {
    var cursor = ByteCursor(bytes)
    var count = 0
    while cursor.peek != nil {
      if cursor.stands("//") {
        cursor.skipLine()
      } else if cursor.stands("/*") {
        cursor.skip(past: "*/")
      } else if cursor.stands("\"\"\"") {
        cursor.skip(3)
        cursor.skip(past: "\"\"\"")
      } else if cursor.take("\"") {
        _ = cursor.string(UInt8(ascii: "\""))
      } else if cursor.stands(".package") {
        cursor.skip(".package".utf8.count)
        cursor.skipBlanks()
        if cursor.take("(") { count += 1 }
      } else {
        cursor.skip()
      }
    }
    return (count, nil)
  }

  static func versionFile(_ bytes: [UInt8]) -> Facts? {
    (nil, lines(bytes).first.map(String.init))
  }

  // MARK: Lines

  /// Returns the lines of a text that are not blank, without leading and trailing white space.
  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(trimmed).filter {
      !$0.isEmpty
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Returns the text of the string that a text begins with, after blanks; nil if there is none.
  private static func quoted(_ text: Substring) -> String? {
    var cursor = ByteCursor(Array(text.utf8))
    cursor.skipBlanks()
    return cursor.takeQuote().map { cursor.string($0) }
  }
}
