extension SourceText {
  /// The lines at either end of a file in which a modeline is recognised; Vim's default is five.
  static var modelineReach: Int { 5 }
  /// The lines in which a shell script may `exec` another interpreter.
  private static var execReach: Int { 5 }

  /// The interpreter that the first line (`#!`) names. Versions are cut (`python3.12` is `python3`), `env`
  /// and its options are skipped, and a shell script that begins with an `exec` of another program counts as
  /// that program.
  var interpreter: String? {
    guard bytes.starts(with: "#!".utf8), let line = lines.first else { return nil }
    var words = bytes[(Int(line.start) + 2)..<Int(line.end)].split { $0 == 0x20 || $0 == 0x09 }.map {
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
    // The option `-l` selects another language.
    if name == "osascript", words.contains(where: { $0.hasPrefix("-l") }) { return nil }
    // python3.12 and lua5.4 lose the part from the first dot on, lua5 its digits if no such interpreter is
    // known.
    if let dot = name.firstIndex(of: ".") { name = String(name[..<dot]) }
    if LanguageTable.shared.languages(interpreter: name) == nil {
      while let last = name.last, last.isNumber || last == "-" { name.removeLast() }
    }
    return name.isEmpty ? nil : name
  }

  /// The program of an `exec name ... "$0" ... "$@"` near the top.
  private var execTarget: String? {
    for line in lines {
      if line.number >= Self.execReach { return nil }
      guard find("exec ", in: line), find("$0", in: line) else { continue }
      let words = words(of: line)
      guard let exec = words.firstIndex(where: { $0.elementsEqual("exec".utf8) }), exec + 1 < words.count
      else { continue }
      return Self.lastName(String(decoding: words[exec + 1], as: UTF8.self))
    }
    return nil
  }

  private static func lastName(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// Whether one of the first two lines has an XML declaration.
  var isXML: Bool { within(2, has: "<?xml version=") }

  /// The language or mode that an Emacs (`-*- mode: x -*-`) or Vim (`vim: ft=x`) modeline names near either
  /// end.
  var mode: String? {
    // Vimball archives contain the modelines of their members.
    if within(Self.modelineReach, has: "UseVimball") { return nil }
    var last = lines.endIndex
    while last > 0, Int(lines[last - 1].number) >= lineCount - Self.modelineReach { last -= 1 }
    var near = 0
    while near < lines.count, lines[near].number < Self.modelineReach { near += 1 }
    let far = max(last, near)
    let places = [lines[..<near], lines[far...]]
    for place in places {
      for line in place where find("-*-", in: line) {
        if let mode = emacsMode(line) { return mode }
      }
    }
    for place in places {
      for line in place {
        if let mode = vimMode(line) { return mode }
      }
    }
    return nil
  }

  /// Returns the mode of `-*- x -*-` or `-*- ...; mode: x; ... -*-`.
  private func emacsMode(_ line: Line) -> String? {
    let bytes = slice(line)
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

  /// Returns the file type of `vim: ... ft=x`, `vi: set filetype=x:`, `vim600: ...` or ` ex: syntax=x`.
  private func vimMode(_ line: Line) -> String? {
    guard find("ft=", in: line) || find("filetype", in: line) || find("syntax", in: line) else { return nil }
    let bytes = slice(line)
    for opening: StaticString in ["vi", "Vi", "ex"] {
      guard var at = Self.index(of: opening, in: bytes),
        at == bytes.startIndex || bytes[at - 1] == 0x20 || bytes[at - 1] == 0x09
      else { continue }
      at += 2
      if at < bytes.endIndex, bytes[at] == UInt8(ascii: "m") {
        at += 1
        while at < bytes.endIndex, bytes[at] &- 0x30 < 10 || "<=>".utf8.contains(bytes[at]) { at += 1 }
      }
      guard at < bytes.endIndex, bytes[at] == UInt8(ascii: ":") else { continue }
      let options = bytes[at...].split { $0 == 0x20 || $0 == 0x09 || $0 == 0x3A }
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

  private static func index(of needle: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { inner in
      inner.indices.first { inner.from($0).hasPrefix(needle) }
    }.map { $0 + bytes.startIndex }
  }

  private static func cleanMode(_ bytes: ArraySlice<UInt8>) -> String? {
    let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var bytes = bytes.drop(while: blank)
    while let last = bytes.last, blank(last) { bytes.removeLast() }
    var mode = String(decoding: bytes, as: UTF8.self).lowercased()
    if mode.hasSuffix("-mode") { mode.removeLast("-mode".count) }
    return mode.isEmpty ? nil : mode
  }
}
