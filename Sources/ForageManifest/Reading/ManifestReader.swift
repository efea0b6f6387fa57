import ForageCore
import ForageHTTP
package import ForageYAML
import Yams

extension Manifest {
  /// Parses a manifest strictly.
  ///
  /// - Parameters:
  ///   - bytes: The complete file in UTF-8.
  ///   - path: The file's path, for messages.
  /// - Throws: `ManifestProblems` with all problems, each with line and hint.
  package static func read(_ bytes: some Collection<UInt8>, path: String) throws(ManifestProblems) -> Manifest
  {
    let reader = ManifestReader(path: path)
    var manifest: Manifest?
    do throws(YAMLProblem) {
      guard let root = try StrictYAML.document(bytes) else {
        throw YAMLProblem(line: nil, "the file is empty", hint: "begin with: forage: \(Manifest.version)")
      }
      manifest = reader.manifest(root)
    } catch {
      reader.report(error)
    }
    guard let manifest, reader.problems.isEmpty else {
      throw ManifestProblems(path: path, problems: reader.sortedProblems)
    }
    return manifest
  }
}

/// Parses the tree of a manifest and collects its problems.
final class ManifestReader: YAMLReader {
  let path: String
  var problems: [YAMLProblem] = []
  /// The types of fields, including those that the manifest declares.
  var types = FieldType.known
  /// The private hosts that the manifest declares, and the hosts that may receive the secret.
  var hosts: [String] = []
  var hasAuth = false

  init(path: String) { self.path = path }

  /// The keys that concern all kinds.
  private static let keys = [
    "forage", "id", "name", "kinds", "base", "hosts", "auth", "rate", "errors", "retryAfter", "fields",
    "forge", "aliases", "site",
  ]
  /// The keys of a kind, which stand at the top level for every kind that does not have them itself.
  private static let kindKeys = [
    "request", "paging", "sorts", "items", "map", "total", "partial", "text", "needsText", "needsToken",
    "qualifiers", "feed", "details", "variants", "page", "wider",
  ]
  private static let kindsExample = "kinds: [repo], or kinds: {repo: {request: ...}, issue: {request: ...}}"

  func manifest(_ root: Node) -> Manifest? {
    guard case .mapping = root, let part = part(root, of: "a manifest", known: Self.keys + Self.kindKeys)
    else {
      if problems.isEmpty {
        report(root, "a manifest must be a mapping (name: value)", hint: "begin with: forage: 1")
      }
      return nil
    }
    readVersion(part)
    let id = part.required("id", example: "id: acme").flatMap(identifier)
    let name = part.required("name", example: "name: Acme").flatMap(plainName)
    // Read first, because the kinds refer to them.
    let fields = part["fields"].map { fieldDefinitions($0, reserved: Self.mapKeys) } ?? []
    for field in fields { types[field.name.rawValue] = field.type }
    if let member = part["hosts"] { readHosts(member) }
    let base = part["base"].flatMap(base)
    let auth = part["auth"].flatMap(auth)
    hasAuth = part["auth"] != nil
    let kinds = part.required("kinds", example: "kinds: [repo]").map { kindParts($0, in: part) } ?? []
    // All problems are told at once, also if the kind is not known.
    if kinds.isEmpty, part["request"] != nil { _ = kind(.repo, part) }
    var manifest = Manifest(
      path: path, id: id ?? "", name: name ?? "", base: base, hosts: hosts, auth: auth,
      kinds: kinds.compactMap { kind($0.kind, $0.part) })
    manifest.fields = fields
    manifest.perSecond = part["rate"].flatMap(rate)
    if let member = part["errors"] { manifest.errors = errors(member) }
    if let member = part["aliases"] { manifest.aliases = aliases(member) }
    manifest.site = part["site"].flatMap { member in
      checkedText(member.value, "site takes a host", hint: "for example: site: acme.example") {
        HTTPURL("https://" + $0)?.authority == $0
      }
    }
    manifest.retryAfter = part.path("retryAfter")
    manifest.forge = part["forge"].flatMap { forge($0, repositories: kinds.first { $0.kind == .repo }?.part) }
    for member in kinds.compactMap({ $0.part["wider"] }) { check(member, in: manifest, part) }
    guard id != nil, name != nil, !kinds.isEmpty, manifest.kinds.count == kinds.count else { return nil }
    if base != nil, !manifest.usesBase, let member = part["base"] {
      report(member.key, "no url begins with {base}", hint: "write: url: \"{base}/...\", or remove base")
    }
    return manifest
  }

  /// The problems in the order of their lines, each once: what stands at the top level is read for every
  /// kind.
  fileprivate var sortedProblems: [YAMLProblem] {
    var seen: Set<YAMLProblem> = []
    return problems.filter { seen.insert($0).inserted }.inOrder
  }

  private func readVersion(_ part: Part) {
    guard let member = part.required("forage", example: "forage: \(Manifest.version)") else { return }
    let number = member.value.int
    guard number != Manifest.version else { return }
    report(
      member.value,
      number.map { "this is format \($0), but this program supports format \(Manifest.version)" }
        ?? "forage takes the version of the format",
      hint: number ?? 0 > Manifest.version ? "update the program" : "write: forage: \(Manifest.version)")
  }

