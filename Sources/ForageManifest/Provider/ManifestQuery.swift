import ForageCore
import ForageFoundation

/// A query in the form of an API.
struct ManifestQuery: Sendable {
  private(set) var text: String?
  /// The parameters for qualifiers, in order.
  private(set) var parameters: [ManifestList.Parameter] = []
  /// Qualifiers that were not sent exactly, so that the caller must check them.
  private(set) var unapplied: Set<String> = []
  /// Conditions that the API does not support and that are checked on the rows: phrases, and excluded words.
  private(set) var checked: [QueryExpression] = []

  private let manifest: Manifest
  private var words: [String] = []
  private var used: [String: [String]] = [:]

  /// Translates a query.
  ///
  /// - Throws: `SearchError` with code `unsupportedQuery` if the API does not support it.
  init(_ query: QueryExpression?, _ manifest: Manifest) throws(SearchError) {
    self.manifest = manifest
    guard let query else { return }
    let conditions = query.negationNormalForm.conjuncts
    let longest = manifest.text.sendsLongest ? Self.longest(conditions) : nil
    for condition in conditions {
      switch condition {
      case .term(let term):
        if let longest, longest != term { continue }
        words.append(try word(term))
        if term.isPhrase, !manifest.text.quotesPhrases, manifest.text.push == .exact {
          checked.append(condition)
        }
      case .not(.term(let term)):
        if let around = manifest.text.negation {
          words.append(around.text(try word(term)))
        } else {
          checked.append(condition)
        }
      case .qualifier(let qualifier): try add(qualifier, isNegated: false)
      case .not(.qualifier(let qualifier)): try add(qualifier, isNegated: true)
      case .or: words.append("(" + (try alternative(condition)) + ")")
      case .not, .and: throw cannot("combine these conditions")
      }
    }
    for (name, values) in used.sorted(by: { $0.key < $1.key }) { try addParameters(name, values) }
    if !words.isEmpty { text = words.joined(separator: " ") }
  }

  /// The longest word or phrase (the first of several), for APIs that treat the text as a single phrase.
  private static func longest(_ conditions: [QueryExpression]) -> QueryTerm? {
    let terms = conditions.compactMap { if case .term(let term) = $0 { term } else { nil } }
    return terms.max { $0.text.unicodeScalars.count < $1.text.unicodeScalars.count }
  }

  private func cannot(_ what: String) -> SearchError {
    SearchError(
      .unsupportedQuery, "\(manifest.name) cannot \(what)", hint: "remove it, or choose another provider")
  }

  private func word(_ term: QueryTerm) throws(SearchError) -> String {
    let isQuoted = term.isPhrase ? manifest.text.quotesPhrases : manifest.text.quotesWords
    guard isQuoted else { return term.text }
    guard let quoted = manifest.text.quoting.quoted(term.text) else {
      throw cannot("search for one of the phrases, because it cannot be quoted")
    }
    return quoted
  }

  // MARK: Alternatives

  /// A condition with `OR`, as text.
  private func alternative(_ condition: QueryExpression) throws(SearchError) -> String {
    guard manifest.booleans else { throw cannot("search for alternatives (OR)") }
    switch condition {
    case .term(let term): return try word(term)
    case .not(.term(let term)):
      guard let around = manifest.text.negation else { throw cannot("exclude words within alternatives") }
      return around.text(try word(term))
    case .qualifier(let qualifier), .not(.qualifier(let qualifier)):
      var isNegated = false
      if case .not = condition { isNegated = true }
      guard let text = try text(qualifier, isNegated: isNegated) else {
        throw cannot("use \(qualifier.name): within alternatives")
      }
      return text
    case .and(let children), .or(let children):
      var parts: [String] = []
      for child in children {
        let part = try alternative(child)
        if case .or = child { parts.append("(" + part + ")") } else { parts.append(part) }
      }
      if case .or = condition { return parts.joined(separator: " OR ") }
      return parts.joined(separator: " ")
    case .not: throw cannot("combine these conditions")
    }
  }

  // MARK: Qualifiers

