import ArgumentParser
import Forage
import ForageCore
import ForageInspector
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// `--json FIELDS` of every command that prints JSON.
struct FieldSelectionTests {
  private func tree(_ text: String) throws -> JSONTree { try JSONTree(parsing: Array(text.utf8)) }

  /// Every command that prints JSON names its fields, which are those of its document.
  @Test func everyCommandNamesItsFields() throws {
    var count = 0
    func check(_ command: any ParsableCommand.Type, path: String) {
      for child in command.configuration.subcommands {
        check(child, path: path + " " + (child.configuration.commandName ?? ""))
      }
      guard let reporting = command as? any ReportingCommand.Type else { return }
      count += 1
      #expect(!reporting.fields.names.isEmpty, "\(path) has no fields")
      #expect(Set(reporting.fields.names).count == reporting.fields.names.count, "\(path)")
    }
    check(ForageCommand.self, path: ForageCommand.name)
    #expect(count >= 12)
  }

  @Test func listsThingsAndUnknownValues() throws {
    let list = DocumentFields(["a", "b"], list: "things")
    let document = JSONTree.object([
      ("schema", .integer(1)),
      ("things", .array([.object([("b", .integer(1)), ("a", .null)]), .object([("a", .string("x"))])])),
    ])
    #expect(
      try FieldSelection("b, a", of: list).applied(to: document).text()
        == #"[{"b":1,"a":null},{"b":null,"a":"x"}]"#)
    #expect(try FieldSelection("b,b, b", of: list).fields == ["b"])
    let one = DocumentFields(["a", "b", "c"], inner: "item")
    let thing = JSONTree.object([
      ("item", .object([("a", .integer(1)), ("c", .integer(2))])), ("c", .integer(3)), ("b", .integer(4)),
    ])
    #expect(try FieldSelection("a,b,c", of: one).applied(to: thing).text() == #"{"a":1,"b":4,"c":2}"#)
    #expect(try FieldSelection("a", of: one).applied(to: .array([thing])).text() == #"[{"a":1}]"#)
    #expect(try FieldSelection("anything", of: .any).fields == ["anything"])
  }

