import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  static let qualifierKeys = [
    "param", "not", "text", "quote", "min", "max", "format", "push", "values", "join", "type", "field",
  ]

  func qualifiers(_ member: Member, kind: ResultKind?, map: ManifestMap?) -> [String: ManifestQualifier] {
    let read = entries(member, example: "qualifiers: {language: {param: lang, push: exact}}")
    var qualifiers: [String: ManifestQualifier] = [:]
    for entry in read {
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
      name.utf8.count <= ProviderInfo.longestID
    else { return false }
    return name.consists(of: "a"..."z", "0"..."9", and: "-")
  }

  private func qualifier(_ entry: Member, kind: ResultKind?, map: ManifestMap?) -> ManifestQualifier? {
    let example = "\(entry.name): {param: NAME, push: exact}"
    guard let part = part(entry, Self.qualifierKeys, example: example) else { return nil }
    if let given = part["push"], StrictYAML.text(given.value) == "local" {
      readLocal(entry, part, kind: kind, map: map)
      return nil
    }
    guard let form = form(part, entry) else { return nil }
    var result = ManifestQualifier(form: form)
    if let push = part["push"].flatMap(push) { result.push = push }
    if let given = part["values"] { result.values = values(given) }
    if let given = part["join"] {
      result.separator =
        checkedText(given.value, "join takes the separator between values", hint: "for example: join: \",\"")
      {
        !$0.isEmpty
      } ?? result.separator
    }
    let common = QualifierVocabulary.common.of(kind ?? .repo)[entry.name]
    if part["type"] != nil || part["field"] != nil || common == nil {
      result.definition = definition(entry.name, part, kind: kind, common: common)
    }
    check(result, entry, part, kind: kind, map: map, common: common)
    return result
  }

  /// Reads a qualifier that is not sent, but checked on a field of the map.
  private func readLocal(
    _ entry: Member, _ part: Part, kind: ResultKind?, map: ManifestMap?
  ) {
    part.refuse(except: ["push", "type", "field"]) {
      ("\($0) has no effect with push: local", "remove it, or write: push: exact")
    }
    let common = QualifierVocabulary.common.of(kind ?? .repo)[entry.name]
    var definition = definition(entry.name, part, kind: kind, common: common)
    let field = definition.field ?? ResultField(rawValue: entry.name)
    guard let map else { return }
    let mapped = map.fields.first { $0.name == field }
    guard mapped != nil || map.derivedFields(kind: kind ?? .repo).contains(field) else {
      return report(
        entry.key, "\(entry.name) is checked on a field that the map does not have: \(field.rawValue)",
        hint: "add the field to the map, or name another with field: NAME")
    }
    guard common == nil || part["type"] != nil || part["field"] != nil else { return }
    if part["type"] == nil {
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

  private func form(_ part: Part, _ entry: Member) -> ManifestQualifier.Form? {
    let hasRange = part["min"] != nil || part["max"] != nil
    let forms = [part["param"] != nil, part["text"] != nil, hasRange].count { $0 }
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
    defer { part.refuse(except: taken) { ("\($0) has no effect for this qualifier", "remove it") } }
    if let param = part["param"] {
      taken += ["param", "not", "join"]
      let name = checkedText(param.value, "param takes the name of a parameter", where: Self.isLine)
      return name.map { .parameter($0, negated: part.line("not")) }
    }
    if let text = part["text"] {
      taken += ["text", "not", "quote"]
      let quoting = part.word("quote", Quoting.self) ?? .double
      let negated = part["not"].flatMap { around($0, place: "value") }
      return around(text, place: "value").map { .text($0, negated: negated, quoting) }
    }
    taken += ["min", "max", "format"]
    let format = part.word("format", ManifestQualifier.RangeFormat.self) ?? .number
    return .range(lowest: part.line("min"), highest: part.line("max"), format)
  }

  private func values(_ member: Member) -> [String: String] {
    var values: [String: String] = [:]
    for entry in entries(member, example: "values: {\"true\": \"1\"}") {
      if let text = checkedText(entry.value, "a value takes a text", where: { _ in true }) {
        values[entry.name.lowercased()] = text
      }
    }
    return values
  }

  private enum TypeName: String, CaseIterable { case text, number, date, boolean }

  private func definition(
    _ name: String, _ part: Part, kind: ResultKind?, common: QualifierDefinition?
  ) -> QualifierDefinition {
    var type = common?.type ?? .text
    if let name = part.word("type", TypeName.self) {
      type = [.text: .text, .number: .number, .date: .date, .boolean: .boolean][name] ?? .text
    }
    var field = common?.field
    if let given = part["field"] {
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
    _ qualifier: ManifestQualifier, _ entry: Member, _ part: Part, kind: ResultKind?,
    map: ManifestMap?, common: QualifierDefinition?
  ) {
    let meaning = qualifier.definition ?? common
    if case .range = qualifier.form, meaning?.type != .number, meaning?.type != .date {
      report(
        entry.key, "min and max are for numbers and dates, but \(entry.name) is neither",
        hint: "add: type: number, or type: date, or use: param: NAME")
    }
    if case .range(_, _, let format) = qualifier.form, let given = part["format"] ?? part["min"],
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
