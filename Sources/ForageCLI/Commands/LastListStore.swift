import Forage
import ForageCore

extension LastListFile {
  /// The file of this terminal, `nil` without one.
  init?(_ context: Context) {
    guard let terminal = context.output.terminalName() else { return nil }
    self.init(context.services.directories, terminal: terminal)
  }
}

/// Keeps the list that a command prints, so that later commands can refer to its results by number and continue it.
struct LastListStore {
  private let file: LastListFile?
  private let isTerminal: Bool
  private let arguments: [String]

  /// Keeps nothing unless results go to a terminal.
  init(_ context: Context) {
    file = LastListFile(context)
    isTerminal = context.output.isTerminal
    arguments = context.arguments
  }

  /// The command that prints the next page, `nil` where the list is not kept.
  var continuation: String? {
    guard file != nil, isTerminal, let command = arguments.first else { return nil }
    return "forage \(command) --next"
  }

  /// Keeps a list that was printed; one that went elsewhere is noted. Without results no list was printed: the one before it is
  /// still on the terminal.
  ///
  /// - Parameters:
  ///   - next: The cursor of the next page, `nil` when nothing follows.
  ///   - offset: The number of results on the pages before.
  ///   - cursor: The cursor that the page continues after, `nil` for a first page. The pages before are kept with it.
  func keep(_ items: [SearchResult], next: String?, offset: Int = 0, after cursor: String? = nil) {
    guard let file, let command = arguments.first else { return }
    guard isTerminal else { return items.isEmpty ? () : file.follow() }
    var list = LastList(
      command: command, arguments: Array(arguments.dropFirst()), next: next, first: offset + 1, items: items)
    if let cursor, let earlier = file.read(), earlier.command == command, earlier.next == cursor,
      earlier.last == offset
    {
      list.prepend(earlier)
    }
    if !list.items.isEmpty { file.keep(list) }
  }

  /// Forgets the former list, because results without numbers were printed behind it.
  func forget() { if isTerminal { file?.remove() } else { file?.follow() } }
}
