import ForageCore
import ForageManifest
import ForageYAML
import Yams

/// Reads the tree of a settings file. What is not understood is a problem of the part that it stands in; all
/// other parts are read.
final class SettingsReader: YAMLReader {
  private typealias Member = StrictYAML.Member

  /// The longest name of a variable that is accepted, in bytes.
  private static let longestVariable = 64
  /// The host in `Settings.tokenHosts` of a variable whose provider is not understood. No server has it.
  private static let noHost = ""

  let path: String
  let types: [ProviderType]
  /// The plugins and manifests of this machine.
  let installed: () -> InstalledIDs
  var problems: [YAMLProblem] = []
  private var settings = Settings()

  init(path: String, types: [ProviderType], installed: @escaping () -> InstalledIDs) {
    self.path = path
    self.types = types
    self.installed = installed
  }

  /// Reads a whole file.
  ///
  /// - Throws: `YAMLProblem` if the settings or the providers are no mapping.
  func settings(_ root: Node) throws(YAMLProblem) -> Settings {
    settings.secretVariables = Self.variables(in: root, depth: 0)
    let names = Settings.sections.flatMap { $0.name.map { [$0] } ?? $0.settings.map(\.name) }
    let file = reading { part(root, of: "the settings", known: ["providers"] + names) }
    guard let file else { throw problems[0] }
    for section in Settings.sections {
      reading(section.part) {
        var members: YAMLPart<SettingsReader>? = file
        if let name = section.name {
          members = file[name].flatMap { part($0, section.settings.map(\.name)) }
        }
        guard let members else { return }
        for setting in section.settings { setting.read(members)?(&settings) }
      }
    }
    if let member = file["providers"] {
      let providers = entries(
        member.value, of: "providers", hint: "for example: providers: {github: {weight: 2}}")
      // Without them it is not known which servers may be asked.
      guard let providers else { throw problems[problems.count - 1] }
      for entry in providers { readProvider(entry) }
    }
    // What stands in an unknown part is not used, and a token that it names is sent to no host.
    for member in entries(root, of: "the settings") ?? [] where file[member.name] == nil {
      bindToNoHost(Self.variables(in: member.value, depth: 1))
    }
    return settings
  }

  /// Reads a section, whose problems become those of the settings.
  private func reading<Value>(_ section: Settings.Section? = nil, _ read: () -> Value) -> Value {
    let start = problems.count
    let value = read()
    settings.problems += problems[start...].map {
      Settings.Problem(
        section: section, place: $0.place(in: path), error: ForageError($0.text(path: path), hint: $0.hint))
    }
    return value
  }

  /// The searches under names.
  func searches(_ member: StrictYAML.Member) -> [SavedSearch] {
    savedSearches(
      entries(member, example: "searches: {crashes: {kind: issue, query: \"crash state:open\"}}")
    ).map { search in
      var search = search
      search.isOfSettings = true
      return search
    }
  }

  /// The folder below which clones are placed.
  func root(_ member: StrictYAML.Member) -> String? {
    checkedText(
      member.value, "root takes an absolute path", hint: "for example: root: ~/src, or root: /home/me/src"
    ) { $0.hasPrefix("/") || $0.hasPrefix("~/") || $0 == "~" }
  }

  /// The sets of repositories of which clones are kept.
  func syncs(_ member: StrictYAML.Member) -> [Settings.Clones.Sync] { nodes(of: member).compactMap(sync) }

  /// What is left out of every search and list.
  func ignored(_ member: StrictYAML.Member) -> [Settings.Clones.Ignored] {
    nodes(of: member).compactMap { node in
      checkedText(
        node, "ignore takes paths and patterns", hint: "for example: ignore: [~/src/archive, \"*-mirror\"]"
      ) { Self.isLine($0) && $0 != "." && $0 != "/" }
    }.map { Settings.Clones.Ignored(text: $0, place: place(member.key)) }
  }