  /// The commands with a document of their own: an unknown field is an error with the nearest and the list,
  /// none prints the list.
  @Test(
    arguments: [
      (["search", "x"], "titel", "title"), (["stars"], "titel", "title"), (["feed"], "titel", "title"),
      (["search", "x"], "starts", "stars"),
      (["show", "a/b"], "tytle", "title"), (["show", "a/b"], "readm", "readme"),
      (["inspect"], "hed", "head"),
      (["clones", "list"], "branc", "branch"), (["favorite", "list"], "addedA", "addedAt"),
      (["providers", "list"], "kind", "kinds"), (["providers", "show", "local"], "kind", "kinds"),
      (["plugin", "list"], "stat", "state"), (["auth", "status"], "hots", "host"),
      (["doctor"], "nam", "name"),
    ] as [([String], String, String)])
  func unknownAndMissingNames(_ command: [String], _ slip: String, _ name: String) async throws {
    let unknown = try await forage(command + ["--json", slip])
    #expect(unknown.status == .usage && unknown.out == "")
    let lines = unknown.err.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(2).elementsEqual([
        "forage: --json: there is no field \"\(slip)\"", "hint: did you mean \(name)?",
      ]), "\(unknown.err)")
    let listed = Array(lines.dropFirst(2))
    #expect(listed.contains(name) && listed == listed.sorted(), "\(unknown.err)")
    for bare in [command + ["--json"], command + ["--json", "--quiet"]] {
      let names = try await forage(bare)
      #expect(names.status == .usage && names.out == "", "\(bare)")
      #expect(
        names.err.split(separator: "\n").dropFirst(2).map(String.init) == listed, "\(bare)")
    }
  }

  /// On a terminal the names stand in columns, so that the error does not scroll away.
  @Test(arguments: [80, 24, 5])
  func namesOnATerminal(_ columns: Int) throws {
    let names = DocumentFields.items.names
    let error = #expect(throws: ForageError.self) {
      try FieldSelection("wrong", of: .items, columns: columns)
    }
    let lines = error?.details ?? []
    #expect(lines.allSatisfy { $0.count <= max(columns, names.map(\.count).max() ?? 0) })
    #expect(columns < 80 || lines.count <= 20, "\(lines.count)")
    #expect(lines.flatMap { $0.split(separator: " ") }.map(String.init).sorted() == names.sorted())
  }

  /// A search lists the fields of its kinds; other names are accepted, too.
  @Test(
    arguments: [
      ([], "stars", "answers"), (["-k", "issue"], "labels", "stars"), (["-k", "pr"], "draft", "stars"),
    ] as [([String], String, String)])
  func listsTheFieldsOfTheKinds(_ kind: [String], _ own: String, _ other: String) async throws {
    let listed = try await forage(["search", "x", "--json"] + kind).err.split(separator: "\n")
    #expect(listed.contains { $0 == own } && !listed.contains { $0 == other })
    #expect(["id", "path", "favorite"].allSatisfy { name in listed.contains { $0 == name } })
  }

  @Test func namesOfGH() async throws {
    // Names that have the same value here are known.
    let selection = try FieldSelection("fullName,stargazersCount,id", of: .items)
    let item = JSONTree.object([("id", .string("a")), ("title", .string("o/n")), ("stars", .integer(3))])
    #expect(
      selection.applied(to: .object([("items", .array([item]))])).text()
        == #"[{"fullName":"o/n","stargazersCount":3,"id":"a"}]"#)
    let unknown = try await forage(["search", "x", "--json", "fullName,visibility,full_name"])
    #expect(unknown.status == .usage && unknown.out == "")
    #expect(
      unknown.err.hasPrefix(
        "forage: --json: there is no field \"visibility\", \"full_name\"\n"
          + "hint: did you mean private,title?\n"))
  }

  /// After the name of a search of gh the fields are those of gh.
  @Test(
    arguments: [
      ("repos", "stars", "stargazersCount"), ("repos", "nameWithOwner", "fullName"),
      ("repos", "stargazerCount", "stargazersCount"), ("issues", "comments", "commentsCount"),
      ("prs", "draft", "isDraft"), ("commits", "messages", nil),
    ] as [(String, String, String?)])
  func fieldsOfGH(_ search: String, _ slip: String, _ name: String?) async throws {
    let listed = try await forage(["search", search, "x", "--json"])
    let names = listed.err.split(separator: "\n").dropFirst(2).map(String.init)
    #expect(listed.status == .usage && listed.out == "")
    #expect(names == GhSearch(rawValue: search)?.fields.names.sorted())
    let unknown = try await forage(["search", search, "--json", slip])
    #expect(unknown.status == .usage && unknown.out == "")
    #expect(unknown.err.hasPrefix("forage: --json: there is no field \"\(slip)\"\n"), "\(unknown.err)")
    if let name { #expect(unknown.err.contains("hint: did you mean \(name)?\n"), "\(unknown.err)") }
  }

  @Test func favoritesClonesAndProviders() async throws {
    try await withIsolatedHome { home in
      let environment = variables(home)
      _ = await forage(["favorite", "add", "apple/swift-nio"], in: environment)
      let favorites = await forage(["favorite", "ls", "--json", "id,stars,addedAt"], in: environment)
      #expect(
        favorites.out
          == "[{\"id\":\"github.com/apple/swift-nio\",\"stars\":null,\"addedAt\":\"2026-01-01T00:00:00Z\"}]\n"
      )
      let clones = await forage(["clones", "list", "--json", "path"], in: environment)
      #expect(clones.out == "[]\n" && clones.status == .nothingFound)
      let providers = await forage(["providers", "--json", "id,enabled"], in: environment)
      #expect(
        providers.out.hasPrefix("[{\"id\":\"github\",\"enabled\":true},{\"id\":\"local\",\"enabled\":true}"))
      let one = await forage(["providers", "show", "local", "--json", "reason,id"], in: environment)
      #expect(one.out == "{\"reason\":null,\"id\":\"local\"}\n")
    }
  }

  /// Each section of a report can be asked for.
  @Test(arguments: InspectionSection.allCases)
  func sections(section: InspectionSection) {
    #expect(InspectCommand.fields.names.contains(section.rawValue))
  }

  @Test func oneClone() async throws {
    try await withIsolatedHome { home in
      let environment = variables(home)
      let repository = try await TemporaryRepository.make("home/src/tool", in: home.directory)
      try await repository.commit("first", files: ["main.swift": "print(1)\n"])
      let one = await forage(["inspect", repository.path, "--json", "path,head,upstream"], in: environment)
      #expect(one.status == .success, "\(one.err)")
      let document = try tree(one.out)
      #expect(document.object.map { Set($0.keys) } == ["path", "head", "upstream"])
      #expect(document["head"]?["commit"]?.string?.count == 40 && document["upstream"] == .null)
      // Sections that no field names are not computed; what is asked for is, although it is no default.
      let blobs = await forage(
        ["inspect", repository.path, "--json", "largestBlobs,languages"], in: environment)
      #expect(try tree(blobs.out)["largestBlobs"]?.array?.count == 1)
      #expect(try tree(blobs.out)["languages"]?.array?.count == 1)
      let other = try await TemporaryRepository.make("home/src/other", in: home.directory)
      let two = await forage(["inspect", repository.path, other.path, "--json", "bare"], in: environment)
      #expect(two.out == "[{\"bare\":false},{\"bare\":false}]\n", "\(two.err)")
      _ = await forage(["clones", "add", home.directory.path("home/src")], in: environment)
      let clones = await forage(["clones", "list", "--json", "path,status"], in: environment)
      #expect(try tree(clones.out).array?.first?["status"]?["clean"]?.bool == true, "\(clones.out)")
    }
  }

  @Test func oneThing() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["show", "apple/swift-nio", "--json", "title,stars,homepage,local,providers"],
          in: variables(home, server.baseURL))
        let document = try tree(outcome.out)
        #expect(document["title"]?.string == "apple/swift-nio" && document["stars"]?.integer == 8149)
        #expect(document["local"] == .null && document["homepage"] == .null)
        #expect(document["providers"]?.array?.first?["id"]?.string == "github")
      }
    }
  }
}
