import ArgumentParser
import Forage
import ForageCore
import TestSupport
import Testing

@testable import ForageCLI

/// Arguments before the parser reads them, and what is said about those that it refuses.
struct ProgramArgumentsTests {
  @Test(
    arguments: [
      ("search x", "search x"), ("--quiet search x", "search --quiet x"),
      ("-v --color never clones list", "clones list -v --color never"),
      ("clones --color=always list --json", "clones list --color=always --json=,"),
      ("clones --quiet --status", "clones --quiet --status"), ("--quiet", ""), ("-v --help", "--help"),
      ("favorite -v rm a/b", "favorite rm -v a/b"), ("search --color never x", "search --color never x"),
      ("search x --json", "search x --json=,"), ("search --json --strict x", "search --json=, --strict x"),
      ("search --json= x", "search --json=, x"), ("show a/b --json=id", "show a/b --json=id"),
      ("search --json id x", "search --json id x"), ("show a/b --json -q .", "show a/b --json=, -q ."),
      ("search --archived x", "search --archived=true x"),
      ("search x --archived", "search x --archived=true"),
      ("search --archived false x", "search --archived=false x"),
      ("search --archived TRUE x", "search --archived=true x"),
      ("search --archived maybe x", "search --archived=maybe x"),
      ("search --archived=false x", "search --archived=false x"), ("stars --archived", "stars --archived"),
      ("search --forks >5 x", "search --\0qualifier=forks=>5 x"),
      ("search x --forks=5", "search x --\0qualifier=forks=5"),
      ("search x --forks -5", "search x --\0qualifier=forks=-5"),
      ("search x --forks", "search x --\0qualifier=forks"),
      ("search x --forks --strict", "search x --\0qualifier=forks --strict"),
      ("search --draft x --merged=false", "search --\0qualifier=draft=true x --\0qualifier=merged=false"),
      ("search --locked FALSE", "search --\0qualifier=locked=false"),
      ("search prs -B main -Hx/y", "search prs --\0qualifier=base=main --\0qualifier=head=x/y"),
      ("search x -B main -Hx/y", "search x --\0qualifier=base=main -Hx/y"),
      (
        "search prs --draft no --locked yes",
        "search prs --\0qualifier=draft=true no --\0qualifier=locked=true yes"
      ),
      ("feed --forks 5", "feed --forks 5"),
      ("search x -- --forks 5", "search x -- --forks 5"),
      ("--generate-completion-script bash", "completion bash"),
      ("-v --generate-completion-script bash", "completion bash"),
      ("clones --quiet run x -- echo --json", "clones run --quiet x -- echo --json"),
      ("search -- --archived --json", "search -- --archived --json"),
      (
        "---completion search -- --json 1 0 forage search --json",
        "---completion search -- --json 1 0 forage search --json"
      ),
    ])
  func prepared(_ arguments: String, _ expected: String) {
    let prepared = ProgramArguments(arguments.split(separator: " ").map(String.init)).prepared
    #expect(prepared.joined(separator: " ") == expected)
  }

  @Test func negatedQualifiersArePartOfTheQuery() {
    #expect(ProgramArguments(["search", "-language:c", "x"]).prepared == ["search", " -language:c", "x"])
    // Qualifiers of code, and of plugins.
    #expect(ProgramArguments(["search", "-extension:c"]).prepared == ["search", " -extension:c"])
    #expect(ProgramArguments(["search", "-Rhttps://h/o/r"]).prepared == ["search", "-Rhttps://h/o/r"])
    #expect(ProgramArguments(["feed", "-language:c"]).prepared == ["feed", "-language:c"])
    // Behind two dashes the name of a search of gh is a word.
    #expect(ProgramArguments(["search", "--", "repos", "x"]).prepared == ["search", "--", " repos", "x"])
    // The query is shown as it was written.
    for words in [["-language:c", "x"], ["a", "-stars:>5"], [" a", "b "], ["repos", "x"]] {
      let prepared = ProgramArguments(["search"] + words).prepared
      #expect(ProgramArguments.query(Array(prepared.dropFirst())) == words.joined(separator: " "))
    }
    #expect(ProgramArguments.query([" repos", "x"]) == "repos x")
  }

