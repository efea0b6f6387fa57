import ForageCore
import ForageFoundation
import ForageYAML
import Yams

/// The providers that `forage providers enable` and `disable` have switched, in a file of the program's own beside the settings.
package struct EnabledProviders: Sendable {
  /// The name of the file.
  package static let fileName = "providers.enabled.yaml"

  /// The path of the file; it need not exist.
  package var path: String { file.path }
  private let file: OwnSettingsFile

  /// - Parameter settings: The path of the settings.
  package init(beside settings: String) { file = OwnSettingsFile(Self.fileName, beside: settings) }

  /// Whether each provider is enabled, by id, and the first problem of the file.
  func read() -> (enabled: [String: Bool], problem: ForageError?) {
    do throws(ForageError) { return parse(try file.bytes()) } catch { return ([:], error) }
  }

  /// Writes whether providers are enabled.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether they are; `nil` removes what the file has of them.
  ///   - ids: The ids of the providers.
  /// - Returns: The ids of which the file has changed.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  package func set(_ isEnabled: Bool?, for ids: [String]) throws(ForageError) -> [String] {
    let isThere = try file.bytes() != nil
    guard isEnabled != nil || isThere else { return [] }
    var changed: [String] = []
    try file.change("the list of enabled providers") { bytes throws(ForageError) in
      var (enabled, problem) = parse(bytes)
      if let problem { throw problem }
      changed = ids.filter { enabled[$0] != isEnabled }
      if changed.isEmpty { return nil }
      for id in changed { enabled[id] = isEnabled }
      return Self.text(enabled)
    }
    return changed
  }

  private func parse(_ bytes: [UInt8]?) -> (enabled: [String: Bool], problem: ForageError?) {
    let advice = "write ID: true or ID: false, or delete the file and enable or disable the providers again"
    var (enabled, problem): ([String: Bool], YAMLProblem?) = ([:], nil)
    do throws(YAMLProblem) {
      guard let bytes, let root = try StrictYAML.document(bytes) else { return ([:], nil) }
      for member in try StrictYAML.members(root, of: "the file") {
        enabled[member.name] = member.value.bool
        if member.value.bool == nil, problem == nil {
          problem = StrictYAML.wrong(member.value, "\(member.name) takes true or false")
        }
      }
    } catch {
      problem = error
    }
    return (enabled, problem.map { ForageError($0.text(path: path), hint: advice) })
  }

  private static func text(_ enabled: [String: Bool]) -> [UInt8] {
    let head = """
      # Written by forage providers enable and forage providers disable.
      # What config.yaml says about the same provider wins.

      """
    // In quotes an id is never taken for a number.
    let lines = enabled.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)\n" }
    return Array((head + lines.joined()).utf8)
  }
}
