import ForageCore
import Yams

/// Reads the tree of a settings file strictly: an unknown key is an error with the nearest known one and the line.
struct SettingsReader {
  /// Longer than any name of a variable that people give.
  private static let longestVariable = 64

  let path: String
  let types: [ProviderType]
  /// The plugins and manifests that there are.
  let installed: () -> InstalledIDs
  /// What has been read.
  private(set) var settings = Settings()

  init(path: String, types: [ProviderType], installed: @escaping () -> InstalledIDs) {
    self.path = path
    self.types = types
    self.installed = installed
  }

  /// Reads a whole file.
  ///
  /// - Throws: `CommandError` with file and line.
  mutating func read(_ root: Node) throws {
    for (key, value) in try members(root, of: "the settings") {
      try check(key, among: ["providers", "numbers", "clones"])
      if try name(key) == "clones" {
        settings.clones = try clones(value)
        continue
      }
      if try name(key) == "numbers" {
        guard let flag = value.bool else { throw wrong(value, "numbers takes true or false") }
        settings.showsNumbers = flag
        continue
      }
      for (id, entry) in try members(value, of: "providers") { try readProvider(id, entry) }
    }
  }

  private mutating func readProvider(_ key: Node, _ entry: Node) throws {
    let (id, members) = (try name(key), try members(entry, of: "a provider"))
    if isAbsent(id, members) {
      settings.absent.append((id, place(of: key)))
      return
    }
    let type = try type(of: key, members)
    var result = Settings.Provider()
    var host = try? type.host?(nil)
    let special = type.isExternal ? ["config", "secrets"] : type.host == nil ? [] : ["url", "secrets"]
    for (key, value) in members {
      try check(key, among: ["enabled", "weight", "timeout", "type"] + special)
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
      case "config": result.config = try config(value)
      case "secrets" where type.isExternal: result.secrets = try secrets(value)
      default: break
      }
    }
    if type.isExternal {
      result.type = type.name == id ? nil : type.name
      if type.name != id { settings.added.append(id) }
    } else if type.name != id {
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

  /// Whether an entry can only be meant for a plugin or manifest that is not there: its id is near no other, and nothing in it says what it is.
  private func isAbsent(_ id: String, _ members: [(Node, Node)]) -> Bool {
    let known = types.map(\.name)
    let names = members.compactMap { try? name($0.0) }
    guard !known.contains(id), ProviderDescriptor.isID(id), !members.isEmpty,
      !names.contains("type"), !names.contains("url")
    else { return false }
    let all = known + installed().all
    return !all.contains(id) && NearestName.of(id, among: all) == nil
  }

  /// What `type` says, else the type of the built-in provider, the plugin or the manifest with the id.
  private func type(of key: Node, _ members: [(Node, Node)]) throws -> ProviderType {
    let id = try name(key)
    let builtIn = types.first { $0.name == id }
    let installed = builtIn == nil ? installed() : InstalledIDs()
    let known = installed.all.contains(id) ? ProviderType(name: id, isExternal: true) : builtIn
    guard let value = members.first(where: { (try? name($0.0)) == "type" })?.1 else {
      if let known { return known }
      try check(
        key, among: types.map(\.name) + installed.all,
        hint:
          "to add a provider give it a type and a url: \(id): {type: github, url: \"https://HOST/api/v3\"}; plugins: forage plugin list"
      )
      throw wrong(key, "\"\(id)\" has no type")
    }
    let offered = types + installed.manifests.map { ProviderType(name: $0, isExternal: true) }
    let names = offered.map(\.name)
    guard case .scalar(let scalar) = value, let type = offered.first(where: { $0.name == scalar.string })
    else {
      let nearest = value.scalar.flatMap { NearestName.of($0.string, among: names) }
      throw wrong(
        value, "type takes \(names.joined(separator: " or "))",
        hint: nearest.map { "did you mean \"\($0)\"?" } ?? "for example: type: github")
    }
    if let known {
      guard known.name == type.name else {
        throw wrong(
          value, "\"\(id)\" is \(known.isExternal ? "installed" : "built in") and of type \(id)",
          hint: "give the other provider an id of its own")
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
    guard type.host != nil || type.isExternal else {
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
  static func isVariable(_ text: String) -> Bool {
    let (letters, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    guard let first = text.utf8.first, !digits.contains(first), text.utf8.count <= longestVariable else {
      return false
    }
    return text.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}
