import ForageCore
import ForageFoundation
import ForageYAML
import Yams

/// What `forage clones ignore` and `clones remove` have taken out of every search and list, in a file of the program's own beside the
/// settings.
package struct IgnoredClones: Sendable {
  /// The name of the file.
  package static let fileName = "clones.ignored.yaml"

  /// The path of the file; it need not exist.
  package var path: String { file.path }
  private let file: OwnSettingsFile

  /// - Parameter settings: The path of the settings.
  package init(beside settings: String) { file = OwnSettingsFile(Self.fileName, beside: settings) }

  /// The paths and patterns in their order, and the first problem of the file.
  package func read() -> (texts: [String], problem: ForageError?) {
    do throws(ForageError) { return (try parse(try file.bytes()), nil) } catch { return ([], error) }
  }

  /// Adds or removes paths and patterns.
  ///
  /// - Returns: Those by which the file has changed.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  package func set(_ isIgnored: Bool, for texts: [String]) throws(ForageError) -> [String] {
    let isThere = try file.bytes() != nil
    guard isIgnored || isThere else { return [] }
    var changed: [String] = []
    try file.change("the list of ignored clones") { bytes throws(ForageError) in
      let known = try parse(bytes)
      changed = texts.filter { known.contains($0) != isIgnored }
      if changed.isEmpty { return nil }
      return Self.bytes(isIgnored ? known + changed : known.filter { !changed.contains($0) })
    }
    return changed
  }

  private func parse(_ bytes: [UInt8]?) throws(ForageError) -> [String] {
    do throws(YAMLProblem) {
      guard let root = try StrictYAML.document(bytes ?? []) else { return [] }
      var texts: [String] = []
      guard case .sequence(let sequence) = root else {
        throw StrictYAML.wrong(root, "the file must be a list")
      }
      for node in sequence {
        guard let text = StrictYAML.text(node), !text.isEmpty else {
          throw StrictYAML.wrong(node, "a path or a pattern must be a text")
        }
        texts.append(text)
      }
      return texts
    } catch {
      throw ForageError(
        error.text(path: path), hint: "write - PATH, or delete the file and ignore the clones again")
    }
  }

  private static func bytes(_ texts: [String]) -> [UInt8] {
    let head = "# Written by forage clones ignore and forage clones remove.\n"
    // A text in JSON is one in YAML, too.
    return Array((head + texts.map { "- \(JSONValue.string($0).text())\n" }.joined()).utf8)
  }
}
