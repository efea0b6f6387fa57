/// All configuration that applies to a repository, as values: system, user, repository, work tree.
package struct GitConfig: Sendable, Hashable {
  /// Every entry, lowest priority first, so that the last value of a key is the one that holds.
  package let entries: [ConfigFile.Entry]

  /// Where keys and sections are; nil for few entries, which are searched faster than that is made.
  private let index: Index?

  private struct Index: Sendable {
    /// The positions in ``entries`` by key.
    var positions: [String: [Int]] = [:]
    /// The subsections by section, in order of appearance, each once.
    var sections: [String: [String]] = [:]
  }

  /// Some thousand remotes shall cost no search each.
  private static let fewEntries = 100

  /// Creates a configuration from entries.
  package init(entries: [ConfigFile.Entry]) {
    self.entries = entries
    guard entries.count > Self.fewEntries else {
      index = nil
      return
    }
    var index = Index()
    var seen: Set<Substring> = []
    for (position, entry) in entries.enumerated() {
      index.positions[entry.key, default: []].append(position)
      guard let (section, name) = Self.subsection(entry.key),
        seen.insert(entry.key[..<name.endIndex]).inserted
      else { continue }
      index.sections[String(section), default: []].append(String(name))
    }
    self.index = index
  }

  package static func == (left: GitConfig, right: GitConfig) -> Bool { left.entries == right.entries }

  package func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// The value of a key in its normal form (section and key in lower case); nil when absent or without `=`.
  package func string(_ key: String) -> String? { last(key)?.value }

  /// All values of a key in order.
  package func strings(_ key: String) -> [String] {
    guard let index else { return entries.filter { $0.key == key }.map { $0.value ?? "" } }
    return (index.positions[key] ?? []).map { entries[$0].value ?? "" }
  }

  /// A boolean; nil when absent or not a boolean.
  package func bool(_ key: String) -> Bool? {
    guard let entry = last(key) else { return nil }
    guard let value = entry.value else { return true }
    return Self.boolean(value)
  }

  /// The subsections of a section (a name without dots), in order of appearance, each once.
  package func subsections(of section: String) -> [String] {
    if let index { return index.sections[section] ?? [] }
    var names: [String] = []
    for entry in entries {
      guard let (found, name) = Self.subsection(entry.key), found == section, !names.contains(String(name))
      else { continue }
      names.append(String(name))
    }
    return names
  }

  /// The section and the subsection of a key; nil when it has no subsection.
  private static func subsection(_ key: String) -> (section: Substring, name: Substring)? {
    let dot = UInt8(ascii: ".")
    guard let first = key.utf8.firstIndex(of: dot), let last = key.utf8.lastIndex(of: dot), first < last
    else { return nil }
    return (key[..<first], key[key.utf8.index(after: first)..<last])
  }

  private func last(_ key: String) -> ConfigFile.Entry? {
    guard let index else { return entries.last { $0.key == key } }
    return index.positions[key]?.last.map { entries[$0] }
  }

  /// What git understands by a boolean's text.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off", "": false
    default: Int(text).map { $0 != 0 }
    }
  }
}
