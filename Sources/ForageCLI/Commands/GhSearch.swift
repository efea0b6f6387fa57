import Forage
import ForageCore

/// A search of gh: `gh search repos`, `issues`, `prs` or `commits`, whose name as the first word of a query
/// means the same here.
///
/// After it options, arguments and fields mean what they mean for gh.
enum GhSearch: String, CaseIterable, Sendable {
  case repos, issues, prs, commits

  /// The kind of its results, with the name for pull requests.
  var kind: ResultKind {
    switch self {
    case .repos: .repo
    case .issues: .issue
    case .prs: .pullRequest
    case .commits: .commit
    }
  }

  /// The qualifiers whose values have spaces.
  private static let namesOfPhrases: Set = ["label", "milestone", "author-name", "committer-name"]

  /// The query of arguments of gh: one with spaces is a phrase, or a qualifier whose value is one.
  ///
  /// An argument with other qualifiers, of which gh makes one value, is read as it is meant.
  static func query(_ arguments: [String], _ vocabulary: QualifierVocabulary) -> String {
    arguments.map { quoted($0, vocabulary) }.joined(separator: " ")
  }

  private static func quoted(_ argument: String, _ vocabulary: QualifierVocabulary) -> String {
    guard argument.contains(where: \.isWhitespace), !argument.contains("\"") else { return argument }
    let names = argument.split(whereSeparator: \.isWhitespace).compactMap { word -> String? in
      guard let colon = word.firstIndex(of: ":") else { return nil }
      let name = word[..<colon].drop { $0 == "-" }.lowercased()
      return vocabulary[name] == nil && name != "sort" ? nil : name
    }
    if names.isEmpty { return QueryTerm.quoted(argument) }
    guard names.count == 1, namesOfPhrases.contains(names[0]), let colon = argument.firstIndex(of: ":"),
      argument[..<colon].drop(while: { $0 == "-" }).lowercased() == names[0]
    else { return argument }
    return argument[...colon] + QueryTerm.quoted(String(argument[argument.index(after: colon)...]))
  }
}
