import ForageCore
import Yams

/// Reads the tree of a settings file strictly: an unknown key is an error with the nearest known one and the line.
struct SettingsReader {
  /// The longest name of a variable that is accepted, in bytes.
  private static let longestVariable = 64

  let path: String
  let types: [ProviderType]
  /// The plugins and manifests of this machine.
  let installed: () -> InstalledIDs
  /// The result.
  private(set) var settings = Settings()

  init(path: String, types: [ProviderType], installed: @escaping () -> InstalledIDs) {
    self.path = path
    self.types = types
    self.installed = installed
  }

  /// Reads a whole file.
  ///
  /// - Throws: `ForageError` with file and line.
  mutating func read(_ root: Node) throws {
    for (key, value) in try members(root, of: "the settings") {
      try check(key, among: ["providers", "numbers", "clones", "code"])
      if try name(key) == "code" {
        settings.maximumFileSize = try maximumFileSize(value)
        continue
      }
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
    let isAbsent = isAbsent(id, members)
    if isAbsent { settings.absent.append((id, place(of: key))) }
    let type = isAbsent ? ProviderType(name: id, isExternal: true) : try type(of: key, members)
    var result = Settings.Provider()
    var host = try? type.host?(nil)
    let special = type.isExternal ? ["config", "secrets"] : type.host == nil ? [] : ["url", "secrets"]
    for (key, value) in members {
      try check(key, among: ["enabled", "weight", "timeout", "type"] + special)
      if type.isExternal { try checkPlace(of: key, in: id) }
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
          key, "\"\(id)\" has no url", hint: "add its address, for example: url: \"https://HOST/api/v3\"")
      }
      result.type = type.name
      settings.added.append(id)
    }
    if let secrets = members.first(where: { (try? name($0.0)) == "secrets" })?.1, let host {
      result.tokenVariable = try tokenVariable(secrets, host: host)
    }
    settings.providers[id] = result
  }

  /// Checks that a setting is under the right one of a plugin's ids: `config` and `secrets` under that of the plugin, the others
  /// under those of its providers.
  private func checkPlace(of key: Node, in id: String) throws {
    let (name, installed) = (try name(key), installed())
    let isOfPlugin = ["config", "secrets"].contains(name)
    if isOfPlugin, let plugin = installed.plugin(ofProvider: id) {
      throw wrong(
        key, "\(name) is set for the plugin \(plugin), not for its provider \(id)",
        hint: "move it: \(plugin): {\(name): ...}")
    }
    guard !isOfPlugin, name != "type", let providers = installed.plugins[id], !providers.contains(id) else {
      return
    }
    throw wrong(
      key, "\(name) is set for each provider of the plugin \(id): \(providers.joined(separator: ", "))",
      hint: "move it: \(providers.first ?? "ID"): {\(name): ...}")
  }

  /// Whether an entry can only be for a plugin or manifest that is not installed: it has neither a type nor a url, and its id is near
  /// no other, or it has what a plugin or manifest has (gitlab is near github).
  private func isAbsent(_ id: String, _ members: [(Node, Node)]) -> Bool {
    let known = types.map(\.name)
    let names = members.compactMap { try? name($0.0) }
    guard !known.contains(id), ProviderDescriptor.isID(id), !members.isEmpty,
      !names.contains("type"), !names.contains("url")
    else { return false }
    let all = known + installed().all
    let isOfPlugin = names.contains("config") || names.contains("secrets")
    return !all.contains(id) && (isOfPlugin || NearestName.of(id, among: all) == nil)
  }

  /// The type of an entry: its `type`, else that of the built-in provider, the plugin or the manifest with its id.
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
          "to add a server, write: \(id): {type: github, url: \"https://HOST/api/v3\"}; a plugin must be installed first"
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

  /// The address, and the host that its credentials are for.
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
            hint: "use GH_TOKEN or GITHUB_TOKEN for github.com, any other variable for other hosts")
        }
        if let other = settings.tokenHosts[text], other != host {
          throw wrong(
            value, "\(text) is already the token for \(other), and is sent to no other host",
            hint: "use one variable for each host")
        }
        settings.tokenHosts[text] = host
        variable = text
      }
    }
    return variable
  }

  /// Whether a text is the name of a variable.
  ///
  /// Only capital letters are accepted: a token that is written here by mistake has others, and must not be shown as a name.
  static func isVariable(_ text: String) -> Bool {
    guard let first = text.first, !("0"..."9").contains(first), text.utf8.count <= longestVariable else {
      return false
    }
    return text.consists(of: "A"..."Z", "0"..."9", and: "_")
  }
}
