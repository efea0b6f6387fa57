import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension LastListFile {
  /// The file of this terminal, `nil` without one.
  init?(_ context: Context) {
    guard let terminal = context.output.terminalName else { return nil }
    self.init(context.forage.paths, terminal: terminal)
  }
}

/// Keeps the list that a command prints, so that later commands can refer to its results by number and
/// continue it.
struct LastListStore {
  private let file: LastListFile?
  private let isTerminal: Bool
  private let arguments: [String]
  private let continued: LastList?
  private let savedSearch: SavedSearch?
  private let asked: Date

  /// Keeps nothing unless results go to a terminal.
  ///
  /// - Parameter asked: The time before anybody was asked: what comes later, the list does not show.
  init(_ context: Context, asked: Date = Date()) {
    self.asked = asked
    file = LastListFile(context)
    isTerminal = context.output.isTerminal
    (arguments, continued, savedSearch) = (context.arguments, context.continued, context.savedSearch)
  }

  /// The command that prints the next page, `nil` where the list is not kept or the command has none.
  var continuation: String? {
    guard file != nil, isTerminal, let command = arguments.first, ListContinuation.isPossible(command) else {
      return nil
    }
    return "forage \(command) --next"
  }

  /// Keeps a list that was printed; one that went elsewhere is noted. Without results no list was printed:
  /// the one before it is still on the terminal.
  ///
  /// - Parameters:
  ///   - items: The results; those of a list that is continued are kept before them.
  ///   - hasMore: Whether results may follow.
  ///   - age: The age of the oldest answer, of those that came from the cache.
  func keep(_ items: [SearchResult], hasMore: Bool = false, age: Duration = .zero) {
    guard let file, let command = arguments.first else { return }
    guard isTerminal else { return items.isEmpty ? () : file.follow() }
    guard !items.isEmpty || continued != nil else { return }
    // Options of a further page hold for this page alone.
    var list = LastList(
      command: command, arguments: continued?.arguments ?? Array(arguments.dropFirst()), hasMore: hasMore,
      pages: min((continued?.pages ?? 0) + 1, SearchOptions.maximumLimit),
      items: Array(((continued?.items ?? []) + items).prefix(SearchOptions.maximumLimit)),
      knownUntil: continued?.knownUntil ?? asked - age / .seconds(1))
    list.roots = continued?.roots ?? [:]
    list.savedSearch = savedSearch
    list.folder = continued == nil ? realPath(".") : continued?.folder
    file.keep(list)
  }
}
