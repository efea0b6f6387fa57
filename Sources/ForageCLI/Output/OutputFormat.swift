/// How results are written.
enum OutputFormat: String, CaseIterable {
  case auto, table, tsv, json, ndjson, markdown

  /// Whether it writes more than the items.
  var hasEnvelope: Bool { self == .json || self == .ndjson }
}