  /// The elements of a list, or the only one without a list.
  private func nodes(of member: Member) -> [Node] {
    if case .sequence(let sequence) = member.value { Array(sequence) } else { [member.value] }
  }

  /// A set of repositories of which clones are kept.
  private func sync(_ node: Node) -> Settings.Clones.Sync? {
    let example = "{owner: acme}"
    let known = ["owner", "provider", "forks", "archived", "topics", "exclude"]
    guard let part = part(node, of: "sync", known: known, hint: "for example: sync: [\(example)]"),
      let owner = part.required("owner", example: "owner: acme"),
      let name = checkedText(
        owner.value, "owner takes the name of an account", hint: "for example: owner: acme, or HOST/acme",
        where: { !$0.isEmpty && !$0.hasPrefix("-") && Self.isLine($0) && !$0.contains(where: \.isWhitespace) }
      )
    else { return nil }
    var sync = Settings.Clones.Sync(owner: name)
    sync.provider = part["provider"].flatMap {
      checkedText($0.value, "provider takes the id of a provider", where: ProviderInfo.isID)
    }
    sync.forks = part.flag("forks") ?? sync.forks
    sync.archived = part.flag("archived") ?? sync.archived
    sync.topics = part["topics"].map { texts($0) } ?? []
    sync.exclude = part["exclude"].map { texts($0) } ?? []
    return sync
  }

  // MARK: Providers

  private func readProvider(_ entry: Member) {
    let start = problems.count
    var result = reading(.provider(entry.name)) { provider(entry) }
    if problems.count > start {
      // It is not used. Its token stays bound to its host, or to none.
      result = Settings.Provider(isEnabled: result.isEnabled, type: result.type)
      bindToNoHost(Self.variables(in: entry.value, depth: 2))
    }
    settings.providers[entry.name] = result
  }

  private func bindToNoHost(_ variables: Set<String>) {
    for variable in variables
    where settings.tokenHosts[variable] == nil && !TokenFinder.isForUsualHost(variable) {
      settings.tokenHosts[variable] = Self.noHost
    }
  }

  /// What could be read of the settings of a provider.
  private func provider(_ entry: Member) -> Settings.Provider {
    let (id, what) = (entry.name, "a provider")
    var result = Settings.Provider()
    guard let members = entries(entry.value, of: what, hint: "for example: \(id): {enabled: true}") else {
      return result
    }
    if let member = members.first(where: { $0.name == "enabled" }), let flag = member.value.bool {
      (result.isEnabled, settings.enabledPlaces[id]) = (flag, place(member.key))
    }
    let type: ProviderType
    if isAbsent(id, members) {
      // One whose type is only mistyped is not what is missing.
      if mistypedType(members) == nil { settings.absent.append((id, place(entry.key))) }
      type = ProviderType(name: id, isExternal: true)
    } else {
      do throws(YAMLProblem) { type = try self.type(of: entry, members) } catch {
        report(error)
        return result
      }
    }
    // An instance of a service may be called as its type.
    if type.name != id || type.isExternal && installed().types.contains(id) {
      result.type = type.name
      settings.added.append(id)
    }
    let special =
      type.isExternal ? ["url", "config", "secrets"] : type.host == nil ? [] : ["url", "secrets"]
    let simple = Settings.Provider.common + (isOfPlugin(id, type) ? Settings.Provider.ofPlugins : [])
    let known = ["enabled", "type"] + simple.map(\.name) + special
    guard let part = part(entry.value, of: what, known: known) else { return result }
    _ = part.flag("enabled")
    for setting in simple { setting.read(part)?(&result) }
    if type.isExternal {
      for member in members { checkPlace(of: member, in: id) }
      result.config = part["config"].map(config) ?? [:]
      if let url = part["url"] {
        // As in `config`, where the address of a server stands for manifests.
        let hint = "for example: url: \"https://HOST\""
        result.config["url"] = checkedText(url.value, "url takes an address", hint: hint) { !$0.isEmpty }
          .map { .string($0) }
      }
      let secrets = part["secrets"].map { variables($0) } ?? []
      for (name, all) in Dictionary(grouping: secrets, by: \.secret) {
        result.setSecret(name, all.map(\.variable))
      }
    } else if let host = type.host {
      readAddress(part, host, ofBuiltIn: type.name == id, &result)
    }
    return result
  }

