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

  /// Whether parameters were sent that only an address within something takes.
  private(set) var sendsWithin = false
  /// The qualifier that the address searches within, with its value; `nil` for none.
  private(set) var within: (place: ManifestRequest.Within, value: String)?

  private let kind: ManifestKind
  private let name: String
  private let account: String?
  private var words: [String] = []
  /// The values that are sent in parameters of their own.
  private var values: [(key: String, qualifier: String, parameter: String, text: String)] = []

  /// Translates a query.
  ///
  /// - Parameters:
  ///   - name: The provider's display name.
  ///   - host: The host of its service.
  ///   - folder: The path that the server is below, empty for none.
  ///   - account: The account of the secret; `nil` where it is not known.
  /// - Throws: `SearchError` with code `unsupportedQuery` if the API does not support it, with code
  ///   `nothingToAsk` for a repository that is not on the host.
  init(
    _ query: QueryExpression?, _ kind: ManifestKind, of name: String, at host: String, folder: String = "",
    account: String? = nil
  ) throws(SearchError) {
    (self.kind, self.name, self.account) = (kind, name, account)
    guard let query else { return }
    let conditions = query.negationNormalForm.conjuncts
    let longest = kind.text.sendsLongest ? Self.longest(conditions) : nil
    let place = Self.within(conditions, kind.search.request)
    within = try place.map { place throws(SearchError) in
      (place.within, try Self.name(place.value, of: name, at: host, folder: folder))
    }
    for condition in conditions where condition != place?.condition {
      switch condition {
      case .term(let term):
        if let longest, longest != term { continue }
        words.append(try word(term))
        if term.isPhrase, !kind.text.quotesPhrases, kind.text.push == .exact { checked.append(condition) }
      case .not(.term(let term)):
        if let text = kind.text.negation?.text(["term": try word(term)]) {
          words.append(text)
        } else {
          checked.append(condition)
        }
      case .qualifier(let qualifier): try add(qualifier, isNegated: false)
      case .not(.qualifier(let qualifier)): try add(qualifier, isNegated: true)
      case .or: throw cannot("search for alternatives (OR)")
      case .not, .and: throw cannot("combine these conditions")
      }
    }
    // In one order for all orders of a query, so that they are one request to the cache.
    for value in values.sorted(by: { $0.key < $1.key }) {
      send(value.text, as: value.parameter, of: value.qualifier)
    }
    if !words.isEmpty { text = words.joined(separator: " ") }
  }

  /// The longest word or phrase (the first of several), for APIs that treat the text as a single phrase.
  private static func longest(_ conditions: [QueryExpression]) -> QueryTerm? {
    let terms = conditions.compactMap { if case .term(let term) = $0 { term } else { nil } }
    return terms.max { $0.text.unicodeScalars.count < $1.text.unicodeScalars.count }
  }

  /// The name of a repository or an account on the service's host, without this and the path that the server
  /// is below.
  ///
  /// - Throws: `SearchError` with code `nothingToAsk` for one that is elsewhere.
  static func name(_ value: String, of name: String, at host: String, folder: String = "") throws(SearchError)
    -> String
  {
    let value = RepositoryIdentity.withoutSubPath(value, of: host + folder)
    if value.lowercased().hasPrefix(host + "/") { return String(value.dropFirst(host.count + 1)) }
    let first = value.prefix { $0 != "/" }.lowercased()
    // A clone without a remote is named by its path. A group can have a name with a dot, but hardly one with
    // another group in it.
    let isElsewhere =
      value.hasPrefix("/") || first.contains(":") || RepositoryIdentity.ignoresCase(first)
      || first.contains(".") && value.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1
    guard isElsewhere else { return value }
    throw SearchError(.nothingToAsk, "the repository is not on \(name)")
  }

  /// The first address that searches within what a condition names.
  private static func within(_ conditions: [QueryExpression], _ request: ManifestRequest) -> (
    within: ManifestRequest.Within, value: String, condition: QueryExpression
  )? {
    for place in request.within {
      for condition in conditions {
        if case .qualifier(let qualifier) = condition, place.names.contains(qualifier.name),
          case .text(let value) = qualifier.value
        {
          return (place, value, condition)
        }
      }
    }
    return nil
  }

  /// Whether a query names what one of the addresses of a request searches within.
  static func isWithin(_ query: QueryExpression?, _ request: ManifestRequest) -> Bool {
    query.map { within($0.negationNormalForm.conjuncts, request) != nil } ?? false
  }

  /// The queries that each search in one of the repositories and accounts that a query names: of those on the
  /// host where there are any, without what belongs to another one of them.
  ///
  /// - Parameter folder: The path that the server is below, empty for none.
  static func each(of query: QueryExpression, of name: String, at host: String, folder: String)
    -> [QueryExpression]
  {
    typealias Scope = (condition: QueryExpression, isRepository: Bool, value: String)
    var (scopes, others): ([Scope], [QueryExpression]) = ([], [])
    for condition in query.negationNormalForm.conjuncts {
      guard condition.isScope, case .qualifier(let scope) = condition, case .text(let value) = scope.value
      else {
        others.append(condition)
        continue
      }
      scopes.append((condition, scope.name == "repo", value))
    }
    guard scopes.count > 1 else { return [query] }
    let here = scopes.compactMap { scope in
      (try? Self.name(scope.value, of: name, at: host, folder: folder)).map { name -> Scope in
        (scope.condition, scope.isRepository, name.lowercased())
      }
    }
    guard !here.isEmpty else { return [QueryExpression.all([scopes[0].condition] + others) ?? query] }
    let accounts = here.filter { !$0.isRepository }.map { $0.value + "/" }
    var seen: Set<String> = []
    let wanted = here.filter { scope in
      !accounts.contains(where: scope.value.hasPrefix)
        && seen.insert((scope.isRepository ? "" : "@") + scope.value).inserted
    }
    return wanted.compactMap { QueryExpression.all([$0.condition] + others) }
  }

  private func cannot(_ what: String) -> SearchError {
    SearchError(
      .unsupportedQuery, "\(name) cannot \(what)", hint: "remove it, or choose another provider")
  }

  private func word(_ term: QueryTerm) throws(SearchError) -> String {
    let isQuoted = term.isPhrase ? kind.text.quotesPhrases : kind.text.quotesWords
    guard isQuoted else { return term.text }
    guard let quoted = kind.text.quoting.quoted(term.text) else {
      throw cannot("search for one of the phrases, because it cannot be quoted")
    }
    return quoted
  }

  // MARK: Qualifiers

  private mutating func add(_ qualifier: Qualifier, isNegated: Bool) throws(SearchError) {
    // Another variant of the kind may have it, and of several values of one that an address takes the others
    // are left.
    guard let rule = kind.qualifiers[qualifier.name] else { return leave(qualifier.name) }
    // Clones without a remote, and folders of clones, are named by their paths, which are for nobody else.
    let places = qualifier.name == "repo" ? qualifier.value.texts.count { $0.hasPrefix("/") } : 0
    if places > 0 {
      guard !isNegated, places == qualifier.value.texts.count else { return leave(qualifier.name) }
      throw SearchError(.nothingToAsk, "the repository is not on \(name)")
    }
    if qualifier.isPathPattern, !rule.takesPatterns {
      throw SearchError(
        .invalidQuery, "\(name) cannot match patterns such as \(qualifier.name):\(qualifier.valueText)",
        hint: "write it without * and ?, or search clones with: -p local")
    }
    if rule.within != nil, rule.within != within?.place.qualifier {
      guard !isNegated, within == nil, !rule.own.isEmpty, isAccount(qualifier.value) else {
        return try drop(qualifier, isNegated)
      }
      return add(rule.own, qualifier)
    }
    sendsWithin = sendsWithin || rule.within != nil
    switch rule.form {
    case .none:
      guard !isNegated, within == nil, isAccount(qualifier.value) else {
        return try drop(qualifier, isNegated)
      }
      add(rule.own, qualifier)
    case .words(let words):
      guard !isNegated, let sent = words[qualifier.valueText.lowercased()] else {
        return try drop(qualifier, isNegated)
      }
      add(sent, qualifier)
    case .text(let plain, let negated, let quoting):
      guard let template = isNegated ? negated : plain,
        let text = template.text(["value": try quoted(qualifier, rule, quoting)].compactMapValues(\.self))
      else { return isNegated ? try drop(qualifier, isNegated) : leave(qualifier.name) }
      words.append(text)
    case .parameter(let name, let negated):
      var (value, isNegated) = (qualifier.value, isNegated)
      // A negated Boolean is the opposite value.
      if case .boolean(let flag) = value, isNegated, negated == nil {
        (value, isNegated) = (.boolean(!flag), false)
      }
      guard let target = isNegated ? negated : name, let text = Self.value(value, rule) else {
        return try drop(qualifier, isNegated)
      }
      values.append(
        (
          key: qualifier.name + (isNegated ? " not" : ""), qualifier: qualifier.name, parameter: target,
          text: text
        ))
      if !isNegated { add(rule.further, qualifier) }
    case .condition(let name, let conditions):
      if case .text = qualifier.value, let word = Self.value(qualifier.value, rule),
        let quoting = conditions.quoting, quoting.quoted(word) == nil
      {
        throw cannot("search for this value of \(qualifier.name), because it cannot be quoted")
      }
      guard let texts = Self.texts(qualifier.value, isNegated, rule, conditions) else {
        return try drop(qualifier, isNegated)
      }
      for text in texts {
        values.append(
          (key: "\(qualifier.name) \(text)", qualifier: qualifier.name, parameter: name, text: text))
      }
      if !isNegated { add(rule.further, qualifier) }
    case .range(let lowest, let highest, let format):
      guard !isNegated, let ends = Self.ends(qualifier.value, format) else { return leave(qualifier.name) }
      for (name, end) in [(lowest, ends.lowest), (highest, ends.highest)] {
        guard let end else { continue }
        guard let name else {
          leave(qualifier.name)
          continue
        }
        send(end, as: name, of: qualifier.name)
      }
    }
  }

  /// Whether a value is the account of the secret.
  private func isAccount(_ value: QualifierValue) -> Bool {
    if case .text(let text) = value { text.lowercased() == account?.lowercased() } else { false }
  }

  /// Adds parameters that a qualifier is sent as.
  private mutating func add(_ parameters: [ManifestList.Parameter], _ qualifier: Qualifier) {
    for parameter in parameters {
      values.append(
        (
          key: qualifier.name + " " + parameter.name, qualifier: qualifier.name, parameter: parameter.name,
          text: parameter.value
        ))
    }
  }

  private mutating func leave(_ name: String) { unapplied.insert(name) }

  /// Leaves a value that the API has no word for to the caller.
  ///
  /// - Throws: `SearchError` where no field of the results decides it, so that every one would be left out,
  ///   or none would be. Another list of the kind may have what a word of `is:` excludes.
  private mutating func drop(_ qualifier: Qualifier, _ isNegated: Bool) throws(SearchError) {
    guard isNegated && qualifier.name == "is" || kind.canCheck(qualifier) else {
      throw cannot("search for \(isNegated ? "-" : "")\(qualifier.name):\(qualifier.valueText) here")
    }
    leave(qualifier.name)
  }

  /// Adds a value of a qualifier to the parameters. If the API takes only one, the caller checks the others.
  private mutating func send(_ value: String, as parameter: String, of name: String) {
    let separator = kind.qualifiers[name]?.separator
    // A value that contains the separator would be read as two.
    if let separator, value.contains(separator) { return leave(name) }
    guard let place = parameters.firstIndex(where: { $0.name == parameter }) else {
      return parameters.append(.init(name: parameter, value: value))
    }
    if parameters[place].value == value { return }
    guard let separator else { return leave(name) }
    parameters[place].value += separator + value
  }

  /// A value as it is written in the text; `nil` if the API has no word for it.
  private func quoted(_ qualifier: Qualifier, _ rule: ManifestQualifier, _ quoting: Quoting)
    throws(SearchError)
    -> String?
  {
    switch qualifier.value {
    // Typed values contain no characters with a special meaning.
    case .number, .date: return qualifier.value.description
    case .list: throw cannot("search for several values of \(qualifier.name) at once")
    case .boolean: return Self.value(qualifier.value, rule)
    case .text:
      guard let value = Self.value(qualifier.value, rule) else { return nil }
      if qualifier.isPathPattern { return Quoting.expression(ofPaths: value) }
      guard let quoted = quoting.quoted(value) else {
        throw cannot("search for this value of \(qualifier.name), because it cannot be quoted")
      }
      return quoted
    }
  }

  /// The conditions for a value, two for a range with two ends; `nil` where the API has none for it.
  private static func texts(
    _ value: QualifierValue, _ isNegated: Bool, _ rule: ManifestQualifier,
    _ conditions: ManifestQualifier.Conditions
  ) -> [String]? {
    if var word = self.value(value, rule) {
      if case .text = value { word = conditions.quoting?.quoted(word) ?? word }
      return (isNegated ? conditions.negated : conditions.equal)?.text(["value": word]).map { [$0] }
    }
    guard !isNegated, let ends = ends(value, .iso) else { return nil }
    func text(_ inclusive: Template?, _ exclusive: Template?, _ end: String, _ step: Int) -> String? {
      guard let exclusive else { return inclusive?.text(["value": end]) }
      guard case .number = value, let number = Int(end) else { return nil }
      let (outer, isBeyond) = number.addingReportingOverflow(step)
      return isBeyond ? nil : exclusive.text(["value": String(outer)])
    }
    let texts = [
      ends.lowest.map { text(conditions.lowest, conditions.above, $0, -1) },
      ends.highest.map { text(conditions.highest, conditions.below, $0, 1) },
    ].compactMap(\.self)
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
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
  private static func ends(_ value: QualifierValue, _ format: ManifestQualifier.DateFormat?) -> (
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

  private static func text(_ date: Date, _ format: ManifestQualifier.DateFormat?) -> String {
    format == .iso ? Timestamp.text(date) : String(Int(date.timeIntervalSince1970))
  }
}
