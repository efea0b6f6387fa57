extension QueryParserState {
  /// Reads `name:value`: a typed qualifier when the name is known, otherwise a word, with a warning when it looks like a slip.
  mutating func pair(_ token: QueryToken, name: String, value: String, isQuoted: Bool) throws(QueryError)
    -> QueryExpression
  {
    let definitions = vocabulary.definitions(of: name)
    guard let definition = definitions.first else {
      return .term(unknown(name: name, value: value, isQuoted: isQuoted))
    }
    guard !value.isEmpty else {
      throw failure(
        "\(definition.name): has no value",
        hint: "write it directly behind the colon, for example \(example(definition))",
        at: token.range)
    }
    let range = token.valueStart..<token.range.upperBound
    let qualifier = Qualifier(definition.name, try typed(value, definitions, at: range))
    noteUnknownWord(qualifier, definitions)
    return .qualifier(qualifier)
  }

  /// Several values for one name; where the name takes no free text, they are one value and most likely a mistake that is told.
  mutating func list(_ token: QueryToken, name: String, values: [String]) throws(QueryError)
    -> QueryExpression
  {
    guard let definition = vocabulary.definitions(of: name).first(where: { $0.type == .text }) else {
      return try pair(token, name: name, value: values.joined(separator: ","), isQuoted: true)
    }
    return .qualifier(Qualifier(definition.name, .list(values)))
  }

  /// Tells of a word that none of the lists for its name has.
  private mutating func noteUnknownWord(_ qualifier: Qualifier, _ definitions: [QualifierDefinition]) {
    guard case .text(let word) = qualifier.value,
      definitions.contains(where: { if case .words = $0.type { true } else { false } })
    else { return }
    let known = Set(definitions.flatMap(\.type.knownWords))
    guard !known.contains(word.lowercased()) else { return }
    let nearest = NearestName.of(word, among: known)
    warnings.append(
      QueryWarning(
        message: "\(qualifier.name):\(word) is not known, so it is passed on as it is",
        hint: nearest.map { "did you mean \(qualifier.name):\($0)?" }
          ?? "known are: \(known.sorted().joined(separator: ", "))"))
  }

  private mutating func unknown(name: String, value: String, isQuoted: Bool) -> QueryTerm {
    let text = name + ":" + value
    // "https://…" and "std::vector" are words that merely contain a colon.
    if !value.isEmpty, !value.hasPrefix("/"), !value.hasPrefix(":") {
      let nearest = NearestName.of(name, among: vocabulary.names)
      warnings.append(
        QueryWarning(
          message: "\"\(name):\" is not a known qualifier, so \"\(text)\" is searched for as a word",
          hint: nearest.map { "did you mean \($0):\(value)?" }
            ?? "put it in quotes to say that you mean the word"))
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

  /// Reads a value by all that its name may mean for some kind: the first type that takes it wins, any text is taken last.
  private func typed(_ value: String, _ definitions: [QualifierDefinition], at range: Range<Int>)
    throws(QueryError) -> QualifierValue
  {
    if definitions.count == 1 { return try typed(value, definitions[0], at: range) }
    var closed = definitions.filter { !$0.type.isOpen }
    // Several lists of words are one, so that an error names them all.
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
      ?? failure("\(definitions[0].name): has no meaning", hint: "leave it out", at: range)
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
          hint: "for example \(definition.name):true", at: range)
      }
    case .choice(let words):
      guard words.contains(value.lowercased()) else {
        throw failure(
          "\(definition.name): does not take \"\(value)\"",
          hint: "use one of: \(words.joined(separator: ", "))", at: range)
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

  /// Reads `V`, `>V`, `>=V`, `<V`, `<=V`, `A..B`, `A..*` and `*..B`.
  private func interval<Value: Hashable & Sendable>(
    _ text: String, _ definition: QualifierDefinition, at range: Range<Int>, what: String,
    isEmpty: (Value, Value) -> Bool, read: (String) -> Value?
  ) throws(QueryError) -> Bounds<Value> {
    func value(_ part: some StringProtocol) throws(QueryError) -> Value {
      if let value = read(String(part)) { return value }
      throw failure(
        "\(definition.name): takes \(what), not \"\(text)\"",
        hint: "for example \(example(definition)), or \(rangeExample(definition))", at: range)
    }
    if let dots = text.firstRange(of: "..") {
      let lower = text[..<dots.lowerBound]
      let upper = text[dots.upperBound...]
      let from = lower == "*" ? nil : Bounds<Value>.End(try value(lower), isInclusive: true)
      let to = upper == "*" ? nil : Bounds<Value>.End(try value(upper), isInclusive: true)
      guard from != nil || to != nil else {
        throw failure(
          "\(definition.name): the range has no bound",
          hint: "leave the qualifier out, or write \(rangeExample(definition))",
          at: range)
      }
      if let from, let to, isEmpty(from.value, to.value) {
        throw failure(
          "\(definition.name): the range \"\(text)\" is impossible, it ends before it begins",
          hint: "swap its ends", at: range)
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
