import Forage
import ForageCore

/// What one command runs with; made from its options.
struct Context: Sendable {
  let forage: Forage
  /// Where results and messages go.
  var output: Output
  /// What the program is started with.
  let process: ProcessEnvironment
  /// The arguments of the program, the name of the command first.
  let arguments: [String]
  /// The list that the command continues; `nil` for a new one.
  var continued: LastList?
  /// The saved search that the command line names.
  var savedSearch: SavedSearch?

  /// Standard input, for answers to questions.
  var input: Input { process.input }
  /// Starts pagers and browsers.
  var terminalPrograms: TerminalProgram { process.terminalPrograms }
  /// Whether lines of `--verbose` are shown.
  var isTracing: Bool { forage.reporter.trace != nil }

  /// - Throws: `ForageError` for an unknown value of `--color`.
  init(
    _ process: ProcessEnvironment, _ common: CommonOptions, arguments: [String] = [],
    configure: (inout ForageSetup) throws -> Void = { _ in }
  ) throws {
    var output = process.output
    output.setColor(try common.color.map { try OptionValue.choice(ColorChoice.self, $0, of: "--color") })
    output.isQuiet = common.quiet
    if common.quiet { output.isMessageTerminal = false }
    try self.init(
      process, output: output, isVerbose: common.verbose, arguments: arguments, configure: configure)
  }

  init(
    _ process: ProcessEnvironment, output: Output, isVerbose: Bool = false, arguments: [String] = [],
    configure: (inout ForageSetup) throws -> Void = { _ in }
  ) throws {
    let environment = process.environment
    self.output = output
    self.process = process
    self.arguments = arguments
    let isDebugging = environment["FORAGE_DEBUG"].map { !$0.isEmpty && $0 != "0" } ?? false
    var reporter = Reporter(output)
    if isVerbose || isDebugging { reporter.trace = { output.trace($0) } }
    reporter.tracesHeaders = isDebugging
    // A question is asked where the program was started, also while messages go elsewhere.
    reporter.agrees = { Question.isAgreed($0, process.output, process.input) }
    var setup = ForageSetup(environment: environment)
    setup.now = { output.now }
    try configure(&setup)
    forage = Forage(setup, reportingTo: reporter)
  }

  /// The same command where a reader of its output that ends early does not stop the work.
  var withoutReader: Context { writing(to: output.withoutReader) }

  /// The same command with another output for its results.
  func writing(to output: Output) -> Context {
    var copy = self
    copy.output = output
    return copy
  }

  /// The same command with a ``Forage`` of its own, whose messages go to another output.
  func reporting(to output: Output, _ configure: (inout ForageSetup) throws -> Void) throws -> Context {
    try Context(
      process, output: output, isVerbose: isTracing, arguments: arguments, configure: configure)
  }

  /// Ends child processes and closes files; connections only where nobody else uses them.
  func close() async {
    output.status.close()
    if process.closesConnections { return await forage.close() }
    await forage.endChildren()
    forage.store.close()
  }

  /// Reads what a command line names.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  func references() throws -> ReferenceReader {
    _ = try forage.settings()
    return ReferenceReader(forage, lastList: lastList)
  }

  /// The last list of this terminal.
  var lastList: @Sendable () -> LastList? {
    let file = LastListFile(self)
    return { file?.read() }
  }
}

