/// Manifests that are parsed line by line.
extension PackageManifestReader {
  static func goModule(_ text: ManifestLines) -> Int {
    var names: Set<Substring> = []
    var isInBlock = false
    for line in text.lines {
      var entry: Substring = ""
      let parts = line.split(separator: "//", maxSplits: 1)
      guard let content = parts.first, !line.hasPrefix("//") else { continue }
      if isInBlock {
        if content.hasPrefix(")") { isInBlock = false } else { entry = content }
      } else if content.hasPrefix("require") {
        let rest = content.dropFirst("require".count).drop { $0 == " " || $0 == "\t" }
        if rest.hasPrefix("(") { isInBlock = true } else if rest.count < content.count - 7 { entry = rest }
      }
      let isIndirect = parts.count > 1 && parts[1].drop { $0 == " " }.hasPrefix("indirect")
      if !isIndirect, let name = entry.split(whereSeparator: { $0 == " " || $0 == "\t" }).first {
        names.insert(name)
      }
    }
    return names.count
  }

  static func requirements(_ text: ManifestLines) -> Int {
    var count = 0
    var continues = false
    for line in text.lines {
      let content = ManifestLines.withoutComment(line, "#")
      defer { continues = content.hasSuffix("\\") }
      if continues || content.isEmpty { continue }
      if content.hasPrefix("-"), !content.hasPrefix("-e "), !content.hasPrefix("--editable") { continue }
      count += 1
    }
    return count
  }

  static func setupConfig(_ text: ManifestLines) -> Facts {
    var section: Substring = ""
    var key: Substring = ""
    var count = 0
    var version: String?
    for (number, line) in text.lines.enumerated() {
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if text.indents[number] > 0 {
        if section == "[options]", key == "install_requires" { count += 1 }
        continue
      }
      if line.hasPrefix("[") {
        section = line
        key = ""
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      key = trimmed(parts[0])
      let value = parts.count > 1 ? trimmed(parts[1]) : ""
      if section == "[metadata]", key == "version" { version = String(value) }
      if section == "[options]", key == "install_requires" {
        count += value.split(separator: ";").count { !trimmed($0).isEmpty }
      }
    }
    return (count, version)
  }

  static func conan(_ text: ManifestLines) -> Int {
    let wanted: Set<Substring> = ["[requires]", "[build_requires]", "[tool_requires]", "[test_requires]"]
    var isInside = false
    var names: Set<Substring> = []
    for line in text.lines {
      let content = ManifestLines.withoutComment(line, "#")
      if content.hasPrefix("[") {
        isInside = wanted.contains(content)
      } else if isInside, let name = content.split(separator: "/").first {
        names.insert(name)
      }
    }
    return names.count
  }

  /// Returns the distinct first string arguments of calls that begin a line (`gem "rails"`).
  static func calls(of functions: [String], _ text: ManifestLines) -> Set<String> {
    var names: Set<String> = []
    for line in text.lines {
      for function in functions where line.hasPrefix(function) {
        let rest = line.dropFirst(function.count)
        guard let next = rest.first, next == " " || next == "(" || next == "\t" else { continue }
        let argument = rest.drop { $0 == " " || $0 == "(" || $0 == "\t" }
        guard let quote = argument.first, quote == "\"" || quote == "'" else { continue }
        if let name = ManifestLines.quoted(argument) { names.insert(name) }
      }
    }
    return names
  }

  static func gemspec(_ text: ManifestLines) -> Facts {
    var names: Set<String> = []
    var version: String?
    for line in text.lines where !line.hasPrefix("#") {
      guard let dot = line.firstIndex(of: ".") else { continue }
      let call = line[line.index(after: dot)...]
      for method in ["add_dependency", "add_runtime_dependency", "add_development_dependency"]
      where call.hasPrefix(method) {
        let rest = call.dropFirst(method.count)
        guard let next = rest.first, next == " " || next == "(" else { continue }
        if let name = ManifestLines.quoted(rest) { names.insert(name) }
      }
      if call.hasPrefix("version"), version == nil {
        let rest = trimmed(call.dropFirst("version".count))
        guard rest.hasPrefix("=") else { continue }
        let value = trimmed(rest.dropFirst())
        if value.hasPrefix("\"") || value.hasPrefix("'") { version = ManifestLines.quoted(value) }
      }
    }
    return (names.count, version)
  }

  static func gradle(_ text: ManifestLines) -> Facts {
    var count = 0
    var version: String?
    var depth = 0
    var blockDepth: Int?
    for line in text.lines where !line.hasPrefix("//") && !line.hasPrefix("*") && !line.hasPrefix("/*") {
      let opened = line.count { $0 == "{" }
      let closed = line.count { $0 == "}" }
      if let inside = blockDepth {
        if depth == inside, isGradleDependency(line) { count += 1 }
      } else if line.hasPrefix("dependencies"), trimmed(line.dropFirst("dependencies".count)).hasPrefix("{") {
        blockDepth = depth + 1
        // A block on one line: `dependencies { implementation "a" }`.
        if let brace = line.firstIndex(of: "{"),
          isGradleDependency(trimmed(line[line.index(after: brace)...]))
        {
          count += 1
        }
      } else if depth == 0, version == nil, line.hasPrefix("version") {
        let rest = trimmed(line.dropFirst("version".count))
        let value = rest.hasPrefix("=") ? trimmed(rest.dropFirst()) : rest
        if value.hasPrefix("\"") || value.hasPrefix("'") { version = ManifestLines.quoted(value) }
      }
      depth = max(0, depth + opened - closed)
      if let inside = blockDepth, depth < inside { blockDepth = nil }
    }
    return (count, version)
  }

  /// Whether a line adds to a configuration: `implementation("a:b:1")`, `testImplementation libs.junit`.
  private static func isGradleDependency(_ line: Substring) -> Bool {
    let bytes = Array(line.utf8)
    var cursor = ByteCursor(bytes)
    // In Kotlin the name of a custom configuration is a string.
    let isQuoted = cursor.take("\"")
    let name = cursor.text { LineScanner.isWord($0) }
    if isQuoted, !cursor.take("\"") { return false }
    guard !name.isEmpty, name != "constraints", name != "def", name != "val" else { return false }
    guard let next = cursor.peek, next == UInt8(ascii: "(") || next == 0x20 else { return false }
    cursor.skip { $0 == 0x20 || $0 == UInt8(ascii: "(") }
    guard let first = cursor.peek else { return false }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return true }
    return [
      "libs.", "project(", "project ", "platform(", "enforcedPlatform(", "kotlin(", "files(", "fileTree(",
      "npm(",
    ]
    .contains { line.contains($0) } || cursor.stands("group:") || cursor.stands("projects.")
  }

