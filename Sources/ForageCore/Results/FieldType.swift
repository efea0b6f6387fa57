package import ForageFoundation

/// The type of a field's value.
public enum FieldType: String, CaseIterable, Hashable, Sendable {
  /// A text.
  case text
  /// A whole number.
  case number
  /// A number with decimals.
  case fraction
  /// True or false.
  case flag
  /// An instant.
  case date
  /// Several texts.
  case list

  /// The types by the words of manifests and of `plugin.json`. They have `flag` for fields and `boolean` for
  /// qualifiers, and each word is known in both places.
  package static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    .merging(["boolean": .flag]) { known, _ in known }
  /// The words for the types of qualifiers.
  package static let wordsOfQualifiers = [FieldType.text, .number, .date, .flag].map(\.wordOfQualifiers)
  /// The word for the type of a qualifier.
  package var wordOfQualifiers: String { self == .flag ? "boolean" : rawValue }

  /// Whether lists can be sorted by its values.
  package var isOrdered: Bool { self != .flag && self != .list }

  /// The types of the fields that any provider can set.
  package static let known = Dictionary(uniqueKeysWithValues: ResultField.types)

  /// Fields that can be negative, for example the votes of a question.
  private static let signed: Set<ResultField> = ["score"]

  private static func canBeNegative(_ field: ResultField) -> Bool { signed.contains(field) || field.isOwn }

  /// Converts a value to a field value.
  ///
  /// - Parameters:
  ///   - tree: The value as JSON.
  ///   - field: The field.
  ///   - date: Parses an instant; returns `nil` for other text.
  /// - Returns: `nil` for a value of another type, an empty value, a negative count, a number beyond 64 bits,
  ///   and an instant before 1970, which stands for an unknown one.
  package func value(_ tree: JSONTree, of field: ResultField, date: (String) -> Date?) -> FieldValue? {
    switch (self, tree) {
    case (.text, .string(let text)):
      return text.trimmingWhitespace().isEmpty
        ? nil : .text(ItemLimits.cut(text, to: ItemLimits.length(of: field)) ?? text)
    case (.number, let tree):
      guard let number = Self.number(tree), number >= 0 || Self.canBeNegative(field) else { return nil }
      return .number(number)
    case (.fraction, .double(let number)): return number.isFinite ? .fraction(number) : nil
    case (.fraction, .integer(let number)): return .fraction(Double(number))
    case (.flag, .bool(let flag)): return .flag(flag)
    case (.date, .string(let text)):
      return date(text).flatMap { $0.timeIntervalSince1970 > 0 ? .date($0) : nil }
    case (.list, .array(let elements)):
      let texts = elements.compactMap(\.string).filter { !$0.trimmingWhitespace().isEmpty }
      return texts.isEmpty && !elements.isEmpty ? nil : .list(texts)
    default: return nil
    }
  }

  /// The fault of a value that `value` does not convert, for use after the field's name; `nil` for an
  /// empty one, which is absent.
  package func fault(_ tree: JSONTree, of field: ResultField) -> String? {
    switch (self, tree) {
    case (_, .null), (.text, .string), (.list, .array([])), (.date, .string("")): nil
    case (.number, .integer): "is negative"
    case (.number, .double(let number)) where number < 0 && !Self.canBeNegative(field): "is negative"
    case (.number, .double): "is not a whole number of 64 bits"
    case (.date, .string): "is not a time in RFC 3339 since 1970"
    case (.list, .array): "is a list without texts"
    default: "is \(Self.name(of: tree)) instead of \(words)"
    }
  }

  private var words: String {
    switch self {
    case .text: "a text"
    case .number: "a whole number"
    case .fraction: "a number"
    case .flag: "true or false"
    case .date: "a time"
    case .list: "a list"
    }
  }

  /// The name of a value's type, with its article.
  package static func name(of tree: JSONTree) -> String {
    switch tree {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .double: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  private static func number(_ tree: JSONTree) -> Int? {
    switch tree {
    case .integer(let number): number
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }
}

/// The maximum lengths of the texts of a result, in bytes of UTF-8.
package enum ItemLimits {
  /// An id, a title, a description, a name: all are shorter than a screen.
  package static let title = 4 << 10
  /// An address: browsers and servers accept no longer ones.
  package static let address = 8 << 10
  /// Any other text: the text of an issue has at most 64 KiB on the forges.
  package static let text = 64 << 10

  /// The text of a field: only a few hold what a person wrote at length, and a list has thousands of items.
  package static func length(of field: ResultField) -> Int {
    ["text", "body", "message", "readme"].contains(field.rawValue) ? text : title
  }

  /// A text cut to a length in bytes, with an ellipsis; `nil` if it is short enough.
  package static func cut(_ text: String, to limit: Int) -> String? {
    guard text.utf8.count > limit else { return nil }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end]) + "…"
  }
}
