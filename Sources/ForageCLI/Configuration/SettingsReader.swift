import ForageCore
import Yams

/// Reads the tree of a settings file strictly: an unknown key is an error with the nearest known one and the line.
struct SettingsReader {
  /// Longer than any name of a variable that people give.
  private static let longestVariable = 64

  let path: String
  let types: [ProviderType]
  /// What has been read.
  private(set) var settings = Settings()

  init(path: String, types: [ProviderType]) {
    self.path = path
    self.types = types
  }

  /// Reads a whole file.
  ///
  /// - Throws: `CommandError` with file and line.
  mutating func read(_ root: Node) throws {
    for (key, value) in try members(root, of: "the settings") {
      try check(key, among: ["providers"])
      for (id, entry) in try members(value, of: "providers") { try readProvider(id, entry) }
    }
  }

  private mutating func readProvider(_ key: Node, _ entry: Node) throws {
    let (id, members) = (try name(key), try members(entry, of: "a provider"))
    let type = try type(of: key, members)
    var result = Settings.Provider()
    var host = try? type.host?(nil)
    for (key, value) in members {
      try check(
        key, among: ["enabled", "weight", "timeout", "type"] + (type.host == nil ? [] : ["url", "secrets"]))
      switch try name(key) {
      case "enabled":
        guard let flag = value.bool else { throw wrong(value, "enabled takes true or false") }
        result.isEnabled = flag
      case "weight":
        guard let number = value.float ?? value.int.map(Double.init), number > 0, number <= 1000 else {
          throw wrong(value, "weight takes a number above 0, at most 1000")
        }
        result.weight = number
      case "timeout":
        guard let number = value.float ?? value.int.map(Double.init), number > 0, number <= 3600 else {
          throw wrong(value, "timeout takes seconds above 0, at most 3600")
        }
        result.timeout = .milliseconds(max(1, Int(number * 1000)))
      case "url": (result.address, host) = try address(value, type)
      default: break
      }
    }
    if type.name != id {
      guard result.address != nil else {
        throw wrong(
          key, "\"\(id)\" has no url", hint: "say where it is, for example: url: \"https://HOST/api/v3\"")
      }
      result.type = type.name
      settings.added.append(id)
    }
    if let secrets = members.first(where: { (try? name($0.0)) == "secrets" })?.1, let host {
      result.tokenVariable = try tokenVariable(secrets, host: host)
    }
    settings.providers[id] = result
  }

  /// What `type` says, else the type of the built-in provider with the id.
  private func type(of key: Node, _ members: [(Node, Node)]) throws -> ProviderType {
    let (id, names) = (try name(key), types.map(\.name))
    let builtIn = types.first { $0.name == id }
    guard let value = members.first(where: { (try? name($0.0)) == "type" })?.1 else {
      if let builtIn { return builtIn }
      try check(
        key, among: names,
        hint:
          "to add a provider give it a type and a url: \(id): {type: github, url: \"https://HOST/api/v3\"}"
      )
      throw wrong(key, "\"\(id)\" has no type")
    }
    guard case .scalar(let scalar) = value, let type = types.first(where: { $0.name == scalar.string }) else {
      let nearest = value.scalar.flatMap { NearestName.of($0.string, among: names) }
      throw wrong(
        value, "type takes \(names.joined(separator: " or "))",
        hint: nearest.map { "did you mean \"\($0)\"?" } ?? "for example: type: github")
    }
    if let builtIn {
      guard builtIn.name == type.name else {
        throw wrong(
          value, "\"\(id)\" is built in and of type \(id)", hint: "give the other provider an id of its own")
      }
      return type
    }
    guard ProviderDescriptor.isID(id) else {
      throw wrong(
        key, "\"\(id)\" cannot be the id of a provider",
        hint:
          "an id has at most \(ProviderDescriptor.longestID) lower-case letters, digits, -, _ and ., the first a letter or digit"
      )
    }
    guard type.host != nil else {
      throw wrong(
        value, "there is only one provider of type \(type.name), the built-in one",
        hint: "configure that one, \(type.name), or choose another type")
    }
    return type
  }

  /// The address with the host that credentials for it belong to.
  private func address(_ value: Node, _ type: ProviderType) throws -> (String, String?) {
    guard let text = value.scalar?.string, !text.isEmpty else {
      throw wrong(value, "url takes an address", hint: "for example: url: \"https://HOST/api/v3\"")
    }
    do throws(SearchError) {
      return (text, try type.host?(text))
    } catch {
      throw wrong(value, error.message, hint: error.hint)
    }
  }

  /// The variable in `{token: {env: NAME}}`.
  private mutating func tokenVariable(_ node: Node, host: String) throws -> String? {
    let advice = "write secrets: {token: {env: NAME}}; the secret itself stays in the variable NAME"
    var variable: String?
    for (key, value) in try members(node, of: "secrets", hint: advice) {
      try check(key, among: ["token"], hint: advice)
      for (key, value) in try members(value, of: "token", hint: advice) {
        try check(key, among: ["env"], hint: advice)
        guard let text = value.scalar?.string, Self.isVariable(text) else {
          throw wrong(
            value, "env takes the name of a variable: capital letters, digits and _", hint: advice)
        }
        guard TokenFinder.isMeant(text, for: host) else {
          throw wrong(
            value, "\(text) does not hold a token for \(host)",
            hint: "GH_TOKEN and GITHUB_TOKEN are for github.com, the enterprise ones for other hosts")
        }
        if let other = settings.tokenHosts[text], other != host {
          throw wrong(
            value, "\(text) is the token for \(other) already, and goes to no other host",
            hint: "use a variable for each host")
        }
        settings.tokenHosts[text] = host
        variable = text
      }
    }
    return variable
  }

  /// Whether a text is the name of a variable.
  ///
  /// Only capital letters: a token that is put here by mistake has others, and must not be taken for a name and shown as one.
  private static func isVariable(_ text: String) -> Bool {
    let (letters, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    guard let first = text.utf8.first, !digits.contains(first), text.utf8.count <= longestVariable else {
      return false
    }
    return text.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
    }
  }

  private func members(_ node: Node, of what: String, hint: String? = nil) throws -> [(Node, Node)] {
    // A key with nothing behind it, everything commented out perhaps, is an empty list.
    if case .scalar(let scalar) = node,
      scalar.string.isEmpty || scalar.string == "null" || scalar.string == "~"
    {
      return []
    }
    guard case .mapping(let mapping) = node else {
      throw wrong(node, "\(what) must be a list of \"name: value\"", hint: hint)
    }
    return mapping.map { ($0.key, $0.value) }
  }

  private func name(_ node: Node) throws -> String {
    guard case .scalar(let scalar) = node else { throw wrong(node, "a name must be plain text") }
    return scalar.string
  }

  /// - Parameter hint: What to do where no known name is near.
  private func check(_ key: Node, among known: [String], hint: String? = nil) throws {
    let name = try name(key)
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    throw wrong(
      key, "\"\(name)\" is not a known setting",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? hint
        ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  private func wrong(_ node: Node, _ what: String, hint: String? = nil) -> CommandError {
    let place = path + (node.mark.map { ":\($0.line)" } ?? "")
    return CommandError("\(place): \(what)", hint: hint ?? "mend the line, or remove it")
  }
}