  static func mix(_ text: ManifestLines) -> Facts {
    var version: String?
    var names: Set<String> = []
    var isInside = false
    for (number, line) in text.lines.enumerated() where !line.hasPrefix("#") {
      for sign in ["@version ", "version: "] where line.hasPrefix(sign) && version == nil {
        let value = line.dropFirst(sign.count)
        if value.hasPrefix("\"") { version = ManifestLines.quoted(value) }
      }
      if line.hasPrefix("defp deps") || line.hasPrefix("def deps") {
        isInside = true
      } else if isInside, line == "end", text.indents[number] <= 2 {
        isInside = false
      }
      guard isInside else { continue }
      for part in line.split(separator: "{:").dropFirst(line.hasPrefix("{:") ? 0 : 1) {
        let name = String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        if !name.isEmpty { names.insert(name) }
      }
    }
    return (names.count, version)
  }

  static func pubspec(_ text: ManifestLines) -> Facts {
    var count = 0
    var version: String?
    var isInside = false
    var indent: Int?
    for (number, line) in text.lines.enumerated() {
      let content = ManifestLines.withoutComment(line, "#")
      if content.isEmpty { continue }
      if text.indents[number] == 0 {
        isInside = content == "dependencies:" || content == "dev_dependencies:"
        indent = nil
        if content.hasPrefix("version:") {
          version = content.dropFirst("version:".count).filter { $0 != "\"" && $0 != "'" }
        }
      } else if isInside {
        let own = indent ?? text.indents[number]
        indent = own
        if text.indents[number] == own, content.contains(":") { count += 1 }
      }
    }
    return (count, version)
  }

  static func conda(_ text: ManifestLines) -> Int {
    var count = 0
    var isInside = false
    for line in text.lines {
      let content = ManifestLines.withoutComment(line, "#")
      if content.isEmpty { continue }
      if content.hasPrefix("- ") {
        // `- pip:` begins a nested list.
        if isInside, !content.hasSuffix(":") { count += 1 }
      } else {
        isInside = content == "dependencies:"
      }
    }
    return count
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}

/// The lines of a text, without leading and trailing white space.
struct ManifestLines {
  /// The lines; blank lines are empty.
  let lines: [Substring]
  /// The indentation of each line in bytes.
  let indents: [Int]

  init(_ bytes: [UInt8]) {
    var lines: [Substring] = []
    var indents: [Int] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      var line = line
      while let last = line.last, last <= 0x20 { line.removeLast() }
      let content = line.drop { $0 <= 0x20 }
      indents.append(line.count - content.count)
      lines.append(Substring(String(decoding: content, as: UTF8.self)))
    }
    self.lines = lines
    self.indents = indents
  }

  /// Returns a line without its comment, which begins at the start of the line or after white space.
  static func withoutComment(_ line: Substring, _ sign: Character) -> Substring {
    var previous: Character = " "
    for index in line.indices {
      if line[index] == sign, previous == " " || previous == "\t" {
        var result = line[..<index]
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
      }
      previous = line[index]
    }
    return line
  }

  /// Returns the text between the first quote and its counterpart; nil if there is none.
  static func quoted(_ text: Substring) -> String? {
    guard let start = text.firstIndex(where: { $0 == "\"" || $0 == "'" }) else { return nil }
    let rest = text[text.index(after: start)...]
    guard let end = rest.firstIndex(of: text[start]) else { return nil }
    return String(rest[..<end])
  }
}
