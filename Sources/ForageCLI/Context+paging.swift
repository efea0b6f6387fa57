import Forage

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
