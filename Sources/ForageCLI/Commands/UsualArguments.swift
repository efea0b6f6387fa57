/// Arguments in their usual form: words, and options in full or by their letter, each value an argument of its own.
///
/// The argument parser looks at the types of a command while it runs, which takes longer than some commands do. What is written in the usual
/// form needs no parser, and everything else goes to it: it alone knows what is a mistake, and what to say of it.
struct UsualArguments {
  /// The options of a command by what follows them.
  struct Names {
    /// Options with a value.
    var options: [String]
    /// Options with a value that may be given several times.
    var lists: [String] = []
    /// Options without a value.
    var flags: [String]
    /// Letters, and what they stand for.
    var letters: [(letter: String, name: String)] = []
  }

  /// What is no option, in order.
  private(set) var words: [String] = []
  private var values: [(name: String, value: String)] = []

  /// Reads arguments; `nil` when they are for the parser.
  init?(_ arguments: ArraySlice<String>, _ names: Names) {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.utf8.first == UInt8(ascii: "-") else {
        words.append(argument)
        continue
      }
      let name = names.letters.first { $0.letter == argument }?.name ?? argument
      let isList = names.lists.contains(name)
      guard isList || !has(name) else { return nil }
      if names.flags.contains(name) {
        values.append((name, ""))
      } else if isList || names.options.contains(name) {
        guard let value = rest.popFirst(), value.utf8.first != UInt8(ascii: "-") else { return nil }
        values.append((name, value))
      } else {
        return nil
      }
    }
  }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The value of an option.
  func value(_ name: String) -> String? { values.first { $0.name == name }?.value }

  /// The values of an option that may be given several times.
  func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }
}

/// A verb that takes arguments in their usual form without the parser.
protocol DirectVerb: Command {
  /// Its options, all of them.
  static var names: UsualArguments.Names { get }

  /// Sets every option, those that are not given to their defaults.
  init(_ arguments: UsualArguments)
}

extension DirectVerb {
  /// Reads arguments; `nil` when they are for the parser.
  init?(usual arguments: ArraySlice<String>) {
    guard let arguments = UsualArguments(arguments, Self.names) else { return nil }
    self.init(arguments)
  }
}

extension InspectCommand: DirectVerb {
  static let names = UsualArguments.Names(
    options: ["--format"], lists: ["--only", "--with", "--without"],
    flags: ["--list-sections", "--no-cache", "--verbose"], letters: [("-v", "--verbose")])

  init(_ arguments: UsualArguments) {
    self.init()
    verbose = arguments.has("--verbose")
    format = arguments.value("--format")
    only = arguments.all("--only")
    with = arguments.all("--with")
    without = arguments.all("--without")
    listSections = arguments.has("--list-sections")
    noCache = arguments.has("--no-cache")
    paths = arguments.words
  }
}

extension SearchCommand: DirectVerb {
  static let names = UsualArguments.Names(
    options: [
      "--format", "--limit", "--sort", "--order", "--timeout", "--max-requests", "--json", "--after",
      "--language", "--owner", "--license", "--stars", "--created", "--updated", "--archived",
    ], lists: ["--provider", "--kind", "--plugin", "--topic"],
    flags: [
      "--verbose", "--strict", "--explain", "--favorites", "--offline", "--no-cache", "--stream", "--web",
    ],
    letters: [
      ("-v", "--verbose"), ("-p", "--provider"), ("-k", "--kind"), ("-L", "--limit"), ("-w", "--web"),
    ])

  init(_ arguments: UsualArguments) {
    self.init()
    var reporting = ReportOptions()
    reporting.verbose = arguments.has("--verbose")
    reporting.format = arguments.value("--format")
    self.reporting = reporting
    query = arguments.words
    provider = arguments.all("--provider")
    kind = arguments.all("--kind")
    plugin = arguments.all("--plugin")
    limit = arguments.value("--limit")
    sort = arguments.value("--sort")
    order = arguments.value("--order")
    timeout = arguments.value("--timeout")
    maxRequests = arguments.value("--max-requests")
    strict = arguments.has("--strict")
    explain = arguments.has("--explain")
    json = arguments.value("--json")
    after = arguments.value("--after")
    favorites = arguments.has("--favorites")
    offline = arguments.has("--offline")
    noCache = arguments.has("--no-cache")
    stream = arguments.has("--stream")
    web = arguments.has("--web")
    language = arguments.value("--language")
    owner = arguments.value("--owner")
    topic = arguments.all("--topic")
    license = arguments.value("--license")
    stars = arguments.value("--stars")
    created = arguments.value("--created")
    updated = arguments.value("--updated")
    archived = arguments.value("--archived")
  }
}
