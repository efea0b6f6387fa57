import Foundation

extension FakeQuery {
  /// Whether something is found.
  ///
  /// - Parameters:
  ///   - has: whether a word, in lower case, stands in one of its texts.
  ///   - satisfies: whether it fulfils a qualifier of a name and a value.
  func matches(has: (String) -> Bool, satisfies: (String, String) -> Bool) -> Bool {
    Self.matches(root, has, satisfies)
  }

  /// How well it is found: a made-up measure with which the same query gives the same order.
  func rank(_ repository: FakeRepository) -> Double {
    let name = repository.name.lowercased()
    let about = (repository.description ?? "").lowercased()
    var score = log10(Double(repository.stars) + 1)
    for word in positiveWords {
      if name == word { score += 20 } else if name.contains(word) { score += 8 }
      if about.contains(word) { score += 2 }
      if repository.topics.contains(word) { score += 3 }
    }
    return score
  }

  /// Where words are looked for: what `in:` names, else the given.
  func scopes(else usual: Set<String>) -> Set<String> {
    let named = values(of: ["in"]).flatMap { $0.lowercased().split(separator: ",").map(String.init) }
    return named.isEmpty ? usual : Set(named)
  }

  private static func matches(_ node: Node, _ has: (String) -> Bool, _ satisfies: (String, String) -> Bool)
    -> Bool
  {
    switch node {
    case .word(let word): return has(word.lowercased())
    case .qualifier(let name, let value): return name == "in" || satisfies(name, value)
    case .not(let inner): return !matches(inner, has, satisfies)
    case .or(let list): return list.contains { matches($0, has, satisfies) }
    case .and(let list):
      var widened: [Bool?] = [nil, nil]
      for part in list {
        let match = matches(part, has, satisfies)
        if case .qualifier(let name, _) = part, let group = group(of: name) {
          widened[group] = (widened[group] ?? false) || match
        } else if !match {
          return false
        }
      }
      return !widened.contains(false)
    }
  }

  /// Qualifiers that widen each other.
  private static func group(of name: String) -> Int? {
    switch name {
    case "user", "org", "repo": 0
    case "language": 1
    default: nil
    }
  }

  /// Whether a repository fulfils a qualifier.
  static func satisfies(_ name: String, _ value: String, _ repository: FakeRepository) -> Bool {
    let lower = value.lowercased()
    switch name {
    case "user", "org": return repository.owner.lowercased() == lower
    case "repo": return repository.fullName.lowercased() == lower
    case "language": return repository.language.map(normal) == normal(value)
    case "topic": return repository.topics.contains(lower)
    case "topics": return number(value, repository.topics.count)
    case "stars": return number(value, repository.stars)
    case "forks": return number(value, repository.forks)
    case "size": return number(value, repository.size)
    case "created": return date(value, repository.createdAt)
    case "pushed": return date(value, repository.pushedAt)
    case "updated": return date(value, repository.updatedAt)
    case "license": return license(lower, repository.license?.lowercased())
    case "archived": return repository.archived == (lower == "true")
    case "template": return repository.isTemplate == (lower == "true")
    case "mirror": return (repository.mirrorURL != nil) == (lower == "true")
    case "fork": return lower == "only" ? repository.fork : lower == "true" || !repository.fork
    case "is": return visible(lower, repository)
    default: return true
    }
  }

  private static func visible(_ value: String, _ repository: FakeRepository) -> Bool {
    switch value {
    case "public": !repository.isPrivate
    case "private": repository.isPrivate
    case "internal": false
    default: true
    }
  }

  private static func license(_ wanted: String, _ has: String?) -> Bool {
    guard let has else { return false }
    if has == "noassertion" { return wanted == "other" }
    // Families match all their versions.
    return has == wanted || (["gpl", "lgpl", "agpl"].contains(wanted) && has.hasPrefix(wanted + "-"))
  }

  /// One spelling for the names by which a language is asked for.
  static func normal(_ language: String) -> String {
    let aliases = ["cpp": "c++", "csharp": "c#", "golang": "go", "objc": "objective c", "js": "javascript"]
    let lower = String(language.lowercased().map { $0 == "-" ? " " : $0 })
    return aliases[lower] ?? lower
  }

  /// Whether a number fulfils a condition such as `>10` or `10..20`.
  static func number(_ condition: String, _ value: Int) -> Bool {
    compare(condition, Double(value)..<Double(value).nextUp) { text in
      Double(text).map { $0..<$0.nextUp }
    }
  }

  /// Whether an instant fulfils a condition such as `>=2024-01-31`.
  static func date(_ condition: String, _ value: Date?) -> Bool {
    guard let value else { return false }
    let second = value.timeIntervalSince1970.rounded(.down)
    return compare(condition, second..<(second + 1), UTCTime.span)
  }

  /// `N`, `>N`, `>=N`, `<N`, `<=N`, `A..B`, `A..*`, `*..B`; false when a bound cannot be read.
  ///
  /// A bound is a span (a date is a whole day): `>` means after its end, `>=` from its start on.
  private static func compare(
    _ condition: String, _ value: Range<Double>, _ read: (Substring) -> Range<Double>?
  ) -> Bool {
    let text = condition[...]
    let point = value.lowerBound
    if let dots = text.firstRange(of: "..") {
      let (low, high) = (text[..<dots.lowerBound], text[dots.upperBound...])
      guard low == "*" || read(low) != nil, high == "*" || read(high) != nil else { return false }
      let above = read(low).map { point >= $0.lowerBound } ?? true
      let below = read(high).map { point < $0.upperBound } ?? true
      return above && below
    }
    if text.hasPrefix(">=") { return read(text.dropFirst(2)).map { point >= $0.lowerBound } ?? false }
    if text.hasPrefix("<=") { return read(text.dropFirst(2)).map { point < $0.upperBound } ?? false }
    if text.hasPrefix(">") { return read(text.dropFirst()).map { point >= $0.upperBound } ?? false }
    if text.hasPrefix("<") { return read(text.dropFirst()).map { point < $0.lowerBound } ?? false }
    return read(text).map { $0.contains(point) } ?? false
  }
}
