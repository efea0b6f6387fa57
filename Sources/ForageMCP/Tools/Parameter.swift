import ForageCore

struct Parameter: Sendable {
  enum Kind: Sendable {
    case text
    case texts
    case flag
    /// A whole number of a range, which has no end where that is the largest number.
    case number(ClosedRange<Int>)
    case choice([String])
  }

  let name: String
  let kind: Kind
  var isRequired = false
  /// What it means, for the model; `nil` where the name says it.
  var summary: String?

  /// The argument of every tool that bounds the answer.
  static let maxChars = Parameter(name: "maxChars", kind: .number(ResponseLimit.range))

  /// The JSON schema (2020-12) of a value.
  var schema: JSONTree {
    var members: [String: JSONTree]
    switch kind {
    case .text: members = ["type": .string("string")]
    case .texts:
      members = ["type": .string("array"), "items": .object(["type": .string("string")])]
    case .flag: members = ["type": .string("boolean")]
    case .number(let range):
      members = ["type": .string("integer"), "minimum": .integer(range.lowerBound)]
      if range.upperBound < .max { members["maximum"] = .integer(range.upperBound) }
    case .choice(let names):
      members = ["type": .string("string"), "enum": .array(names.map(JSONTree.string))]
    }
    if let summary { members["description"] = .string(summary) }
    return .object(members)
  }

  /// What a value must be, for messages.
  var expectation: String {
    switch kind {
    case .text: "a string"
    case .texts: "an array of strings"
    case .flag: "true or false"
    case .number(let range):
      "a whole number from \(range.lowerBound)" + (range.upperBound < .max ? " to \(range.upperBound)" : "")
    case .choice(let names): "one of: " + names.joined(separator: ", ")
    }
  }

  /// The value that is meant, of the type and among what it may be; `nil` for any other.
  ///
  /// Agents write numbers and truth values as text, and one text, or several with commas, for a list: no name
  /// in a list has a comma.
  func meant(by given: JSONTree) -> JSONTree? {
    if accepts(given) { return given }
    guard let text = given.string else { return nil }
    let read: JSONTree?
    switch kind {
    case .flag, .number: read = try? JSONTree(parsing: text.lowercased().utf8)
    case .texts:
      let listed = try? JSONTree(parsing: text.utf8)
      read =
        listed?.array != nil
        ? listed : .array(text.split(separator: ",").map { .string($0.trimmingWhitespace()) })
    case .choice: read = .string(text.lowercased())
    case .text: read = nil
    }
    return read.flatMap { accepts($0) ? $0 : nil }
  }

  private func accepts(_ value: JSONTree) -> Bool {
    switch (kind, value) {
    case (.text, .string(let text)): text.utf8.count <= ToolArguments.maximumText
    case (.texts, .array(let values)):
      values.count <= ToolArguments.maximumTexts && values.allSatisfy { $0.string != nil }
    case (.flag, .bool): true
    case (.number(let range), .integer(let number)): range.contains(number)
    case (.choice(let names), .string(let text)): names.contains(text)
    default: false
    }
  }
}
