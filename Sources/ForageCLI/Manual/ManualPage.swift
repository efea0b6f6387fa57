import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

/// The manual page `forage(1)` in the macros of man(7), made from what the parser knows of the commands.
struct ManualPage {
  private let name: String
  private let version: String
  private let root: CommandDescription
  /// The options of every command, and those that several have; each stands once.
  private let usual: [JSONTree]
  private let shared: [JSONTree]
  private var lines: [String] = []
  /// The help of the option that was written last.
  private var lastAbstract = ""

  /// From this many commands on, an option stands once.
  private static let leastShared = 3

  /// Makes the page.
  ///
  /// - Parameter help: The description of all commands as the parser dumps it.
  /// - Throws: `JSONTree.Failure` where the description cannot be read.
  static func text(help: String, version: String) throws -> String {
    var page = ManualPage(root: try CommandDescription(dump: help), version: version)
    page.write()
    return page.lines.map { $0 + "\n" }.joined()
  }

  private init(root: CommandDescription, version: String) {
    self.root = root
    self.version = version
    name = root.name
    // Behind grep, options of every command are those of rg.
    let commands = Self.leaves(root).filter { $0.name != GrepCommand.configuration.commandName }
    let options = commands.flatMap { Self.shown($0.arguments).filter { !Self.isPlace($0) } }
    let counts = Dictionary(options.map { (Self.text($0), 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    let different = options.filter { seen.insert(Self.text($0)).inserted }
    usual = different.filter { counts[Self.text($0)] == commands.count }
    shared = different.filter { option in
      let count = counts[Self.text(option)] ?? 0
      return count >= Self.leastShared && count < commands.count
    }
  }

  private mutating func write() {
    lines.append(".TH \(Self.argument(name.uppercased())) 1 \"\" \(Self.argument("\(name) \(version)"))")
    let abstract = root.tree["abstract"]?.string ?? ""
    section("NAME")
    paragraph("\(name) - \(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)")
    section("SYNOPSIS")
    lines.append(".B \(Self.escaped(name))")
    lines.append("\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]")
    section("DESCRIPTION")
    paragraph(abstract)
    write(Self.queries)
    section("COMMON OPTIONS")
    paragraph("Every command takes \(Self.names(usual)). Each command names the others that it takes.")
    for option in shared + usual { write(argument: option) }
    section("COMMANDS")
    for command in Self.shown(root.commands) { write(command, path: [name]) }
    write(Self.keys)
    write(Self.searchesOfGH)
    write(Self.references)
    write(Self.sections)
    if let discussion = root.tree["discussion"]?.string { examples(discussion) }
  }

  /// Writes sections of running text; the lines of a paragraph become one.
  private mutating func write(_ sections: String) {
    var text = ""
    for line in (sections + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") {
        text += (text.isEmpty ? "" : " ") + line.dropFirst(2)
        continue
      }
      if !text.isEmpty { paragraph(text) }
      text = ""
      if line.hasPrefix("# ") {
        section(String(line.dropFirst(2)))
      } else if !line.isEmpty {
        lines += [".TP", ".B \(Self.escaped(line))"]
      }
    }
  }

  private mutating func write(_ command: CommandDescription, path: [String]) {
    let path = path + [command.name]
    let commands = Self.shown(command.commands)
    let arguments = Self.shown(command.arguments)
    let places = arguments.filter(Self.isPlace)
    let options = arguments.filter { !Self.isPlace($0) }
    if commands.isEmpty || command.tree["defaultSubcommand"] != nil {
      let all = commands.isEmpty && !options.isEmpty ? ["[OPTIONS]"] : []
      lines.append(".SS \(Self.argument((path + all + places.map(Self.place)).joined(separator: " ")))")
      if let abstract = command.tree["abstract"]?.string { paragraph(abstract) }
      let aliases = command.names.dropFirst()
      if !aliases.isEmpty { paragraph("Short: \(aliases.joined(separator: ", "))") }
      if let discussion = command.tree["discussion"]?.string {
        lines.append(".PP")
        paragraph(
          discussion.replacing(ReferenceReader.help, with: Self.seeReferences)
            .replacing(ReferenceReader.helpForOne, with: Self.seeReferences))
      }
      let (common, every) = (Set(shared.map(Self.text)), Set(usual.map(Self.text)))
      let others = options.filter { common.contains(Self.text($0)) }
      for argument in places + options where !common.union(every).contains(Self.text(argument)) {
        write(argument: argument)
      }
      if !others.isEmpty {
        lines.append(".PP")
        paragraph("Common options: \(Self.names(others))")
      }
    }
    for command in commands { write(command, path: path) }
  }

  private mutating func write(argument: JSONTree) {
    let abstract = argument["abstract"]?.string ?? ""
    let discussion = argument["discussion"]?.string ?? ""
    guard !abstract.isEmpty || !discussion.isEmpty else { return }
    // The two names of a flag that can be on or off have the same help.
    if abstract == lastAbstract, let term = lines.lastIndex(of: ".TP") {
      lines[term + 1] += ", " + Self.term(argument)
      return
    }
    lastAbstract = abstract
    lines += [".TP", Self.term(argument)]
    if !abstract.isEmpty { paragraph(abstract) }
    if !discussion.isEmpty { paragraph(discussion) }
    if let usual = argument["defaultValue"]?.string, !usual.isEmpty { paragraph("(default \(usual))") }
  }

  /// The names of an option with its value, or the name of a positional argument.
  private static func term(_ argument: JSONTree) -> String {
    let value = argument["valueName"]?.string ?? ""
    let names = (argument["names"]?.array ?? []).compactMap { name -> String? in
      guard let text = name["name"]?.string else { return nil }
      return (name["kind"]?.string == "long" ? "--" : "-") + text
    }
    guard !names.isEmpty else { return "\\fI\(escaped(value.uppercased()))\\fR" }
    let ordered = names.sorted { $0.count != $1.count ? $0.count < $1.count : $0 < $1 }
    let written = ordered.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    return argument["kind"]?.string == "option"
      ? written + " \\fI\(escaped(value.uppercased()))\\fR" : written
  }

  /// A positional argument in a synopsis.
  private static func place(_ argument: JSONTree) -> String {
    let name =
      (argument["valueName"]?.string ?? "").uppercased()
      + (argument["isRepeating"]?.bool == true ? "..." : "")
    return argument["isOptional"]?.bool == true ? "[\(name)]" : name
  }

  /// The examples of a discussion: its indented lines.
  private mutating func examples(_ text: String) {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix(" ") }
    guard !lines.isEmpty else { return }
    section("EXAMPLES")
    self.lines.append(".nf")
    for line in lines { self.lines.append(Self.line(line.trimmingPrefix { $0 == " " })) }
    self.lines.append(".fi")
  }

  private mutating func section(_ title: String) { lines.append(".SH \(Self.argument(title))") }

  /// A text whose line breaks stay.
  private mutating func paragraph(_ text: String) {
    for (index, part) in text.split(separator: "\n").enumerated() {
      if index > 0 { lines.append(".br") }
      lines.append(Self.line(part))
    }
  }

  private static func isPlace(_ argument: JSONTree) -> Bool { argument["kind"]?.string == "positional" }

  /// What tells an option from others: its names and its help.
  private static func text(_ option: JSONTree) -> String {
    term(option) + "\n" + (option["abstract"]?.string ?? "")
  }

  private static func names(_ options: [JSONTree]) -> String {
    options.map { "--" + ($0["preferredName"]?["name"]?.string ?? "") }.joined(separator: ", ")
  }

  /// The commands that are shown and have no subcommands.
  private static func leaves(_ command: CommandDescription) -> [CommandDescription] {
    let commands = shown(command.commands)
    return commands.isEmpty ? [command] : commands.flatMap(leaves)
  }

  private static func shown(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { $0.isShown && $0.name != "help" }
  }

  private static func shown(_ arguments: [JSONTree]) -> [JSONTree] {
    arguments.filter { $0["shouldDisplay"]?.bool != false }
  }

  /// A text without characters that man reads as a macro or an escape.
  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\n", "\r", "\t": result += " "
      default: result.append(character)
      }
    }
    return result
  }

  /// A line of text, which does not begin like a macro.
  private static func line(_ text: some StringProtocol) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  /// A text as one argument of a macro.
  private static func argument(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
  }
}

