import ForageCore
import ForagePluginProtocol
import ForageYAML
import Yams

/// Reads a `plugin.json` and collects its problems; `PluginManifestReader+kinds` has what it declares of
/// results.
final class PluginManifestReader: YAMLReader {
  typealias Part = YAMLPart<PluginManifestReader>
  typealias Member = StrictYAML.Member

  private static let keys = [
    "forage", "id", "name", "version", "command", "build", "files", "kinds", "fields", "concurrency", "hosts",
    "secrets", "auth", "config", "providers", "actions",
  ]
  private static let authKeys = ["secret", "header", "prefix"]
  /// The header fields that say where a request goes and how it is sent.
  private static let headersOfRequests: Set<String> = [
    "host", "connection", "content-length", "content-type", "transfer-encoding", "accept", "accept-encoding",
    "range", "user-agent",
  ]
  private static let providerKeys = ["id", "name", "kinds", "fields", "concurrency", "hosts"]
  private static let settingKeys = ["default", "description"]
  private static let concurrencyLimit = 16

  var problems: [YAMLProblem] = []

  /// Reads a complete file.
  static func read(_ bytes: some Collection<UInt8>) -> (manifest: PluginManifest?, problems: [YAMLProblem]) {
    let reader = PluginManifestReader()
    var manifest: PluginManifest?
    do throws(YAMLProblem) {
      guard let root = try StrictYAML.document(bytes) else {
        throw YAMLProblem(
          line: nil, "the file is empty", hint: "begin with: {\"forage\": \(PluginProtocol.version),")
      }
      if let file = reader.part(root, of: "plugin.json", known: keys) { manifest = reader.manifest(file) }
    } catch {
      reader.report(error)
    }
    return (manifest, reader.problems.inOrder)
  }

  private func manifest(_ file: Part) -> PluginManifest? {
    if let version = file.required("forage", example: "\"forage\": \(PluginProtocol.version)"),
      version.value.int != PluginProtocol.version
    {
      report(
        version.value, "\"forage\" must be \(PluginProtocol.version)",
        hint: "a higher number requires a newer version of this program")
    }
    let id = file.required("id", example: "\"id\": \"acme\"").flatMap(identifier)
    let name = file.required("name", example: "\"name\": \"Acme\"").flatMap(text)
    let version = file.required("version", example: "\"version\": \"1.0.0\"").flatMap(text)
    let command = file.required("command", example: "\"command\": [\"python3\", \"acme.py\"]")
    let words = texts(command, isRequired: true, canRepeat: true) ?? []
    let build = texts(file["build"], isRequired: true, canRepeat: true) ?? []
    let isInside = { PluginManifest.isInside(PluginManifest.plainName($0)) }
    let files = (texts(file["files"], where: isInside, "a relative path in the plugin's folder") ?? [])
      .map(PluginManifest.plainName)
    if let command, let word = words.first { checkProgram(word, of: command, files) }
    let hosts = texts(
      file["hosts"], where: PluginManifest.isHost, "a valid host; use a lower-case name without https://")
    let secrets = texts(
      file["secrets"], where: PluginManifest.isName, "a valid name; use letters, digits, - and _")
    let auth = file["auth"].flatMap { self.auth($0, secrets ?? [], hosts ?? []) }
    let config = settings(file["config"])
    let providers = providers(file, id: id ?? "", name: name ?? "", hosts: hosts ?? [])
    let owners = Set(providers.map(\.info.id) + (hosts ?? []))
    let actions = file["actions"].map { self.actions($0, plugin: id, owners: owners) }
    for word in (actions ?? []).compactMap(\.command.first) where word.contains("/") && !word.hasPrefix("/") {
      guard let member = file["actions"], !files.contains(PluginManifest.plainName(word)) else { continue }
      report(member.value, "\"run\" begins with \"\(word)\", which is not in \"files\"")
    }
    guard let id, let name, let version, problems.isEmpty else { return nil }
    return PluginManifest(
      id: id, name: name, version: version, command: words, build: build, files: files, hosts: hosts ?? [],
      secrets: secrets ?? [], auth: auth, config: config, actions: actions ?? [], providers: providers)
  }

  private func identifier(_ member: Member) -> String? {
    checkedText(
      member.value,
      "\"id\" must be lower-case letters, digits, -, _ and ., at most \(ProviderInfo.longestID)",
      where: ProviderInfo.isID)
  }

  /// Checks the first word of the command line: a path must be that of a file that trust covers, or absolute.
  private func checkProgram(_ word: String, of command: Member, _ files: [String]) {
    guard word.contains("/") else { return }
    switch PluginProgram(word, files: files) {
    case .search:
      report(
        command.value,
        "\"command\" begins with \"\(word)\", which is not in \"files\" and does not begin with / or ./")
    case .file(let name) where !PluginManifest.isInside(name):
      report(command.value, "\"command\" begins with \"\(word)\", which is outside the plugin's folder")
    default: break
    }
  }

