import Forage
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
  ///
  /// - Parameters:
  ///   - next: The cursor of the next page, `nil` when nothing follows.
  ///   - offset: The number of results on the pages before.
  ///   - cursor: The cursor that the page continues after, `nil` for a first page. The pages before are kept with it.
  func keep(_ items: [SearchResult], next: String?, offset: Int = 0, after cursor: String? = nil) {
    guard let file, let command = arguments.first, !items.isEmpty else { return }
    var list = LastList(
      command: command, arguments: Array(arguments.dropFirst()), next: next, first: offset + 1, items: items)
    if let cursor, let earlier = file.read(of: command), earlier.next == cursor, earlier.last == offset {
      list.prepend(earlier)
    }
    file.keep(list)
  }

  /// Forgets the former list, because results without numbers were printed behind it.
  func forget() { file?.remove() }
}
