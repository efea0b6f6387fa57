import ArgumentParser
import Forage

/// The options shared by every command that prints a list of results: `search`, `stars` and `feed`.
struct ListOptions: ParsableArguments {
  /// The largest value of `--limit`.
  static let maximumLimit = SearchOptions.maximumLimit
  /// The value of `--limit` where none is given.
  static let defaultLimit = SearchOptions.defaultLimit

  @Option(
    name: .letter("L"),
    help: ArgumentHelp(
      "Print at most n results, 1 to \(ListOptions.maximumLimit). (default \(ListOptions.defaultLimit))",
      valueName: "n"))
  var limit: String?

  @Option(
    help: ArgumentHelp("Sort by a key (for example stars, forks or updated).", valueName: "key"),
    completion: Completion.sorts)
  var sort: String?

  @Option(help: .order, completion: .list(["asc", "desc"]))
  var order: String?

  @Option(help: .timeout)
  var timeout: String?

  @Flag(help: "Exit with status 3 unless every provider answered completely.")
  var strict = false

  @Flag(help: "Show how each result was ranked.")
  var explain = false

  @Option(
    help: ArgumentHelp("Continue after a page, given its \"next\" cursor.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Continue the last list of this terminal.")
  var next = false

  @Flag(help: "Number the results (for example for: forage show 3).")
  var number = false

  @Flag(help: "Show only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: .offline)
  var offline = false

  @Flag(help: .noCache)
  var noCache = false

  @Flag(help: "Print each result on arrival as a JSON line, unranked.")
  var stream = false

  @Flag(name: .shortAndLong, help: "Open the first result in the browser.")
  var web = false
}
