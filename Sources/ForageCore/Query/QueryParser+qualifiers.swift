extension QueryParserState {
  /// Reads `name:value`: a typed qualifier if the name is known, otherwise a word. Adds a warning if the name
  /// looks misspelled.
  mutating func pair(_ token: QueryToken, name: String, value: String, isQuoted: Bool) throws(QueryError)
    -> QueryExpression
  {
    let definitions = vocabulary.definitions(of: name)
    guard let definition = definitions.first else {
      return .term(unknown(name: name, value: value, isQuoted: isQuoted))
    }
    guard !value.isEmpty else {
      throw failure(
        "\(definition.name): the value is missing",
        hint: "write the value directly after the colon, for example \(example(definition))",
        at: token.range)
    }
    let range = token.valueStart..<token.range.upperBound
    let qualifier = Qualifier(definition.name, try typed(value, definitions, at: range))
    noteUnknownWord(qualifier, definitions)
    if let text = qualifier.expression {
      _ = try expression(text, at: token.valueStart + (isQuoted ? 2 : 1))
    }
    return .qualifier(qualifier)
  }

  /// Reads several values for one name. If the name does not accept free text, they are treated as one value,
  /// which usually fails with an error.
  mutating func list(_ token: QueryToken, name: String, values: [String]) throws(QueryError)
    -> QueryExpression
  {
    guard let definition = vocabulary.definitions(of: name).first(where: { $0.type == .text }) else {
      return try pair(token, name: name, value: values.joined(separator: ","), isQuoted: true)
    }
    return .qualifier(Qualifier(definition.name, .list(values)))
  }

  /// Adds a warning for a word that no definition of the name lists.
  private mutating func noteUnknownWord(_ qualifier: Qualifier, _ definitions: [QualifierDefinition]) {
    guard case .text(let word) = qualifier.value,
      definitions.contains(where: { if case .words = $0.type { true } else { false } })
    else { return }
    let known = Set(definitions.flatMap(\.type.knownWords))
    guard !known.contains(word.lowercased()) else { return }
    warnings.append(
      QueryWarning(
        message:
          "no chosen provider knows \(qualifier.name):\(word); one that supports \(qualifier.name): gets it unchanged",
        hint: NearestName.hint(for: word, among: known) { "\(qualifier.name):\($0)" }
          ?? "known values: \(known.sorted().joined(separator: ", "))"))
  }

  private mutating func unknown(name: String, value: String, isQuoted: Bool) -> QueryTerm {
    let text = name + ":" + value
    // "https://…" and "std::vector" are words that contain a colon.
    if !value.isEmpty, !value.hasPrefix("/"), !value.hasPrefix(":") {
      warnings.append(
        QueryWarning(
          message: "\"\(name):\" is not a known qualifier; \"\(text)\" is searched for as a word",
          hint: NearestName.hint(for: name, among: vocabulary.names) { "\($0):\(value)" }
            ?? "put it in quotes to search for the word"))
    }
    return QueryTerm(text, isPhrase: isQuoted)
  }

  private func example(_ definition: QualifierDefinition) -> String {
    switch definition.type {
    case .text: definition.name == "language" ? "language:swift" : definition.name + ":word"
    case .number: definition.name + ":>100"
    case .date: definition.name + ":>=2024-01-31"
    case .boolean: definition.name + ":true"
    case .choice(let words), .words(let words): definition.name + ":" + (words.first ?? "word")
    }
  }

  /// Parses a value by every definition of its name. The first type that accepts it wins; free text is tried
  /// last.
  private func typed(_ value: String, _ definitions: [QualifierDefinition], at range: Range<Int>)
    throws(QueryError) -> QualifierValue
  {
    if definitions.count == 1 { return try typed(value, definitions[0], at: range) }
    var closed = definitions.filter { !$0.type.isOpen }
    // Several word lists are combined so that an error names all words.
    var words: [String] = []
    for definition in closed {
      if case .choice(let more) = definition.type { words += more.filter { !words.contains($0) } }
    }
    for index in closed.indices {
      if case .choice = closed[index].type { closed[index].type = .choice(words) }
    }
    var refusal: QueryError?
    for definition in closed {
      do throws(QueryError) {
        return try typed(value, definition, at: range)
      } catch {
        refusal = refusal ?? error
      }
    }
    if closed.count < definitions.count { return .text(value) }
    throw refusal
      ?? failure("\(definitions[0].name): is not supported", hint: "remove it", at: range)
  }

  private func typed(_ value: String, _ definition: QualifierDefinition, at range: Range<Int>)
    throws(QueryError) -> QualifierValue
  {
    switch definition.type {
    case .text, .words: return .text(value)
    case .boolean:
      switch value.lowercased() {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      default:
        throw failure(
          "\(definition.name): takes true or false, not \"\(value)\"",
          hint: "write, for example, \(definition.name):true", at: range)
      }
    case .choice(let words):
      guard words.contains(value.lowercased()) else {
        throw failure(
          "\(definition.name): does not accept \"\(value)\"",
          hint: NearestName.hint(for: value, among: words) { "\(definition.name):\($0)" }
            ?? "use one of: \(words.joined(separator: ", "))", at: range)
      }
      return .text(value.lowercased())
    case .number:
      return .number(
        try interval(
          value, definition, at: range, what: "a whole number or a range of them",
          isEmpty: { lower, upper in lower > upper }, read: Int.init))
    case .date:
      return .date(
        try interval(
          value, definition, at: range, what: "a date such as 2024-01-31, or a range of them",
          isEmpty: { lower, upper in lower.start >= upper.end }, read: { DatePoint($0) }))
    }
  }

  /// Parses `V`, `>V`, `>=V`, `<V`, `<=V`, `A..B`, `A..*` and `*..B`.
  private func interval<Value: Hashable & Sendable>(
    _ text: String, _ definition: QualifierDefinition, at range: Range<Int>, what: String,
    isEmpty: (Value, Value) -> Bool, read: (String) -> Value?
  ) throws(QueryError) -> Bounds<Value> {
    func value(_ part: some StringProtocol) throws(QueryError) -> Value {
      if let value = read(String(part)) { return value }
      throw failure(
        "\(definition.name): takes \(what), not \"\(text)\"",
        hint: "write, for example, \(example(definition)), or \(rangeExample(definition))", at: range)
    }
    if let dots = text.firstRange(of: "..") {
      let lower = text[..<dots.lowerBound]
      let upper = text[dots.upperBound...]
      let from = lower == "*" ? nil : Bounds<Value>.End(try value(lower), isInclusive: true)
      let to = upper == "*" ? nil : Bounds<Value>.End(try value(upper), isInclusive: true)
      guard from != nil || to != nil else {
        throw failure(
          "\(definition.name): the range has no limits",
          hint: "remove the qualifier, or write \(rangeExample(definition))",
          at: range)
      }
      if let from, let to, isEmpty(from.value, to.value) {
        throw failure(
          "\(definition.name): the range \"\(text)\" ends before it begins",
          hint: "swap the two values", at: range)
      }
      return Bounds(lower: from, upper: to)
    }
    for (sign, isLower, isInclusive) in [
      (">=", true, true), ("<=", false, true), (">", true, false), ("<", false, false),
    ] where text.hasPrefix(sign) {
      let end = Bounds<Value>.End(try value(text.dropFirst(sign.count)), isInclusive: isInclusive)
      return isLower ? Bounds(lower: end, upper: nil) : Bounds(lower: nil, upper: end)
    }
    return .exactly(try value(text))
  }

  private func rangeExample(_ definition: QualifierDefinition) -> String {
    definition.name + (definition.type == .date ? ":2024-01-01..2024-12-31" : ":10..50")
  }
}
