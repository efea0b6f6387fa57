import Forage
import ForageCore
import ForageLocal
import ForagePlatform

/// What jq's operators and functions do with values.
enum JQValue {
  static func isTrue(_ value: JSONTree) -> Bool {
    switch value {
    case .null, .bool(false): false
    default: true
    }
  }

  static func type(_ value: JSONTree) -> String { types[rank(value)] }

  /// The types in jq's order of all values.
  private static let types = ["null", "boolean", "boolean", "number", "string", "array", "object"]

  private static func rank(_ value: JSONTree) -> Int {
    switch value {
    case .null: 0
    case .bool(let isTrue): isTrue ? 2 : 1
    case .integer, .double: 3
    case .string: 4
    case .array: 5
    case .object: 6
    }
  }

  /// The type and the beginning of a value, as in jq's messages.
  static func described(_ value: JSONTree) -> String {
    let text = value.text()
    return "\(type(value)) (\(text.count > 11 ? text.prefix(10) + "..." : text))"
  }

  private static func double(_ value: JSONTree) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  static func number(_ number: Double) -> JSONTree {
    Int(exactly: number).map { .integer($0) } ?? .double(number)
  }

  // MARK: Parts

  static func elements(_ value: JSONTree) throws(JQFailure) -> [JSONTree] {
    if case .object(let members) = value { return members.map(\.1) }
    guard case .array(let values) = value else { throw JQFailure("Cannot iterate over \(described(value))") }
    return values
  }

  static func list(_ value: JSONTree) throws(JQFailure) -> [JSONTree] {
    guard case .array(let values) = value else { throw JQFailure("\(described(value)) is no array") }
    return values
  }

  static func member(_ key: JSONTree, of value: JSONTree) throws(JQFailure) -> JSONTree {
    switch (value, key) {
    case (.null, _): return .null
    case (.object(let members), .string(let name)):
      return members.last { ExactText($0.0) == ExactText(name) }?.1 ?? .null
    case (.array(let values), .integer(let index)):
      return (index < 0 ? values.dropLast(-1 - index).last : values.dropFirst(index).first) ?? .null
    case (_, .string(let name)): throw JQFailure("Cannot index \(type(value)) with \"\(name)\"")
    default: throw JQFailure("Cannot index \(type(value)) with \(type(key))")
    }
  }

  static func slice(_ value: JSONTree, _ start: Int?, _ end: Int?) throws(JQFailure) -> JSONTree {
    func part<Values: RandomAccessCollection<Int>>(_ indices: Values) -> Range<Int> {
      let places = [start ?? 0, end ?? indices.count].map { place in
        min(max(place < 0 ? place + indices.count : place, 0), indices.count)
      }
      return places[0]..<max(places[0], places[1])
    }
    switch value {
    case .null: return .null
    case .array(let values): return .array(Array(values[part(values.indices)]))
    case .string(let text):
      let scalars = Array(text.unicodeScalars)
      return .string(String(String.UnicodeScalarView(scalars[part(scalars.indices)])))
    default: throw JQFailure("Cannot index \(type(value)) with object")
    }
  }

  /// Members with one more, or with another value of one; the name is a string.
  static func setting(_ name: JSONTree, to value: JSONTree, in members: [(String, JSONTree)])
    -> [(String, JSONTree)]
  {
    let name = plainText(name)
    guard let place = members.firstIndex(where: { ExactText($0.0) == ExactText(name) }) else {
      return members + [(name, value)]
    }
    var members = members
    members[place].1 = value
    return members
  }

  // MARK: Operators

  static func result(_ left: JSONTree, _ operation: String, _ right: JSONTree) throws(JQFailure)
    -> JSONTree
  {
    switch (operation, left, right) {
    case ("==", _, _): return .bool(order(left, right) == 0)
    case ("!=", _, _): return .bool(order(left, right) != 0)
    case ("<", _, _): return .bool(order(left, right) < 0)
    case ("<=", _, _): return .bool(order(left, right) <= 0)
    case (">", _, _): return .bool(order(left, right) > 0)
    case (">=", _, _): return .bool(order(left, right) >= 0)
    case ("+", .null, let other), ("+", let other, .null): return other
    case ("+", .string(let left), .string(let right)): return .string(left + right)
    case ("+", .array(let left), .array(let right)): return .array(left + right)
    case ("+", .object(let left), .object(let right)):
      return .object(right.reduce(left) { setting(.string($1.0), to: $1.1, in: $0) })
    case ("-", .array(let left), .array(let right)):
      return .array(left.filter { value in !right.contains { order(value, $0) == 0 } })
    default: break
    }
    if let left = double(left), let right = double(right) {
      switch operation {
      case "+": return number(left + right)
      case "-": return number(left - right)
      case "*": return number(left * right)
      case "/" where right != 0: return number(left / right)
      case "%" where abs(right) >= 1:
        let (left, right) = (left.rounded(.towardZero), right.rounded(.towardZero))
        return number(left.truncatingRemainder(dividingBy: right))
      default: break
      }
    }
    throw JQFailure("\(described(left)) \(operation) \(described(right)) has no result")
  }

  /// Negative, 0 or positive, in jq's order of all values.
  private static func order(_ left: JSONTree, _ right: JSONTree) -> Int {
    func lists(_ left: [JSONTree], _ right: [JSONTree]) -> Int {
      zip(left, right).lazy.map(order).first { $0 != 0 } ?? left.count - right.count
    }
    switch (left, right) {
    case (.string(let left), .string(let right)):
      return left.bytesPrecede(right) ? -1 : right.bytesPrecede(left) ? 1 : 0
    case (.array(let left), .array(let right)): return lists(left, right)
    case (.object, .object):
      let (left, right) = (sortedMembers(left), sortedMembers(right))
      let names = lists(left.map { .string($0.0) }, right.map { .string($0.0) })
      return names != 0 ? names : lists(left.map(\.1), right.map(\.1))
    default: break
    }
    guard let first = double(left), let second = double(right) else { return rank(left) - rank(right) }
    return first < second ? -1 : first > second ? 1 : 0
  }

