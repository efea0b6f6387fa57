import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  /// Keys of a map that are not fields.
  static let mapKeys = ["id", "url", "title", "repository", "mirrorOf", "link", "fragments"]

  func map(_ member: Member) -> ManifestMap? {
    guard let read = entries(member.value, of: "map") else { return nil }
    var special: [String: ValueRule] = [:]
    var fields: [ManifestMap.Field] = []
    var fragments: FragmentRule?
    var misspelled: Set<String> = []
    for entry in read {
      if entry.name == "fragments" {
        fragments = self.fragments(entry)
      } else if Self.mapKeys.contains(entry.name) {
        special[entry.name] = rule(entry.value, entry.name, type: nil)
      } else if let type = types[entry.name] {
        if let rule = rule(entry.value, entry.name, type: type) {
          fields.append(.init(name: ResultField(rawValue: entry.name), type: type, rule: rule))
        }
      } else {
        let known = Self.mapKeys + types.keys
        report(
          StrictYAML.unknown(
            entry.key, entry.name, among: known, what: "field",
            hint: "to add a field of your own, declare its type: fields: {\(entry.name): text}"))
        if let nearest = NearestName.of(entry.name, among: known) { misspelled.insert(nearest) }
      }
    }
    for name in ["id", "url", "title"]
    where !read.contains(where: { $0.name == name }) && !misspelled.contains(name) {
      report(member.key, "\"\(name)\" is missing in the map", hint: "add it, for example: \(name): $.\(name)")
    }
    guard let id = special["id"], let url = special["url"], let title = special["title"] else { return nil }
    checkAddress(url, read.first { $0.name == "url" }?.value ?? member.value)
    return ManifestMap(
      id: id, url: url, title: title, fields: fields, repository: special["repository"],
      mirrorOf: special["mirrorOf"], link: special["link"], fragments: fragments)
  }

  /// Reports an address in which a value could change host or path.
  private func checkAddress(_ rule: ValueRule, _ node: Node) {
    switch rule.source {
    case .template(let template, _):
      guard !template.isSafeAddress else { return }
      report(
        node, "a value in this address could change its host or path",
        hint: "begin with https://HOST/ or {base}/ and write the values as {0|segment}, {0|path} or {0|query}"
      )
    case .first(let rules): for rule in rules { checkAddress(rule, node) }
    case .path, .exists, .constant: break
    }
  }

  static let ruleKeys = [
    "path", "first", "template", "args", "exists", "value", "as", "default", "map",
  ]
  private static let sources = ["path", "first", "template", "exists", "value"]

  /// Reads the rule for a value.
  ///
  /// - Parameter type: The type of the field; `nil` for a member that is not a field and accepts a single
  ///   text.
  func rule(_ node: Node, _ what: String, type: FieldType?) -> ValueRule? {
    let rule: ValueRule?
    if case .scalar = node {
      rule = path(node, what, isSingular: type != .list).map { ValueRule(.path($0)) }
    } else {
      rule = ruleOfMembers(node, what)
    }
    guard let rule else { return nil }
    if type != .list, rule.findsSeveral {
      report(
        node, "\(what) takes one value, but this can find several",
        hint: "replace * by a number, or add: as: join")
      return nil
    }
    return rule
  }

  private func ruleOfMembers(_ node: Node, _ what: String) -> ValueRule? {
    let example = "for example: \(what): $.name, or \(what): {path: $.name, as: trim}"
    guard let part = part(node, of: what, known: Self.ruleKeys, hint: example) else { return nil }
    let given = Self.sources.filter { part[$0] != nil }
    guard given.count == 1, let name = given.first, let member = part[name] else {
      report(
        node,
        given.isEmpty ? "\(what) has no source for its value" : "\(what) has two sources for its value",
        hint: "use one of: \(Self.sources.joined(separator: ", "))")
      return nil
    }
    if name != "template", let args = part["args"] {
      report(args.key, "args requires template", hint: "remove it")
    }
    guard let source = source(name, member, part["args"], what) else { return nil }
    var rule = ValueRule(source)
    if let member = part["as"] { rule.transforms = transforms(member) }
    if let member = part["map"] { rule.names = names(member) }
    if let member = part["default"] { rule.fallback = constant(member.value, "default") }
    return rule
  }

  private func source(_ name: String, _ member: Member, _ args: Member?, _ what: String) -> ValueRule.Source?
  {
    switch name {
    case "path": return path(member.value, what, isSingular: false).map { .path($0) }
    case "exists": return path(member.value, "exists", isSingular: false).map { .exists($0) }
    case "value": return constant(member.value, "value").map { .constant($0) }
    case "first":
      guard let sequence = member.value.sequence, !sequence.isEmpty else {
        report(member.value, "first takes a list of paths", hint: "for example: {first: [$.a, $.b]}")
        return nil
      }
      let rules = sequence.compactMap { anyRule($0, what) }
      return rules.count == sequence.count ? .first(rules) : nil
    default: return template(member, args)
    }
  }

  /// Reads a nested rule, which may find several values.
  private func anyRule(_ node: Node, _ what: String) -> ValueRule? {
    if case .scalar = node { return path(node, what, isSingular: false).map { ValueRule(.path($0)) } }
    return ruleOfMembers(node, what)
  }

  private func template(_ member: Member, _ args: Member?) -> ValueRule.Source? {
    guard let text = StrictYAML.text(member.value) else {
      report(member.value, "template takes a text", hint: "for example: \"https://acme.example/{0|segment}\"")
      return nil
    }
    var rules: [ValueRule] = []
    if let args {
      guard let sequence = args.value.sequence, sequence.count <= MapTemplate.maximumArguments else {
        report(args.value, "args takes a list of at most \(MapTemplate.maximumArguments) paths")
        return nil
      }
      rules = sequence.compactMap { rule($0, "args", type: nil) }
      guard rules.count == sequence.count else { return nil }
    }
    var parts: [MapTemplate.Part] = []
    for piece in PlaceholderReader.pieces(text) {
      guard let part = templatePart(piece, member.value, count: rules.count) else { return nil }
      parts.append(part)
    }
    return .template(MapTemplate(parts: parts), rules)
  }

  private func templatePart(_ piece: PlaceholderReader.Piece, _ node: Node, count: Int) -> MapTemplate.Part? {
    guard case .name(let name) = piece else {
      if case .text(let text) = piece { return .text(text) }
      return nil
    }
    if name == "base" { return .base }
    let halves = name.split(separator: "|", omittingEmptySubsequences: false)
    guard let place = Int(halves[0]), (0..<count).contains(place), halves.count <= 2 else {
      report(
        node, "{\(name)} is not a known placeholder",
        hint: count == 0
          ? "list the values under args: [$.name]"
          : "known placeholders: {base} and {0} to {\(count - 1)}, each also with |segment, |path or |query")
      return nil
    }
    guard halves.count == 2 else { return .argument(place, nil) }
    guard let filter = MapTemplate.Filter(rawValue: String(halves[1])) else {
      let known = MapTemplate.Filter.allCases.map(\.rawValue)
      report(
        node, "|\(halves[1]) is not a known filter",
        hint: NearestName.hint(for: String(halves[1]), among: known, written: { "|\($0)" })
          ?? "known filters: |segment, |path and |query")
      return nil
    }
    return .argument(place, filter)
  }

  private func transforms(_ member: Member) -> [Transform] {
    let nodes = member.value.sequence.map(Array.init) ?? [member.value]
    return nodes.compactMap { node in
      word(Member(key: member.key, name: member.name, value: node), Transform.self)
    }
  }

  private func names(_ member: Member) -> [String: JSONTree] {
    let read = entries(member, example: "map: {gpl-3.0: GPL-3.0-only}")
    return read.reduce(into: [:]) { $0[$1.name] = constant($1.value, "map") }
  }

  func constant(_ node: Node, _ what: String) -> JSONTree? {
    guard case .scalar(let scalar) = node else {
      report(node, "\(what) takes a text, a number, true, false or null")
      return nil
    }
    guard scalar.style == .plain else { return .string(scalar.string) }
    if StrictYAML.isNothing(node) { return .null }
    if ["true", "false"].contains(scalar.string) { return .bool(scalar.string == "true") }
    if let number = Int(scalar.string) { return .integer(number) }
    return .string(scalar.string)
  }

  private static let fragmentKeys = ["each", "text", "line", "firstLine", "unless", "matches"]

  private func fragments(_ member: Member) -> FragmentRule? {
    let example = "fragments: {each: \"$.lines[*]\", text: $.text, line: $.number}"
    guard let part = part(member, Self.fragmentKeys, example: example) else { return nil }
    let each = part.path("each", example: "each: \"$.lines[*]\"", isSingular: false)
    let text = part.rule("text", example: "text: $.line")
    let matches = part["matches"].flatMap(matches)
    let line = part.rule("line")
    let firstLine = part.whole("firstLine", 0...1) ?? 1
    let unless = part.path("unless")
    guard let each, let text else { return nil }
    return FragmentRule(
      each: each, text: text, line: line, firstLine: firstLine, unless: unless, matches: matches)
  }

  private func matches(_ member: Member) -> FragmentRule.Matches? {
    let example = "matches: {each: \"$.matches[*]\", start: $.start, length: $.length, unit: bytes}"
    guard let part = part(member, ["each", "start", "length", "unit"], example: example) else { return nil }
    let each = part.path("each", example: example, isSingular: false)
    let start = part.path("start", example: example)
    let length = part.path("length", example: example)
    let unit = part.word("unit", FragmentRule.Unit.self, example: example)
    guard let each, let start, let length, let unit else { return nil }
    return .init(each: each, start: start, length: length, unit: unit)
  }
}
