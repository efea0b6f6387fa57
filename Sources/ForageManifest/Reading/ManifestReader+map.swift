import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  /// Keys of a map that are not fields.
  static let mapKeys = [
    "id", "url", "title", "repository", "mirrorOf", "link", "fragments", "uncloneable", "subject",
  ]

  func map(_ member: Member) -> ManifestMap? {
    let hint = "to add a field of your own, declare its type, for example: fields: {votes: number}"
    guard let part = part(member.value, of: "map", known: Self.mapKeys + types.keys, hint: hint) else {
      return nil
    }
    let id = part.rule("id", example: "id: $.id")
    let url = part.rule("url", example: "url: $.url")
    let title = part.rule("title", example: "title: $.title")
    if let url, let member = part["url"] { checkAddress(url, member.value) }
    let fields = types.keys.sorted().compactMap { name -> ManifestMap.Field? in
      guard let type = types[name], let member = part[name] else { return nil }
      return rule(member.value, name, type: type).map {
        .init(name: ResultField(rawValue: name), type: type, rule: $0)
      }
    }
    let (repository, mirrorOf) = (part.rule("repository"), part.rule("mirrorOf"))
    let (link, fragments) = (part.rule("link"), part["fragments"].flatMap(fragments))
    let uncloneable = part.rule("uncloneable")
    guard let id, let url, let title else { return nil }
    return ManifestMap(
      id: id, url: url, title: title, fields: fields, repository: repository, mirrorOf: mirrorOf,
      link: link, subject: part.rule("subject"), uncloneable: uncloneable, fragments: fragments)
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

  private static let sources = ["path", "first", "template", "exists", "value"]

  /// Reads the rule for a value.
  ///
  /// - Parameter type: The type of the field; `nil` for a member that is not a field and accepts a single
  ///   text.
  func rule(_ node: Node, _ what: String, type: FieldType?) -> ValueRule? {
    let isPath = StrictYAML.text(node) != nil
    let rule = isPath ? source("path", node, nil, what).map { ValueRule($0) } : ruleOfMembers(node, what)
    guard let rule, type != .list, rule.findsSeveral else { return rule }
    report(
      node, "\(what) takes one value, but this can find several",
      hint: "replace * by a number, or add: as: join")
    return nil
  }

  private func ruleOfMembers(_ node: Node, _ what: String) -> ValueRule? {
    let keys = Self.sources + ["args", "as", "default", "map", "if"]
    let example = "for example: \(what): $.name, or \(what): {path: $.name, as: trim}"
    guard let part = part(node, of: what, known: keys, hint: example) else { return nil }
    let given = Self.sources.filter { part[$0] != nil }
    guard given.count == 1, let name = given.first, let member = part[name] else {
      report(
        node, "\(what) has \(given.isEmpty ? "no source" : "two sources") for its value",
        hint: "use one of: \(Self.sources.joined(separator: ", "))")
      return nil
    }
    if name != "template", let args = part["args"] {
      report(args.key, "args requires template", hint: "remove it")
    }
    guard let source = source(name, member.value, part["args"], what) else { return nil }
    var rule = ValueRule(source)
    if let member = part["as"] { rule.transforms = transforms(member) }
    if let member = part["map"] { rule.names = names(member) }
    rule.condition = part["if"].flatMap { path($0.value, "if", isSingular: true) }
    if let member = part["default"] { rule.fallback = constant(member.value, "default") }
    return rule
  }

  private func source(_ name: String, _ node: Node, _ args: Member?, _ what: String) -> ValueRule.Source? {
    switch name {
    case "path": path(node, what, isSingular: false).map { .path($0) }
    case "exists": path(node, "exists", isSingular: false).map { .exists($0) }
    case "value": constant(node, "value").map { .constant($0) }
    // Whether several values are allowed is checked for the rule as a whole.
    case "first": rules(node, "first", type: .list).map { .first($0) }
    default: template(node, args)
    }
  }

  /// Reads a list of rules; `nil` if one of them cannot be read.
  private func rules(_ node: Node, _ what: String, type: FieldType?) -> [ValueRule]? {
    guard let nodes = node.sequence, !nodes.isEmpty else {
      report(node, "\(what) takes a list of paths", hint: "for example: \(what): [$.a, $.b]")
      return nil
    }
    let rules = nodes.compactMap { rule($0, what, type: type) }
    return rules.count == nodes.count ? rules : nil
  }

  private func template(_ node: Node, _ args: Member?) -> ValueRule.Source? {
    guard let text = StrictYAML.text(node) else {
      report(node, "template takes a text", hint: "for example: \"https://acme.example/{0|segment}\"")
      return nil
    }
    guard let rules = args.map({ rules($0.value, "args", type: nil) }) ?? [] else { return nil }
    let hint = rules.isEmpty ? "list the values under args: [$.name]" : nil
    return template(text, node, ["base"] + rules.indices.map(String.init), hint: hint).map {
      .template($0, rules)
    }
  }

  private func transforms(_ member: Member) -> [Transform] {
    let nodes = member.value.sequence.map(Array.init) ?? [member.value]
    return nodes.compactMap { word(Member(key: member.key, name: member.name, value: $0), Transform.self) }
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
    return StrictYAML.value(scalar)
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
