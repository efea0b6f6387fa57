import ArgumentParser
import Forage
import Testing

@testable import ForageCLI

/// Arguments of `search` to options.
struct SearchOptionsTests {
  /// The options that are not as by default, in words.
  private func description(_ options: SearchCommand) -> String {
    let parts: [(String, String?)] = [
      ("query", options.query.joined(separator: "|")), ("provider", joined(options.providers.provider)),
      ("kind", joined(options.providers.kind)), ("limit", options.list.limit),
      ("sort", options.list.sort), ("order", options.list.order),
      ("timeout", options.answers.timeout), ("maxRequests", options.maxRequests),
      ("strict", options.answers.strict ? "yes" : nil), ("explain", options.answers.explain ? "yes" : nil),
      ("json", options.reporting.json), ("verbose", options.common.verbose ? "yes" : nil),
      ("format", options.reporting.format),
      ("jq", options.reporting.jq), ("repo", joined(options.qualifiers.repo)),
      ("language", joined(options.qualifiers.language)), ("owner", joined(options.qualifiers.owner)),
      ("topic", joined(options.qualifiers.topic)), ("license", joined(options.qualifiers.license)),
      ("stars", joined(options.qualifiers.stars)), ("created", joined(options.qualifiers.created)),
      ("updated", joined(options.qualifiers.updated)), ("archived", joined(options.qualifiers.archived)),
      ("state", joined(options.qualifiers.state)), ("label", joined(options.qualifiers.label)),
      ("author", joined(options.qualifiers.author)), ("assignee", joined(options.qualifiers.assignee)),
      ("involves", joined(options.qualifiers.involves)), ("filename", joined(options.qualifiers.filename)),
      ("extension", joined(options.qualifiers.extension)), ("match", joined(options.qualifiers.match)),
      ("context", options.code.context), ("matches", options.code.matches),
      ("vimgrep", options.code.vimgrep ? "yes" : nil), ("worktree", options.code.worktree ? "yes" : nil),
    ]
    return parts.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
  }

  private func joined(_ list: [String]) -> String? { list.isEmpty ? nil : list.joined(separator: "|") }

  @Test(
    arguments: [
      (["http"], "query=http"),
      (["http", "client", "language:swift"], "query=http|client|language:swift"),
      ([], "query="),
      (["x", "-p", "github,local"], "query=x provider=github,local"),
      (["x", "-p", "github", "--provider", "local"], "query=x provider=github|local"),
      (["x", "-k", "repo"], "query=x kind=repo"),
      (["x", "-L", "250"], "query=x limit=250"),
      (["x", "--limit=1"], "query=x limit=1"),
      (["x", "-L", "2500", "--max-requests", "60"], "query=x limit=2500 maxRequests=60"),
      (["x", "--sort", "stars", "--order", "asc"], "query=x sort=stars order=asc"),
      (["x", "--timeout", "2.5"], "query=x timeout=2.5"),
      (["x", "--strict", "--explain", "-v"], "query=x strict=yes explain=yes verbose=yes"),
      (["--verbose", "x"], "query=x verbose=yes"),
      (["x", "--json", "id,stars"], "query=x json=id,stars format=json"),
      (["x", "-q", ".items"], "query=x format=json jq=.items"),
      (["x", "--jq", ".", "--json", "id", "--format", "json"], "query=x json=id format=json jq=."),
      (["x", "--format", "ndjson"], "query=x format=ndjson"),
      (["x", "--language", "objective-c", "--owner", "apple"], "query=x language=objective-c owner=apple"),
      (["x", "--topic", "http", "--topic", "cli"], "query=x topic=http|cli"),
      (["x", "--license", "mit", "--stars", ">10"], "query=x license=mit stars=>10"),
      (
        ["x", "--created", ">=2024-01-31", "--updated", "2024-01-01..2024-12-31", "--archived", "false"],
        "query=x created=>=2024-01-31 updated=2024-01-01..2024-12-31 archived=false"
      ),
      (["x", "-R", "a/b", "--repo", "c/d"], "query=x repo=a/b|c/d"),
      (["x", "--state", "open", "--label", "a b", "--label", "c"], "query=x state=open label=a b|c"),
      (
        ["x", "--author", "a", "--assignee", "b", "--involves", "c"], "query=x author=a assignee=b involves=c"
      ),
      (
        ["x", "--filename", "a", "--extension", "b", "--match", "path", "-C", "3"],
        "query=x filename=a extension=b match=path context=3"
      ),
      (["--", "-word"], "query=-word"),
    ] as [([String], String)])
  func options(_ arguments: [String], _ expected: String) throws {
    #expect(description(try SearchCommand.parse(arguments)) == expected)
  }

