import ForageCore
import ForageManifest
import ForageYAML
import Yams

/// Reads the tree of a settings file strictly: an unknown key is an error with the nearest known one and the line.
struct SettingsReader {
  private typealias Member = StrictYAML.Member

  /// The longest name of a variable that is accepted, in bytes.
  private static let longestVariable = 64
  /// The largest weight of a provider: its results already come before those of all others.
  private static let maximumWeight = 1000
  /// The longest time limit of a provider in seconds: an hour, far longer than anybody waits for a search.
  private static let maximumTimeout = 3600

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
  /// - Throws: `YAMLProblem`.
  mutating func read(_ root: Node) throws {
    for member in try StrictYAML.members(root, of: "the settings") {
      try check(member, among: ["providers", "numbers", "clones", "code"])
      switch member.name {
      case "code": settings.maximumFileSize = try maximumFileSize(member.value)
      case "clones": settings.clones = try clones(member.value)
      case "numbers":
        guard let flag = member.value.bool else { throw wrong(member.value, "numbers takes true or false") }
        settings.showsNumbers = flag
      case "providers":
        let example = "for example: providers: {github: {weight: 2}}"
        for entry in try StrictYAML.members(member.value, of: "providers", hint: example) {
          try readProvider(entry)
        }
      default: throw wrong(member.key, "\(member.name) cannot be set")
      }
    }
  }

