extension QueryExpression {
  /// Whether an item satisfies the condition, according to its fields.
  ///
  /// On an item without the field, a qualifier is false and a negated qualifier is true. Words and phrases
  /// are matched in title, name, description, topics, path and message, ignoring case.
  ///
  /// A provider asks ``SearchRequest/matches(_:occurs:)``, which knows its own qualifiers.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - vocabulary: Maps each qualifier to the field that it reads.
  ///   - occurs: Whether a word or phrase occurs in the item. Providers that search more than the fields
  ///     above pass this.
  public func matches(
    _ item: SearchResult, vocabulary: QualifierVocabulary = .common, occurs: ((QueryTerm) -> Bool)? = nil
  ) -> Bool {
    switch self {
    case .term(let term): occurs?(term) ?? term.occurs(in: item)
    case .qualifier(let qualifier): qualifier.holds(for: item, vocabulary: vocabulary)
    // `in:` selects where words are matched; it excludes nothing by itself.
    case .not(.qualifier(let qualifier)) where qualifier.name == "in": true
    case .not(let child): !child.matches(item, vocabulary: vocabulary, occurs: occurs)
    case .and(let children):
      Self.unitingScopes(children).allSatisfy { $0.matches(item, vocabulary: vocabulary, occurs: occurs) }
    case .or(let children): children.contains { $0.matches(item, vocabulary: vocabulary, occurs: occurs) }
    }
  }
}

extension QueryTerm {
  /// Whether the text occurs; a regular expression is evaluated only by providers that have the whole text.
  fileprivate func occurs(in item: SearchResult) -> Bool {
    if isExpression { return false }
    let needle = text.lowercased()
    if item.title.lowercased().contains(needle) { return true }
    // Of a file a service sends the lines that match.
    let fragments = item[.fragments]?.elements ?? []
    if fragments.contains(where: { $0["text"]?.text?.lowercased().contains(needle) ?? false }) { return true }
    return [ResultField.name, .description, .topics, .path, .message].contains { field in
      item[field]?.texts.contains { $0.lowercased().contains(needle) } ?? false
    }
  }
}

extension Qualifier {
  fileprivate func holds(for item: SearchResult, vocabulary: QualifierVocabulary) -> Bool {
    switch (name, value) {
    case ("in", _): return true
    // The provider of clones decides it for each.
    case ("repo", .boolean(let isMeant)): return isMeant
    case ("repo", .list(let several)):
      return several.contains { Qualifier(name, .text($0)).holds(for: item, vocabulary: vocabulary) }
    case ("is", .text(let word)): return SearchResult.state(word.lowercased())?.holds(item) ?? false
    case ("no", .text(let word)):
      return Self.field(without: word).map { item[$0]?.texts.isEmpty ?? true } ?? false
    case ("fork", .text(let word)):
      guard let isFork = item[.fork]?.flag else { return false }
      return word == "true" || isFork == (word == "only")
    case ("repo", .text(let wanted)) where item.kind == .repo || item[.repository] == nil:
      guard let owner = item[.owner]?.text, let name = item[.name]?.text else { return item.id == wanted }
      let (path, wanted) = ((owner + "/" + name).lowercased(), wanted.lowercased())
      // A clone of a server without pages has no host but in its id.
      return path == wanted || item.id.lowercased() == wanted
        || item[.host]?.text.map { $0.lowercased() + "/" + path == wanted } ?? false
    case ("topics", .number(let bounds)):
      return item[.topics].map { bounds.contains($0.texts.count) } ?? false
    case ("merge", .boolean(let wanted)):
      return item[.parents].map { ($0.texts.count > 1) == wanted } ?? false
    default: break
    }
    guard let field = vocabulary.definition(of: name, for: item.kind)?.field, let found = item[field] else {
      return false
    }
    return matches(found, field: field)
  }

  /// The field that is absent with `no:` and a word; `nil` for a word of which no field is known.
  private static func field(without word: String) -> ResultField? {
    ["label": .labels, "assignee": .assignees, "milestone": .milestone][word.lowercased()]
  }

  private func matches(_ found: FieldValue, field: ResultField) -> Bool {
    switch (value, found) {
    case (.list(let wanted), _): wanted.contains { Qualifier(name, .text($0)).matches(found, field: field) }
    case (.number(let bounds), .number(let number)): bounds.contains(number)
    case (.number(let bounds), .fraction(let number)): bounds.contains(number)
    case (.date(let bounds), .date(let date)): bounds.contains(date)
    case (.boolean(let wanted), .flag(let flag)): wanted == flag
    case (.text(let wanted), .text(let text)):
      switch field {
      case .license: LicenseName.normalised(wanted) == LicenseName.normalised(text)
      case .language: LanguageName.normalised(wanted) == LanguageName.normalised(text)
      case .path, .name, .location, .authorName: text.lowercased().contains(wanted.lowercased())
      case .repository: isRepository(text, wanted.lowercased())
      case .accountType: AccountName.type(wanted) == AccountName.type(text)
      case .author, .committer: AccountName.login(wanted) == text.lowercased()
      case .stateReason: wanted.lowercased().replacing(" ", with: "_") == text.lowercased()
      default: wanted.lowercased() == text.lowercased()
      }
    case (.text(let wanted), .list(let texts)):
      // Labels separated by commas are alternatives.
      texts.contains { $0.lowercased() == wanted.lowercased() }
        || field == .labels && wanted.contains(",") && !wanted.contains(where: \.isWhitespace)
          && wanted.split(separator: ",").contains { part in
            texts.contains { $0.lowercased() == part.lowercased() }
          }
    case (.text(let wanted), .flag(let isPullRequest)) where field == .isPullRequest:
      ["pr", "issue"].contains(wanted.lowercased()) && isPullRequest == (wanted.lowercased() == "pr")
    default: false
    }
  }