  private func auth(_ member: Member, _ secrets: [String], _ hosts: [String]) -> PluginManifest.Auth? {
    guard let part = part(member, Self.authKeys),
      let secret = part.required("secret", example: "\"secret\": \"token\"").flatMap(text)
    else { return nil }
    if !secrets.contains(secret) {
      report(member.value, "\"auth\" names the secret \"\(secret)\", which is not one of the \"secrets\"")
    }
    if hosts.isEmpty { report(member.key, "\"auth\" needs \"hosts\", to which the secret is sent") }
    let header = part["header"].flatMap(text) ?? "Authorization"
    let isName = header.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "-_")
    if let given = part["header"], !isName || Self.headersOfRequests.contains(header.lowercased()) {
      report(given.value, "\"header\" is \"\(header)\", which is not the name of a header field for a secret")
    }
    let isUsual = header.lowercased() == "authorization"
    return PluginManifest.Auth(
      secret: secret, header: header, prefix: part["prefix"].flatMap(text) ?? (isUsual ? "Bearer " : ""))
  }

  private func settings(_ member: Member?) -> [String: PluginManifest.Setting] {
    var settings: [String: PluginManifest.Setting] = [:]
    for entry in member.map({ entries($0) }) ?? [] {
      guard PluginManifest.isName(entry.name) else {
        report(entry.key, "\"\(entry.name)\" is not a valid name", hint: "use letters, digits, - and _")
        continue
      }
      guard let setting = part(entry, Self.settingKeys) else { continue }
      settings[entry.name] = PluginManifest.Setting(
        standard: setting["default"].map { tree($0.value) }, description: setting["description"].flatMap(text)
      )
    }
    return settings
  }

  // MARK: Providers

  /// The providers: those of `providers`, or the one whose kinds are members of the file.
  private func providers(_ file: Part, id: String, name: String, hosts: [String]) -> [PluginManifest.Provider]
  {
    guard let member = file["providers"] else { return [provider(file, id: id, name: name, hosts: hosts)] }
    for key in ["kinds", "fields", "concurrency"] {
      guard let own = file[key] else { continue }
      report(own.key, "\"\(key)\" must be in each of the \"providers\", because the file has them")
    }
    guard let nodes = member.value.sequence, (1...PluginManifest.listLimit).contains(nodes.count) else {
      report(member.value, "\"providers\" must be a list of at least one provider")
      return []
    }
    var result: [PluginManifest.Provider] = []
    for node in nodes {
      guard let part = part(node, of: "a provider", known: Self.providerKeys),
        let member = part.required("id", example: "\"id\": \"acme\""), let id = identifier(member)
      else { continue }
      if result.contains(where: { $0.info.id == id }) {
        report(member.value, "\"id\" is \"\(id)\", as that of another provider")
      }
      let own = texts(part["hosts"], where: hosts.contains, "one of the \"hosts\" of the plugin")
      result.append(provider(part, id: id, name: part["name"].flatMap(text) ?? id, hosts: own ?? hosts))
    }
    return result
  }

  private func provider(_ part: Part, id: String, name: String, hosts: [String]) -> PluginManifest.Provider {
    var provider = PluginManifest.Provider(
      info: ProviderInfo(id: id, name: name, hosts: hosts, timeLimit: PluginProtocol.Limits.search),
      kinds: [:],
      detailedKinds: [], concurrency: part.whole("concurrency", 1...Self.concurrencyLimit) ?? 1)
    if let fields = part["fields"] { provider.info.fields = fieldDefinitions(fields) }
    if let kinds = part.required("kinds", example: "\"kinds\": [\"repo\"]") { readKinds(kinds, &provider) }
    return provider
  }

  // MARK: Texts

  /// A text that is not empty.
  func text(_ member: Member) -> String? {
    if let text = Self.text(member.value) { return text }
    report(member.value, "\"\(member.name)\" must be a non-empty text")
    return nil
  }

  private static func text(_ node: Node) -> String? {
    guard !StrictYAML.isNothing(node), let text = StrictYAML.text(node) else { return nil }
    return text.isEmpty || text.utf8.contains(0) ? nil : text
  }

  /// A list of texts; `nil` if there is none. What is not valid is reported and left out.
  ///
  /// - Parameters:
  ///   - isRequired: Whether the list must have a text.
  ///   - canRepeat: Whether a text may occur twice.
  ///   - isValid: Whether a text is valid.
  ///   - rule: What each text must be, for use after "is not".
  func texts(
    _ member: Member?, isRequired: Bool = false, canRepeat: Bool = false,
    where isValid: (String) -> Bool = { _ in true }, _ rule: String = ""
  ) -> [String]? {
    guard let member else { return nil }
    let name = member.name
    guard let nodes = member.value.sequence, nodes.count <= PluginManifest.listLimit,
      !(isRequired && nodes.isEmpty)
    else {
      report(member.value, "\"\(name)\" must be a list of texts" + (isRequired ? ", at least one" : ""))
      return nil
    }
    var texts: [String] = []
    for node in nodes {
      guard let text = Self.text(node) else {
        report(node, "\"\(name)\" must contain non-empty texts")
        continue
      }
      if !canRepeat, texts.contains(text) {
        report(node, "\"\(name)\" contains \"\(text)\" twice")
      } else if !isValid(text) {
        report(node, "\"\(name)\" has \"\(text)\", which is not \(rule)")
      } else {
        texts.append(text)
      }
    }
    return texts
  }
}
