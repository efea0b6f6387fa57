import ArgumentParser

/// The options shared by every command that prints a list of results: `search`, `stars` and `feed`.
struct ListOptions: ParsableArguments {
  /// The largest value of `--limit`.
  static let maximumLimit = 10_000
  /// The value of `--limit` where none is given.
  static let defaultLimit = 30

  @OptionGroup var reporting: ReportOptions

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Number of results, 1 to \(ListOptions.maximumLimit). (default \(ListOptions.defaultLimit))",
      valueName: "n"))
  var limit: String?

  @Option(
    help: ArgumentHelp("Sort by a key, for example stars, forks or updated.", valueName: "key"))
  var sort: String?

  @Option(
    help: ArgumentHelp("Direction of --sort: asc or desc. (default desc)", valueName: "order"),
    completion: .list(["asc", "desc"]))
  var order: String?

  @Option(help: ArgumentHelp("Time limit in seconds; decimals allowed. (default 10)", valueName: "seconds"))
  var timeout: String?

  @Flag(help: "Exit with status 3 unless every provider answered completely.")
  var strict = false

  @Flag(help: "Show how each result was ranked.")
  var explain = false

  @Option(
    help: ArgumentHelp("Continue after a page: its \"next\" cursor.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Continue the last list of this terminal.")
  var next = false

  @Flag(help: "Show the number of each result, for example for: forage show 3")
  var number = false

  @Flag(help: "Show only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: "Send nothing; use answers cached within a day.")
  var offline = false

  @Flag(help: "Bypass the cache.")
  var noCache = false

  @Flag(help: "Print each result as it arrives, as JSON lines, unranked.")
  var stream = false

  @Flag(name: .shortAndLong, help: "Open the first result in the browser.")
  var web = false
}