  /// A mistake, and the first line of what is said about it.
  @Test(
    arguments: [
      (["search"], "the query is empty"),
      (["search", " \t"], "the query is empty"),
      (["search", "\"unbalanced"], "the quote is not closed"),
      (["search", "(a"], "this parenthesis is not closed"),
      (["search", "stars:>abc"], "stars: takes a whole number or a range of them, not \">abc\""),
      (["search", "stars:10..1"], "stars: the range \"10..1\" ends before it begins"),
      (
        ["search", "created:2024-13-01"],
        "created: takes a date such as 2024-01-31, or a range of them, not \"2024-13-01\""
      ),
      (["search", "x", "-L", "0"], "--limit takes a number from 1 to 10000, not 0"),
      (["search", "x", "-L", "10001"], "--limit takes a number from 1 to 10000, not 10001"),
      (["search", "x", "-L", "abc"], "--limit takes a number from 1 to 10000, not abc"),
      (["search", "x", "--max-requests", "0"], "--max-requests takes a number from 1 to 1000, not 0"),
      (["search", "x", "--order", "up"], "--order takes asc or desc, not \"up\""),
      (
        ["search", "x", "--format", "xml"],
        "--format takes auto, table, tsv, json, ndjson or markdown, not \"xml\""
      ),
      (["search", "x", "--timeout", "soon"], "--timeout takes seconds above 0, at most 86400, not soon"),
      (
        ["show", "a/b", "--format", "xml"],
        "--format takes auto, table, tsv, json, ndjson or markdown, not \"xml\""
      ),
      (
        ["inspect", "--format", "xml"],
        "--format takes auto, table, tsv, json, ndjson, markdown or html, not \"xml\""
      ),
      (
        ["doctor", "--format", "jsn"],
        "--format takes auto, table, tsv, json, ndjson or markdown, not \"jsn\""
      ),
      (["search", "x", "--timeout", "0"], "--timeout takes seconds above 0, at most 86400, not 0"),
      (["search", "x", "--timeout", "nan"], "--timeout takes seconds above 0, at most 86400, not nan"),
      (["search", "x", "--timeout", "1e300"], "--timeout takes seconds above 0, at most 86400, not 1e300"),
      (["search", "x", "--timeout", "5m"], "--timeout takes seconds above 0, at most 86400, not 5m"),
      // The parser takes a negative number for an option.
      (["search", "x", "--timeout", "-1"], "--timeout takes seconds above 0, at most 86400, not -1"),
      (["search", "x", "--limit", "-1"], "--limit takes a number from 1 to 10000, not -1"),
      (["search", "x", "-k", "code", "-C", "-1"], "-C takes a number of lines from 0 to 20, not -1"),
      (["search", "x", "-p", "githib"], "there is no provider \"githib\""),
      (["search", "x", "-p", ","], "no provider is named"),
      (["search", "x", "-k", "rapos"], "no chosen provider has results of kind \"rapos\""),
      (
        ["search", "repos", "x", "--json", "name", "--explain"], "--explain has no effect on the fields of gh"
      ),
      // What the program hands to its parser cannot be typed.
      (["search", "x", "--qualifier", "forks=1"], "there is no option --qualifier"),
      (["clones", "run", "x", "--command", "pwd"], "there is no option --command"),
      (["search", "x", "-k", ""], "--kind names nothing"),
      (["search", "x", "--sort", "starz"], "no chosen provider sorts by \"starz\""),
      (["search", "x", "-k", "topic", "--sort", "stars"], "no chosen provider sorts by \"stars\""),
      (["search", "x", "--json", "titel"], "--json: there is no field \"titel\""),
      (["search", "x", "--json", "id", "--format", "tsv"], "--json and --format tsv exclude each other"),
      (["search", "x", "--jq", ".", "--format", "ndjson"], "--jq and --format ndjson exclude each other"),
      (["search", "x", "--jq", ".", "--web"], "--web and --jq exclude each other"),
      (["show", "a/b", "--jq", ".", "--web"], "--web and --jq exclude each other"),
      (["search", "x", "--web", "--format", "tsv"], "--web and --format exclude each other"),
      (["search", "x", "--order", "asc"], "--order needs --sort"),
      (["search", "x sort:stars", "--sort", "forks"], "sort: in the query and --sort contradict each other"),
      (
        ["search", "x sort:stars-asc", "--order", "desc"],
        "sort: in the query and --order contradict each other"
      ),
      (["search", "x sort:starz"], "no chosen provider sorts by \"starz\""),
      (["search", "sort:stars"], "the query has an order and no condition"),
      (["search", "x", "-C", "3"], "-C needs --kind code"),
      (["search", "x", "-k", "code,repo", "-C", "3"], "-C needs --kind code"),
      (["search", "x", "-k", "code", "-C", "many"], "-C takes a number of lines from 0 to 20, not many"),
      (["search", "x", "-k", "code", "--context", "21"], "-C takes a number of lines from 0 to 20, not 21"),
      (["search", "x", "--matches", "3"], "--matches needs --kind code"),
      (["search", "x", "--vimgrep"], "--vimgrep needs --kind code"),
      (
        ["search", "x", "-k", "code", "--vimgrep", "--format", "json"],
        "--vimgrep and --format exclude each other"
      ),
      (["search", "x", "-k", "code", "--matches", "0"], "--matches takes a number from 1 to 1000000, not 0"),
      (["search", "x", "-k", "pr,repo"], "pr cannot be combined with repo"),
      (["search", "x", "--label", " "], "--label takes a label"),
      (["search", "x", "--state", "ajar"], "--state takes open, closed or merged, not \"ajar\""),
      (["search", "x", "--language", " "], "--language takes a language"),
      (["search", "x", "--language"], "--language takes a language"),
      (["search", "x", "--forks"], "--forks takes a number"),
      (["search", "x", "--visibility"], "--visibility takes public, private or internal"),
      (["search", "x", "--visibility="], "--visibility takes public, private or internal"),
      (["search", "x", "--draft="], "--draft takes true or false"),
      (["search", "x", "--include-prs="], "--include-prs takes true or false"),
      (["search", "x", "--draft=perhaps"], "--draft takes true or false, not \"perhaps\""),
      (
        ["search", "x", "--review", "changes-requested"],
        "--review takes none, required, approved or changes_requested, not \"changes-requested\""
      ),
      (["search", "repos", "x", "--json", "nam"], "--json: there is no field \"nam\""),
      (
        ["search", "repos", "x", "--json", "name", "-p", "local"],
        "--json after repos prints the fields of gh, which results of local do not have"
      ),
      (
        ["search", "repos", "x", "--json", "name", "--favorites"],
        "--json after repos prints the fields of gh, which favorites do not have"
      ),
      (["search", "--favorites"], "the query is empty"),
      (
        ["search", "prs", "-p", "local", "--review-requested", "@me"],
        "--review-requested: no chosen provider has review-requested:"
      ),
      (["search", "x", "--stars", "many"], "stars: takes a whole number or a range of them, not \"many\""),
      (["serch", "x"], "there is no command \"serch\""),
      (["frobnicate"], "there is no command \"frobnicate\""),
    ] as [([String], String)])
  func mistakes(_ arguments: [String], _ expected: String) async throws {
    let outcome = try await forage(arguments)
    let lines = outcome.err.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    #expect(lines.first.map(String.init) == "forage: " + expected)
    #expect(lines.count > 2 && lines[1].hasPrefix("hint: ") && lines[1].count > 8)
  }

