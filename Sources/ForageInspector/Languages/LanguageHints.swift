import ForagePlatform

/// What a text says of its own language, and whether it is a text.
enum LanguageHints {
  /// The lines at either end of a file in which a modeline is recognised; Vim's default is five.
  private static let modelineReach = 5
  private static let newline = UInt8(ascii: "\n")

  private static let emacs = Pattern(
    #"(?i)-\*-(?|(?:.*?[ \t;])?mode[ \t]*:[ \t]*([^\s;]+?)(?:-mode)?[ \t]*(?:;.*)?-\*-"#
      + #"|[ \t]*([^\s:;]+?)(?:-mode)?[ \t]*-\*-)"#)
  private static let vim = Pattern(
    #"(?:^|[ \t])(?:[Vv]im[<=>]?\d*|vi|ex):(?:.*?[ \t:])?(?:ft|filetype|syntax)=([^\s:]+)"#)
  /// The program of the first line; `env`, its options and its variables are skipped.
  private static let shebang = Pattern(
    #"\A#![ \t]*(?:\S*/)?(?:env(?:[ \t]+(?:-\S*|\S*=\S*))*[ \t]+(?:\S*/)?)?([^\s/]+)"#)
  /// A shell script that hands itself to another program with `exec name ... "$0" ... "$@"`.
  private static let handover = Pattern(#"\A(?:.*\R){0,4}.*\bexec[ \t]+(?:\S*/)?([^\s/]+).*\$0"#)
  /// The option `-l` selects another language.
  private static let otherScript = Pattern(#"\A#!.*\bosascript\b.*[ \t]-l"#)
  private static let xml = Pattern(#"\A(?:.*\R)?.*<\?xml version="#)

  /// Whether a text contains a NUL byte, as no source text does.
  static func isBinary(_ text: UnsafeRawBufferPointer) -> Bool {
    text.baseAddress.flatMap { memchr($0, 0, text.count) } != nil
  }

  /// Whether one of the first two lines has an XML declaration.
  static func isXML(_ text: UnsafeRawBufferPointer) -> Bool { xml.matches(text) }

  /// Returns the language or mode that an Emacs (`-*- mode: x -*-`) or Vim (`vim: ft=x`) modeline names near either
  /// end.
  static func mode(_ text: UnsafeRawBufferPointer) -> String? {
    var head = 0
    for _ in 0..<modelineReach { head = (text[head...].firstIndex(of: newline) ?? text.count - 1) + 1 }
    var tail = text.count
    if tail > head, text[tail - 1] == newline { tail -= 1 }
    for _ in 0..<modelineReach where tail > head { tail = text[head..<tail].lastIndex(of: newline) ?? head }
    let ends = Array(text[..<head]) + text[tail...]
    return ends.withUnsafeBytes { ends in
      // Vimball archives contain the modelines of their members.
      if vimball.matches(ends) { return nil }
      return emacs.group(in: ends) ?? vim.group(in: ends)
    }
  }

  private static let vimball = Pattern(#"\A(?:.*\R){0,4}.*UseVimball"#)

  /// Returns the interpreter that the first line (`#!`) names, or the program that its shell script hands itself to;
  /// nil if it names none that is known. Versions are cut where only the name is known: `python3.12` is `python3`.
  static func languages(_ text: UnsafeRawBufferPointer) -> [Int] {
    guard text.starts(with: "#!".utf8), var name = shebang.group(in: text), !otherScript.matches(text) else {
      return []
    }
    if name == "sh", let other = handover.group(in: text) { name = other }
    name = String(name.prefix { $0 != "." })
    if LanguageTable.shared.languages(interpreter: name).isEmpty {
      while let last = name.last, last.isNumber || last == "-" { name.removeLast() }
    }
    return LanguageTable.shared.languages(interpreter: name)
  }
}
