extension SourceText {
  /// How far a line with an editor's mode may be from either end of a file; Vim looks at five lines.
  private static var modelineReach: Int { 5 }
  /// How many lines may precede the `exec` by which a shell script hands itself to another interpreter.
  private static var execReach: Int { 5 }
  /// How many lines may precede the note that a file is generated.
  private static var noticeReach: Int { 40 }

  /// The interpreter that the first line (`#!`) asks for: `python3.12` is `python3`, `env` and its options
  /// are
  /// looked through, and a shell script that at once `exec`s something else is that something.
  var interpreter: String? {
    guard bytes.starts(with: "#!".utf8), let line = lines.first else { return nil }
    var words = bytes[(line.start + 2)..<line.end].split { $0 == 0x20 || $0 == 0x09 }.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard !words.isEmpty else { return nil }
    var name = Self.lastName(words.removeFirst())
    if name == "env" {
      guard let word = words.first(where: { !$0.hasPrefix("-") && !$0.utf8.contains(UInt8(ascii: "=")) })
      else { return nil }
      name = Self.lastName(word)
    }
    if name == "sh", let handed = execTarget { name = handed }
    // Versions: python3.12 and lua5.4 lose what follows the first dot, lua5 its digits if they mean nothing.
    if let dot = name.firstIndex(of: ".") { name = String(name[..<dot]) }
    if LanguageTable.shared.languages(interpreter: name) == nil {
      while let last = name.last, last.isNumber || last == "-" { name.removeLast() }
    }
    return name.isEmpty ? nil : name
  }

  /// The program of an `exec name ... "$0" ... "$@"` near the top.
  private var execTarget: String? {
    for line in lines.prefix(Self.execReach) {
      let words = words(of: line)
      guard words.first?.elementsEqual("exec".utf8) == true, words.count > 2,
        words.contains(where: { $0.elementsEqual("\"$0\"".utf8) || $0.elementsEqual("$0".utf8) })
      else { continue }
      return Self.lastName(String(decoding: words[1], as: UTF8.self))
    }
    return nil
  }

  private static func lastName(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The language or mode that a line for Emacs (`-*- mode: x -*-`) or Vim (`vim: ft=x`) names near either
  /// end.
  var mode: String? {
    let near = lines.prefix(Self.modelineReach)
    let far = lines.dropFirst(Self.modelineReach).suffix(Self.modelineReach)
    for line in near {
      if let mode = emacsMode(line) { return mode }
    }
    for line in Array(near) + Array(far) {
      if let mode = vimMode(line) { return mode }
    }
    return nil
  }

  /// The mode of `-*- x -*-` or `-*- ...; mode: x; ... -*-`.
  private func emacsMode(_ line: Line) -> String? {
    let bytes = self.bytes[line.start..<line.end]
    guard let open = Self.index(of: "-*-", in: bytes),
      let close = Self.index(of: "-*-", in: bytes[(open + 3)...])
    else { return nil }
    let inner = bytes[(open + 3)..<close]
    guard inner.contains(UInt8(ascii: ":")) else { return Self.cleanMode(inner) }
    for field in inner.split(separator: UInt8(ascii: ";")) {
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let key = String(decoding: field[..<colon], as: UTF8.self).lowercased().filter {
        $0 != " " && $0 != "\t"
      }
      if key == "mode" { return Self.cleanMode(field[(colon + 1)...]) }
    }
    return nil
  }

  /// The file type of `vim: ... ft=x`, `vi: set filetype=x:` or `ex: syntax=x`.
  private func vimMode(_ line: Line) -> String? {
    let bytes = self.bytes[line.start..<line.end]
    for opening in ["vim:", "vi:", "ex:", "Vim:"] {
      guard let start = Self.index(of: opening, in: bytes),
        start == bytes.startIndex || bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09
      else { continue }
      let options = bytes[(start + opening.utf8.count)...].split { $0 == 0x20 || $0 == 0x09 || $0 == 0x3A }
      for option in options {
        guard let equals = option.firstIndex(of: UInt8(ascii: "=")) else { continue }
        switch String(decoding: option[..<equals], as: UTF8.self) {
        case "ft", "filetype", "syntax": return Self.cleanMode(option[(equals + 1)...])
        default: continue
        }
      }
    }
    return nil
  }

  private static func index(of needle: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let needle = Array(needle.utf8)
    guard bytes.count >= needle.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - needle.count)).first {
      bytes[$0] == needle[0] && bytes[$0..<($0 + needle.count)].elementsEqual(needle)
    }
  }

  private static func cleanMode(_ bytes: ArraySlice<UInt8>) -> String? {
    let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var bytes = bytes.drop(while: blank)
    while let last = bytes.last, blank(last) { bytes.removeLast() }
    var mode = String(decoding: bytes, as: UTF8.self).lowercased()
    if mode.hasSuffix("-mode") { mode.removeLast("-mode".count) }
    return mode.isEmpty ? nil : mode
  }

  /// Whether a note near the top says that the file is generated: "generated" and "do not edit" (or "modify")
  /// on
  /// one line or on two that follow each other, or the tag `@generated`.
  var saysGenerated: Bool {
    var previous = false
    for line in lines.prefix(Self.noticeReach) {
      let text = SourceText(Array(bytes[line.start..<line.end]), ignoresCase: true)
      if text.word("@generated") { return true }
      let generated = text.has("generated")
      if text.has("do not edit", "do not modify", "don't edit"), generated || previous { return true }
      previous = generated
    }
    return false
  }

  /// Whether the text has a NUL byte, which no source text has.
  var isBinary: Bool { bytes.contains(0) }
}