extension Context {
  /// Runs a body that writes results, through the user's pager where they are longer than the terminal.
  ///
  /// - Parameters:
  ///   - output: Where the results go; by default the output of the command.
  ///   - byDefault: Whether `less` is used where the user chose no pager. It needs a keyboard and a cursor.
  /// - Throws: What the body throws; what it wrote before is shown first.
  func paged(
    on output: Output? = nil, byDefault: Bool = false, _ body: (Output) throws -> Void
  ) async throws {
    let output = output ?? self.output
    // An interrupted command starts no program.
    guard output.isTerminal, !output.isCollected, !Task.isCancelled else { return try body(output) }
    let environment = forage.environmentWithoutTokens
    let usual = byDefault && output.canMoveCursor && input.isTerminal ? "less" : ""
    let words: [String]
    do throws(ForageError) { words = try pager(usual: usual) } catch {
      output.warning(error.message, hint: error.hint)
      return try body(output)
    }
    guard let name = words.first else { return try body(output) }
    let collected = CollectedText()
    var collecting = output
    collecting.writeResult = { collected.add($0) }
    let outcome = Result { try body(collecting) }
    output.status.clear()
    process.interruption.isPaging = true
    defer { process.interruption.isPaging = false }
    // As git starts it: quit if one screen is enough, keep colours, leave the text on the screen.
    let variables = environment.merging(["LESS": "FRX", "LV": "-c"]) { users, _ in users }
    let text = collected.text
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
    // The line of the prompt takes one row.
    if count < output.rows {
      try output.writeResult(text)
    } else if case .notStarted = await terminalPrograms.run(words, text, variables) {
      try output.writeResult(text)
      if environment["FORAGE_PAGER"] ?? environment["PAGER"] != nil {
        output.warning(
          "the pager \(name) could not be started",
          hint: "set FORAGE_PAGER to another program, or to an empty text for none")
      }
    }
    try outcome.get()
  }

  /// Collects results that are written one by one for the pager that the user chose; `nil` where there is
  /// none.
  var collectedForPager: CollectedText? {
    let hasPager =
      output.isTerminal && !output.isCollected && (try? pager(usual: ""))?.isEmpty == false
    return hasPager ? CollectedText() : nil
  }

  /// Shows what was collected for the pager, if anything.
  ///
  /// - Throws: As `Output.writeResult`.
  func page(_ collected: CollectedText?) async throws {
    if let text = collected?.text, !text.isEmpty { try await paged { try $0.writeResult(text) } }
  }

  /// The words of the pager, none for one that only copies.
  ///
  /// - Parameter usual: The command where the user chose none.
  /// - Throws: `ForageError` where quotes are not closed.
  private func pager(usual: String) throws(ForageError) -> [String] {
    let environment = forage.environmentWithoutTokens
    let variable = ["FORAGE_PAGER", "PAGER"].first { environment[$0] != nil }
    let words = try ShellWords.words(variable.flatMap { environment[$0] } ?? usual, of: variable ?? "")
    return words == ["cat"] || words.first?.hasSuffix("/cat") == true ? [] : words
  }
}

extension Reporter {
  /// Reports to the terminal.
  init(_ output: Output) {
    self.init()
    let line = StatusLine(output)
    warning = { output.warning($0, hint: $1) }
    problem = { output.problem($0, hint: $1) }
    message = { output.message($0) }
    progress = { line.show($0) }
    waiting = { if output.hasProgress { output.status.showLimit(of: $0, $1) } }
    hint = { $0.advice }
    text = { $0.advice }
    sortArgument = { name, key in "--" + name + (key.map { " \($0) --order asc" } ?? "") }
    waitsFor = { name in
      let wait = output.showStatus { [StatusDisplay.Row(text: "waiting for " + name, provider: name)] }
      return { wait?.end() }
    }
  }
}

/// Asks on the terminal.
enum Question {
  /// Whether a question is answered by yes. Any other answer is no, and so is the end of the input.
  static func isAgreed(_ question: String, _ output: Output, _ input: Input) -> Bool {
    guard input.isTerminal else { return false }
    let answer = output.status.paused {
      output.writeMessage(question + " [y/N] ")
      return input.readLine() ?? ""
    }
    return ["y", "yes"].contains(answer.trimmingWhitespace().lowercased())
  }

  /// The same for what is done only after a question.
  ///
  /// - Parameters:
  ///   - doing: What needs the confirmation, for example `deleting`.
  ///   - done: The same in the past, for example `deleted`.
  /// - Throws: `ForageError` where standard input is no terminal.
  static func isAgreed(_ question: String, _ doing: String, _ done: String, _ context: Context) throws -> Bool
  {
    guard context.input.isTerminal else {
      throw ForageError(
        "\(doing) needs a confirmation, and standard input is not a terminal; nothing was \(done)",
        hint: "add --yes")
    }
    return isAgreed(question, context.output, context.input)
  }
}