  /// Words of git, gh and shells have a hint at what they are here.
  @Test(arguments: [
    ("ls", "forage clones list"), ("status", "forage clones list --status"), ("pull", "forage clones pull"),
    ("fetch", "forage clones fetch"), ("find", "forage search"), ("cd", "forage pick"), ("log", "-k commit"),
    ("api repos/o/r", "forage show REF --format json"), ("version", "forage --version"),
    ("repo view o/r", "forage show REF"), ("repo clone o/r", "forage clone REF"), ("issue list", "-k issue"),
  ])
  func wordsOfOthers(_ words: String, _ meant: String) async throws {
    let words = words.split(separator: " ").map(String.init)
    let outcome = try await forage(words)
    #expect(outcome.status == .usage && outcome.err.contains("there is no command \"\(words[0])\"\nhint: "))
    #expect(outcome.err.contains(meant), "\(outcome.err)")
  }

  /// As for gh, `code` is the kind where something follows that only code has.
  @Test func codeAsTheFirstWord() async throws {
    for arguments in [
      ["code", "x", "--extension", "py"], ["code", "x extension:py"], ["code", "x", "-C", "1"],
    ] {
      let outcome = try await forage(["search"] + arguments + ["-p", "local", "--format", "json"])
      #expect(outcome.out.contains("\"kind\":\"code\""), "\(outcome)")
      #expect(!outcome.err.contains("searched for as a word"), "\(outcome.err)")
    }
    // What nobody can answer is a mistake in the query.
    #expect(try await forage(["search", "x case:yes"]).status == .usage)
    let word = try await forage(["search", "code", "review", "-p", "local"])
    #expect(word.err.contains("\"code\" is searched for as a word"))
  }

