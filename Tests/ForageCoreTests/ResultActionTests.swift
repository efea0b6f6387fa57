import Testing

@testable import ForageCore

/// What an action runs on a result.
struct ResultActionTests {
  private static let issue: SearchResult = {
    var item = SearchResult(
      id: "git.acme.example/group/tool#12", kind: .issue, title: "It's; $(rm -rf ~) \"broken\"",
      url: "https://git.acme.example/group/tool/issues/12")
    item.set(.isPullRequest, true)
    item.set(.comments, 3)
    item.set(.author, "-rf")
    item.set(.description, "two\nlines")
    item["share"] = .fraction(0.5)
    return item
  }()

  private static func words(_ command: String..., clone: String? = nil) throws -> [String] {
    try ResultAction(name: "do", command: command).words(for: issue, clone: clone)
  }

  @Test func valuesAreArguments() throws {
    #expect(
      try Self.words("gh", "pr", "checkout", "{number}", "-R", "{repository}")
        == ["gh", "pr", "checkout", "12", "-R", "git.acme.example/group/tool"])
    #expect(
      try Self.words("say", "{title}: {comments}", "{share}", "{owner}", "a}b", "{clone}", clone: "/src/tool")
        == ["say", Self.issue.title + ": 3", "0.5", "group", "a}b", "/src/tool"])
  }

  /// A value that is absent, or would be an option or several lines, is an error, and nothing runs.
  @Test(arguments: ["{language}", "{clone}", "{author}", "{description}", "{topics}"])
  func valuesThatDoNotFit(_ word: String) {
    #expect(throws: SearchError.self) { try Self.words("do", word) }
  }

  @Test func aValueBehindSomethingIsNoOption() throws {
    #expect(try Self.words("do", "--author={author}") == ["do", "--author=-rf"])
  }

  @Test func theResultsThatItTakes() {
    func takes(_ kinds: Set<String>, _ owners: Set<String>? = nil, _ item: SearchResult = Self.issue) -> Bool
    {
      ResultAction(
        name: "do", kinds: kinds, command: ["do"], plugin: owners.map { _ in "tracker" }, owners: owners ?? []
      ).takes(item)
    }
    #expect(takes([]) && takes(["pr"]) && takes(["issue"]) && !takes(["repo"]))
    #expect(takes([], ["git.acme.example"]) && !takes([], ["acme.example"]) && !takes([], []))
    let own = SearchResult(id: "tracker:12", kind: "ticket", title: "Ticket")
    #expect(takes(["ticket"], ["tracker"], own) && !takes(["ticket"], ["other"], own))
  }

  /// What no result has: kinds, and names in braces; other braces are text.
  @Test func faults() {
    let action = ResultAction(
      name: "do", kinds: ["pr", "ticket", "tiket"],
      command: ["awk", "{print $1} {}", "{titel}", "{doi}:{id}"])
    let known: [ResultKind] = [.issue, "ticket"]
    let found = action.faults(kinds: known, fields: ["doi"])
    #expect(
      found.map(\.message) == [
        "takes the kind tiket, which no result has", "needs {titel}, which no result has",
      ])
    #expect(found.map(\.hint) == ["did you mean ticket?", "did you mean title?"])
    #expect(action.faults(kinds: known + ["tiket"], fields: ["doi", "titel"]).isEmpty)
    // Pull requests are some of the issues.
    let other = ResultAction(name: "do", kinds: ["pr"], command: ["do", "{number}"])
    #expect(other.faults(kinds: [.issue], fields: []).isEmpty)
    #expect(other.faults(kinds: [.repo], fields: []).count == 1)
  }

  @Test func keysThatAreHidden() {
    func action(_ key: Character?, _ kinds: Set<String> = [], of plugin: String? = nil) -> ResultAction {
      ResultAction(
        name: "do", key: key, kinds: kinds, command: ["do"], plugin: plugin,
        owners: plugin.map { [$0] } ?? [])
    }
    #expect(action("A", ["pr"]).isHidden(by: action("A")))
    #expect(action("A", ["pr"]).isHidden(by: action("A", ["issue"])))
    #expect(action("A", of: "acme").isHidden(by: action("A")))
    #expect(action("A", of: "acme").isHidden(by: action("A", of: "acme")))
    #expect(!action("A").isHidden(by: action("B")) && !action(nil).isHidden(by: action(nil)))
    // One for fewer results comes first, and the other has the rest.
    #expect(!action("A").isHidden(by: action("A", ["pr"])))
    #expect(!action("A", ["repo"]).isHidden(by: action("A", ["pr"])))
    #expect(!action("A").isHidden(by: action("A", of: "acme")))
    #expect(!action("A", of: "other").isHidden(by: action("A", of: "acme")))
  }

  /// A value in the text of a script would be run.
  @Test func scriptsHaveNoPlaceholders() {
    for command in [
      ["sh", "-c", "echo {title}"], ["/bin/bash", "-lc", "x; echo {title}"],
      ["python3", "-c", "print({title})"],
      ["node", "--eval", "{title}"], ["perl", "-e", "{title}", "x"],
    ] {
      #expect(ResultAction.placeholderInScript(command) == "{title}", "\(command)")
    }
    for command in [
      ["sh", "-c", "echo \"$1\"", "sh", "{title}"], ["gh", "-c", "{title}"], ["sh", "run.sh", "{title}"],
      ["git", "-C", "{clone}", "log"], ["awk", "-e", "{ print $1 }"],
    ] {
      #expect(ResultAction.placeholderInScript(command) == nil, "\(command)")
    }
  }
}
