import Forage

/// The formats of `inspect`: those of other commands, and a page for the browser.
enum InspectFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown, html

  /// The format that a text names; `auto` where there is none.
  ///
  /// - Throws: `ForageError` for an unknown format.
  static func named(_ text: String?) throws -> InspectFormat {
    try text.map { try OptionValue.choice(Self.self, $0, of: "--format") } ?? .auto
  }
}
