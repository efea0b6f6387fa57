package import ForageCore

/// How a value is found in a row: where it stands, what is done with it, and what stands in for one that is missing.
package struct ValueRule: Hashable, Sendable {
  /// Where the value comes from.
  package indirect enum Source: Hashable, Sendable {
    /// From a place in the row; a path that leads to several values makes a list of them.
    case path(JSONPath)
    /// From the first of several rules that finds something.
    case first([ValueRule])
    /// From a text with values in it.
    case template(MapTemplate, [ValueRule])
    /// From whether something stands at a place: true or false.
    case exists(JSONPath)
    /// Always the same.
    case constant(JSONTree)
  }

  /// Where the value comes from.
  package var source: Source
  /// What is done with it, in order.
  package var transforms: [Transform] = []
  /// What values are called here, by what they are called there; `.null` for nothing.
  package var names: [String: JSONTree] = [:]
  /// What stands in for a missing value.
  package var fallback: JSONTree?

  package init(_ source: Source) { self.source = source }

  /// Whether it can find several values, which only a list has.
  package var findsSeveral: Bool {
    if let last = transforms.last, last == .join { return false }
    return switch source {
    case .path(let path): !path.isSingular
    case .first(let rules): rules.contains(where: \.findsSeveral)
    case .template, .exists, .constant: false
    }
  }

  /// The value in a row; `nil` where there is none.
  ///
  /// - Parameter base: The base of the API.
  package func value(in row: JSONTree, base: String) -> MappedValue? {
    var value = sourceValue(in: row, base: base)
    for transform in transforms { value = value.flatMap(transform.apply) }
    if let found = value, let text = found.text, let name = names[text] { value = .json(name) }
    if let found = value, !Self.isNothing(found) { return found }
    return fallback.map(MappedValue.json)
  }

  private func sourceValue(in row: JSONTree, base: String) -> MappedValue? {
    switch source {
    case .path(let path):
      if path.isSingular { return path.value(in: row).flatMap(Self.some) }
      let values = path.values(in: row).filter { $0 != .null }
      return values.isEmpty ? nil : .json(.array(values))
    case .first(let rules): return rules.lazy.compactMap { $0.value(in: row, base: base) }.first
    case .template(let template, let rules):
      var arguments: [String] = []
      for rule in rules {
        guard let text = rule.value(in: row, base: base)?.text else { return nil }
        arguments.append(text)
      }
      return template.text(base: base, arguments: arguments).map { .json(.string($0)) }
    case .exists(let path):
      let found = path.values(in: row).contains { tree in
        Self.some(tree).map { !Self.isNothing($0) } ?? false
      }
      return .json(.bool(found))
    case .constant(let tree): return .json(tree)
    }
  }

  private static func some(_ tree: JSONTree) -> MappedValue? { tree == .null ? nil : .json(tree) }

  /// Whether a value says that there is none.
  private static func isNothing(_ value: MappedValue) -> Bool {
    switch value {
    case .json(.null), .json(.string("")): true
    default: false
    }
  }
}
