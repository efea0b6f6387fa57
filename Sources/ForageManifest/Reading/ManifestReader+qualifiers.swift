import ForageCore
import Yams

extension ManifestReader {
  static let qualifierKeys = [
    "param", "not", "text", "quote", "min", "max", "format", "push", "values", "join", "type", "field",
  ]

  func qualifiers(_ member: Member, kind: ResultKind?, map: ManifestMap?, booleans: Bool)
    -> [String: ManifestQualifier]
  {
    let read = noting { () throws(YAMLProblem) in
      try StrictYAML.members(
        member.value, of: "qualifiers",
        hint: "for example: qualifiers: {language: {param: lang, push: exact}}")
    }
    var qualifiers: [String: ManifestQualifier] = [:]
    for entry in read ?? [] {
      guard Self.isQualifierName(entry.name) else {
        report(
          entry.key, "\"\(entry.name)\" is not a valid qualifier name",
          hint: "use lower-case letters, digits and -, beginning with a letter")
        continue
      }
      qualifiers[entry.name] = qualifier(entry, kind: kind, map: map)
    }
    return qualifiers
  }

  private static func isQualifierName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first),
      name.utf8.count <= ProviderDescriptor.longestID
    else { return false }
    return name.consists(of: "a"..."z", "0"..."9", and: "-")
  }

  private func qualifier(_ entry: Member, kind: ResultKind?, map: ManifestMap?) -> ManifestQualifier? {
    let example = "\(entry.name): {param: NAME, push: exact}"
    guard
      let members = self.members(
        entry.value, of: entry.name, known: Self.qualifierKeys, hint: "for example: \(example)")
    else { return nil }
    if let given = members["push"], StrictYAML.text(given.value) == "local" {
      readLocal(entry, members, kind: kind, map: map)
      return nil
    }
    guard let form = form(members, entry) else { return nil }
    var result = ManifestQualifier(form: form)
    if let given = members["push"] { result.push = push(given) ?? .exact }
    if let given = members["values"] { result.values = values(given) }
    if let given = members["join"] {
      if let text = StrictYAML.text(given.value), !text.isEmpty {
        result.separator = text
      } else {
        report(given.value, "join takes the separator between values", hint: "for example: join: \",\"")
      }
    }
    let common = QualifierVocabulary.common.of(kind ?? .repo)[entry.name]
    if members["type"] != nil || members["field"] != nil || common == nil {
      result.definition = definition(entry.name, members, kind: kind, common: common)
    }
    check(result, entry, members, kind: kind, map: map, common: common)
    return result
  }

  /// Reads a qualifier that is not sent, but checked on a field of the map.
  private func readLocal(
    _ entry: Member, _ members: [String: Member], kind: ResultKind?, map: ManifestMap?
  ) {
    for (name, member) in members where !["push", "type", "field"].contains(name) {
      report(member.key, "\(name) has no effect with push: local", hint: "remove it, or write: push: exact")
    }
    let common = QualifierVocabulary.common.of(kind ?? .repo)[entry.name]
    var definition = definition(entry.name, members, kind: kind, common: common)
    let field = definition.field ?? ResultField(rawValue: entry.name)
    guard let map else { return }
    let mapped = map.fields.first { $0.name == field }
    guard mapped != nil || map.derivedFields(kind: kind ?? .repo).contains(field) else {
      return report(
        entry.key, "\(entry.name) is checked on a field that the map does not have: \(field.rawValue)",
        hint: "add the field to the map, or name another with field: NAME")
    }
    guard common == nil || members["type"] != nil || members["field"] != nil else { return }
    if members["type"] == nil {
      definition.type =
        switch mapped?.type {
        case .number: .number
        case .date: .date
        case .flag: .boolean
        default: definition.type
        }
    }
    definition.field = field
    localQualifiers.append(definition)
  }

  private func form(_ members: [String: Member], _ entry: Member) -> ManifestQualifier.Form? {
    let hasRange = members["min"] != nil || members["max"] != nil
    let forms = [members["param"] != nil, members["text"] != nil, hasRange].count { $0 }
    guard forms == 1 else {
      report(
        entry.value,
        forms == 0
          ? "\(entry.name) has no target for its value"
          : "\(entry.name) has two targets for its value",
        hint:
          "use one of: param: NAME, text: \"name:{value}\", min: NAME and max: NAME, or push: local to check it on a mapped field"
      )
      return nil
    }
    var taken = ["push", "values", "type", "field"]
    defer {
      for (name, member) in members where !taken.contains(name) {
        report(member.key, "\(name) has no effect for this qualifier", hint: "remove it")
      }
    }
    if let param = members["param"] {
      taken += ["param", "not", "join"]
      guard let name = line(param.value) else {
        report(param.value, "param takes the name of a parameter")
        return nil
      }
      return .parameter(name, negated: members["not"].flatMap { line($0.value) })
    }
    if let text = members["text"] {
      taken += ["text", "not", "quote"]
      let quoting = members["quote"].flatMap { word($0, Quoting.self) } ?? .double
      let negated = members["not"].flatMap { around($0, place: "value") }
      return around(text, place: "value").map { .text($0, negated: negated, quoting) }
    }
    taken += ["min", "max", "format"]
    let format = members["format"].flatMap { word($0, ManifestQualifier.RangeFormat.self) } ?? .number
    return .range(
      lowest: members["min"].flatMap { line($0.value) }, highest: members["max"].flatMap { line($0.value) },
      format)
  }

  private func values(_ member: Member) -> [String: String] {
    let read = noting { () throws(YAMLProblem) in
      try StrictYAML.members(member.value, of: "values", hint: "for example: values: {\"true\": \"1\"}")
    }
    var values: [String: String] = [:]
    for entry in read ?? [] {
      guard let text = StrictYAML.text(entry.value) else {
        report(entry.value, "a value takes a text")
        continue
      }
      values[entry.name.lowercased()] = text
    }
    return values
  }

  private enum TypeName: String, CaseIterable { case text, number, date, boolean }

  private func definition(
    _ name: String, _ members: [String: Member], kind: ResultKind?, common: QualifierDefinition?
  ) -> QualifierDefinition {
    var type = common?.type ?? .text
    if let given = members["type"], let name = word(given, TypeName.self) {
      type = [.text: .text, .number: .number, .date: .date, .boolean: .boolean][name] ?? .text
    }
    var field = common?.field
    if let given = members["field"] {
      let known = Array(types.keys) + ["repository"]
      if let text = StrictYAML.text(given.value), known.contains(text) {
        field = ResultField(rawValue: text)
      } else {
        report(
          StrictYAML.unknown(
            given.value, StrictYAML.text(given.value) ?? "", among: known, what: "field",
            hint: "name a field of the map"))
      }
    }
    return QualifierDefinition(name, type, field: field, kinds: kind.map { [$0] } ?? [])
  }

  /// Checks rules that concern the qualifier as a whole.
  private func check(
    _ qualifier: ManifestQualifier, _ entry: Member, _ members: [String: Member], kind: ResultKind?,
    map: ManifestMap?, common: QualifierDefinition?
  ) {
    let meaning = qualifier.definition ?? common
    if case .range = qualifier.form, meaning?.type != .number, meaning?.type != .date {
      report(
        entry.key, "min and max are for numbers and dates, but \(entry.name) is neither",
        hint: "add: type: number, or type: date, or use: param: NAME")
    }
    if case .range(_, _, let format) = qualifier.form, let given = members["format"] ?? members["min"],
      (meaning?.type == .number && format != .number) || (meaning?.type == .date && format == .number)
    {
      report(
        given.key, "the ends of \(entry.name) are \(meaning?.type == .date ? "dates" : "numbers")",
        hint: meaning?.type == .date ? "add: format: unix, iso or day" : "remove format")
    }
    guard qualifier.push == .inexact, let map, !["in", "is"].contains(entry.name) else { return }
    let fields = Set(map.fields.map(\.name)).union(map.derivedFields(kind: kind ?? .repo))
    guard meaning?.field.map(fields.contains) != true else { return }
    report(
      entry.key,
      "\(entry.name) is checked on a field that the map does not have\(meaning?.field.map { ": \($0.rawValue)" } ?? "")",
      hint: "add the field to the map, name another with field: NAME, or write: push: exact")
  }
}
