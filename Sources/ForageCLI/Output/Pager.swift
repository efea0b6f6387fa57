import Forage

/// Shows text that is longer than the terminal through the user's pager.
struct Pager: Sendable {
  /// The pager where neither variable is set.
  private static let standard = "less"

  /// The words of the command.
  let words: [String]
  /// Whether the user chose it.
  let isChosen: Bool
  let environment: [String: String]
  let program: TerminalProgram

  /// The pager of `FORAGE_PAGER`, else of `PAGER`, split at spaces, without a shell.
  ///
  /// - Parameter hasDefault: Whether `less` is used where neither variable is set.
  /// - Returns: `nil` where results go to no terminal or are collected, no pager is set, or it is empty or `cat`.
  init?(environment: [String: String], output: Output, program: TerminalProgram, hasDefault: Bool = false) {
    let chosen = environment["FORAGE_PAGER"] ?? environment["PAGER"]
    guard output.isTerminal, !output.isCollected, let command = chosen ?? (hasDefault ? Self.standard : nil)
    else { return nil }
    words = command.split(separator: " ").map(String.init)
    guard let first = words.first, words != ["cat"], !first.hasSuffix("/cat") else { return nil }
    isChosen = chosen != nil
    // As git starts it: quit if one screen is enough, keep colours, leave the text on the screen.
    self.environment = environment.merging(["LESS": "FRX", "LV": "-c"]) { users, _ in users }
    self.program = program
  }

  /// Shows a text; writes it directly where it fits the screen or the pager cannot be started.
  ///
  /// - Parameter rows: How many of its last rows are read first, `nil` for all; only `less` begins with them.
  /// - Throws: As `Output.writeResult`.
  func show(_ text: String, from rows: Int? = nil, on output: Output) async throws {
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
    // The line of the prompt takes one row.
    guard count >= output.rows else { return try output.writeResult(text) }
    var words = words
    if let rows, words[0].split(separator: "/").last == "less" { words.append("+\(count - rows + 1)") }
    if case .notStarted = await program.run(words, text, environment) {
      try output.writeResult(text)
      guard isChosen else { return }
      output.warning(
        "the pager \(words[0]) could not be started",
        hint: "set FORAGE_PAGER to another program, or to an empty text for none")
    }
  }
}

extension Context {
  /// Runs a body that writes results, through the pager where there is one.
  ///
  /// - Parameters:
  ///   - output: Where the results go; by default the output of the command.
  ///   - rows: How many of the last rows of the results are read first, `nil` for all.
  ///   - byDefault: Whether `less` is used where the user chose no pager. It needs a keyboard and a cursor.
  /// - Throws: What the body throws; what it wrote before is shown first.
  func paged(
    on output: Output? = nil, from rows: Int? = nil, byDefault: Bool = false, _ body: (Output) throws -> Void
  ) async throws {
    let output = output ?? self.output
    let pager = Pager(
      environment: services.environmentWithoutTokens, output: output, program: terminalPrograms,
      hasDefault: byDefault && output.canMoveCursor && input.isTerminal)
    // An interrupted command starts no program.
    guard let pager, !Task.isCancelled else { return try body(output) }
    let collected = CollectedText()
    var collecting = output
    collecting.writeResult = { collected.add($0) }
    let outcome = Result { try body(collecting) }
    output.status.clear()
    surroundings.interruption.isPaging = true
    defer { surroundings.interruption.isPaging = false }
    try await pager.show(collected.text, from: rows, on: output)
    try outcome.get()
  }
}
