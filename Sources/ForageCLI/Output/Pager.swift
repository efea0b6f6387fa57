/// Shows what is longer than the terminal through the pager of the user's choice.
struct Pager: Sendable {
  /// The words of the command.
  let words: [String]
  /// What the pager gets to know.
  let environment: [String: String]
  let program: TerminalProgram

  /// The pager of `FORAGE_PAGER`, else of `PAGER`; the words are parted by spaces, without a shell.
  ///
  /// - Returns: `nil` where results go to no terminal, neither variable is set, or the one that counts is empty or `cat`.
  init?(environment: [String: String], output: Output, program: TerminalProgram) {
    guard output.isTerminal, !output.isCollected,
      let command = environment["FORAGE_PAGER"] ?? environment["PAGER"]
    else {
      return nil
    }
    words = command.split(separator: " ").map(String.init)
    guard let first = words.first, words != ["cat"], !first.hasSuffix("/cat") else { return nil }
    // What fits the screen just appears, colours are colours, and the text stays when the pager ends: as git starts it.
    self.environment = environment.merging(["LESS": "FRX", "LV": "-c"]) { users, _ in users }
    self.program = program
  }

  /// Shows a text; it is written as it is where it fits, or where the pager cannot be started, which is told.
  ///
  /// - Throws: As `Output.writeResult`.
  func show(_ text: String, on output: Output) async throws {
    // The line of the prompt takes one row.
    guard text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= output.rows else {
      return try output.writeResult(text)
    }
    if case .notStarted = await program.run(words, text, environment) {
      try output.writeResult(text)
      output.problem(
        "the pager \(words[0]) could not be started",
        hint: "set FORAGE_PAGER to another one, or to nothing for none")
    }
  }
}

extension Context {
  /// Lets a body write results, through the pager where there is one.
  ///
  /// - Throws: What the body throws; what it wrote before is shown then too.
  func paged(_ body: (Output) throws -> Void) async throws {
    guard
      let pager = Pager(environment: environmentWithoutTokens, output: output, program: terminalPrograms)
    else {
      return try body(output)
    }
    let collected = CollectedText()
    var collecting = output
    collecting.writeResult = { collected.add($0) }
    let outcome = Result { try body(collecting) }
    isPaging = true
    defer { isPaging = false }
    try await pager.show(collected.text, on: output)
    try outcome.get()
  }
}