  /// Unknown options are the parser's to find; its wording may change.
  @Test(
    arguments: [
      (["search", "x", "--nope"], "--nope"), (["providers", "frobnicate"], "frobnicate"),
      (["inspect", "--limit", "3"], "--limit"), (["search", "x", "-word"], "-word"), (["show"], "ref"),
      (["clones", "add"], "dir"),
      (["clones", "remove"], "dir"), (["providers", "show"], "id"),
    ] as [([String], String)])
  func unknown(_ arguments: [String], _ named: String) async throws {
    let outcome = try await forage(arguments)
    let lines = outcome.err.split(separator: "\n")
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    #expect(lines.first?.hasPrefix("forage: ") == true && lines.first?.contains(named) == true)
    #expect(lines.count == 2 && lines.last?.hasPrefix("hint: ") == true)
  }

  @Test func nearestNamesAreOffered() async throws {
    #expect(try await forage(["serch"]).err.contains("did you mean search?"))
    #expect(try await forage(["search", "x", "-p", "githib"]).err.contains("did you mean github?"))
    #expect(try await forage(["search", "x", "-k", "repoo"]).err.contains("did you mean repo?"))
    #expect(try await forage(["search", "x", "--sort", "starz"]).err.contains("did you mean stars?"))
    #expect(try await forage(["search", "x", "--json", "titel"]).err.contains("did you mean title?"))
  }

  @Test(arguments: [["search", "x", "--json"], ["search", "--json", "--strict", "x"]])
  func bareJSONPrintsTheNames(_ arguments: [String]) async throws {
    let outcome = try await forage(arguments)
    let lines = outcome.err.split(separator: "\n").map(String.init)
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    #expect(lines.first == "forage: --json needs the names of fields")
    let names = Array(lines.dropFirst(2))
    #expect(names == names.sorted() && Set(names).isSubset(of: SearchJSON.fieldNames))
    // Those of other kinds are left out.
    #expect(!names.contains("sha"))
    #expect(Set(["id", "title", "stars", "pushedAt", "path", "sources"]).isSubset(of: lines))
  }

  /// The help leads to the manual, which has what only clones can be searched for.
  @Test func helpLeadsToTheQueryOfCode() throws {
    #expect(SearchCommand.helpMessage(columns: 80).contains("(see: forage manual)"))
    let manual = try ManualPage.text(help: ForageCommand._dumpHelp(), version: "1.0")
    for form in ["/REGULAR EXPRESSION/", "symbol:NAME", "case:yes", "-is:test"] {
      #expect(manual.replacing("\\-", with: "-").contains(form), "\(form)")
    }
  }

  @Test(arguments: [["--help"], ["search", "--help"], ["clones", "--help"], ["inspect", "-h"], []])
  func helpIsAResult(_ arguments: [String]) async throws {
    let outcome = try await forage(arguments)
    #expect(outcome.status == .success)
    #expect(outcome.err == "")
    #expect(outcome.out.contains("USAGE: forage"))
  }

  @Test(arguments: [["help"], ["help", "search"]])
  func helpAsACommand(_ arguments: [String]) async throws {
    let outcome = try await forage(arguments)
    #expect(outcome.status == .success)
    #expect(outcome.out.contains("OVERVIEW: \(arguments.count > 1 ? "Search all" : "Search repositories")"))
  }

  @Test func versionIsAResult() async throws {
    let outcome = try await forage(["--version"])
    #expect(outcome.status == .success)
    #expect(outcome.out == Forage.version + "\n")
    #expect(outcome.err == "")
  }
}