  /// Whether an id is that of a plugin or of one of its providers.
  private func isOfPlugin(_ id: String, _ type: ProviderType) -> Bool {
    guard type.isExternal else { return false }
    let installed = installed()
    return installed.plugins[id] != nil || installed.plugin(ofProvider: id) != nil
  }

  private func place(_ key: Node) -> String { path + (key.mark.map { ":\($0.line)" } ?? "") }

  /// Checks that a setting is under the right one of a plugin's ids: `config`, `secrets` and `start` under
  /// that of the plugin, the others under those of its providers.
  private func checkPlace(of member: Member, in id: String) {
    let (name, installed) = (member.name, installed())
    let isOfPlugin =
      ["url", "config", "secrets"].contains(name)
      || Settings.Provider.ofPlugins.contains { $0.name == name }
    if isOfPlugin, let plugin = installed.plugin(ofProvider: id) {
      report(
        member.key, "\(name) is set for the plugin \(plugin), not for its provider \(id)",
        hint: "move it: \(plugin): {\(name): ...}")
    } else if !isOfPlugin, name != "type", let providers = installed.plugins[id], !providers.contains(id) {
      report(
        member.key,
        "\(name) is set for each provider of the plugin \(id): \(providers.joined(separator: ", "))",
        hint: "move it: \(providers.first ?? "ID"): {\(name): ...}")
    }
  }

  /// Whether an entry can only be for a plugin or manifest that is not installed: it has neither a type nor a
  /// url, and its id is near no other, or it has what a plugin or manifest has (gitlab is near github).
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

  /// The member that is probably the type of a provider, where none has this name.
  private func mistypedType(_ members: [Member]) -> Member? {
    let isGiven = members.contains { $0.name == "type" }
    return isGiven ? nil : members.first { NearestName.of($0.name, among: ["type"]) != nil }
  }

  /// Whether an id is near another one and no variant of it, as `acme2` is of `acme`.
  private func isSlip(_ id: String, among known: [String]) -> Bool {
    guard let near = NearestName.of(id, among: known) else { return false }
    return !id.hasPrefix(near) || id.dropFirst(near.count).first?.isLetter != false
  }

  /// The type of an entry: its `type`, else that of the built-in provider, the plugin or the manifest with
  /// its id.
  private func type(of entry: Member, _ members: [Member]) throws(YAMLProblem) -> ProviderType {
    let (key, id) = (entry.key, entry.name)
    let builtIn = types.first { $0.name == id }
    let typeValue = members.first { $0.name == "type" }?.value
    // The usual settings of a built-in provider need no look at what is installed.
    let isUsual = builtIn != nil && (typeValue.map { StrictYAML.text($0) == id } ?? true)
    let installed = isUsual ? InstalledIDs() : installed()
    let known = installed.all.contains(id) ? ProviderType(name: id, isExternal: true) : builtIn
    guard let value = typeValue else {
      if let known { return known }
      if let key = mistypedType(members) {
        throw StrictYAML.unknown(key.key, key.name, among: ["type"])
      }
      try StrictYAML.check(
        entry, among: types.map(\.name) + installed.all, what: "provider",
        hint:
          "to add a server, write: \(id): {type: github, url: \"https://HOST/api/v3\"}; a plugin must be installed first"
      )
      throw StrictYAML.wrong(key, "\"\(id)\" has no type")
    }
    let offered =
      types + (installed.manifests + installed.types).map { ProviderType(name: $0, isExternal: true) }
    let names = offered.map(\.name)
    guard let type = offered.first(where: { $0.name == StrictYAML.text(value) }) else {
      let given = StrictYAML.text(value) ?? ""
      let hint =
        InstalledIDs.bundledManifests.contains(given)
        ? "\(given) is a manifest that was not found: \(Remedy.installManifest.text)"
        : NearestName.hint(for: given, among: names, written: { "\"\($0)\"" })
      let wrongValue = given.isEmpty ? "" : ", not \"\(given)\""
      throw StrictYAML.wrong(
        value, "type takes \(HumanFormat.alternatives(names))\(wrongValue)",
        hint: hint ?? "for example: type: github")
    }
    if let known {
      guard known.name == type.name else {
        throw StrictYAML.wrong(
          value, "\"\(id)\" is \(known.isExternal ? "installed" : "built in") and of type \(id)",
          hint: "give the other provider an id of its own")
      }
      return type
    }
    guard ProviderInfo.isID(id) else {
      throw StrictYAML.wrong(
        key, "\"\(id)\" cannot be the id of a provider",
        hint:
          "an id has at most \(ProviderInfo.longestID) lower-case letters, digits, -, _ and ., the first a letter or digit"
      )
    }
    guard type.host != nil || type.isExternal else {
      throw StrictYAML.wrong(
        value, "there is only one provider of type \(type.name), the built-in one",
        hint: "configure that one, \(type.name), or choose another type")
    }
    return type
  }

