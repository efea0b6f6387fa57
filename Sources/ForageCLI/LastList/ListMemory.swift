import ForageCore

/// Keeps the list that a command prints, so that later commands can refer to its results by number and continue it.
struct ListMemory {
  private let file: LastListFile?
  private let arguments: [String]

  /// Keeps nothing unless results go to a terminal.
  init(_ context: Context) {
    file = context.output.isTerminal ? LastListFile(context) : nil
    arguments = context.arguments
  }

  /// The command that prints the next page, `nil` where the list is not kept.
  var continuation: String? {
    guard file != nil, let command = arguments.first else { return nil }
    return "forage \(command) --next"
  }

  /// Keeps a list that was printed. One without results leaves the former list on the terminal, and its numbers.
  func keep(_ items: [SearchResult], next: String?) {
    guard let file, let command = arguments.first, !items.isEmpty else { return }
    file.keep(
      LastList(command: command, arguments: Array(arguments.dropFirst()), next: next, items: items))
  }

  /// Forgets the former list, because results without numbers were printed behind it.
  func forget() { file?.remove() }
}