  private mutating func add(_ qualifier: Qualifier, isNegated: Bool) throws(SearchError) {
    guard let rule = manifest.qualifiers[qualifier.name] else { throw cannot("use \(qualifier.name):") }
    switch rule.form {
    case .text:
      if let text = try text(qualifier, isNegated: isNegated) {
        words.append(text)
      } else {
        leave(qualifier.name)
      }
    case .parameter(let name, let negated):
      var (value, isNegated) = (qualifier.value, isNegated)
      // A negated Boolean is the opposite value.
      if case .boolean(let flag) = value, isNegated, negated == nil {
        (value, isNegated) = (.boolean(!flag), false)
      }
      guard let target = isNegated ? negated : name, let text = Self.value(value, rule) else {
        return leave(qualifier.name)
      }
      used[qualifier.name + (isNegated ? " not" : ""), default: [target]].append(text)
    case .range(let lowest, let highest, let format):
      guard !isNegated, let ends = Self.ends(qualifier.value, format) else { return leave(qualifier.name) }
      for (name, end) in [(lowest, ends.lowest), (highest, ends.highest)] {
        guard let end else { continue }
        guard let name else {
          leave(qualifier.name)
          continue
        }
        // A second condition on the same end would replace the first.
        if parameters.contains(where: { $0.name == name }) {
          leave(qualifier.name)
        } else {
          parameters.append(.init(name: name, value: end))
        }
      }
    }
  }

  private mutating func leave(_ name: String) { unapplied.insert(name) }

  /// Adds several values of a qualifier; the key is the parameter's name.
  private mutating func addParameters(_ key: String, _ values: [String]) throws(SearchError) {
    guard let target = values.first, let first = values.dropFirst().first else { return }
    let name = String(key.prefix { $0 != " " })
    let separator = manifest.qualifiers[name]?.separator
    // A value that contains the separator would be read as two.
    let isCut = separator.map { separator in values.dropFirst().contains { $0.contains(separator) } } ?? false
    if values.count > 2, let separator, !isCut {
      return parameters.append(.init(name: target, value: values.dropFirst().joined(separator: separator)))
    }
    if isCut { return leave(name) }
    if values.count > 2 { leave(name) }
    parameters.append(.init(name: target, value: first))
  }

  /// A qualifier as part of the text; `nil` if it cannot be expressed.
  private func text(_ qualifier: Qualifier, isNegated: Bool) throws(SearchError) -> String? {
    guard let rule = manifest.qualifiers[qualifier.name],
      case .text(let plain, let negated, let quoting) = rule.form, let around = isNegated ? negated : plain
    else { return nil }
    switch qualifier.value {
    // Typed values contain no characters with a special meaning.
    case .number, .date: return around.text(qualifier.value.description)
    case .list: throw cannot("search for several values of \(qualifier.name) at once")
    case .boolean, .text:
      guard let value = Self.value(qualifier.value, rule) else { return nil }
      if case .boolean = qualifier.value { return around.text(value) }
      guard let quoted = quoting.quoted(value) else {
        throw cannot("search for this value of \(qualifier.name), because it cannot be quoted")
      }
      return around.text(quoted)
    }
  }

  /// The API's word for a value; `nil` if it has none, and for ranges.
  private static func value(_ value: QualifierValue, _ rule: ManifestQualifier) -> String? {
    let text: String
    switch value {
    case .text(let word): text = word
    case .list: return nil
    case .boolean(let flag): text = flag ? "true" : "false"
    case .number(let bounds):
      guard let lower = bounds.lower, lower == bounds.upper, lower.isInclusive else { return nil }
      text = String(lower.value)
    case .date(let bounds):
      guard let lower = bounds.lower, lower == bounds.upper, lower.isInclusive else { return nil }
      text = lower.value.text
    }
    return rule.values.map { $0[text.lowercased()] } ?? text
  }

  /// The inclusive ends of a range in the API's format; `nil` if the value is not a range.
  private static func ends(_ value: QualifierValue, _ format: ManifestQualifier.RangeFormat) -> (
    lowest: String?, highest: String?
  )? {
    switch value {
    case .number(let bounds):
      let lowest = bounds.lower.map { $0.isInclusive || $0.value == .max ? $0.value : $0.value + 1 }
      let highest = bounds.upper.map { $0.isInclusive || $0.value == .min ? $0.value : $0.value - 1 }
      return (lowest.map(String.init), highest.map(String.init))
    case .date(let bounds):
      let lowest = bounds.lower.map { $0.isInclusive ? $0.value.start : $0.value.end }
      // The last whole second within the range.
      let highest = bounds.upper.map {
        ($0.isInclusive ? $0.value.end : $0.value.start).addingTimeInterval(-1)
      }
      return (lowest.map { text($0, format) }, highest.map { text($0, format) })
    case .text, .list, .boolean: return nil
    }
  }

  private static func text(_ date: Date, _ format: ManifestQualifier.RangeFormat) -> String {
    switch format {
    case .unix, .number: String(Int(date.timeIntervalSince1970))
    case .iso: Timestamp.text(date)
    case .day: String(Timestamp.text(date).prefix(10))
    }
  }
}
