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
      throw wrong(
        value, "type takes \(names.joined(separator: " or "))",
        hint: value.scalar.flatMap {
          NearestName.hint(for: $0.string, among: names, written: { "\"\($0)\"" })
        } ?? "for example: type: github")
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
    var variable: String?
    for (_, text, value) in try variables(node, among: ["token"]) {
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

/// The settings that only plugins and manifests have.
extension SettingsReader {
  /// The deepest nesting of a setting: deeper than settings are written by hand.
  private static let deepest = 8

  /// The settings of a plugin or a manifest, by name.
  private func config(_ node: Node) throws -> [String: JSONTree] {
    var result: [String: JSONTree] = [:]
    for (key, value) in try members(node, of: "config") { result[try name(key)] = try tree(value, depth: 1) }
    return result
  }

  private func tree(_ node: Node, depth: Int) throws -> JSONTree {
    guard depth <= Self.deepest else { throw wrong(node, "config is nested too deeply") }
    switch node {
    case .mapping(let mapping):
      var members: [String: JSONTree] = [:]
      for (key, value) in mapping { members[try name(key)] = try tree(value, depth: depth + 1) }
      return .object(members)
    case .sequence(let sequence): return .array(try sequence.map { try tree($0, depth: depth + 1) })
    case .scalar(let scalar):
      if scalar.style != .plain { return .string(scalar.string) }
      if let flag = node.bool { return .bool(flag) }
      if let number = node.int { return .integer(number) }
      if let number = node.float, number.isFinite { return .double(number) }
      return node.null == nil ? .string(scalar.string) : .null
    case .alias: throw wrong(node, "config takes no aliases", hint: "write the value out")
    }
  }

  /// The variables in `{NAME: {env: VARIABLE}}`, by name.
  private func secrets(_ node: Node) throws -> [String: String] {
    Dictionary(try variables(node).map { ($0.secret, $0.variable) }, uniquingKeysWith: { _, last in last })
  }

  /// The variables in `{NAME: {env: VARIABLE}}` with their nodes, in the order of the file.
  ///
  /// - Parameter names: The names that are known, `nil` for any.
  private func variables(_ node: Node, among names: [String]? = nil) throws -> [(
    secret: String, variable: String, node: Node
  )] {
    let advice = "write secrets: {token: {env: NAME}}; the secret itself stays in the variable NAME"
    var result: [(String, String, Node)] = []
    for (key, value) in try members(node, of: "secrets", hint: advice) {
      let secret = try name(key)
      if let names { try check(key, among: names, hint: advice) }
      for (key, value) in try members(value, of: names == nil ? "a secret" : secret, hint: advice) {
        try check(key, among: ["env"], hint: advice)
        guard let text = value.scalar?.string, Self.isVariable(text) else {
          throw wrong(value, "env takes the name of a variable: capital letters, digits and _", hint: advice)
        }
        result.append((secret, text, value))
      }
    }
    return result
  }
}

/// The settings of clones.
extension SettingsReader {
  /// The largest size of files that are searched (64 MiB): each is read as a whole.
  private static let largestFile = 64 << 20

  /// Reads `code: {maxFileSize: 1048576}`.
  ///
  /// - Throws: `ForageError` for another key or a size out of range.
  private func maximumFileSize(_ node: Node) throws -> Int {
    var result = Settings().maximumFileSize
    for (key, value) in try members(node, of: "code") {
      try check(key, among: ["maxFileSize"])
      guard let bytes = value.int, (1...Self.largestFile).contains(bytes) else {
        throw wrong(value, "maxFileSize takes a number of bytes from 1 to \(Self.largestFile)")
      }
      result = bytes
    }
    return result
  }

  /// Reads `clones: {root: ~/src, protocol: https}`.
  ///
  /// - Throws: `ForageError` for a root that is not absolute or an unknown protocol.
  private func clones(_ node: Node) throws -> Settings.Clones {
    var result = Settings.Clones()
    for (key, value) in try members(node, of: "clones") {
      try check(key, among: ["root", "protocol"])
      let text = value.scalar?.string ?? ""
      if try name(key) == "root" {
        guard text.hasPrefix("/") || text.hasPrefix("~/") || text == "~" else {
          throw wrong(
            value, "root takes an absolute path", hint: "for example: root: ~/src, or root: /home/me/src")
        }
        result.root = text
      } else {
        guard let choice = Settings.Clones.TransferProtocol(rawValue: text) else {
          throw wrong(value, "protocol takes https or ssh", hint: "for example: protocol: ssh")
        }
        result.transferProtocol = choice
      }
    }
    return result
  }
}

/// Reading steps that all settings share.
extension SettingsReader {
  private func members(_ node: Node, of what: String, hint: String? = nil) throws -> [(Node, Node)] {
    // A key without a value, with everything below commented out perhaps, is an empty list.
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

  /// - Parameter hint: What to do if no known name is near.
  private func check(_ key: Node, among known: [String], hint: String? = nil) throws {
    let name = try name(key)
    guard !known.contains(name) else { return }
    throw wrong(
      key, "\"\(name)\" is not a known setting",
      hint: NearestName.hint(for: name, among: known, written: { "\"\($0)\"" }) ?? hint
        ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  /// The file with the line of a node.
  private func place(of node: Node) -> String { path + (node.mark.map { ":\($0.line)" } ?? "") }

  private func wrong(_ node: Node, _ what: String, hint: String? = nil) -> ForageError {
    ForageError("\(place(of: node)): \(what)", hint: hint ?? "fix the line, or remove it")
  }
}
