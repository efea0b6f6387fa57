import ForageCore
import ForageFoundation
import ForagePlatform
import ForageStore
import Yams

/// Enables and disables providers in a settings file, and leaves every other byte of it as it is.
package struct SettingsEditor {
  /// The file; it need not exist.
  package let path: String
  /// Reads a text as settings; throws for a text that is not valid.
  package let check: (_ text: String) throws -> Settings

  package init(path: String, check: @escaping (_ text: String) throws -> Settings) {
    (self.path, self.check) = (path, check)
  }

  /// Writes into the file whether a provider is enabled.
  ///
  /// - Returns: Whether the file was changed.
  /// - Throws: `ForageError` when the file cannot be read, understood or written; it is then unchanged.
  package func set(enabled: Bool, for id: String) throws -> Bool {
    let text = try Settings.text(path)
    let settings = try check(text)
    if settings.providers[id]?.isEnabled == enabled { return false }
    var wanted = settings
    wanted.providers[id, default: Settings.Provider()].isEnabled = enabled
    guard let edited = try Self.edited(text, enabled: enabled, id: id), let result = try? check(edited),
      result.isEquivalent(to: wanted)
    else {
      throw ForageError(
        "the settings \(path) have a form that cannot be edited safely",
        hint: "edit the file: providers: {\(id): {enabled: \(enabled)}}")
    }
    try write(edited)
    return true
  }

  /// Removes an entry that only says whether a provider is enabled, as this program writes it: on a line of its own.
  ///
  /// - Returns: Whether there was one.
  package func removeFlag(of id: String) throws -> Bool {
    let lines = YAMLSource(try Settings.text(path)).lines
    let forms = [true, false].map { "\(Self.quoted(id)): {enabled: \($0)}" }
    let kept = lines.filter { !forms.contains(String(decoding: $0, as: UTF8.self).trimmingWhitespace()) }
    guard kept.count < lines.count else { return false }
    try write(String(decoding: kept.joined(), as: UTF8.self))
    return true
  }

  /// The text with the setting in it; `nil` where the text has a form that is not known here.
  ///
  /// The result may still be wrong in an unusual text: whoever calls this reads it again.
  package static func edited(_ text: String, enabled: Bool, id: String) throws -> String? {
    var source = YAMLSource(text)
    let entry = "\(quoted(id)): {enabled: \(enabled)}"
    let root = try Yams.compose(yaml: text)
    guard let (key, value) = root?.mapping?.first(where: { $0.key.scalar?.string == "providers" }) else {
      if let root, source.brace(of: root) != nil {
        return insert("providers: {\(entry)}", into: root, &source) ? source.text : nil
      }
      source.append("providers:", "  " + entry)
      return source.text
    }
    let isDone: Bool
    if let known = value.mapping?.first(where: { $0.key.scalar?.string == id }) {
      isDone = set(enabled, known.key, known.value, &source)
    } else if value.mapping != nil {
      isDone = insert(entry, into: value, &source)
    } else if let mark = key.mark, isAbsent(value) {
      source.insertLine(entry, below: mark)
      isDone = true
    } else {
      isDone = replace(value, with: "{\(entry)}", &source)
    }
    return isDone ? source.text : nil
  }

  /// Sets the flag in the entry of a provider.
  private static func set(_ enabled: Bool, _ key: Node, _ entry: Node, _ source: inout YAMLSource) -> Bool {
    let member = "enabled: \(enabled)"
    if let members = entry.mapping {
      guard let flag = members.first(where: { $0.key.scalar?.string == "enabled" })?.value else {
        return insert(member, into: entry, &source)
      }
      return replace(flag, with: "\(enabled)", &source)
    }
    guard isAbsent(entry) else { return replace(entry, with: "{\(member)}", &source) }
    // Nothing stands after the colon of the key.
    guard let offset = key.mark.flatMap(source.offset), let name = written(key) else { return false }
    guard source.has(name, at: offset) else { return false }
    let colon = source.afterBlanks(offset + name.utf8.count)
    return source.replace(":", at: colon, with: ": {\(member)}")
  }

  /// Inserts a member at the beginning of a mapping.
  private static func insert(_ member: String, into node: Node, _ source: inout YAMLSource) -> Bool {
    let isEmpty = node.mapping?.isEmpty ?? true
    if let brace = source.brace(of: node) {
      return source.replace("{", at: brace, with: "{" + member + (isEmpty ? "" : ", "))
    }
    guard let first = node.mapping?.first?.key.mark else { return false }
    return source.insertLine(member, before: first)
  }

  /// Replaces a scalar.
  private static func replace(_ node: Node, with text: String, _ source: inout YAMLSource) -> Bool {
    guard let offset = node.mark.flatMap(source.offset), let old = written(node) else { return false }
    return source.replace(old, at: offset, with: text)
  }

  /// Whether nothing is written for a value.
  private static func isAbsent(_ node: Node) -> Bool {
    node.scalar.map { $0.string.isEmpty && $0.style != .singleQuoted && $0.style != .doubleQuoted } ?? false
  }

  /// A scalar as it is written, unless it has escapes or several lines.
  private static func written(_ node: Node) -> String? {
    guard let scalar = node.scalar else { return nil }
    return switch scalar.style {
    case .singleQuoted: "'" + scalar.string + "'"
    case .doubleQuoted: "\"" + scalar.string + "\""
    default: scalar.string
    }
  }

  /// An id in quotes where YAML would take it for a number or another value.
  private static func quoted(_ id: String) -> String {
    guard let node = (try? Yams.compose(yaml: id)) ?? nil, node.scalar?.string == id else {
      return "\"\(id)\""
    }
    let isWord =
      node.bool == nil && node.int == nil && node.float == nil && node.null == nil && node.timestamp == nil
    return isWord ? id : "\"\(id)\""
  }

  private func write(_ text: String) throws {
    guard PrivateFile.replace(path, with: Array(text.utf8)) else {
      throw ForageError(unwritable: path, "the settings")
    }
  }
}

extension ForageError {
  /// Why a file of the user could not be written.
  ///
  /// - Parameter what: What the file is.
  init(unwritable path: String, _ what: String) {
    if let link = brokenLink(in: path) {
      self.init(
        "\(what) cannot be written: \(link) is a link that leads nowhere",
        hint: "create what the link names, or remove the link")
    } else {
      self.init(
        "\(what) \(path) cannot be written", hint: "check the permissions and the space of the folder")
    }
  }
}

extension Settings {
  /// Whether two files set the same.
  fileprivate func isEquivalent(to other: Settings) -> Bool {
    providers == other.providers && added == other.added && tokenHosts == other.tokenHosts
      && absent.map(\.id) == other.absent.map(\.id)
  }
}