  private static func sortedMembers(_ value: JSONTree) -> [(String, JSONTree)] {
    guard case .object(let members) = value else { return [] }
    return members.sorted { $0.0.bytesPrecede($1.0) }
  }

  // MARK: Functions

  /// What a function that compares makes of values with their keys; of equal ones the order is kept.
  static func arranged(_ values: [(key: JSONTree, value: JSONTree)], _ name: String) -> JSONTree {
    let sorted = values.enumerated().sorted { left, right in
      let order = order(left.element.key, right.element.key)
      return order != 0 ? order < 0 : left.offset < right.offset
    }.map(\.element)
    var groups: [[JSONTree]] = []
    for (place, (key, value)) in sorted.enumerated() {
      if place > 0, order(sorted[place - 1].key, key) == 0 {
        groups[groups.count - 1].append(value)
      } else {
        groups.append([value])
      }
    }
    return switch name {
    case "group_by": .array(groups.map { .array($0) })
    case "unique_by": .array(groups.compactMap(\.first))
    default: .array(sorted.map(\.value))
    }
  }

  /// The result of a function without an argument.
  static func result(of name: String, _ input: JSONTree) throws(JQFailure) -> JSONTree {
    switch (name, input) {
    case ("not", _): return .bool(!isTrue(input))
    case ("tostring", _): return .string(plainText(input))
    case ("length", .null): return .integer(0)
    case ("length", .string(let text)): return .integer(text.unicodeScalars.count)
    case ("length", .array(let values)): return .integer(values.count)
    case ("length", .object(let members)): return .integer(members.count)
    case ("keys", .array(let values)): return .array(values.indices.map { .integer($0) })
    case ("keys", .object): return .array(sortedMembers(input).map { .string($0.0) })
    case ("reverse", .array(let values)): return .array(values.reversed())
    case ("sort", .array(let values)): return arranged(values.map { ($0, $0) }, "sort_by")
    case ("unique", .array(let values)): return arranged(values.map { ($0, $0) }, "unique_by")
    case ("@csv", .array(let values)):
      return try row(values, ",") { "\"\($0.replacing("\"", with: "\"\""))\"" }
    case ("@tsv", .array(let values)):
      return try row(values, "\t") { text in
        [("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")].reduce(text) {
          $0.replacing($1.0, with: $1.1)
        }
      }
    case ("add", _):
      var sum = JSONTree.null
      for value in try elements(input) { sum = try result(sum, "+", value) }
      return sum
    default: throw JQFailure("\(described(input)) is no input for \(name)")
    }
  }

  /// Values in one line; objects and arrays have no place there.
  private static func row(_ values: [JSONTree], _ separator: String, _ escaped: (String) -> String = { $0 })
    throws(JQFailure) -> JSONTree
  {
    let texts = try values.map { value throws(JQFailure) in
      switch value {
      case .null: return ""
      case .string(let text): return escaped(text)
      case .array, .object: throw JQFailure("\(described(value)) cannot be a part of a line")
      default: return value.text()
      }
    }
    return .string(texts.joined(separator: separator))
  }

  /// The result of a function for a value of its argument.
  static func result(of name: String, _ input: JSONTree, _ argument: JSONTree) throws(JQFailure)
    -> JSONTree
  {
    switch (name, input, argument) {
    case ("contains", _, _): return .bool(try contains(input, argument))
    case ("has", .object(let members), .string(let name)):
      return .bool(members.contains { ExactText($0.0) == ExactText(name) })
    case ("has", .array(let values), .integer(let index)): return .bool(values.indices.contains(index))
    case ("startswith", .string(let text), .string(let part)): return .bool(text.utf8.starts(with: part.utf8))
    case ("endswith", .string(let text), .string(let part)):
      return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
    case ("test", .string(let text), .string(let pattern)):
      return .bool(try hasMatch(text, of: pattern))
    case ("join", .array(let values), .string(let separator)): return try row(values, separator)
    default: throw JQFailure("\(described(input)) with \(described(argument)) is no input for \(name)")
    }
  }

  private static func hasMatch(_ text: String, of expression: String) throws(JQFailure) -> Bool {
    let pattern: TextPattern
    do throws(ExpressionProblem) { pattern = try TextPattern(expression) } catch {
      throw JQFailure("\(expression) (at offset \(error.offset)) is not a valid regex: \(error.message)")
    }
    guard let matches = pattern.matches(text) else {
      throw JQFailure(
        "the regular expression \(expression) takes too long for \(described(.string(text)))",
        hint: "write it without a repetition of what is repeated, such as (a+)+")
    }
    return matches
  }

  private static func contains(_ value: JSONTree, _ part: JSONTree) throws(JQFailure) -> Bool {
    switch (value, part) {
    case (.string(let text), .string(let part)): return Array(text.utf8).contains(Array(part.utf8))
    case (.array(let values), .array(let parts)):
      return parts.allSatisfy { part in values.contains { (try? contains($0, part)) == true } }
    case (.object, .object(let parts)):
      return parts.allSatisfy { name, part in
        (try? contains(member(.string(name), of: value), part)) == true
      }
    default:
      guard type(value) == type(part) else {
        throw JQFailure("\(described(value)) and \(described(part)) cannot have their containment checked")
      }
      return order(value, part) == 0
    }
  }

  /// A string as it is, another value as JSON.
  static func plainText(_ value: JSONTree) -> String {
    if case .string(let text) = value { text } else { value.text() }
  }
}