  @Test(
    arguments: [
      (["--color", "always", "serch"], .always), (["serch", "--color=never"], .never),
      (["serch", "--color=never=x"], nil), (["serch", "--color"], nil), (["--", "--color", "never"], nil),
    ] as [([String], ColorChoice?)])
  func color(_ arguments: [String], _ expected: ColorChoice?) {
    #expect(ProgramArguments.color(arguments) == expected)
  }

  /// What is meant by a mistaken option or command; the hint names it.
  @Test(
    arguments: [
      ("search x --limt 3", "--limt", "--limit"), ("search x --lang swift", "--lang", "--language"),
      ("search x --max-count 3", "--max-count", "forage grep"),
      ("search x --template y", "--template", "--jq"), ("search x -t y", "-t", "--jq"),
      ("search -i x", "-i", "case is ignored already"), ("search x --hidden", "--hidden", "forage grep"),
      ("search x -l", "-l", "NOT l"), ("search x -l", "-l", "forage grep"),
      ("search x -C", "-C takes a number", "search --help"),
      ("stars --forks 3", "--forks", "forks:3"),
      ("stars --include-forks only", "--include-forks", "fork:only"),
      ("stars --followers many", "--followers", "followers:>10"),
      ("search x --topics c", "--topics", "--topic?"),
      ("stars --created 2020", "--created", "created:>=2020-01-01 created:<2021-01-01"),
      ("feed --author me", "--author", "feed --help"), ("feed -n3", "-n3", "feed --help"),
      ("clones list -z", "-z", "list --help"),
      ("stars x -n 3", "-n", "NOT n"), ("--colour never search x", "--colour", "--color"),
      ("search x -R swift-nio", "--repo takes owner/name, not \"swift-nio\"", "--repo apple/swift-nio"),
      ("search x -R apple/", "--repo takes owner/name", "--repo apple/swift-nio"),
      ("search x -k comit", "comit", "did you mean commit?"),
      ("search x --order descending", "descending", "did you mean desc?"),
      ("search x --format markdwn", "markdwn", "did you mean markdown?"),
      ("search x --sort star", "star", "did you mean"),
      ("search x -k issue --match titel", "titel", "did you mean title?"),
      ("inspect --only lang", "lang", "languages"),
      ("clones del x", "clones del", "clones --help"), ("auth login", "auth login", "auth --help"),
      ("search x -word", "-word", "NOT word"), ("search x -fish", "-fish", "NOT fish"),
      ("stars -word", "-word", "NOT word"),
      ("clones lst", "clones lst", "clones list"), ("clones --quiet lst", "clones lst", "clones list"),
      ("clones --format json remov", "clones remov", "clones remove"),
      ("favorite delete", "favorite delete", "favorite --help"),
      ("plugin instal x", "plugin instal", "plugin install"),
      ("serch x", "serch", "search"), ("serch --help", "serch", "search"), ("insp", "insp", "inspect"),
      ("--color", "--color takes auto, always or never", "forage --help"),
      ("nope", "nope", "forage --help"), ("clones list --stat", "--stat", "--status"),
      ("search x --nope", "--nope", "search --help"), ("help serch", "serch", "did you mean search?"),
      ("help clones lst", "clones lst", "did you mean clones list?"),
      ("search x --timeout", "--timeout takes a number of seconds", "search --help"),
      ("search x --timeout -x", "--timeout takes a number of seconds", "search --help"),
      ("search x --limit", "--limit takes a number", "search --help"),
      ("search x --sort", "--sort takes a key", "search --help"),
      ("feed --order", "--order takes a", "feed --help"), ("show", "<ref> is missing", "show --help"),
      ("show", "<ref> is missing", "a repository"), ("clones add", "<dir> is missing", "folders"),
      ("plugin new acme", "--kind is required", "--kind manifest"),
      ("plugin new acme -k manifst", "not \"manifst\"", "did you mean manifest?"),
      ("plugin new Bad", "\"Bad\" cannot be the name of a plugin", "for example: bad"),
      ("search repos x -t y", "-t", "--jq"), ("stars --number-topics 3", "--number-topics", "topics:3"),
    ])
  func mistakes(_ arguments: String, _ named: String, _ meant: String) async throws {
    let outcome = try await forage(arguments.split(separator: " ").map(String.init))
    let lines = outcome.err.split(separator: "\n").map(String.init)
    #expect(outcome.status == .usage && outcome.out == "")
    #expect(lines.count == 2, "\(outcome.err)")
    #expect(
      lines.first?.hasPrefix("forage: ") == true && lines.first?.contains(named) == true, "\(outcome.err)")
    #expect(lines.last?.hasPrefix("hint: ") == true && lines.last?.contains(meant) == true, "\(outcome.err)")
  }

  @Test(
    arguments: [
      ("search -vC2 x", "search -v -C 2 x"), ("search -vL5 -vC1 x", "search -v -L 5 -v -C 1 x"),
      ("search -vkcode src", "search -v -k code src"), ("clones search -vC2", nil),
      ("search -vC 2 x -- -vC2", nil), ("search -vC2 x -- -vC2", "search -v -C 2 x -- -vC2"),
      ("search --color=never -vC2 - x", "search --color=never -v -C 2 - x"),
      ("search -L -1 x --timeout -0.5", "search -L=-1 x --timeout=-0.5"),
      ("search --strict -5 x -L x", nil), ("search x -L -- -1", nil),
    ] as [(String, String?)])
  func valuesThatTheParserFinds(_ arguments: String, _ expected: String?) {
    let plain = ProgramArguments.withPlainValues(arguments.split(separator: " ").map(String.init))
    #expect(plain?.joined(separator: " ") == expected)
  }

  @Test(arguments: [["--version"], ["-v", "--version"], ["--color", "never", "--version"]])
  func version(_ arguments: [String]) {
    let request = Entry.request(arguments)
    if case .version = request.kind { return }
    Issue.record("\(request.kind)")
  }

  /// Kinds may be in the plural, and have the names that people use; a kind that a provider has wins.
  @Test func namesOfKinds() throws {
    func kinds(_ texts: [String], _ known: [String]) throws -> [String]? {
      try OptionValue.kinds(texts, among: known, what: "results") { _ in [] }?.map(\.rawValue)
    }
    let known = ["repo", "commit", "pr", "story"]
    #expect(try kinds(["commits,Repositories", "pull-requests,repo"], known) == ["commit", "repo", "pr"])
    #expect(
      try kinds(["stories"], known) == ["story"] && kinds(["stories"], known + ["stories"]) == ["stories"])
    #expect(throws: ForageError.self) { try kinds(["users"], known) }
  }

  /// An option without its value.
  @Test func whatTheParserSaysStays() async throws {
    let missing = try await forage(["search", "x", "--sort"])
    #expect(missing.status == .usage && missing.err.contains("--sort"))
  }

  @Test(arguments: [
    ["clones", "ls"], ["favorite", "ls"], ["providers", "ls"], ["plugin", "ls"], ["favorite", "rm", "a/b"],
    ["clones", "rm", "x"], ["plugin", "rm", "x"], ["plugin", "uninstall", "x"],
  ])
  func shortNamesOfCommands(_ arguments: [String]) throws {
    let long = [arguments[0], arguments[1] == "ls" ? "list" : "remove"] + arguments.dropFirst(2)
    let (short, full) = (try ForageCommand.parseAsRoot(arguments), try ForageCommand.parseAsRoot(long))
    #expect(type(of: short) == type(of: full))
  }

  /// The flag wins over the environment, before and after the command, and for errors of arguments too.
  @Test(arguments: [
    ["--color", "always", "providers"], ["providers", "--color", "always"],
    ["providers", "--color=always", "list"],
  ])
  func colorEverywhere(_ arguments: [String]) async throws {
    let never = arguments.map { $0.replacing("always", with: "never") }
    func run(_ arguments: [String], color: Bool) async throws -> Outcome {
      try await withIsolatedHome { home in
        await forage(arguments, in: variables(home), columns: 80, color: color)
      }
    }
    #expect(try await run(arguments, color: false).out.contains("\u{1B}["))
    #expect(try await !run(never, color: true).out.contains("\u{1B}["))
    #expect(try await run(arguments + ["--nope"], color: false).err.contains("\u{1B}["))
    #expect(try await !run(never + ["--nope"], color: true).err.contains("\u{1B}["))
    let wrong = try await run(["providers", "--color", "sometimes"], color: false)
    #expect(wrong.status == .usage && wrong.err.contains("--color"))
  }
}