  /// The settings of a plugin or a manifest, by name.
  private func config(_ member: Member) -> [String: JSONTree] {
    Dictionary(entries(member).map { ($0.name, tree($0.value)) }, uniquingKeysWith: { _, last in last })
  }

  // MARK: Servers and secrets

  /// Reads the address of a server and the variable with its token.
  ///
  /// - Parameters:
  ///   - host: The host of an address; of none that of the built-in provider.
  ///   - isBuiltIn: Whether the entry is that of the built-in provider, which needs no address.
  private func readAddress(
    _ part: YAMLPart<SettingsReader>, _ host: (String?) throws(SearchError) -> String,
    ofBuiltIn isBuiltIn: Bool,
    _ result: inout Settings.Provider
  ) {
    var address: String?
    if let member = isBuiltIn ? part["url"] : part.required("url", example: "url: \"https://HOST/api/v3\"") {
      address = checkedText(
        member.value, "url takes an address", hint: "for example: url: \"https://HOST/api/v3\""
      ) { !$0.isEmpty }
    }
    guard address != nil || isBuiltIn && part["url"] == nil else { return }
    do throws(SearchError) {
      let host = try host(address)
      result.address = address
      if let secrets = part["secrets"] {
        result.setSecret("token", tokenVariables(secrets, host: host))
        result.tokenVariable = result.secrets.removeValue(forKey: "token")
      }
    } catch {
      report(part["url"]?.value ?? part.node, error.message, hint: error.hint)
    }
  }

  /// The variables in `{token: {env: NAME}}`.
  private func tokenVariables(_ member: Member, host: String) -> [OwnedVariable] {
    var found: [OwnedVariable] = []
    for (_, variable, value) in variables(member, among: ["token"]) {
      let text = variable.name
      if !TokenFinder.isMeant(text, for: host) {
        report(
          value, "\(text) does not hold a token for \(host)",
          hint: "use GH_TOKEN or GITHUB_TOKEN for github.com, any other variable for other hosts")
      } else if let other = settings.tokenHosts[text], other != host {
        let owner = other == Self.noHost ? "a provider whose settings are wrong" : other
        report(
          value, "\(text) is already the token for \(owner), and is sent to no other host",
          hint: "use one variable for each host")
      } else {
        settings.tokenHosts[text] = host
        found.append(variable)
      }
    }
    return found
  }

