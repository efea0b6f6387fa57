import ArgumentParser
import ForageCore

/// An option of `search` that stands for a qualifier of the query.
///
/// ``table`` has those of everyday use, which the parser knows, and those that only `gh search` has:
/// ``ProgramArguments`` hands these over as `NAME=VALUE` of one option. Options, hints, manual and what shells
/// offer for the former follow from it.
struct SearchQualifier: Sendable {
  /// Where the values of an option are.
  typealias Values = @Sendable (QualifierOptions) -> [String]

  /// What stands behind the option.
  enum Value: Sendable {
    /// One value; several options are conditions of their own.
    case one
    /// Values separated by commas, or one with each of several options; results match any of them, or all.
    case any, all
    /// As `any`, but a comma belongs to the value.
    case anyWithCommas
    /// `true`, which may be left out, or `false`.
    case truth
    /// Nothing or `true`, or `false` for another value of the qualifier: `is:merged` and `is:unmerged`. `nil`
    /// for no condition.
    case flag(on: String?, off: String?)
  }

  /// The long name, without dashes.
  let name: String
  var letter: Character?
  /// Where the values are that the parser read; `nil` for an option that it does not know.
  let values: Values?
  let qualifier: String
  /// The beginning of the qualifier's value that the option's value lacks.
  var beginning = ""
  let value: Value
  /// How help calls the value.
  let valueName: String
  /// The values to choose from; empty for any.
  var choices: [String] = []
  /// The searches of gh that have the option; `code` has no name of its own in ``GhSearch``.
  let searches: [String]
  let help: String

  init(
    _ name: String, letter: Character? = nil, at values: Values? = nil, as qualifier: String? = nil,
    beginning: String = "", _ value: Value, _ valueName: String = "", choices: [String] = [],
    in searches: String, _ help: String
  ) {
    (self.name, self.letter, self.values, self.qualifier) = (name, letter, values, qualifier ?? name)
    (self.beginning, self.value, self.valueName, self.choices) = (beginning, value, valueName, choices)
    self.searches = searches.split(separator: " ").map(String.init)
    self.help = help
  }

  /// The qualifier for a value. It differs from ``qualifier`` for the state `merged`, for a team as reviewer,
  /// and for what a search of gh means by `--updated`.
  func qualifier(for value: String, in search: GhSearch?) -> String {
    switch name {
    case "state" where value.lowercased() == "merged": "is"
    case "review-requested" where value.contains("/"): "team-review-requested"
    case "updated" where search == .repos: "pushed"
    default: qualifier
    }
  }

  /// Whether the parser does not know the option.
  var isFurther: Bool { values == nil }

  /// Whether the option needs no value.
  var isFlag: Bool {
    switch value {
    case .truth, .flag: true
    default: false
    }
  }
}

