import ArgumentParser
import ForageCore

/// The qualifiers that people use every day, as options; the same as writing them in the query.
struct EverydayQualifiers: ParsableArguments {
  @Option(help: ArgumentHelp("Only in this programming language.", valueName: "language"))
  var language: String?

  @Option(help: ArgumentHelp("Only of this user or organisation.", valueName: "name"))
  var owner: String?

  @Option(help: ArgumentHelp("Only with this topic (repeatable: all must match).", valueName: "topic"))
  var topic: [String] = []

  @Option(help: ArgumentHelp("Only under this license.", valueName: "key"))
  var license: String?

  @Option(help: ArgumentHelp("Only with so many stars: 10, >10, 10..50.", valueName: "number"))
  var stars: String?

  @Option(help: ArgumentHelp("Only created then: 2024-01-31, >=2024-01-31.", valueName: "date"))
  var created: String?

  @Option(help: ArgumentHelp("Only changed then.", valueName: "date"))
  var updated: String?

  @Option(help: ArgumentHelp("Only archived ones (true) or only others (false).", valueName: "bool"))
  var archived: String?

  /// The conditions, in the order of the options.
  func conditions(_ parser: QueryParser) throws -> [QueryExpression] {
    let single = [
      ("language", language), ("owner", owner), ("license", license), ("stars", stars), ("created", created),
      ("updated", updated), ("archived", archived),
    ]
    let given = single.compactMap { name, value in value.map { (name, $0) } } + topic.map { ("topic", $0) }
    return try given.map { name, value in
      guard value.contains(where: { !$0.isWhitespace }) else {
        throw CommandError(
          "--\(name) has no value", hint: "write it behind the option, or leave the option out")
      }
      return try parser.parse(name + ":" + QueryTerm.quoted(value)).root
    }
  }
}
