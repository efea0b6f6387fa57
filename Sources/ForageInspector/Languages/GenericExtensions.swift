/// Extensions of so many formats that the contents must show the language.
enum GenericExtensions {
  private static let all = WordTable(
    words: """
      .1 .2 .3 .4 .5 .6 .7 .8 .9 .action .alg .app .cmp .msg .network .resource .sol .srv .stl .tag .target
      .url .p8
      """)

  /// Whether an extension (with its dot) is in the list.
  static func contains(_ suffix: UnsafeRawBufferPointer) -> Bool { all.entry(suffix) != nil }
}

/// Manual pages, whose extensions name the section of the manual.
enum ManualPages {
  /// Whether a name ends with `.1` to `.9` and optional letters, `.0p`, `.n`, `.man` or `.mdoc`, and an
  /// optional `.in`.
  static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    let name = name.hasSuffix(".in") ? UnsafeRawBufferPointer(rebasing: name.dropLast(3)) : name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot + 1 < name.count else { return false }
    let suffix = name.from(dot + 1)
    if suffix.equals("0p") || suffix.equals("n") || suffix.equals("man") || suffix.equals("mdoc") {
      return true
    }
    guard suffix[0] &- 0x31 < 9 else { return false }
    return suffix.count == 1 || suffix[1] &- 0x30 >= 10 && suffix.allSatisfy(SourceText.isNameByte)
  }

  /// Returns the language of a text: manual pages have a title and a heading, other roff documents have not.
  static func language(_ text: SourceText) -> String {
    ContentRules.isManualPage(text) ? "Roff Manpage" : "Roff"
  }
}
