import ArgumentParser
import Forage
import ForageCore
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// The manual page.
struct ManualTests {
  private static let help = #"""
    {"command":{"commandName":"tool","abstract":"It's a tool.","discussion":"Examples:\n  tool a-b\n  .odd","arguments":[
      {"abstract":"Show help.","kind":"flag","names":[{"kind":"long","name":"help"},{"kind":"short","name":"h"}],
       "preferredName":{"kind":"long","name":"help"},"valueName":"help","shouldDisplay":true}],
     "subcommands":[
      {"commandName":"hidden","abstract":"Secret.","shouldDisplay":false},{"commandName":"help","abstract":"Help."},
      {"commandName":"find","abstract":".dot first\\n","discussion":"One.\nTwo.","arguments":[
        {"abstract":"What \"to\" find.","kind":"positional","valueName":"word","isRepeating":true,"isOptional":true},
        {"abstract":"How many.","kind":"option","names":[{"kind":"long","name":"max-n"},{"kind":"short","name":"n"}],
         "preferredName":{"kind":"long","name":"max-n"},"valueName":"count","defaultValue":"3"},
        {"abstract":"Not shown.","kind":"flag","names":[{"kind":"long","name":"ghost"}],"shouldDisplay":false}]},
      {"commandName":"group","abstract":"Several.","subcommands":[{"commandName":"one","abstract":"First."}]}]}}
    """#

  @Test func everyKindOfTextIsWrittenAsManWantsIt() throws {
    let lines = try ManualPage.text(help: Self.help, version: "1.0").split(separator: "\n").map(String.init)
    #expect(lines.first == #".TH "TOOL" 1 "" "tool 1.0""#)
    #expect(lines.contains(#"tool \- It\(aqs a tool"#))
    let start = try #require(lines.firstIndex(of: #".SS "tool find [OPTIONS] [WORD...]""#))
    #expect(
      lines[start...].prefix(13) == [
        #".SS "tool find [OPTIONS] [WORD...]""#, #"\&.dot first\en"#, ".PP", "One.", ".br", "Two.", ".TP",
        #"\fIWORD\fR"#, #"What "to" find."#, ".TP", #"\fB\-n\fR, \fB\-\-max\-n\fR \fICOUNT\fR"#, "How many.",
        "(default 3)",
      ])
    #expect(lines.contains(#".SS "tool group one""#))
    #expect(lines.contains(#"tool a\-b"#) && lines.contains(#"\&.odd"#))
    let page = lines.joined(separator: "\n")
    for hidden in ["Secret", "ghost", "Not shown", "tool help"] {
      #expect(!page.contains(hidden), "\(hidden)")
    }
  }

  @Test func everyCommandAndOptionIsInIt() throws {
    let help = ForageCommand._dumpHelp()
    let page = try ManualPage.text(help: help, version: Forage.version)
    var (commands, options) = (0, 0)
    func check(_ command: JSONTree, path: String) {
      for child in command["subcommands"]?.array ?? [] where child["shouldDisplay"]?.bool != false {
        let name = child["commandName"]?.string ?? ""
        guard name != "help" else { continue }
        let escaped = (path + " " + name).replacing("-", with: "\\-")
        let isGroup = child["subcommands"]?.array?.isEmpty == false
        #expect(isGroup || page.contains(".SS \"\(escaped)"), "\(escaped)")
        commands += 1
        check(child, path: path + " " + name)
      }
      for argument in command["arguments"]?.array ?? [] where argument["shouldDisplay"]?.bool != false {
        for name in argument["names"]?.array ?? [] where name["kind"]?.string == "long" {
          let option = "\\-\\-" + (name["name"]?.string ?? "").replacing("-", with: "\\-")
          #expect(page.contains(option), "\(path) \(option)")
          options += 1
        }
      }
    }
    check(try JSONTree(parsing: Array(help.utf8))["command"] ?? .null, path: ForageCommand.name)
    #expect(commands > 10 && options > 20, "\(commands) commands, \(options) options")
    // No line begins like a macro that man(7) does not have.
    let macros: Set<Substring> = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br", ".nf", ".fi"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(macros.contains(line.prefix { $0 != " " }), "\(line)")
    }
  }

  /// The rows of every kind are in the page, each with as many fields as it has.
  @Test func rowsOfKinds() throws {
    let page = try ManualPage.text(help: Self.help, version: "1.0")
    for kind in ResultKind.known {
      let rendering = KindRendering.of(kind)
      let manual = try #require(rendering.manual, "\(kind.rawValue)")
      let fields = manual.prefix { $0 != ";" }.split(separator: ",")
      #expect(fields.count == rendering.fields.count && page.contains(manual), "\(kind.rawValue)")
    }
  }

  /// The options of gh that help leaves out are in the page.
  @Test func optionsOfGH() throws {
    let page = try ManualPage.text(help: Self.help, version: "1.0")
    for option in SearchQualifier.further {
      #expect(page.contains("\\-\\-" + option.name.replacing("-", with: "\\-")), "\(option.name)")
    }
    #expect(page.contains(".SH \"GH SEARCH\"") && page.contains(".SH \"OPTIONS OF GH SEARCH\""))
  }

  /// What several commands have stands once; each of them names it.
  @Test func commonOptionsStandOnce() throws {
    let lines = try ManualPage.text(help: ForageCommand._dumpHelp(), version: Forage.version)
      .split(separator: "\n").map(String.init)
    for option in ["verbose", "quiet", "color", "help", "format", "next", "favorites"] {
      #expect(lines.count { $0.hasPrefix("\\fB") && $0.contains("\\-\\-\(option)\\fR") } == 1, "\(option)")
    }
    let start = try #require(lines.firstIndex { $0.hasPrefix(".SS \"forage feed ") })
    let section = lines[start...].dropFirst().prefix { !$0.hasPrefix(".S") }
    let common = try #require(section.last { $0.hasPrefix("Common options: ") })
    #expect(common.contains("\\-\\-timeout, ") && !common.contains("verbose"))
    #expect(section.contains { $0.contains("\\-\\-sample\\fR") })
    // So do the forms of a reference.
    #expect(lines.count { $0.contains("each with a host in front or not") } == 1)
  }

  /// On a terminal man formats the page, and without man it is text; in a file it is the source.
  @Test func onATerminal() async throws {
    func show(_ ending: TerminalProgram.Ending, columns: Int?) async throws -> (
      calls: [[String]], out: String
    ) {
      try await withIsolatedHome { home in
        let calls = Mutex<[[String]]>([])
        let capture = Capture()
        let process = ProcessEnvironment(
          environment: variables(home), output: capture.output(columns: columns),
          terminalPrograms: TerminalProgram { words, input, _ in
            calls.withLock { $0.append(words + [String((input ?? "").prefix(4))]) }
            return ending
          })
        #expect(await Entry.run(["manual"], in: process) == .success)
        return (calls.withLock(\.self), capture.results)
      }
    }
    let shown = try await show(.ended(isSuccess: true), columns: 80)
    #expect(shown.calls == [["man", "-l", "-", ".TH "]] && shown.out == "")
    let missing = try await show(.notStarted, columns: 80)
    #expect(missing.calls.count == 1 && missing.out.hasPrefix("NAME\n       forage - Search "))
    let lines = missing.out.split(separator: "\n")
    #expect(lines.allSatisfy { !$0.hasPrefix(".") && !$0.contains("\\f") && !$0.contains("\\-") })
    #expect(lines.count > 500 && lines.contains("EXIT STATUS"))
    let failed = try await show(.ended(isSuccess: false), columns: 80)
    #expect(failed.out == missing.out)
    let pipe = try await show(.notStarted, columns: nil)
    #expect(pipe.calls.isEmpty && pipe.out.hasPrefix(".TH "))
    #expect(ForageCommand.helpMessage().contains("\n  manual "))
  }

  /// A help text is a phrase of at most ten words; defaults and examples in parentheses are not counted.
  @Test func helpTextsAreShort() throws {
    func check(_ node: JSONTree, path: String) {
      let abstract = node["abstract"]?.string ?? ""
      let words = abstract.replacing(/\([^()]*\)/, with: "").split(separator: " ")
      #expect(words.count <= 10, "\(path): \(abstract)")
      for argument in node["arguments"]?.array ?? [] where argument["shouldDisplay"]?.bool != false {
        check(argument, path: path + " " + (argument["valueName"]?.string ?? ""))
      }
      for command in node["subcommands"]?.array ?? [] where command["commandName"]?.string != "help" {
        check(command, path: path + " " + (command["commandName"]?.string ?? ""))
      }
    }
    let help = try JSONTree(parsing: Array(ForageCommand._dumpHelp().utf8))
    check(help["command"] ?? .null, path: ForageCommand.name)
  }
}
