extension QueryParserState {
  /// Reads `name:value`: a typed qualifier when the name is known, otherwise a word, with a warning when it looks like a slip.
  mutating func pair(_ token: QueryToken, name: String, value: String, isQuoted: Bool) throws(QueryError)
    -> QueryExpression
  {
    guard let definition = vocabulary[name] else {
      return .term(unknown(name: name, value: value, isQuoted: isQuoted))
    }
    guard !value.isEmpty else {
      throw failure(
        "\(definition.name): has no value",
        hint: "write it directly behind the colon, for example \(example(definition))",
        at: token.range)
    }
    let range = token.valueStart..<token.range.upperBound
    return .qualifier(Qualifier(definition.name, try typed(value, definition, at: range)))
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
    case .choice(let words): definition.name + ":" + (words.first ?? "word")
    }
  }

  private func typed(_ value: String, _ definition: QualifierDefinition, at range: Range<Int>)
    throws(QueryError) -> QualifierValue
  {
    switch definition.type {
    case .text: return .text(value)
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
