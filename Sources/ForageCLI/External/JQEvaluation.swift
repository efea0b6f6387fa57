import Forage
import ForageCore
import ForagePlatform

/// Evaluates expressions.
enum JQEvaluation {
  /// The functions that are known, and whether they have an argument.
  static let functions: [String: Bool] = [
    "@csv": false, "@tsv": false, "add": false, "contains": true, "empty": false, "endswith": true,
    "group_by": true, "has": true, "join": true, "keys": false, "length": false, "map": true, "not": false,
    "reverse": false, "select": true, "sort": false, "sort_by": true, "startswith": true, "test": true,
    "tostring": false, "unique": false, "unique_by": true,
  ]

  /// The names of functions, for the manual.
  static var named: String {
    functions.keys.filter { !$0.hasPrefix("@") }.sorted().joined(separator: ", ")
  }

  /// The results for an input, in order.
  static func run(_ expression: JQExpression, _ input: JSONTree) throws(JQFailure) -> [JSONTree] {
    switch expression {
    case .identity: return [input]
    case .literal(let value): return [value]
    case .member(let key): return [try JQValue.member(key, of: input)]
    case .elements: return try JQValue.elements(input)
    case .slice(let start, let end): return [try JQValue.slice(input, start, end)]
    case .array(let body): return [.array(try run(body, input))]
    case .attempt(let body): return (try? run(body, input)) ?? []
    case .text(let pieces):
      var texts = [""]
      for piece in pieces { texts = try combined(texts, run(piece, input)) { $0 + JQValue.plainText($1) } }
      return texts.map { .string($0) }
    case .object(let members):
      var objects: [[(String, JSONTree)]] = [[]]
      for (key, value) in members {
        let names = try run(key, input)
        for name in names where JQValue.type(name) != "string" {
          throw JQFailure("Object keys must be strings, and one is \(JQValue.described(name))")
        }
        let entries = try combined(run(value, input), names) { ($1, $0) }
        objects = try combined(entries, objects) { JQValue.setting($0.0, to: $0.1, in: $1) }
      }
      return objects.map { .object($0) }
    case .condition(let condition, let then, let otherwise):
      return try flatMap(run(condition, input)) { value throws(JQFailure) in
        try run(JQValue.isTrue(value) ? then : otherwise, input)
      }
    case .binary(let left, let operation, let right): return try binary(left, operation, right, input)
    case .call(let name, let arguments):
      if name == "empty" { return [] }
      guard let argument = arguments.first else { return [try JQValue.result(of: name, input)] }
      return try call(name, argument, input)
    }
  }

  private static func flatMap(
    _ values: [JSONTree], _ body: (JSONTree) throws(JQFailure) -> [JSONTree]
  ) throws(JQFailure) -> [JSONTree] {
    try values.map { value throws(JQFailure) in try body(value) }.flatMap(\.self)
  }

  /// All pairs; the first of a pair changes fastest.
  private static func combined<First, Second, Result>(
    _ first: [First], _ second: [Second], _ body: (First, Second) throws(JQFailure) -> Result
  ) throws(JQFailure) -> [Result] {
    var results: [Result] = []
    for right in second { for left in first { results.append(try body(left, right)) } }
    return results
  }

  private static func binary(
    _ left: JQExpression, _ operation: String, _ right: JQExpression, _ input: JSONTree
  ) throws(JQFailure) -> [JSONTree] {
    switch operation {
    case "|": return try flatMap(run(left, input)) { value throws(JQFailure) in try run(right, value) }
    case ",": return try run(left, input) + run(right, input)
    case "//":
      let values = ((try? run(left, input)) ?? []).filter(JQValue.isTrue)
      return values.isEmpty ? try run(right, input) : values
    case "and", "or":
      return try flatMap(run(left, input)) { value throws(JQFailure) in
        guard JQValue.isTrue(value) == (operation == "and") else { return [.bool(operation == "or")] }
        return try run(right, input).map { .bool(JQValue.isTrue($0)) }
      }
    case "=":
      return try run(right, input).map { new throws(JQFailure) in try update(left, input, to: new) }
    default:
      return try combined(run(left, input), run(right, input)) { left, right throws(JQFailure) in
        try JQValue.result(left, operation, right)
      }
    }
  }

  /// The input with another value at a path.
  private static func update(_ path: JQExpression, _ input: JSONTree, to value: JSONTree) throws(JQFailure)
    -> JSONTree
  {
    switch (path, input) {
    case (.identity, _): return value
    case (.binary(let first, "|", let second), _):
      guard let old = try run(first, input).first else { return input }
      return try update(first, input, to: update(second, old, to: value))
    case (.member(let name), .object(let members)):
      return .object(JQValue.setting(name, to: value, in: members))
    default: throw JQFailure(unknown: "an assignment to more than a member")
    }
  }

  /// The results of a function with an argument.
  private static func call(_ name: String, _ argument: JQExpression, _ input: JSONTree) throws(JQFailure)
    -> [JSONTree]
  {
    switch name {
    case "select": return try run(argument, input).filter(JQValue.isTrue).map { _ in input }
    case "map":
      return [
        .array(try flatMap(JQValue.elements(input)) { value throws(JQFailure) in try run(argument, value) })
      ]
    case "sort_by", "group_by", "unique_by":
      let keyed = try JQValue.list(input).map { value throws(JQFailure) in
        (key: JSONTree.array(try run(argument, value)), value: value)
      }
      return [JQValue.arranged(keyed, name)]
    default:
      return try run(argument, input).map { value throws(JQFailure) in
        try JQValue.result(of: name, input, value)
      }
    }
  }
}
