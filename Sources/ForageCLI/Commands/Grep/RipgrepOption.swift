/// An option of rg, as far as it decides what matches. The table has those of rg 13, 14 and 15.
struct RipgrepOption: Sendable {
  /// What an option changes.
  enum Effect: Sendable {
    /// How matches are found or printed, but not which texts can match.
    case none
    /// Files are left out by something else than their text, such as their name.
    case restricts
    /// Something can match that the index does not have, or what does not match is told, too.
    case widens
    /// It has a pattern, or the name of a file with patterns.
    case pattern, patternFile
    /// A glob, which brings ignored files back unless it excludes.
    case glob
    case literal, notLiteral, pcre2, notPCRE2
    case sorts
    /// Something else is printed, without a pattern: about rg, or the files that it would search.
    case lists, listsFiles
    case ignoresConfiguration
  }

  let name: String
  let letter: Character?
  let takesValue: Bool
  let effect: Effect

  /// Whether what is printed for a file depends on others, how many threads rg has, or a file that may be a
  /// pipe is read.
  var spansFiles: Bool { Self.spanning.contains(name) }

  private static let spanning: Set = [
    "--after-context", "--before-context", "--context", "--debug", "--heading", "--ignore-file", "--json",
    "--passthru",
    "--passthrough", "--pretty", "--quiet", "--stats", "--threads", "--trace",
  ]

  /// The options by `--name` and `-letter`.
  static let all: [String: RipgrepOption] = {
    var all: [String: RipgrepOption] = [:]
    for (effect, takesValue, names) in table {
      for name in names.split(separator: " ") {
        let parts = name.split(separator: "/")
        let option = RipgrepOption(
          name: "--" + parts[0], letter: parts.count > 1 ? parts[1].first : nil, takesValue: takesValue,
          effect: effect)
        all[option.name] = option
        if let letter = option.letter { all["-\(letter)"] = option }
      }
    }
    return all
  }()

  /// Names with their letters.
  private static let table: [(effect: Effect, takesValue: Bool, names: String)] = [
    (
      .none, false,
      """
      block-buffered no-block-buffered byte-offset/b no-byte-offset case-sensitive/s column \
      no-column no-context-separator count/c count-matches crlf no-crlf files-with-matches/l heading \
      no-heading ignore-case/i line-buffered no-line-buffered line-number/n no-line-number/N \
      line-regexp/x max-columns-preview no-max-columns-preview multiline/U no-multiline \
      multiline-dotall no-multiline-dotall no-ignore-messages ignore-messages no-messages messages \
      no-mmap no-pcre2-unicode pcre2-unicode no-unicode unicode null/0 only-matching/o pretty/p \
      quiet/q smart-case/S stop-on-nonmatch trim no-trim vimgrep with-filename/H no-filename/I \
      word-regexp/w no-binary no-text no-follow no-hidden no-json no-stats no-pre no-search-zip \
      no-encoding no-invert-match no-include-zero ignore ignore-dot ignore-exclude ignore-files \
      ignore-global ignore-parent ignore-vcs require-git no-ignore-file-case-insensitive \
      no-glob-case-insensitive no-one-file-system
      """
    ),
    (
      .none, true,
      """
      after-context/A before-context/B color colors context/C context-separator dfa-size-limit \
      field-context-separator field-match-separator max-columns/M max-count/m path-separator \
      regex-size-limit replace/r threads/j hyperlink-format
      """
    ),
    (.restricts, false, "one-file-system"),
    (.restricts, true, "max-depth/d maxdepth max-filesize type/t type-not/T type-add type-clear"),
    (
      .widens, false,
      """
      auto-hybrid-regex no-auto-hybrid-regex binary debug trace files-without-match follow/L \
      glob-case-insensitive hidden/. ignore-file-case-insensitive include-zero invert-match/v json \
      mmap no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global \
      no-ignore-parent no-ignore-vcs no-require-git null-data passthru passthrough search-zip/z \
      stats text/a unrestricted/u
      """
    ),
    (.widens, true, "encoding/E engine ignore-file pre pre-glob hostname-bin"),
    (.pattern, true, "regexp/e"), (.patternFile, true, "file/f"), (.glob, true, "glob/g iglob"),
    (.literal, false, "fixed-strings/F"), (.notLiteral, false, "no-fixed-strings"),
    (.pcre2, false, "pcre2/P"), (.notPCRE2, false, "no-pcre2"),
    (.sorts, false, "sort-files no-sort-files"), (.sorts, true, "sort sortr"),
    (.listsFiles, false, "files"), (.lists, false, "type-list pcre2-version version/V help/h"),
    (.lists, true, "generate"),
    (.ignoresConfiguration, false, "no-config"),
  ]
}
