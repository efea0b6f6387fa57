import ForageCore
import ForagePluginProtocol

/// An object in a `plugin.json`, usually without unknown keys.
struct ManifestObject {
  let path: String
  let what: String
  private let members: [PlacedJSON.Member]
  private let line: Int

  /// Opens an object.
  ///
  /// - Parameters:
  ///   - what: Its name in messages.
  ///   - keys: The keys that it may have; `nil` for any.
  init(_ value: PlacedJSON, path: String, what: String, keys: [String]?) throws(SearchError) {
    self.path = path
    self.what = what
    line = value.line
    guard let members = value.members else {
      self.members = []
      throw fault("\(what) must be an object", line: value.line)
    }
    self.members = members
    guard let keys, let unknown = members.first(where: { !keys.contains($0.name) }) else { return }
    throw fault(
      "\(what) has no key \"\(unknown.name)\"", line: unknown.value.line,
      hint: NearestName.hint(for: unknown.name, among: keys, written: { "\"\($0)\"" })
        ?? "known keys: " + keys.joined(separator: ", "))
  }

  /// Opens the object that is a member; `nil` if there is none.
  func object(_ name: String, as what: String, keys: [String]?) throws(SearchError) -> ManifestObject? {
    guard let entry = self[name] else { return nil }
    return try ManifestObject(entry.value, path: path, what: what, keys: keys)
  }

  /// The names of its members in the order of the file.
  var names: [String] { members.map(\.name) }

  subscript(name: String) -> PlacedJSON.Member? { members.first { $0.name == name } }

  func fault(_ message: String, line: Int, hint: String = "correct it") -> SearchError {
    SearchError(.configuration, "\(path):\(line): \(message)", hint: hint)
  }

  func wrong(_ name: String, _ message: String) -> SearchError {
    fault("\"\(name)\" \(message)", line: self[name]?.value.line ?? line)
  }

  func checkVersion() throws(SearchError) {
    guard let entry = self["forage"] else {
      throw missing("forage", "add \"forage\": \(PluginProtocol.version)")
    }
    guard entry.value.integer == PluginProtocol.version else {
      throw fault(
        "\"forage\" must be \(PluginProtocol.version)", line: entry.value.line,
        hint: "a higher number requires a newer version of this program")
    }
  }

  private func missing(_ name: String, _ hint: String) -> SearchError {
    fault("\(what) has no \"\(name)\"", line: line, hint: hint)
  }

  func text(_ name: String) throws(SearchError) -> String {
    guard self[name] != nil else { throw missing(name, "add it") }
    guard let text = try optionalText(name) else { throw wrong(name, "must be a text") }
    return text
  }

  func optionalText(_ name: String) throws(SearchError) -> String? {
    guard let entry = self[name] else { return nil }
    guard let text = entry.value.string, !text.isEmpty, !text.utf8.contains(0) else {
      throw wrong(name, "must be a non-empty text")
    }
    return text
  }

  func flag(_ name: String) throws(SearchError) -> Bool? {
    guard let entry = self[name] else { return nil }
    guard let flag = entry.value.bool else { throw wrong(name, "must be true or false") }
    return flag
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(SearchError) -> Int? {
    guard let entry = self[name] else { return nil }
    guard let number = entry.value.integer, range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw wrong(name, "must be a whole number, \(bounds)")
    }
    return number
  }

  /// One of a list of words.
  func word(_ name: String, among words: [String]) throws(SearchError) -> String? {
    guard let entry = self[name] else { return nil }
    guard let word = entry.value.string, words.contains(word) else {
      let hint = entry.value.string.flatMap { NearestName.hint(for: $0, among: words) }
      throw fault(
        "\"\(name)\" must be one of \(words.joined(separator: ", "))", line: entry.value.line,
        hint: hint ?? "correct it")
    }
    return word
  }

  /// A list of texts.
  ///
  /// - Parameters:
  ///   - isValid: Whether a text is valid.
  ///   - rule: What each text must be, for use after "is not".
  func texts(
    _ name: String, isRequired: Bool = false, where isValid: (String) -> Bool = { _ in true },
    _ rule: String = ""
  ) throws(SearchError) -> [String] {
    guard let entry = self[name] else {
      if isRequired { throw missing(name, "add it as a list of texts") }
      return []
    }
    guard let elements = entry.value.elements, elements.count <= PluginManifest.listLimit,
      !(isRequired && elements.isEmpty)
    else { throw wrong(name, "must be a list of texts" + (isRequired ? ", at least one" : "")) }
    var texts: [String] = []
    for element in elements {
      guard let text = element.string, !text.isEmpty, !text.utf8.contains(0) else {
        throw fault("\"\(name)\" must contain non-empty texts", line: element.line)
      }
      guard name == "command" || !texts.contains(text) else {
        throw fault("\"\(name)\" contains \"\(text)\" twice", line: element.line)
      }
      guard isValid(text) else { throw wrong(name, "has \"\(text)\", which is not \(rule)") }
      texts.append(text)
    }
    return texts
  }
}
