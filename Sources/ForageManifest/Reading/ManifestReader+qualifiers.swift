import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  /// Reads the qualifiers of a kind: those that are sent, and those of its own that are checked on a field.
  func qualifiers(_ member: Member, of kind: ResultKind, map: ManifestMap?) -> (
    sent: [String: ManifestQualifier], local: [QualifierDefinition]
  ) {
    let fields = map?.allFields(of: kind)
    var (sent, local): ([String: ManifestQualifier], [QualifierDefinition]) = ([:], [])
    let keys = [
      "param", "value", "not", "text", "quote", "min", "max", "above", "below", "format", "push", "values",
      "join", "type",
      "field",
      "words", "with", "within", "own",
    ]
    for entry in entries(member, example: "qualifiers: {language: {param: lang, push: exact}}") {
      guard Self.isQualifierName(entry.name) else {
        report(
          entry.key, "\"\(entry.name)\" is not a valid qualifier name",
          hint: "use lower-case letters, digits and -, beginning with a letter")
        continue
      }
      guard let part = part(entry, keys, example: "\(entry.name): {param: NAME, push: exact}") else {
        continue
      }
      let common = QualifierVocabulary.common.of(kind)[entry.name]
      let isLocal = part["push"].flatMap { StrictYAML.text($0.value) } == "local"
      let meaning = meaning(entry.name, part, kind, common, isLocal: isLocal)
      let isOwn = common == nil || part["type"] != nil || part["field"] != nil
      if isLocal {
        part.refuse(except: ["push", "type", "field"]) {
          ("\($0) has no effect with push: local", "remove it, or write: push: exact")
        }
        checkField(meaning.field, of: entry, fields, hint: "or name another with field: NAME")
        if isOwn { local.append(meaning) }
      } else if var qualifier = qualifier(entry, part, meaning.type) {
        if isOwn { qualifier.definition = meaning }
        if qualifier.push == .inexact, !["in", "is", "no"].contains(entry.name) {
          checkField(
            meaning.field, of: entry, fields, hint: "name another with field: NAME, or write: push: exact")
        }
        sent[entry.name] = qualifier
      }
    }
    return (sent, local)
  }

  private static func isQualifierName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first),
      name.utf8.count <= ProviderInfo.longestID
    else { return false }
    return name.consists(of: "a"..."z", "0"..."9", and: "-")
  }

  /// Reports a qualifier that would be checked on a field that no result has.
  private func checkField(
    _ field: ResultField?, of entry: Member, _ fields: Set<ResultField>?, hint: String
  ) {
    guard let fields, field.map(fields.contains) != true else { return }
    report(
      entry.key,
      "\(entry.name) is checked on a field that the map does not have\(field.map { ": \($0.rawValue)" } ?? "")",
      hint: "add the field to the map, " + hint)
  }

  /// What a qualifier means: as the manifest says, as the field says that it reads, or what is common.
  private func meaning(
    _ name: String, _ part: Part, _ kind: ResultKind, _ common: QualifierDefinition?, isLocal: Bool
  ) -> QualifierDefinition {
    let named = QualifierDefinition(ofField: name, kinds: []).field.flatMap {
      isLocal || types[$0.rawValue] != nil ? $0 : nil
    }
    var field = common?.field ?? named
    if let given = part["field"] {
      let (known, text) = (Array(types.keys) + ["repository"], StrictYAML.text(given.value) ?? "")
      if !known.contains(text) {
        report(
          StrictYAML.unknown(given.value, text, among: known, what: "field", hint: "name a field of the map"))
      }
      field = ResultField(rawValue: text)
    }
    // A qualifier takes no decimals, which an API may.
    let ofField = field.flatMap { types[$0.rawValue] }.flatMap { $0 == .fraction ? nil : $0 }
    let usual = part["field"] == nil ? common?.type : nil
    let given = part["type"].flatMap { self.type($0, among: FieldType.wordsOfQualifiers) }
    let type = given.map(QualifierType.init) ?? usual ?? QualifierType(ofField)
    return QualifierDefinition(name, type, field: field, kinds: [kind])
  }

  private func qualifier(_ entry: Member, _ part: Part, _ type: QualifierType) -> ManifestQualifier? {
    guard let form = form(part, entry) else { return nil }
    if case .range(_, _, let format) = form { checkRange(format, entry, part, type) }
    var result = ManifestQualifier(form: form)
    if let push = part["push"].flatMap(push) { result.push = push }
    result.values = part["values"].map(values)
    result.further = part["with"].map(sentParameters) ?? []
    result.own = part["own"].map(sentParameters) ?? []
    result.within = part.line("within")
    result.separator = part["join"].flatMap { given in
      checkedText(given.value, "join takes the separator between values", hint: "for example: join: \",\"") {
        !$0.isEmpty
      }
    }
    return result
  }

  private func condition(_ part: Part, _ param: Member, _ value: Member) -> ManifestQualifier.Form? {
    let keys = [
      "param", "value", "not", "min", "max", "above", "below", "join", "push", "values", "type", "field",
      "with", "within", "own", "quote",
    ]
    for (inclusive, exclusive) in [("min", "above"), ("max", "below")] {
      guard part[inclusive] != nil, let other = part[exclusive] else { continue }
      report(
        other.key, "\(exclusive) and \(inclusive) are both given",
        hint: "\(exclusive) is for a range without its end")
    }
    part.refuse(except: keys) { ("\($0) has no effect for this qualifier", "remove it") }
    func template(_ member: Member?) -> Template? {
      member.flatMap { around($0, "value", example: "year:{value}") }
    }
    let name = checkedText(param.value, "param takes the name of a parameter", where: Self.isLine)
    guard let name, let equal = template(value) else { return nil }
    return .condition(
      name,
      ManifestQualifier.Conditions(
        equal: equal, negated: template(part["not"]), lowest: template(part["min"]),
        highest: template(part["max"]), above: template(part["above"]), below: template(part["below"]),
        quoting: part.word("quote", Quoting.self)))
  }

  private func form(_ part: Part, _ entry: Member) -> ManifestQualifier.Form? {
    if let param = part["param"], let value = part["value"] { return condition(part, param, value) }
    let hasRange = part["min"] != nil || part["max"] != nil
    let forms = [part["param"] != nil, part["text"] != nil, hasRange, part["words"] != nil].count { $0 }
    guard forms == 1 || forms == 0 && part["own"] != nil else {
      report(
        entry.value, "\(entry.name) has \(forms == 0 ? "no target" : "two targets") for its value",
        hint:
          "use one of: param: NAME, text: \"name:{value}\", min: NAME and max: NAME, words: {VALUE: {NAME: VALUE}}, or push: local to check it on a mapped field"
      )
      return nil
    }
    var taken = ["push", "values", "type", "field", "within", "own"]
    defer { part.refuse(except: taken) { ("\($0) has no effect for this qualifier", "remove it") } }
    if let param = part["param"] {
      taken += ["param", "not", "join", "with"]
      let name = checkedText(param.value, "param takes the name of a parameter", where: Self.isLine)
      return name.map { .parameter($0, negated: part.line("not")) }
    }
    if let text = part["text"] {
      taken += ["text", "not", "quote"]
      let quoting = part.word("quote", Quoting.self) ?? .double
      let negated = part["not"].flatMap { around($0, "value", example: "-name:{value}") }
      return around(text, "value", example: "name:{value}").map { .text($0, negated: negated, quoting) }
    }
    if let words = part["words"] {
      taken += ["words"]
      return .words(
        entries(words, example: "words: {open: {state: opened}}").reduce(into: [:]) { words, entry in
          words[entry.name.lowercased()] = sentParameters(entry)
        })
    }
    guard hasRange else { return ManifestQualifier.Form.none }
    taken += ["min", "max", "format"]
    let format = part.word("format", ManifestQualifier.DateFormat.self)
    return .range(lowest: part.line("min"), highest: part.line("max"), format)
  }

  private func checkRange(
    _ format: ManifestQualifier.DateFormat?, _ entry: Member, _ part: Part, _ type: QualifierType
  ) {
    switch type.value {
    case .number:
      if let given = part["format"] {
        report(given.key, "the ends of \(entry.name) are numbers", hint: "remove format")
      }
    case .date:
      if format == nil, part["format"] == nil {
        report(entry.key, "the ends of \(entry.name) are dates", hint: "add: format: iso, or format: unix")
      }
    default:
      report(
        entry.key, "min and max are for numbers and dates, but \(entry.name) is neither",
        hint: "add: type: number, or type: date, or use: param: NAME")
    }
  }

  /// Reads parameters with their values.
  private func sentParameters(_ member: Member) -> [ManifestList.Parameter] {
    entries(member, example: "\(member.name): {state: opened}").compactMap { entry in
      checkedText(entry.value, "a parameter takes a text") { _ in true }.map {
        .init(name: entry.name, value: $0)
      }
    }
  }

  private func values(_ member: Member) -> [String: String] {
    let read = entries(member, example: "values: {open: opened}")
    return read.reduce(into: [:]) { values, entry in
      values[entry.name.lowercased()] = checkedText(entry.value, "a value takes a text") { _ in true }
    }
  }
}
