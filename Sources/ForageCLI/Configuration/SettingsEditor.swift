import ForageCore
import Yams

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Turns providers on and off in a settings file, and leaves everything else in it as it is: comments, order, spaces.
struct SettingsEditor {
  /// The file; need not be there.
  let path: String
  /// Whether a text can be read as settings; throws what is wrong with it.
  let check: (_ text: String) throws -> Settings

  /// Says in the file whether a provider is enabled.
  ///
  /// - Returns: Whether the file was changed.
  /// - Throws: `CommandError` when the file cannot be read, understood or written; it is then as it was.
  func set(enabled: Bool, for id: String) throws -> Bool {
    let text = try current()
    let settings = try check(text)
    if settings.providers[id]?.isEnabled == enabled { return false }
    let edited = try Self.edited(text, enabled: enabled, id: id)
    guard let settings = try? check(edited), settings.providers[id]?.isEnabled == enabled else {
      throw CommandError(
        "the settings \(path) are written in a way that cannot be changed safely",
        hint: "write it yourself: providers: {\(id): {enabled: \(enabled)}}")
    }
    try write(edited)
    return true
  }

  /// Takes an entry out that says nothing but whether a provider is enabled, as this program writes it: on a line of its own.
  ///
  /// - Returns: Whether it was there.
  func removeFlag(of id: String) throws -> Bool {
    let lines = try current().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let forms = [true, false].map { "\(Self.quoted(id)): {enabled: \($0)}" }
    let kept = lines.filter { line in !forms.contains(line.trimmingWhitespace()) }
    guard kept.count < lines.count else { return false }
    try write(kept.joined(separator: "\n"))
    return true
  }

  private func current() throws -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "" }
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(validating: data, as: UTF8.self)
    else {
      throw CommandError(
        "the settings \(path) cannot be read as text",
        hint: "check the permissions and the encoding of the file")
    }
    return text
  }

  /// The text with the setting in it.
  static func edited(_ text: String, enabled: Bool, id: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let entry = "\(quoted(id)): {enabled: \(enabled)}"
    let root = try Yams.compose(yaml: text)?.mapping
    guard let (key, value) = root?.first(where: { $0.key.scalar?.string == "providers" }) else {
      let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
      return text + separator + "providers:\n  \(entry)\n"
    }
    guard let providers = value.mapping, let first = providers.first, let keyMark = key.mark else {
      // The key is there with nothing behind it, or with empty braces.
      guard let mark = key.mark else { return text }
      lines[mark.line - 1] = indentation(lines[mark.line - 1]) + "providers:"
      lines.insert(indentation(lines[mark.line - 1]) + "  " + entry, at: mark.line)
      return lines.joined(separator: "\n")
    }
    guard let known = providers.first(where: { $0.key.scalar?.string == id }) else {
      guard let mark = first.key.mark else { return text }
      if isFlow(value, in: lines) {
        return insert(entry + ", ", into: &lines, at: mark)
      }
      let margin = String(repeating: " ", count: max(mark.column - 1, 0))
      lines.insert(margin + entry, at: max(keyMark.line, mark.line - 1))
      return lines.joined(separator: "\n")
    }
    guard let keyMark = known.key.mark else { return text }
    guard let members = known.value.mapping, let firstMember = members.first?.key.mark else {
      // An entry with nothing in it.
      let line = lines[keyMark.line - 1]
      let start =
        line.index(line.startIndex, offsetBy: keyMark.column - 1, limitedBy: line.endIndex) ?? line.endIndex
      lines[keyMark.line - 1] = String(line[..<start]) + entry
      return lines.joined(separator: "\n")
    }
    if let flag = members.first(where: { $0.key.scalar?.string == "enabled" })?.value,
      let mark = flag.mark, let old = flag.scalar?.string
    {
      let line = lines[mark.line - 1]
      guard
        let start = line.index(line.startIndex, offsetBy: mark.column - 1, limitedBy: line.endIndex),
        line[start...].hasPrefix(old)
      else { return text }
      lines[mark.line - 1] = line[..<start] + "\(enabled)" + line[start...].dropFirst(old.count)
      return lines.joined(separator: "\n")
    }
    if isFlow(known.value, in: lines) {
      return insert("enabled: \(enabled), ", into: &lines, at: firstMember)
    }
    let margin = String(repeating: " ", count: max(firstMember.column - 1, 0))
    lines.insert(margin + "enabled: \(enabled)", at: firstMember.line - 1)
    return lines.joined(separator: "\n")
  }

  /// Whether a mapping is written in braces.
  private static func isFlow(_ node: Node, in lines: [String]) -> Bool {
    guard let mark = node.mark, lines.indices.contains(mark.line - 1) else { return false }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first == "{"
  }

  private static func insert(_ piece: String, into lines: inout [String], at mark: Mark) -> String {
    let line = lines[mark.line - 1]
    let place =
      line.index(line.startIndex, offsetBy: mark.column - 1, limitedBy: line.endIndex) ?? line.endIndex
    lines[mark.line - 1] = line[..<place] + piece + line[place...]
    return lines.joined(separator: "\n")
  }

  private static func indentation(_ line: String) -> String { String(line.prefix { $0 == " " }) }

  /// An id that YAML takes for a number or a word of its own needs quotes.
  private static func quoted(_ id: String) -> String {
    guard let node = (try? Yams.compose(yaml: id)) ?? nil, node.scalar?.string == id else {
      return "\"\(id)\""
    }
    let isWord =
      node.bool == nil && node.int == nil && node.float == nil && node.null == nil && node.timestamp == nil
    return isWord ? id : "\"\(id)\""
  }

  /// Replaces the file as a whole; a link to it stays a link.
  private func write(_ text: String) throws {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let mode = try? FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      try Data(text.utf8).write(to: file, options: .atomic)
      if let mode {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      }
    } catch {
      throw CommandError(
        "the settings \(path) cannot be written", hint: "check the permissions and the space of the folder")
    }
  }
}