  /// The variables in `{NAME: {env: VARIABLE}}`, or of a list of these with `owners`, with their nodes, in
  /// the order of the file.
  ///
  /// - Parameter names: The names that are known, `nil` for any.
  private func variables(_ member: Member, among names: [String]? = nil) -> [(
    secret: String, variable: OwnedVariable, node: Node
  )] {
    let advice = "write secrets: {token: {env: NAME}}; the secret itself stays in the variable NAME"
    var result: [(String, OwnedVariable, Node)] = []
    for entry in entries(member.value, of: "secrets", hint: advice) ?? [] {
      if let names, !names.contains(entry.name) {
        report(StrictYAML.unknown(entry.key, entry.name, among: names, hint: advice))
        continue
      }
      let what = names == nil ? "a secret" : entry.name
      let several = entry.value.sequence.map(Array.init)
      for node in several ?? [entry.value] {
        let known = several == nil ? ["env"] : ["env", "owners"]
        guard let part = part(node, of: what, known: known, hint: advice), let value = part["env"]?.value
        else {
          continue
        }
        let variable = checkedText(
          value, "env takes the name of a variable: capital letters, digits and _", hint: advice,
          where: Self.isVariable)
        guard let variable else { continue }
        result.append(
          (entry.name, OwnedVariable(name: variable, owners: part["owners"].map(owners) ?? []), value))
      }
    }
    return result
  }

  /// The accounts that a secret is for.
  private func owners(_ member: Member) -> [String] {
    let nodes = member.value.sequence.map(Array.init) ?? [member.value]
    let owners = nodes.compactMap { node in
      checkedText(
        node, "owners takes names of accounts", hint: "for example: owners: [acme, \"acme-*\"]"
      ) { !$0.isEmpty && !$0.contains { $0.isWhitespace } }
    }
    if nodes.isEmpty {
      report(
        member.value, "owners takes names of accounts", hint: "leave it out for a secret of all accounts")
    }
    return owners
  }

  /// The variables that are named anywhere below a node, also in parts that are not understood: git, a pager,
  /// a browser and an editor get none of them. The settings under `config` of a provider are no secrets.
  ///
  /// - Parameter depth: How deep the node is in the file, 0 for the whole; that of a provider is 2.
  private static func variables(in node: Node, depth: Int) -> Set<String> {
    switch node {
    case .mapping(let mapping):
      mapping.reduce(into: []) { found, member in
        let name = StrictYAML.text(member.key)
        if name == "config", depth == 2 { return }
        if name == "env", let variable = StrictYAML.text(member.value) {
          if isVariable(variable) { found.insert(variable) }
        } else {
          found.formUnion(variables(in: member.value, depth: depth + 1))
        }
      }
    case .sequence(let sequence):
      sequence.reduce(into: []) { $0.formUnion(variables(in: $1, depth: depth + 1)) }
    case .scalar, .alias: []
    }
  }

  /// Whether a text is the name of a variable.
  ///
  /// Only capital letters are accepted: a token that is written here by mistake has others, and must not be
  /// shown as a name.
  static func isVariable(_ text: String) -> Bool {
    guard let first = text.first, !("0"..."9").contains(first), text.utf8.count <= longestVariable else {
      return false
    }
    return text.consists(of: "A"..."Z", "0"..."9", and: "_")
  }
}

extension YAMLPart<SettingsReader> {
  /// A number above 0; another value is reported.
  func number(_ name: String, _ what: String, upTo maximum: Int) -> Double? {
    guard let value = self[name]?.value else { return nil }
    if let number = value.float ?? value.int.map(Double.init), number > 0, number <= Double(maximum) {
      return number
    }
    reader.report(value, "\(name) takes \(what) above 0, at most \(maximum)")
    return nil
  }

  /// A time in seconds.
  func seconds(_ name: String, upTo maximum: Int) -> Duration? {
    number(name, "seconds", upTo: maximum).map { .milliseconds(max(1, Int($0 * 1000))) }
  }
}

extension Settings.Provider {
  /// Sets the variables of a secret, in the order of the file.
  fileprivate mutating func setSecret(_ name: String, _ variables: [OwnedVariable]) {
    secrets[name] = (variables.first { $0.owners.isEmpty } ?? variables.first)?.name
    if variables.count > 1 || variables.contains(where: { !$0.owners.isEmpty }) {
      ownedSecrets[name] = variables
    }
  }
}
