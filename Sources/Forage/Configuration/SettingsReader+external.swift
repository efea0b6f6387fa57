import ForageCore
import Yams

/// The settings that only plugins and manifests have.
extension SettingsReader {
  /// The deepest nesting of a setting: deeper than settings are written by hand.
  private static let deepest = 8

  /// The settings of a plugin or a manifest, by name.
  func config(_ node: Node) throws -> [String: JSONTree] {
    var result: [String: JSONTree] = [:]
    for (key, value) in try members(node, of: "config") { result[try name(key)] = try tree(value, depth: 1) }
    return result
  }

  private func tree(_ node: Node, depth: Int) throws -> JSONTree {
    guard depth <= Self.deepest else { throw wrong(node, "config is nested too deeply") }
    switch node {
    case .mapping(let mapping):
      var members: [String: JSONTree] = [:]
      for (key, value) in mapping { members[try name(key)] = try tree(value, depth: depth + 1) }
      return .object(members)
    case .sequence(let sequence): return .array(try sequence.map { try tree($0, depth: depth + 1) })
    case .scalar(let scalar):
      if scalar.style != .plain { return .string(scalar.string) }
      if let flag = node.bool { return .bool(flag) }
      if let number = node.int { return .integer(number) }
      if let number = node.float, number.isFinite { return .double(number) }
      return node.null == nil ? .string(scalar.string) : .null
    case .alias: throw wrong(node, "config takes no aliases", hint: "write the value out")
    }
  }

  /// The variables in `{NAME: {env: VARIABLE}}`, by name.
  func secrets(_ node: Node) throws -> [String: String] {
    let advice = "write secrets: {token: {env: NAME}}; the secret itself stays in the variable NAME"
    var result: [String: String] = [:]
    for (key, value) in try members(node, of: "secrets", hint: advice) {
      let secret = try name(key)
      for (key, value) in try members(value, of: "a secret", hint: advice) {
        try check(key, among: ["env"], hint: advice)
        guard let text = value.scalar?.string, Self.isVariable(text) else {
          throw wrong(value, "env takes the name of a variable: capital letters, digits and _", hint: advice)
        }
        result[secret] = text
      }
    }
    return result
  }
}
