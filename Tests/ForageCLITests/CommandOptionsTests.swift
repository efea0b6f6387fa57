import ArgumentParser
import Testing

@testable import ForageCLI

/// Arguments of the other verbs to options.
struct CommandOptionsTests {
  @Test(
    arguments: [
      (["apple/swift-nio"], "apple/swift-nio - 10 auto"),
      (
        ["https://github.com/a/b", "-p", "github", "-p", "local"],
        "https://github.com/a/b github|local 10 auto"
      ),
      (["./x", "--timeout", "0.5", "--format", "json"], "./x - 0.5 json"),
    ] as [([String], String)])
  func show(_ arguments: [String], _ expected: String) throws {
    let options = try ShowCommand.parse(arguments)
    let providers = options.provider.isEmpty ? "-" : options.provider.joined(separator: "|")
    let told =
      "\(options.reference) \(providers) \(options.timeout ?? "10") \(options.reporting.format ?? "auto")"
    #expect(told == expected)
  }

  @Test(
    arguments: [
      ([], []), (["."], ["."]), (["a", "b c"], ["a", "b c"]), (["-v", "a"], ["a"]),
    ] as [([String], [String])])
  func inspect(_ arguments: [String], _ expected: [String]) throws {
    #expect(try InspectCommand.parse(arguments).paths == expected)
  }

  /// The verb that a command line leads to.
  @Test(
    arguments: [
      (["search", "x"], "SearchCommand"), (["show", "a/b"], "ShowCommand"), (["inspect"], "InspectCommand"),
      (["open", "a/b", "3"], "OpenCommand"), (["clones"], "List"), (["clones", "list"], "List"),
      (["clones", "scan"], "Scan"),
      (["clones", "add", "a", "b"], "Add"), (["clones", "remove", "a"], "Remove"), (["providers"], "List"),
      (["providers", "list"], "List"), (["providers", "show", "github"], "Show"), (["auth"], "Status"),
      (["auth", "status"], "Status"), (["doctor"], "DoctorCommand"), (["star", "a/b"], "StarCommand"),
      (["unstar", "a/b", "c/d"], "UnstarCommand"), (["stars"], "StarsCommand"),
      (["stars", "json"], "StarsCommand"), (["feed"], "FeedCommand"),
      (["clone", "a/b", "-"], "CloneCommand"), (["browse"], "BrowseCommand"),
      (["browse", "http", "client"], "BrowseCommand"),
    ] as [([String], String)])
  func verbs(_ arguments: [String], _ expected: String) throws {
    let command = try ForageCommand.parseAsRoot(arguments)
    #expect(String(describing: type(of: command)) == expected)
    #expect(command is any Command)
  }

  @Test(arguments: [
    ["search", "x"], ["show", "a/b"], ["inspect"], ["clones", "list"], ["clones", "scan"],
    ["clones", "add", "a"], ["clones", "remove", "a"], ["providers", "list"],
    ["providers", "show", "github"],
    ["auth", "status"], ["doctor"], ["star", "a/b"], ["unstar", "a/b"], ["stars"], ["stars", "x"], ["feed"],
    ["open", "3"], ["browse"],
  ])
  func everyVerbCanBeVerbose(_ arguments: [String]) throws {
    for flag in ["-v", "--verbose"] {
      let verb = try #require(try ForageCommand.parseAsRoot(arguments + [flag]) as? any Command)
      #expect(verb.common.verbose)
    }
  }

  @Test func formats() throws {
    let pipe = Capture().output()
    let terminal = Capture().output(columns: 80)
    #expect(try ReportOptions.parse([]).format(pipe) == .tsv)
    #expect(try ReportOptions.parse([]).format(terminal) == .table)
    for format in OutputFormat.allCases where format != .auto {
      #expect(try ReportOptions.parse(["--format", format.rawValue]).format(pipe) == format)
      #expect(try ReportOptions.parse(["--format", format.rawValue]).format(terminal) == format)
    }
  }
}
