import ForageCore
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
/// Each function reads one part. A part that cannot be read is reported once and returned as `nil`.
final class ManifestReader {
  typealias Member = StrictYAML.Member

  let path: String
  private(set) var problems: [YAMLProblem] = []
  private var meant: Set<Meaning> = []
  /// The types of fields, including those that the manifest declares.
  var types = FieldType.known
  /// The base address as written, to which `{base}` refers.
  var base: String?
  /// The qualifiers of its own that are not sent.
  var localQualifiers: [QualifierDefinition] = []
  /// The declared hosts.
  var hosts: [String] = []

  init(path: String) { self.path = path }

  static let keys = [
    "forage", "id", "name", "kinds", "group", "base", "hosts", "auth", "rate", "text", "needsText",
    "booleans",
    "qualifiers", "request", "paging", "sorts", "items", "fields", "map", "total", "feed", "errors",
    "retryAfter",
  ]

  func report(_ problem: YAMLProblem) { problems.append(problem) }

  func report(_ node: Node, _ message: String, hint: String? = nil) {
    problems.append(StrictYAML.wrong(node, message, hint: hint))
  }

  /// Calls a throwing function and records its problem.
  func noting<Value>(_ body: () throws(YAMLProblem) -> Value) -> Value? {
    do throws(YAMLProblem) { return try body() } catch {
      report(error)
      return nil
    }
  }

  /// The members of a mapping by name. Unknown keys are reported with the nearest known one.
  func members(_ node: Node, of what: String, known: [String], hint: String? = nil) -> [String: Member]? {
    let read = noting { () throws(YAMLProblem) in try StrictYAML.members(node, of: what, hint: hint) }
    guard let read else { return nil }
    var found: [String: Member] = [:]
    for member in read {
      if noting({ () throws(YAMLProblem) in try StrictYAML.check(member, among: known, hint: hint) }) != nil {
        found[member.name] = member
      } else {
        noteMeaning(of: member.name, in: node, among: known)
      }
    }
    return found
  }

  /// Records which known name a misspelled name stands for, so that it is not reported as missing too.
  func noteMeaning(of name: String, in node: Node, among known: [String]) {
    if let nearest = NearestName.of(name, among: known) { meant.insert(Meaning(node, nearest)) }
  }

  /// Whether a name is missing in a mapping, rather than misspelled.
  func isMissing(_ name: String, in node: Node) -> Bool { !meant.contains(Meaning(node, name)) }

  private struct Meaning: Hashable {
    var line: Int?
    var column: Int?
    var name: String

    init(_ node: Node, _ name: String) {
      (line, column) = (node.mark?.line, node.mark?.column)
      self.name = name
    }
  }

  func manifest(_ root: Node) -> Manifest? {
    guard case .mapping = root,
      let members = self.members(root, of: "a manifest", known: Self.keys)
    else {
      if problems.isEmpty {
        report(root, "a manifest must be a list of \"name: value\"", hint: "begin with: forage: 1")
      }
      return nil
    }
    readVersion(members["forage"], root)
    let id = required(members, "id", root, example: "id: acme").flatMap { self.identifier($0) }
    let name = required(members, "name", root, example: "name: Acme").flatMap { self.plainName($0) }
    let kind = required(members, "kinds", root, example: "kinds: [repo]").flatMap { self.kind($0) }
    // Read first, because the other keys refer to them.
    if let member = members["fields"] { readFields(member) }
    if let member = members["hosts"] { readHosts(member) }
    if let member = members["base"] { readBase(member) }
    let search = list(members, root, kind: kind, parent: nil)
    let feed = members["feed"].flatMap { self.feed($0, kind: kind, search: search) }
    var rest = Manifest(
      path: path, id: id ?? "", name: name ?? "", kind: kind ?? .repo, group: nil, base: base, hosts: hosts,
      search: search ?? .unread)
    readBehaviour(members, &rest)
    if let member = members["qualifiers"] {
      rest.qualifiers = qualifiers(member, kind: kind, map: search?.map, booleans: rest.booleans)
      rest.localQualifiers = localQualifiers
    }
    checkWhole(members, root, rest, isSearchRead: search != nil)
    guard id != nil, name != nil, kind != nil, search != nil else { return nil }
    rest.feed = feed
    return rest
  }

  /// Returns a required member, or reports that it is missing.
  func required(_ members: [String: Member], _ name: String, _ parent: Node, example: String) -> Member? {
    if let member = members[name] { return member }
    if isMissing(name, in: parent) {
      report(parent, "\"\(name)\" is missing", hint: "add it, for example: \(example)")
    }
    return nil
  }

  private func readVersion(_ member: Member?, _ root: Node) {
    guard let member else {
      guard isMissing("forage", in: root) else { return }
      report(root, "\"forage\" is missing", hint: "begin with: forage: \(Manifest.version)")
      return
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
    guard let text = StrictYAML.text(member.value), ProviderDescriptor.isID(text) else {
      report(
        member.value, "id takes a name of lower-case letters, digits, -, _ and .",
        hint: "it begins with a letter or digit and has at most \(ProviderDescriptor.longestID) characters")
      return nil
    }
    return text
  }

  private func plainName(_ member: Member) -> String? {
    guard let text = line(member.value), text.count <= Manifest.longestName else {
      report(
        member.value, "\(member.name) takes a text on one line, of at most \(Manifest.longestName) characters"
      )
      return nil
    }
    return text
  }

  /// A non-blank text without control characters.
  func line(_ node: Node) -> String? {
    guard let text = StrictYAML.text(node), !text.trimmingWhitespace().isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
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
        hint: "known kinds: repo code issue commit user topic story question package")
      return nil
    }
    return ResultKind(rawValue: name)
  }

  private func readFields(_ member: Member) {
    let read = noting { () throws(YAMLProblem) in try StrictYAML.members(member.value, of: "fields") }
    for field in read ?? [] {
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

  /// The maximum length of a field's name.
  private static let longestField = 40

  private static func isFieldName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first), name.utf8.count <= longestField
    else { return false }
    return name.consists(of: "a"..."z", "A"..."Z", "0"..."9")
  }
}