/// `forage manual`: shows the manual page, or writes its source where results go to no terminal, for `make
/// install`.
struct ManualCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "manual", _superCommandName: ForageCommand.name, abstract: "Show the manual page.",
    discussion:
      "Where it is written to a file or a pipe, it is the source of the page, for the man program; without that, text."
  )

  /// The program that formats and shows a page from its standard input.
  private static let viewer = ["man", "-l", "-"]

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let page = try ManualPage.text(help: ForageCommand._dumpHelp(), version: Forage.version)
    if context.output.isTerminal, !context.output.isCollected {
      let interruption = context.process.interruption
      interruption.isPaging = true
      defer { interruption.isPaging = false }
      let ending = await context.terminalPrograms.run(
        Self.viewer, page, context.forage.environmentWithoutTokens)
      if case .ended(isSuccess: true) = ending { return .success }
    }
    // Into a file goes the source, which other systems can show.
    let hasViewer = programPath(Self.viewer[0], environment: context.forage.environmentWithoutTokens) != nil
    let isSource = !context.output.isTerminal && (hasViewer || !context.output.isPipe)
    let text = isSource ? page : PlainManual.text(page)
    // The last line has its end already.
    try await context.paged { try $0.result(verbatim: String(text.dropLast())) }
    return .success
  }
}
