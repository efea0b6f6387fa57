extension QueryExpression {
  /// Whether an item fulfils the condition, as far as its own fields tell.
  ///
  /// A positive qualifier fails on an item without the field, a negated one passes. Words and phrases are looked for in title,
  /// description, topics and path, ignoring case.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - vocabulary: Which field each qualifier reads.
  ///   - occurs: Tells whether a word or phrase occurs, where the provider knows better than the shown fields.
  public func matches(
    _ item: SearchResult, vocabulary: QualifierVocabulary = .common, occurs: ((QueryTerm) -> Bool)? = nil
  ) -> Bool {
    switch self {
    case .term(let term): occurs?(term) ?? term.occurs(in: item)
    case .qualifier(let qualifier): qualifier.holds(for: item, vocabulary: vocabulary)
    // `in:` says where words are looked for; by itself it excludes nothing.
    case .not(.qualifier(let qualifier)) where qualifier.name == "in": true
    case .not(let child): !child.matches(item, vocabulary: vocabulary, occurs: occurs)
    case .and(let children): children.allSatisfy { $0.matches(item, vocabulary: vocabulary, occurs: occurs) }
    case .or(let children): children.contains { $0.matches(item, vocabulary: vocabulary, occurs: occurs) }
    }
  }
}

extension QueryTerm {
  fileprivate func occurs(in item: SearchResult) -> Bool {
    let needle = text.lowercased()
    if item.title.lowercased().contains(needle) { return true }
    return [ResultField.description, .topics, .path].contains { field in
      item[field]?.texts.contains { $0.lowercased().contains(needle) } ?? false
    }
  }
}

extension Qualifier {
  fileprivate func holds(for item: SearchResult, vocabulary: QualifierVocabulary) -> Bool {
    switch (name, value) {
    case ("in", _): return true
    case ("is", .text(let word)): return Self.state(word.lowercased(), of: item)
    case ("fork", .text(let word)):
      guard let isFork = item[.fork]?.flag else { return false }
      return word == "true" || isFork == (word == "only")
    case ("repo", .text(let wanted)):
      guard let owner = item[.owner]?.text, let name = item[.name]?.text else { return false }
      return (owner + "/" + name).lowercased() == wanted.lowercased()
    case ("topics", .number(let bounds)):
      return item[.topics].map { bounds.contains($0.texts.count) } ?? false
    default: break
    }
    guard let field = vocabulary[name]?.field, let found = item[field] else { return false }
    return matches(found, field: field)
  }

  private func matches(_ found: FieldValue, field: ResultField) -> Bool {
    switch (value, found) {
    case (.number(let bounds), .number(let number)): bounds.contains(number)
    case (.date(let bounds), .date(let date)): bounds.contains(date)
    case (.boolean(let wanted), .flag(let flag)): wanted == flag
    case (.text(let wanted), .text(let text)):
      switch field {
      case .license: LicenseName.normalised(wanted) == LicenseName.normalised(text)
      case .language: LanguageName.normalised(wanted) == LanguageName.normalised(text)
      case .path, .name: text.lowercased().contains(wanted.lowercased())
      default: wanted.lowercased() == text.lowercased()
      }
    case (.text(let wanted), .list(let texts)):
      texts.contains { $0.lowercased() == wanted.lowercased() }
    default: false
    }
  }

  /// What `is:` asks for; a word that no field answers does not hold.
  private static func state(_ word: String, of item: SearchResult) -> Bool {
    switch word {
    case "public": item[.isPrivate]?.flag == false
    case "private": item[.isPrivate]?.flag == true
    case "archived": item[.archived]?.flag == true
    case "fork": item[.fork]?.flag == true
    case "mirror": item[.mirror]?.flag == true
    case "template": item[.template]?.flag == true
    default: false
    }
  }
}

/// Brings the spellings of a license together.
enum LicenseName {
  /// The SPDX identifier in lower case without `-only` and `-or-later`, so that GitHub's key `gpl-3.0` meets `GPL-3.0-or-later`.
  static func normalised(_ text: String) -> String {
    let lower = text.lowercased()
    for suffix in ["-only", "-or-later"] where lower.hasSuffix(suffix) {
      return String(lower.dropLast(suffix.count))
    }
    return lower
  }
}

/// Brings the spellings of a language together.
enum LanguageName {
  /// Short names that people type; source: the aliases of github-linguist for the languages most in use.
  private static let aliases = [
    "cpp": "c++", "cplusplus": "c++", "csharp": "c#", "cs": "c#", "fsharp": "f#", "golang": "go",
    "js": "javascript",
    "ts": "typescript", "py": "python", "rb": "ruby", "rs": "rust", "objc": "objective-c",
    "obj-c": "objective-c",
    "sh": "shell", "bash": "shell", "zsh": "shell", "kt": "kotlin", "hs": "haskell", "viml": "vim script",
    "vim": "vim script",
    "elisp": "emacs lisp", "latex": "tex", "docker": "dockerfile", "ps1": "powershell",
  ]

  /// The name in lower case with spaces for hyphens, aliases resolved.
  static func normalised(_ text: String) -> String {
    let lower = text.lowercased()
    return (aliases[lower] ?? lower).replacing("-", with: " ")
  }
}