  /// Whether a repository is the wanted one or belongs to the wanted account.
  private func isRepository(_ id: String, _ wanted: String) -> Bool {
    guard let parts = RepositoryIdentity.components(id) else { return false }
    let owner = parts.owner.lowercased()
    guard name == "repo" else { return wanted == owner }
    return wanted == owner + "/" + parts.name.lowercased() || wanted == id.lowercased()
  }

  /// The fields that decide the qualifier for an item of a kind; empty if no field does.
  package func fields(for kind: ResultKind, vocabulary: QualifierVocabulary = .common) -> [ResultField] {
    switch (name, value) {
    case ("in", _): return []
    case ("repo", _) where kind == .repo: return [.owner, .name]
    case ("is", .text(let word)): return SearchResult.state(word.lowercased())?.fields ?? []
    case ("merge", _): return [.parents]
    case ("no", .text(let word)): return Self.field(without: word).map { [$0] } ?? []
    default: return vocabulary.definition(of: name, for: kind)?.field.map { [$0] } ?? []
    }
  }
}

extension SearchResult {
  /// The fields that decide `is:` with a given word, and whether an item has this state; `nil` for an unknown
  /// word.
  fileprivate static func state(_ word: String) -> (fields: [ResultField], holds: (SearchResult) -> Bool)? {
    func flag(_ field: ResultField, _ value: Bool = true) -> ([ResultField], (SearchResult) -> Bool) {
      ([field], { $0[field]?.flag == value })
    }
    return switch word {
    case "public", "private": flag(.isPrivate, word == "private")
    case "archived": flag(.archived)
    case "fork": flag(.fork)
    case "mirror": flag(.mirror)
    case "template": flag(.template)
    case "open", "closed": ([.state], { $0[.state]?.text?.lowercased() == word })
    case "pr", "pull-request", "issue": flag(.isPullRequest, word != "issue")
    case "merged": ([.mergedAt], { $0[.mergedAt] != nil })
    case "unmerged":
      ([.isPullRequest, .mergedAt], { $0[.isPullRequest]?.flag == true && $0[.mergedAt] == nil })
    case "draft": flag(.draft)
    case "locked", "unlocked": flag(.locked, word == "locked")
    case "curated", "not-curated": flag(.curated, word == "curated")
    case "featured", "not-featured": flag(.featured, word == "featured")
    default: nil
    }
  }
}

enum AccountName {
  /// The login in lower case. The login of an app, written `app/NAME`, is `NAME[bot]`.
  static func login(_ text: String) -> String {
    let lower = text.lowercased()
    return lower.hasPrefix("app/") ? lower.dropFirst(4) + "[bot]" : lower
  }

  /// The account type in lower case, with `org` expanded.
  static func type(_ text: String) -> String {
    let lower = text.lowercased()
    return lower == "org" ? "organization" : lower
  }
}

enum LicenseName {
  /// The SPDX identifier in lower case without `-only` and `-or-later`, so that GitHub's key `gpl-3.0` equals
  /// `GPL-3.0-or-later`.
  static func normalised(_ text: String) -> String {
    let lower = text.lowercased()
    for suffix in ["-only", "-or-later"] where lower.hasSuffix(suffix) {
      return String(lower.dropLast(suffix.count))
    }
    return lower
  }
}

package enum LanguageName {
  /// Common short names, from the aliases in github-linguist.
  private static let aliases = [
    "cpp": "c++", "cplusplus": "c++", "csharp": "c#", "cs": "c#", "fsharp": "f#", "golang": "go",
    "js": "javascript",
    "ts": "typescript", "py": "python", "rb": "ruby", "rs": "rust", "objc": "objective-c",
    "obj-c": "objective-c",
    "sh": "shell", "bash": "shell", "zsh": "shell", "kt": "kotlin", "hs": "haskell", "viml": "vim script",
    "vim": "vim script",
    "elisp": "emacs lisp", "latex": "tex", "docker": "dockerfile", "ps1": "powershell",
  ]

  /// The name in lower case, with aliases resolved and hyphens replaced by spaces.
  package static func normalised(_ text: String) -> String {
    let lower = text.lowercased()
    return (aliases[lower] ?? lower).replacing("-", with: " ")
  }
}