/// The options that only `gh search` has.
extension SearchQualifier {
  /// The options that the parser does not know.
  static let further: [SearchQualifier] = [
    SearchQualifier(
      "visibility", as: "is", .any, "visibility", choices: ["public", "private", "internal"],
      in: "repos issues prs commits", "Filter by visibility of the repository."),
    SearchQualifier("forks", .one, "number", in: "repos", "Filter by number of forks."),
    SearchQualifier("followers", .one, "number", in: "repos", "Filter by number of followers."),
    SearchQualifier("size", .one, "number", in: "repos code", "Filter by size: of repositories in KB."),
    SearchQualifier(
      "number-topics", as: "topics", .one, "number", in: "repos", "Filter by number of topics."),
    SearchQualifier(
      "good-first-issues", .one, "number", in: "repos", "Filter by number of good first issues."),
    SearchQualifier(
      "help-wanted-issues", .one, "number", in: "repos", "Filter by number of help wanted issues."),
    SearchQualifier(
      "include-forks", as: "fork", .one, "which", choices: ["false", "true", "only"], in: "repos",
      "Include forks: false, true or only."),
    SearchQualifier(
      "include-prs", as: "is", .flag(on: nil, off: "issue"), in: "issues",
      "Find pull requests, too (-k issue always does)."),
    SearchQualifier(
      "app", as: "author", beginning: "app/", .one, "name", in: "issues prs",
      "Filter by author: a GitHub App."),
    SearchQualifier("mentions", .one, "login", in: "issues prs", "Filter by mentions of a user."),
    SearchQualifier("commenter", .one, "login", in: "issues prs", "Filter by comments of a user."),
    SearchQualifier(
      "team-mentions", as: "team", .one, "org/team", in: "issues prs", "Filter by mentions of a team."),
    SearchQualifier("milestone", .one, "title", in: "issues prs", "Filter by milestone."),
    SearchQualifier("project", .one, "owner/number", in: "issues prs", "Filter by project board."),
    SearchQualifier("comments", .one, "number", in: "issues prs", "Filter by number of comments."),
    SearchQualifier("reactions", .one, "number", in: "issues prs", "Filter by number of reactions."),
    SearchQualifier(
      "interactions", .one, "number", in: "issues prs", "Filter by number of comments and reactions."),
    SearchQualifier("closed", .one, "date", in: "issues prs", "Filter by date of closing."),
    SearchQualifier(
      "locked", as: "is", .flag(on: "locked", off: "unlocked"), in: "issues prs",
      "Filter by locked conversation."),
    SearchQualifier(
      "no-assignee", as: "no", .flag(on: "assignee", off: nil), in: "issues prs",
      "Filter by missing assignee."),
    SearchQualifier(
      "no-label", as: "no", .flag(on: "label", off: nil), in: "issues prs", "Filter by missing label."),
    SearchQualifier(
      "no-milestone", as: "no", .flag(on: "milestone", off: nil), in: "issues prs",
      "Filter by missing milestone."),
    SearchQualifier(
      "no-project", as: "no", .flag(on: "project", off: nil), in: "issues prs", "Filter by missing project."),
    SearchQualifier("draft", .truth, "true|false", in: "prs", "Filter by draft state."),
    SearchQualifier(
      "merged", as: "is", .flag(on: "merged", off: "unmerged"), in: "prs", "Filter by merged state."),
    SearchQualifier("merged-at", as: "merged", .one, "date", in: "prs", "Filter by date of merging."),
    SearchQualifier("base", letter: "B", .one, "branch", in: "prs", "Filter by base branch."),
    SearchQualifier("head", letter: "H", .one, "branch", in: "prs", "Filter by head branch."),
    SearchQualifier(
      "review", .one, "state", choices: ["none", "required", "approved", "changes_requested"], in: "prs",
      "Filter by state of the review."),
    SearchQualifier(
      "review-requested", .one, "login", in: "prs", "Filter by user, or org/team, asked for a review."),
    SearchQualifier("reviewed-by", .one, "login", in: "prs", "Filter by reviewer."),
    SearchQualifier(
      "checks", as: "status", .one, "state", choices: ["pending", "success", "failure"], in: "prs",
      "Filter by state of the checks."),
    SearchQualifier("author-name", .one, "name", in: "commits", "Filter by name of the author."),
    SearchQualifier("author-email", .one, "address", in: "commits", "Filter by email address of the author."),
    SearchQualifier("author-date", .one, "date", in: "commits", "Filter by author date."),
    SearchQualifier("committer", .one, "login", in: "commits", "Filter by committer."),
    SearchQualifier("committer-name", .one, "name", in: "commits", "Filter by name of the committer."),
    SearchQualifier(
      "committer-email", .one, "address", in: "commits", "Filter by email address of the committer."),
    SearchQualifier("committer-date", .one, "date", in: "commits", "Filter by commit date."),
    SearchQualifier("hash", .one, "id", in: "commits", "Filter by commit id."),
    SearchQualifier("parent", .one, "id", in: "commits", "Filter by id of a parent."),
    SearchQualifier("tree", .one, "id", in: "commits", "Filter by id of the tree."),
    SearchQualifier("merge", .truth, "true|false", in: "commits", "Filter by merge commits."),
  ]

  /// The options by their names with dashes, short and long.
  static let named: [String: SearchQualifier] = {
    var named: [String: SearchQualifier] = [:]
    for option in table {
      named["--" + option.name] = option
      if let letter = option.letter { named["-\(letter)"] = option }
    }
    return named
  }()
}

extension Option where Value == [String] {
  /// An option of the table.
  init(wrappedValue: [String], _ option: SearchQualifier) {
    self.init(
      wrappedValue: wrappedValue, name: option.letter.map(NameSpecification.letter) ?? .long,
      help: ArgumentHelp(option.help, valueName: option.valueName), completion: option.completion)
  }
}

extension SearchQualifier {
  /// What a shell offers for the value.
  fileprivate var completion: CompletionKind? {
    switch value {
    case _ where name == Self.repo.name: Completion.reference
    case _ where name == Self.match.name: Completion.list(of: choices)
    default: choices.isEmpty ? nil : .list(choices)
    }
  }
}