  private mutating func readProvider(_ entry: Member) throws {
    let (key, id) = (entry.key, entry.name)
    let members = try StrictYAML.members(
      entry.value, of: "a provider", hint: "for example: \(id): {enabled: true}")
    let isAbsent = isAbsent(id, members)
    if isAbsent { settings.absent.append((id, path + (key.mark.map { ":\($0.line)" } ?? ""))) }
    let type = isAbsent ? ProviderType(name: id, isExternal: true) : try type(of: entry, members)
    var result = Settings.Provider()
    var host = try? type.host?(nil)
    let special = type.isExternal ? ["config", "secrets"] : type.host == nil ? [] : ["url", "secrets"]
    for member in members {
      try check(member, among: ["enabled", "weight", "timeout", "type"] + special)
      if type.isExternal { try checkPlace(of: member, in: id) }
      let value = member.value
      switch member.name {
      case "enabled":
        guard let flag = value.bool else { throw wrong(value, "enabled takes true or false") }
        result.isEnabled = flag
      case "weight": result.weight = try number(value, "weight takes a number", upTo: Self.maximumWeight)
      case "timeout":
        let seconds = try number(value, "timeout takes seconds", upTo: Self.maximumTimeout)
        result.timeout = .milliseconds(max(1, Int(seconds * 1000)))
      case "url": (result.address, host) = try address(value, type)
      case "config": result.config = try config(value)
      case "secrets" where type.isExternal: result.secrets = try secrets(value)
      case "secrets", "type": break
      default: throw wrong(member.key, "\(member.name) cannot be set")
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
    if let secrets = members.first(where: { $0.name == "secrets" })?.value, let host {
      result.tokenVariable = try tokenVariable(secrets, host: host)
    }
    settings.providers[id] = result
  }

  /// Checks that a setting is under the right one of a plugin's ids: `config` and `secrets` under that of the plugin, the others
  /// under those of its providers.
  private func checkPlace(of member: Member, in id: String) throws {
    let (key, name, installed) = (member.key, member.name, installed())
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
  private func isAbsent(_ id: String, _ members: [Member]) -> Bool {
    let known = types.map(\.name)
    let names = members.map(\.name)
    guard !known.contains(id), ProviderInfo.isID(id), !members.isEmpty,
      !names.contains("type"), !names.contains("url")
    else { return false }
    let all = known + installed().all
    let isOfPlugin = names.contains("config") || names.contains("secrets")
    return !all.contains(id) && (isOfPlugin || !isSlip(id, among: all))
  }

  /// Whether an id is near another one and no variant of it, as `acme2` is of `acme`.
  private func isSlip(_ id: String, among known: [String]) -> Bool {
    guard let near = NearestName.of(id, among: known) else { return false }
    return !id.hasPrefix(near) || id.dropFirst(near.count).first?.isLetter != false
  }

  /// The type of an entry: its `type`, else that of the built-in provider, the plugin or the manifest with its id.
  private func type(of entry: Member, _ members: [Member]) throws -> ProviderType {
    let (key, id) = (entry.key, entry.name)
    let builtIn = types.first { $0.name == id }
    let installed = builtIn == nil ? installed() : InstalledIDs()
    let known = installed.all.contains(id) ? ProviderType(name: id, isExternal: true) : builtIn
    guard let value = members.first(where: { $0.name == "type" })?.value else {
      if let known { return known }
      try check(
        entry, among: types.map(\.name) + installed.all,
        hint:
          "to add a server, write: \(id): {type: github, url: \"https://HOST/api/v3\"}; a plugin must be installed first"
      )
      throw wrong(key, "\"\(id)\" has no type")
    }
    let offered = types + installed.manifests.map { ProviderType(name: $0, isExternal: true) }
    let names = offered.map(\.name)
    guard case .scalar(let scalar) = value, let type = offered.first(where: { $0.name == scalar.string })
    else {
      let given = value.scalar?.string ?? ""
      let hint =
        InstalledIDs.bundledManifests.contains(given)
        ? "\(given) is a manifest that was not found: \(Remedy.installManifest.text)"
        : NearestName.hint(for: given, among: names, written: { "\"\($0)\"" })
      let wrongValue = given.isEmpty ? "" : ", not \"\(given)\""
      throw wrong(
        value, "type takes \(HumanFormat.alternatives(names))\(wrongValue)",
        hint: hint ?? "for example: type: github")
    }
    if let known {
      guard known.name == type.name else {
        throw wrong(
          value, "\"\(id)\" is \(known.isExternal ? "installed" : "built in") and of type \(id)",
          hint: "give the other provider an id of its own")
      }
      return type
    }
    guard ProviderInfo.isID(id) else {
      throw wrong(
        key, "\"\(id)\" cannot be the id of a provider",
        hint:
          "an id has at most \(ProviderInfo.longestID) lower-case letters, digits, -, _ and ., the first a letter or digit"
      )
    }
    guard type.host != nil || type.isExternal else {
      throw wrong(
        value, "there is only one provider of type \(type.name), the built-in one",
        hint: "configure that one, \(type.name), or choose another type")
    }
    return type
  }

  private func number(_ value: Node, _ what: String, upTo maximum: Int) throws -> Double {
    guard let number = value.float ?? value.int.map(Double.init), number > 0, number <= Double(maximum) else {
      throw wrong(value, "\(what) above 0, at most \(maximum)")
    }
    return number
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
      guard GitHubServers.isMeant(text, for: host) else {
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
    for member in try StrictYAML.members(node, of: "config") {
      result[member.name] = try tree(member.value, depth: 1)
    }
    return result
  }

  private func tree(_ node: Node, depth: Int) throws -> JSONTree {
    guard depth <= Self.deepest else { throw wrong(node, "config is nested too deeply") }
    switch node {
    case .mapping:
      var members: [String: JSONTree] = [:]
      for member in try StrictYAML.members(node, of: "config") {
        members[member.name] = try tree(member.value, depth: depth + 1)
      }
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
    for entry in try StrictYAML.members(node, of: "secrets", hint: advice) {
      let secret = entry.name
      if let names { try check(entry, among: names, hint: advice) }
      let what = names == nil ? "a secret" : secret
      for member in try StrictYAML.members(entry.value, of: what, hint: advice) {
        try check(member, among: ["env"], hint: advice)
        let value = member.value
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

  /// Reads `code: {maxFileSize: 16777216}`.
  ///
  /// - Throws: `YAMLProblem` for another key or a size out of range.
  private func maximumFileSize(_ node: Node) throws -> Int {
    var result = Settings().maximumFileSize
    for member in try StrictYAML.members(node, of: "code") {
      try check(member, among: ["maxFileSize"])
      guard let bytes = member.value.int, (1...Self.largestFile).contains(bytes) else {
        throw wrong(member.value, "maxFileSize takes a number of bytes from 1 to \(Self.largestFile)")
      }
      result = bytes
    }
    return result
  }

  /// Reads `clones: {root: ~/src, protocol: https}`.
  ///
  /// - Throws: `YAMLProblem` for a root that is not absolute or an unknown protocol.
  private func clones(_ node: Node) throws -> Settings.Clones {
    var result = Settings.Clones()
    for member in try StrictYAML.members(node, of: "clones") {
      try check(member, among: ["root", "protocol"])
      let value = member.value
      let text = value.scalar?.string ?? ""
      if member.name == "root" {
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
  /// - Parameter hint: What to do if no known name is near.
  private func check(_ member: Member, among known: [String], hint: String? = nil) throws {
    try StrictYAML.check(
      member, among: known, what: "setting",
      hint: hint ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  private func wrong(_ node: Node, _ what: String, hint: String? = nil) -> YAMLProblem {
    StrictYAML.wrong(node, what, hint: hint)
  }
}
