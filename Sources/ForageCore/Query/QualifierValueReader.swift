/// Reads the value of a qualifier by the definitions of its name.
struct QualifierValueReader {
  /// The query that the value is in.
  let source: String
  /// At least one.
  let definitions: [QualifierDefinition]
  /// Where the value is in the query.
  let range: Range<Int>

  private func failure(_ message: String, hint: String) -> QueryError {
    QueryError(message: message, hint: hint, query: source, range: range)
  }

  /// Parses a value by every definition of its name. The first type that accepts it wins; free text is tried
  /// last.
  func read(_ value: String) throws(QueryError) -> QualifierValue {
    if definitions.count == 1 { return try read(value, by: definitions[0]) }
    var closed = definitions.filter { !$0.type.isOpen }
    // Several word lists are combined so that an error names all words.
    var words: [String] = []
    for definition in closed {
      words += definition.type.words.filter { !words.contains($0) }
    }
    for index in closed.indices where closed[index].type.isChoice { closed[index].type = .choice(words) }
    var refusal: QueryError?
    for definition in closed {
      do throws(QueryError) {
        return try read(value, by: definition)
      } catch {
        refusal = refusal ?? error
      }
    }
    if closed.count < definitions.count { return .text(value) }
    throw refusal ?? failure("\(definitions[0].name): is not supported", hint: "remove it")
  }

  private func read(_ value: String, by definition: QualifierDefinition) throws(QueryError)
    -> QualifierValue
  {
    switch definition.type.value {
    case .text where definition.type.isChoice:
      let words = definition.type.words
      guard words.contains(value.lowercased()) else {
        throw failure(
          "\(definition.name): does not accept \"\(value)\"",
          hint: NearestName.hint(for: value, among: words) { "\(definition.name):\($0)" }
            ?? "use one of: \(words.joined(separator: ", "))")
      }
      return .text(value.lowercased())
    case .text, .list: return .text(value)
    case .flag:
      switch value.lowercased() {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      default:
        throw failure(
          "\(definition.name): takes true or false, not \"\(value)\"",
          hint: "write, for example, \(definition.name):true")
      }
    case .number, .fraction:
      return .number(
        try interval(
          value, definition, what: "a whole number or a range of them",
          isEmpty: { lower, upper in lower > upper }, read: Int.init))
    case .date:
      return .date(
        try interval(
          value, definition, what: "a date such as 2024-01-31, or a range of them",
          isEmpty: { lower, upper in lower.start >= upper.end }, read: { DatePoint($0) }))
    }
  }

  /// Parses `V`, `>V`, `>=V`, `<V`, `<=V`, `A..B`, `A..*` and `*..B`.
  private func interval<Value: Hashable & Sendable>(
    _ text: String, _ definition: QualifierDefinition, what: String,
    isEmpty: (Value, Value) -> Bool, read: (String) -> Value?
  ) throws(QueryError) -> Bounds<Value> {
    func value(_ part: some StringProtocol) throws(QueryError) -> Value {
      if let value = read(String(part)) { return value }
      throw failure(
        "\(definition.name): takes \(what), not \"\(text)\"",
        hint: "write, for example, \(definition.example), or \(definition.rangeExample)")
    }
    if let dots = text.firstRange(of: "..") {
      let lower = text[..<dots.lowerBound]
      let upper = text[dots.upperBound...]
      let from = lower == "*" ? nil : Bounds<Value>.End(try value(lower), isInclusive: true)
      let to = upper == "*" ? nil : Bounds<Value>.End(try value(upper), isInclusive: true)
      guard from != nil || to != nil else {
        throw failure(
          "\(definition.name): the range has no limits",
          hint: "remove the qualifier, or write \(definition.rangeExample)")
      }
      if let from, let to, isEmpty(from.value, to.value) {
        throw failure(
          "\(definition.name): the range \"\(text)\" ends before it begins",
          hint: "swap the two values")
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
}

extension QualifierDefinition {
  /// The qualifier with a value, as hints show it.
  var example: String {
    switch type.value {
    case .number, .fraction: name + ":>100"
    case .date: name + ":>=2024-01-31"
    case .flag: name + ":true"
    case .text, .list: name + ":" + (type.words.first ?? (name == "language" ? "swift" : "word"))
    }
  }

  /// The same with a range of numbers or dates.
  fileprivate var rangeExample: String { name + (type == .date ? ":2024-01-01..2024-12-31" : ":10..50") }
}
