import ArgumentParser

/// What was asked of a command that prints a list of results, as it was given: `search`, `stars` and `feed` have it in common.
struct ListWishes {
  /// The most results that can be asked for.
  static let maximumLimit = 10_000
  /// How many results there are by default.
  static let defaultLimit = 30

  var format: String?
  var limit: String?
  var order: String?
  var timeout: String?
  var json: String?
  var after: String?
  var strict = false
  var explain = false
  var favorites = false
  var offline = false
  var noCache = false
  var stream = false
  /// Whether an order of its own is asked for.
  var isSorted = false
  /// Whether the first result is opened instead of writing the list.
  var web = false
}

/// The options of `stars` and `feed`. `search` has the same among its own: a further group would cost its start-up.
struct ListOptions: ParsableArguments {
  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp(
      "How many results, 1 to \(ListWishes.maximumLimit). (default: \(ListWishes.defaultLimit))",
      valueName: "n"))
  var limit: String?

  @Option(help: ArgumentHelp("Sort by a key instead of the newest first.", valueName: "key"))
  var sort: String?

  @Option(
    help: ArgumentHelp("The direction of --sort: asc or desc. (default: desc)", valueName: "order"),
    completion: .list(["asc", "desc"]))
  var order: String?

  @Option(help: ArgumentHelp("How long it may take; decimals are fine. (default: 10)", valueName: "seconds"))
  var timeout: String?

  @Flag(help: "End with status 3 unless every provider that can answer delivered everything.")
  var strict = false

  @Flag(help: "Tell for each result how its place came about.")
  var explain = false

  @Option(help: ArgumentHelp("Write an array of objects with just these fields.", valueName: "fields"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Go on behind a page: the same command with the \"next\" of that page.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: "Send nothing: answer from what was kept, up to a day old.")
  var offline = false

  @Flag(help: "Neither use nor keep earlier answers.")
  var noCache = false

  @Flag(help: "Write each result as it arrives, unranked, one JSON object a line; then a summary.")
  var stream = false

  @Flag(name: .shortAndLong, help: "Open the first result in the browser instead of writing the list.")
  var web = false

  /// The options as a list is made from them.
  func wishes(_ reporting: ReportOptions) -> ListWishes {
    ListWishes(
      format: reporting.format, limit: limit, order: order, timeout: timeout, json: json, after: after,
      strict: strict, explain: explain, favorites: favorites, offline: offline, noCache: noCache,
      stream: stream, isSorted: sort != nil, web: web)
  }
}
