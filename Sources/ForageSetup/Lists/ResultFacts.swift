package import ForageCore
import ForageFoundation

/// The short facts of a result as JSON: what lists and favorites keep between runs.
///
/// A text is a string, a number a number, a flag a boolean, a list an array, a date `{"at": seconds since
/// 1970}`, a number with decimals `{"fraction": 0.5}`.
package enum ResultFacts {
  /// The longest text that is kept, in characters; a list shows less.
  private static let longestText = 300
  /// The most texts of a list.
  private static let longestList = 20
  /// What names a file is kept whole.
  private static let whole: Set<ResultField> = [.path, .file]
  /// What is long, known from elsewhere, or only true of the moment.
  private static let omitted: Set<ResultField> = [
    .rootCommits, .favorite, .starred, .addedAt, .message, .readme, .avatarURL, .paths,
  ]

  /// The facts of a result, by the names of the fields.
  ///
  /// - Parameter further: More fields to leave out.
  package static func tree(_ result: SearchResult, without further: Set<ResultField> = []) -> JSONTree {
    var members: [String: JSONTree] = [:]
    for (field, value) in result.fields where !omitted.contains(field) && !further.contains(field) {
      members[field.rawValue] = whole.contains(field) ? value.text.map { .string($0) } : tree(value)
    }
    return .object(members)
  }

  private static func tree(_ value: FieldValue) -> JSONTree? {
    switch value {
    case .text(let text): .string(String(text.prefix(longestText)))
    case .number(let number): .integer(number)
    case .flag(let flag): .bool(flag)
    case .date(let date): .object(["at": .double(date.timeIntervalSince1970)])
    case .list(let texts): .array(texts.prefix(longestList).map { .string(String($0.prefix(longestText))) })
    case .fraction(let number): .object(["fraction": .double(number)])
    case .items, .record: nil
    }
  }

  /// Adds facts to a result; what is of another form is left out.
  package static func add(_ tree: JSONTree, to result: inout SearchResult) {
    for (name, value) in tree.object ?? [:] {
      let field = ResultField(rawValue: name)
      switch value {
      case .string(let text): result.set(field, text)
      case .integer(let number): result.set(field, number)
      case .bool(let flag): result.set(field, flag)
      case .array(let values): result.set(field, values.compactMap(\.string))
      case .object:
        result.set(field, value["at"]?.number.map(Date.init(timeIntervalSince1970:)))
        if let fraction = value["fraction"]?.number { result[field] = .fraction(fraction) }
      case .null, .double: break
      }
    }
  }
}
