extension ContentRules {
  /// The conditions that the table cannot express, by their names there.
  static let conditions: [String: @Sendable (SourceText) -> Bool] = [
    "bracketed": { $0.line { $0.first == UInt8(ascii: "[") && $0.last == UInt8(ascii: "]") } },
    "brainfuck": isBrainfuck,
    "classHead": { $0.line(where: isClassHead) },
    "exclamation": { $0.line { $0.last == UInt8(ascii: "!") } },
    "fieldList": isFieldList,
    "gCode": { $0.line(where: isGCode) },
    "gerber": isGerber,
    "hashComment": {
      $0.line { $0.first == UInt8(ascii: "#") && $0.last == UInt8(ascii: "#") && $0.count > 2 }
    },
    "makeRules": isMakeRules,
    "manualPage": isManualPage,
    "numbered": { $0.line { $0.first.map { $0 &- 0x30 < 10 } ?? false } },
    "objectList": {
      $0.line {
        $0.count > 3 && $0.suffix(2).elementsEqual(".o".utf8) || $0.suffix(3).elementsEqual(".ko".utf8)
      }
    },
    "oldLean": isOldLean,
    "pickle": isPickle,
    "probe": { $0.line(where: isProbe) },
    "request": { $0.line(where: isRequest) },
    "section": { $0.line(where: isSection) },
    "tabbed": { text in
      text.bytes.first == 0x09
        || text.lines.contains { $0.start > $0.indent && text.bytes[Int($0.indent)] == 0x09 }
    },
    "typeCombinator": { $0.line(where: isTypeCombinator) },
  ]

  /// Whether a text is mostly the eight instructions, or has typical sequences of them.
  private static func isBrainfuck(_ t: SourceText) -> Bool {
    let visible = t.bytes.filter { $0 > 0x20 }
    let instructions = visible.filter { "+-<>[].,".utf8.contains($0) }
    return !visible.isEmpty && (instructions.count * 2 > visible.count || t.has("+++", "[-]", ">>>", "[>"))
  }

  /// Whether a line is a class declaration rather than prose in a comment: followed by `{`, `:`, `;` or the
  /// end of the line.
  private static func isClassHead(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: "class ".utf8) || line.starts(with: "virtual ".utf8) else { return false }
    guard let last = line.last(where: { $0 != 0x20 && $0 != 0x09 }) else { return false }
    return last == UInt8(ascii: "{") || last == UInt8(ascii: ";") || line.contains(UInt8(ascii: ":"))
      || line.split(separator: 0x20).count <= 3
  }

  /// Whether a text consists of `type name` lines and comments only.
  private static func isFieldList(_ t: SourceText) -> Bool {
    var hasField = false
    for line in t.lines {
      let bytes = t.slice(line)
      guard let first = bytes.first else { continue }
      if first == UInt8(ascii: "#") || first == UInt8(ascii: "@") || first == UInt8(ascii: "-") { continue }
      guard SourceText.isNameByte(first) else { return false }
      if t.words(of: line).count > 1 { hasField = true }
    }
    return hasField
  }

  /// Whether a line begins with a G-code word: `G1 X2`, `M3`, `N10`.
  private static func isGCode(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, "GMNgmn".utf8.contains(first), line.count > 1 else { return false }
    return (0x30...0x39).contains(line[line.startIndex + 1])
  }

  /// Whether a text has Gerber commands: `G04 ...*`, `%FSLAX24Y24*%`, `D10*`.
  private static func isGerber(_ t: SourceText) -> Bool {
    t.line("G04", "%FS", "%MO")
      || t.line(where: { line in
        guard line.count == 4, line.last == UInt8(ascii: "*"), let first = line.first else { return false }
        return "DGMT".utf8.contains(first) && line.dropFirst().dropLast().allSatisfy { $0 &- 0x30 < 10 }
      })
  }

  /// Whether the first line is a rule as compilers write it: `target: file file \`.
  private static func isMakeRules(_ t: SourceText) -> Bool {
    guard let line = t.lines.first(where: { t.bytes[Int($0.start)] != UInt8(ascii: "#") }) else {
      return false
    }
    let bytes = t.slice(line)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return false }
    let target = bytes[..<colon]
    let next = bytes[(colon + 1)...].first
    return (next == nil || next == 0x20 || next == 0x09)
      && target.allSatisfy { SourceText.isNameByte($0) || "./-+$()%\\ ".utf8.contains($0) }
      && (target.contains(UInt8(ascii: ".")) || bytes.last == UInt8(ascii: "\\"))
  }

  /// Whether a text has a title (which names the manual section) and a heading, in man or mdoc macros.
  static func isManualPage(_ t: SourceText) -> Bool {
    t.flush(".TH", "'TH") && t.flush(".SH", "'SH")
      || t.flush(".Dd", "'Dd") && t.flush(".Sh", "'Sh")
        && t.lines.contains { t.starts($0, ".Dt") || t.starts($0, "'Dt") }
  }

  /// Whether the first import names a module with a small letter.
  private static func isOldLean(_ t: SourceText) -> Bool {
    let line = t.lines.first { t.starts($0, "import ") }
    return line.flatMap { t.slice($0).dropFirst(7).first }.map { $0 &- 0x61 < 26 } ?? false
  }

  /// Whether lines have the numbered memo slots of a protocol 0 pickle: `(dp0`, `S'a'`, `p1`.
  private static func isPickle(_ t: SourceText) -> Bool {
    t.line(where: { line in
      line.first == UInt8(ascii: "p") && line.count > 1 && line.dropFirst().allSatisfy { $0 &- 0x30 < 10 }
    }) && !t.has(" = ", "{")
  }

  /// Whether a line is a probe description: `provider:module:function:name`, or `BEGIN` or `END` alone.
  private static func isProbe(_ line: ArraySlice<UInt8>) -> Bool {
    if line.elementsEqual("BEGIN".utf8) || line.elementsEqual("END".utf8) { return true }
    let colons = line.filter { $0 == UInt8(ascii: ":") }.count
    return colons >= 3 && line.allSatisfy { SourceText.isNameByte($0) || ":*-?`$,".utf8.contains($0) }
  }

  /// Whether a line is a roff request or comment: `.br`, `.\"`.
  private static func isRequest(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == UInt8(ascii: "."), line.count >= 3 else { return false }
    let start = line.startIndex
    if line[start + 1] == UInt8(ascii: "\\"), line[start + 2] == UInt8(ascii: "\"") { return true }
    return SourceText.isNameByte(line[start + 1]) && SourceText.isNameByte(line[start + 2])
      && (line.count == 3 || line[start + 3] == 0x20 || line[start + 3] == 0x09)
  }

  /// Whether a line is `[section]`, also when commented out.
  private static func isSection(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.drop { $0 == UInt8(ascii: "#") || $0 == 0x20 }
    return line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]")
  }

  /// Whether a line is a TL combinator: `name#0a1b2c3d field:type = Type;`.
  private static func isTypeCombinator(_ line: ArraySlice<UInt8>) -> Bool {
    line.last == UInt8(ascii: ";") && line.contains(UInt8(ascii: "#")) && line.contains(UInt8(ascii: "="))
      && line.contains(UInt8(ascii: ":")) && !line.contains(UInt8(ascii: "("))
  }
}
