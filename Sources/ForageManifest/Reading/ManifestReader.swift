import ForageCore
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
      // Stable: problems of one line keep the order in which they were found.
      let sorted = reader.problems.enumerated().sorted {
        ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
      }
      throw ManifestProblems(path: path, problems: sorted.map(\.element))
    }
    return manifest
  }
}

/// Parses the tree of a manifest and collects its problems.
///
final class ManifestReader: YAMLReader {
  let path: String
  var problems: [YAMLProblem] = []
  /// The types of fields, including those that the manifest declares.
  var types = FieldType.known
  /// The base address as written, to which `{base}` refers.
  var base: String?
  /// The qualifiers of its own that are not sent.
  var localQualifiers: [QualifierDefinition] = []
  var hosts: [String] = []

  init(path: String) { self.path = path }

  static let keys = [
    "forage", "id", "name", "kinds", "group", "base", "hosts", "auth", "rate", "text", "needsText",
    "booleans",
    "qualifiers", "request", "paging", "sorts", "items", "fields", "map", "total", "feed", "errors",
    "retryAfter",
  ]

  func manifest(_ root: Node) -> Manifest? {
    guard case .mapping = root, let part = part(root, of: "a manifest", known: Self.keys) else {
      if problems.isEmpty {
        report(root, "a manifest must be a mapping (name: value)", hint: "begin with: forage: 1")
      }
      return nil
    }
    readVersion(part)
    let id = part.required("id", example: "id: acme").flatMap(identifier)
    let name = part.required("name", example: "name: Acme").flatMap(plainName)
    let kind = part.required("kinds", example: "kinds: [repo]").flatMap(kind)
    // Read first, because the other keys refer to them.
    if let member = part["fields"] { readFields(member) }
    if let member = part["hosts"] { readHosts(member) }
    if let member = part["base"] { readBase(member) }
    let search = list(part, parent: nil)
    let feed = part["feed"].flatMap { self.feed($0, search: search) }
    var rest = Manifest(
      path: path, id: id ?? "", name: name ?? "", kind: kind ?? .repo, group: nil, base: base, hosts: hosts,
      search: search ?? .unread)
    readBehaviour(part, &rest)
    if let member = part["qualifiers"] {
      rest.qualifiers = qualifiers(member, kind: kind, map: search?.map)
      rest.localQualifiers = localQualifiers
    }
    checkWhole(part, rest, isSearchRead: search != nil)
    guard id != nil, name != nil, kind != nil, search != nil else { return nil }
    rest.feed = feed
    return rest
  }

  private func readVersion(_ part: Part) {
    guard let member = part["forage"] else {
      if part.misspelled.contains("forage") { return }
      return report(part.node, "\"forage\" is missing", hint: "begin with: forage: \(Manifest.version)")
    }
    guard let number = member.value.int else {
      return report(member.value, "forage takes the version of the format", hint: "write: forage: 1")
    }
    if number != Manifest.version {
      report(
        member.value, "this is format \(number), but this program supports format \(Manifest.version)",
        hint: number > Manifest.version ? "update the program" : "write: forage: \(Manifest.version)")
    }
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

  private func kind(_ member: Member) -> ResultKind? {
    let names = member.value.sequence.map { $0.compactMap(StrictYAML.text) }
    guard let names, names.count == member.value.sequence?.count, !names.isEmpty else {
      report(member.value, "kinds takes a list of names", hint: "for example: kinds: [repo]")
      return nil
    }
    guard names.count == 1, let name = names.first else {
      report(
        member.value, "a manifest has one kind of results, but this one has \(names.count)",
        hint: "write a manifest for each kind")
      return nil
    }
    guard name.consists(of: "a"..."z"), !name.isEmpty else {
      report(
        member.value, "\"\(name)\" is not a valid kind",
        hint: "known kinds: " + ResultKind.known.map(\.rawValue).joined(separator: " "))
      return nil
    }
    return ResultKind(rawValue: name)
  }

  private func readFields(_ member: Member) {
    for field in entries(member) {
      guard Self.isFieldName(field.name), FieldType.known[field.name] == nil,
        !Self.mapKeys.contains(field.name)
      else {
        report(
          field.key, "\"\(field.name)\" is not a valid name for a field of your own",
          hint: "use letters and digits, beginning with a lower-case letter, and no known field name")
        continue
      }
      if let type = word(field, FieldType.self) { types[field.name] = type }
    }
  }

  private static let longestField = 40

  private static func isFieldName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first), name.utf8.count <= longestField
    else { return false }
    return name.consists(of: "a"..."z", "A"..."Z", "0"..."9")
  }
}

package struct ManifestProblems: Error, Hashable, Sendable {
  package var path: String
  /// The problems in the order of their lines; never empty.
  package var problems: [YAMLProblem]

  /// One line per problem, for example `acme.yaml:4: "wieght" is not a known key`.
  package var lines: [String] { problems.map { $0.text(path: path) } }
}