  private func identifier(_ member: Member) -> String? {
    checkedText(
      member.value, "id takes a name of lower-case letters, digits, -, _ and .",
      hint: "it begins with a letter or digit and has at most \(ProviderInfo.longestID) characters",
      where: ProviderInfo.isID)
  }

  private func plainName(_ member: Member) -> String? {
    checkedText(
      member.value, "\(member.name) takes a text on one line, of at most \(Manifest.longestName) characters"
    ) { Self.isLine($0) && $0.count <= Manifest.longestName }
  }

  private func aliases(_ member: Member) -> [String: String] {
    entries(member, example: "aliases: {acme-cloud: Acme Cloud}").reduce(into: [:]) { aliases, entry in
      guard ProviderInfo.isID(entry.name) else {
        return report(
          entry.key, "\"\(entry.name)\" cannot be a type", hint: "use lower-case letters and digits")
      }
      aliases[entry.name] = plainName(entry)
    }
  }

  // MARK: Kinds

  /// The kinds with their keys, each with those of the top level that it does not have itself.
  private func kindParts(_ member: Member, in top: Part) -> [(kind: ResultKind, part: Part)] {
    if let nodes = member.value.sequence, !nodes.isEmpty {
      if nodes.count > 1 {
        report(
          member.value, "a list of kinds has one name, but this one has \(nodes.count)",
          hint: "write a mapping: kinds: {repo: {request: ...}, issue: {request: ...}}")
        return []
      }
      return nodes.first.flatMap(kindName).map { [($0, top)] } ?? []
    }
    guard let mapping = member.value.mapping, !mapping.isEmpty else {
      report(
        member.value, "kinds takes a list with a name, or a mapping of names",
        hint: "for example: " + Self.kindsExample)
      return []
    }
    return entries(member).compactMap { entry in
      guard let kind = kindName(entry.key), let own = part(entry, Self.kindKeys) else { return nil }
      return (kind, own.inheriting(Self.kindKeys, from: top))
    }
  }

  private func kindName(_ node: Node) -> ResultKind? {
    checkedText(
      node, "\"\(StrictYAML.text(node) ?? "")\" is not a valid kind",
      hint: "known kinds: " + ResultKind.known.map(\.rawValue).joined(separator: " ")
    ) { !$0.isEmpty && $0.consists(of: "a"..."z") }.map(ResultKind.init(rawValue:))
  }

  private func kind(_ kind: ResultKind, _ part: Part) -> ManifestKind? {
    let search = list(part)
    let feed = part["feed"].flatMap {
      self.feed($0, in: part, further: kind == .notification ? ["all"] : [])
    }
    let text = part["text"].flatMap(text) ?? TextRules()
    let needsToken = part.flag("needsToken") ?? false
    if needsToken, !hasAuth, let member = part["needsToken"] {
      report(member.key, "needsToken requires auth", hint: "add: auth: {secret: token, bearer: true}")
    }
    let qualifiers = part["qualifiers"].map { self.qualifiers($0, of: kind, map: search?.map) }
    let needsText = part.flag("needsText")
    let details = part["details"].flatMap { self.details($0, of: kind) }
    let page = part["page"].flatMap {
      self.page($0, ["text"], example: "page: \"{base}/search?q={text|query}\"")
    }
    let variants = part["variants"].map { self.variants($0, of: kind, in: part) } ?? []
    let wider = part["wider"].flatMap { self.wider($0, in: part) }
    guard let search else { return nil }
    return ManifestKind(
      kind: kind, text: text, needsText: needsText, needsToken: needsToken,
      qualifiers: qualifiers?.sent ?? [:], localQualifiers: qualifiers?.local ?? [], search: search,
      feed: feed, wider: wider, page: page, details: details, variants: variants)
  }

  /// The keys of a variant whose members are added to those of its kind.
  private static let mergedKeys = ["map", "qualifiers"]

  /// Reads further lists of a kind, each with what it does not say itself from the kind.
  private func variants(_ member: Member, of kind: ResultKind, in parent: Part) -> [(
    name: String, kind: ManifestKind
  )] {
    let keys = Self.kindKeys.filter { !["feed", "variants", "wider"].contains($0) }
    let inherited = keys.filter { $0 != "details" }
    return entries(member, example: "variants: {pr: {request: {url: \"{base}/merge_requests\"}}}").compactMap
    {
      entry in
      guard let own = part(entry, keys) else { return nil }
      let merged = own.adding(Self.mergedKeys, from: parent).inheriting(inherited, from: parent)
      guard var read = self.kind(kind, merged) else { return nil }
      read.variant = entry.name
      return (entry.name, read)
    }
  }
}

package struct ManifestProblems: Error, Hashable, Sendable {
  package var path: String
  /// The problems in the order of their lines; never empty.
  package var problems: [YAMLProblem]

  /// One line per problem, for example `acme.yaml:4: "wieght" is not a known key`.
  package var lines: [String] { problems.map { $0.text(path: path) } }
}
