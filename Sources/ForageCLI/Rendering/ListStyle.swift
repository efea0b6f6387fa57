import Forage
import ForageCore

/// How a list is written, and what the messages about it offer.
struct ListStyle {
  /// What the list is in JSON.
  enum Documents: Equatable {
    /// Our document of a search.
    case search
    /// The records of a search of gh.
    case gh(GhSearch)
    /// A document with one member, which holds the results.
    case list(named: String)
  }

  var format = OutputFormat.auto
  var documents = Documents.search
  /// Whether it says how each result was ranked, which providers took no part, and which conditions were checked here.
  var explains = false
  /// Whether the results of a table are numbered.
  var showsNumbers = false
  /// Whether matches are written as `path:line:column:text`, for editors.
  var isForEditors = false
  /// How the rows are written, `nil` for the usual way of the kinds.
  var layout: KindRendering?
  /// The home folder, which a terminal shows as `~`.
  var home: String?
  /// The current folder, to which a terminal shows the paths of files below it.
  var folder: String?
  /// The host that a name without one means: rows for programs name others.
  var bareHost = BuiltInProvider.usualHost
  /// The columns from one tab stop to the next.
  var tabWidth = Settings.standardTabWidth
  /// Whether an error need not be written, as one that the user has seen.
  var isKnown: @Sendable (SearchError) -> Bool = { _ in false }
  /// Whether the list is printed, rather than the page of its first result opened.
  var showsList = true
  /// The command that prints the next page, `nil` where the list is not kept.
  var continuation: String?
  /// What to do when nothing was found, `nil` for what helps a search.
  var adviceForNothing: String?
  /// How hints call the kind `issue`: `pr` where pull requests are meant.
  var nameOfIssues = ResultKind.issue.rawValue
}
