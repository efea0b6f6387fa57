extension SearchResult {
  /// The number of bytes of a result besides its texts and fields.
  private static let overhead = 160
  /// The length in bytes up to which the name of a field takes no memory of its own.
  private static let shortName = 15

  /// About the number of bytes that the result takes in memory.
  var size: Int {
    var size = Self.overhead + id.utf8.count + title.utf8.count + (url?.utf8.count ?? 0)
    for (field, value) in fields {
      let length = field.rawValue.utf8.count
      // The name of a field occurs again in the record of its providers.
      size += value.size + (length > Self.shortName ? 2 * length : 0)
    }
    for entity in related { size += FieldValue.overhead + entity.id.utf8.count }
    return size
  }
}

extension FieldValue {
  /// The number of bytes of a value besides its text.
  fileprivate static let overhead = 64

  fileprivate var size: Int {
    switch self {
    case .text(let text): Self.overhead + text.utf8.count
    case .number, .fraction, .flag, .date: Self.overhead
    case .list(let texts): texts.reduce(Self.overhead) { $0 + Self.overhead + $1.utf8.count }
    case .items(let values): values.reduce(Self.overhead) { $0 + $1.size }
    case .record(let members): members.reduce(Self.overhead) { $0 + $1.key.utf8.count + $1.value.size }
    }
  }
}
