package import ForageYAML
package import Yams

/// The providers that `forage providers enable` and `disable` have switched, in a file of the program's own
/// beside the settings: whether each is enabled, by id.
package struct EnabledProviders: OwnSettingsFile {
  package static let fileName = "providers.enabled.yaml"
  package static let noun = "the list of enabled providers"
  package static let head = """
    # Written by forage providers enable and forage providers disable.
    # What config.yaml says about the same provider wins.

    """
  package static let advice =
    "write ID: true or ID: false, or delete the file and enable or disable the providers again"
  package static let empty: [String: Bool] = [:]

  package let path: String

  package init(path: String) { self.path = path }

  /// Writes whether providers are enabled.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether they are; `nil` removes what the file has of them.
  ///   - ids: The ids of the providers.
  /// - Returns: The ids of which the file has changed.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  package func set(_ isEnabled: Bool?, for ids: [String]) throws(ForageError) -> [String] {
    var changed: [String] = []
    try change(creates: isEnabled != nil) { enabled in
      changed = ids.filter { enabled[$0] != isEnabled }
      for id in changed { enabled[id] = isEnabled }
      return !changed.isEmpty
    }
    return changed
  }

  package func content(of root: Node, _ problem: inout YAMLProblem?) throws(YAMLProblem) -> [String: Bool] {
    var enabled: [String: Bool] = [:]
    for member in try StrictYAML.members(root, of: "the file") {
      enabled[member.name] = member.value.bool
      if member.value.bool == nil, problem == nil {
        problem = StrictYAML.wrong(member.value, "\(member.name) takes true or false")
      }
    }
    return enabled
  }

  package static func lines(_ enabled: [String: Bool]) -> [String] {
    // In quotes an id is never taken for a number.
    enabled.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)\n" }
  }
}
