package import ForageCore

/// How a value is read from a row: its source, its transforms and its default.
package struct ValueRule: Hashable, Sendable {
  package indirect enum Source: Hashable, Sendable {
    /// A path in the row. A path to several values produces a list.
    case path(JSONPath)
    /// The first of several rules that finds a value.
    case first([ValueRule])
    /// A text with the values of rules as `{0}`, `{1}` and so on, and the base address as `{base}`.
    case template(Template, [ValueRule])
    /// Whether a path exists in the row, as a Boolean.
    case exists(JSONPath)
    case constant(JSONTree)
  }

  package var source: Source
  package var transforms: [Transform] = []
  /// Replacements of values, by the API's value; `.null` removes the value.
  package var names: [String: JSONTree] = [:]
  package var fallback: JSONTree?
  /// A path that must lead to something but false for the rule to be read; `nil` for every row.
  package var condition: JSONPath?

  package init(_ source: Source) { self.source = source }

  /// Whether the rule can find several values, which only list fields accept.
  package var findsSeveral: Bool {
    if transforms.contains(where: { [.join, .ssh, .web].contains($0) }) { return false }
    return switch source {
    case .path(let path): !path.isSingular
    case .first(let rules): rules.contains(where: \.findsSeveral)
    case .template, .exists, .constant: false
    }
  }

  /// Reads the value from a row; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - base: The API's base address.
  package func value(in row: JSONTree, base: String) -> JSONTree? {
    if let condition, condition.values(in: row).allSatisfy({ Self.isNothing($0) || $0 == .bool(false) }) {
      return fallback
    }
    var value = sourceValue(in: row, base: base)
    for transform in transforms { value = value.flatMap(transform.apply) }
    if let found = value, let text = found.text, let name = names[text] { value = name }
    if let found = value, !Self.isNothing(found) { return found }
    return fallback
  }

  /// Why a path leads to a value that the transforms do not accept, for use after the field's name; `nil` if
  /// there is no such value.
  package func fault(in row: JSONTree) -> String? {
    guard case .path(let path) = source, path.isSingular,
      var value = path.value(in: row), !Self.isNothing(value)
    else { return nil }
    for transform in transforms {
      guard let next = transform.apply(value) else {
        return "cannot be converted with \(transform.rawValue)"
      }
      value = next
    }
    return nil
  }

  private func sourceValue(in row: JSONTree, base: String) -> JSONTree? {
    switch source {
    case .path(let path):
      if path.isSingular { return path.value(in: row) }
      let values = path.values(in: row).filter { $0 != .null }
      // An empty list is known to have nothing.
      let isEmptyList = path.outermostList(in: row)?.array?.isEmpty == true
      return values.isEmpty && !isEmptyList ? nil : .array(values)
    case .first(let rules): return rules.lazy.compactMap { $0.value(in: row, base: base) }.first
    case .template(let template, let rules):
      var values = ["base": base]
      for (place, rule) in rules.enumerated() {
        guard let text = rule.value(in: row, base: base)?.text else { return nil }
        values[String(place)] = text
      }
      return template.text(values).map { .string($0) }
    case .exists(let path):
      return .bool(path.values(in: row).contains { !Self.isNothing($0) })
    case .constant(let tree): return tree
    }
  }

  private static func isNothing(_ value: JSONTree) -> Bool { value == .null || value == .string("") }
}
