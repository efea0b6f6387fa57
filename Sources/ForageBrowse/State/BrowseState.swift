package import ForageCore
import ForagePlatform

/// Everything that the screens of `forage browse` show and decide from.
///
/// The state changes only by `reduce`, which returns what is to be done; `frame` draws it. Neither does any
/// input or output.
package struct BrowseState: Sendable {
  /// The part of the screen that keys act on.
  package enum Focus: Hashable, Sendable {
    case field, list, detail
  }

  package enum Phase: Hashable, Sendable {
    case idle, loading, loaded
    case failed(BrowseProblem)
  }

  /// A panel that covers the list.
  package enum Panel: Hashable, Sendable {
    /// All keys, from a row on.
    case help(top: Int)
    case providers(ProviderMenu)
    case clone(ClonePrompt)
  }

  package struct ProviderMenu: Hashable, Sendable {
    /// The row that is selected; 0 is the one for all.
    package var selected = 0
    package var chosen: Set<String>
  }

  /// What is typed and chosen, beside the marks of the list.
  struct Choice: Sendable {
    var field: TextField
    var kinds: [ResultKind]
    var sort: String?
    var order: SortOrder?
    /// The ids of the providers.
    var providers: Set<String>
  }

  /// The question where to clone to.
  package struct ClonePrompt: Hashable, Sendable {
    package var result: SearchResult
    package var folder: TextField
  }

  package struct Detail: Sendable {
    package enum Phase: Hashable, Sendable {
      case loading, loaded
      /// Only what the list knows is shown, because more would take requests that the user has not asked for.
      case listed
      case failed(BrowseProblem)

      var isFailed: Bool { if case .failed = self { true } else { false } }
    }

    package var item: BrowseItem
    package var request: Int
    package var phase = Phase.loading
    /// Whether the user asked for the details.
    var isWanted: Bool
    /// The details, or what the list knows.
    package var text: BrowseText
    /// The facts of the clone, where they are wanted.
    package var facts: BrowseText?
    package var factsRequest: Int?
    /// The first row that is shown.
    package var top = 0
    /// The row at which the facts begin.
    package var factsRow: Int?
    /// The places that were found, for `width`, with the rows at which they are.
    var places: [(line: LineNumber, row: Int)] = []
    /// The one of them that is shown.
    var place = 0
    /// The chosen word of the line that is shown, as an index.
    var word: Int?
    /// Whether the user has scrolled since it was shown.
    var isScrolled = false
    /// Whether the facts are scrolled to when they are there.
    var scrollsToFacts = false
    /// The rows for `width`; laid out again when the width or the text changes.
    package var rows: [FrameRow] = []
    var width = -1
  }

  /// A mark that the user has changed.
  struct MarkChange: Hashable, Sendable {
    /// The title of the result.
    var title: String
    /// What is shown.
    var isSet: Bool
    /// What is known to be true.
    var confirmed: Bool
    /// The latest change.
    var request: Int
    var isPending: Bool
  }

  struct MarkKey: Hashable, Sendable {
    var mark: BrowseMark
    var key: String
  }

  /// How long after the last key clones and cached answers are searched.
  package static let localDelay: Duration = .milliseconds(30)
  /// How long after the last key every provider is asked.
  package static let remoteDelay: Duration = .milliseconds(300)
  /// How long the selection rests before the pane shows it.
  package static let detailDelay: Duration = .milliseconds(150)
  /// The least columns of the terminal for a pane beside the list.
  package static let paneColumns = 110
  /// With fewer requests left a provider is asked at Enter only: a search may take a few.
  package static let fewRequests = 4
  /// The next page is loaded when so few rows are left below the selection.
  static let rowsAhead = 5
  /// The rows above a place that is shown.
  static let rowsAbovePlace = 3
  /// The rows that the wheel moves.
  static let wheelRows = 3
  /// The results that `R` chooses.
  package static let sampleSize = 10

  // What does not change.
  let isUnicode: Bool
  /// The saved searches, which are tabs before those of the kinds.
  let saved: [BrowseSavedSearch]
  let showsOnlyFavorites: Bool
  /// What can be done with results besides what the program does itself.
  let actions: [ResultAction]

  package internal(set) var columns: Int
  package internal(set) var height: Int
  /// The time since the start.
  package internal(set) var now: Duration = .zero

  package internal(set) var field: TextField
  package internal(set) var focus: Focus
  package internal(set) var panel: Panel?

  package internal(set) var providers: [BrowseProvider]
  package internal(set) var kinds: [ResultKind]
  package internal(set) var sort: String?
  package internal(set) var order: SortOrder?

  /// The search that runs or ran last.
  package internal(set) var request: BrowseRequest
  package internal(set) var phase = Phase.idle
  package internal(set) var statuses: [ProviderStatus] = []
  /// The same of the search whose results are shown.
  var shownStatuses: [ProviderStatus] = []
  package internal(set) var notes: [BrowseProblem] = []
  package internal(set) var hasMore = false
  package internal(set) var isLoadingMore = false
  /// Whether pages are loaded up to the end.
  package internal(set) var isLoadingAll = false
  /// Whether reaching the end of the list loads a page: not after a page without results.
  var canLoadAhead = true
  var localSearchAt: Duration?
  var remoteSearchAt: Duration?

  /// What was typed and chosen before a saved search was shown.
  var ownChoice: Choice?
  /// What was typed and chosen before each search for a name, the latest last.
  var earlier: [Choice] = []
  /// The lists of tabs that were left, each as the state was, the last one at the end.
  var leftLists: [BrowseState] = []
  /// The generation of the last search that was started.
  var lastGeneration = 0

  /// All results, in order.
  package internal(set) var items: [BrowseItem] = []
  var itemColumns: [TableColumn] = []
  /// The widest text of each column so far; it only grows, so that rows do not move sideways while the list
  /// does.
  var widest: [Int] = []
  /// The widths of the names, ascending.
  var nameWidths: [Int] = []
  /// Whether the results belong to an earlier search.
  var isOutdated = false
  /// Whether the selection stays on its entity when the results are replaced.
  var keepsSelection = false
  /// Whether the user has meant a result since the list began; until then the first row is selected, whatever
  /// is on it.
  var isSelectionChosen = false
  /// Whether only favorites of the list are shown.
  package internal(set) var isFiltered = false
  /// The places in `items` of the rows that are shown.
  package internal(set) var rows: [Int] = []
  /// The selected row.
  package internal(set) var selected = 0
  /// The first row that is shown.
  package internal(set) var top = 0

  package internal(set) var detail: Detail?
  var detailAt: Duration?
  /// The result whose details the pane shows at `detailAt`.
  var restingKey: String?
  var requests = 0
  var marks: [MarkKey: MarkChange] = [:]
  var hasMarks = false
  /// The titles of what is being cloned, by key.
  package internal(set) var cloning: [String: String] = [:]
  var clones: [String: String] = [:]
  /// The repository for which a folder is asked for.
  var clonedItem: BrowseItem?

  /// The message about what was done last, or why it failed.
  package internal(set) var message: BrowseProblem?
  /// The address of the result that was opened last.
  package internal(set) var lastOpened: String?

  /// Creates the state before the first event.
  ///
  /// - Parameters:
  ///   - query: The query of the command line; without one the field has the focus.
  ///   - kinds: The kinds of the command line; empty for the usual ones.
  ///   - showsOnlyFavorites: Whether the search itself is limited to favorites.
  package init(
    columns: Int, rows: Int, query: String = "", kinds: [ResultKind] = [], sort: String? = nil,
    order: SortOrder? = nil, providers: [BrowseProvider], saved: [BrowseSavedSearch] = [],
    showsOnlyFavorites: Bool = false, actions: [ResultAction] = [], isUnicode: Bool = true
  ) {
    self.columns = max(1, columns)
    height = max(1, rows)
    field = TextField(query)
    self.kinds = kinds
    self.sort = sort
    self.order = order
    self.providers = providers
    self.saved = saved
    self.showsOnlyFavorites = showsOnlyFavorites
    self.isUnicode = isUnicode
    self.actions = actions
    focus = query.allSatisfy(\.isWhitespace) ? .field : .list
    request = BrowseRequest(generation: 0, query: "", scope: .asked)
  }

  /// The sort keys that `t` goes through after the relevance.
  static let sorts = ["stars", "updated"]

  package var selectedItem: BrowseItem? {
    rows.indices.contains(selected) ? items[rows[selected]] : nil
  }

  /// Whether the rows that are shown are those of another list than the one that is wanted. They take no
  /// actions.
  var isStale: Bool { isOutdated && !keepsSelection || !wantedRequest.isSameList(request) }

  /// What is typed and chosen now, as a request.
  var wantedRequest: BrowseRequest {
    BrowseRequest(
      generation: lastGeneration + 1, query: query, kinds: kinds, sort: sort, order: order,
      providers: providers.filter(\.isChosen).map(\.id), scope: .asked, isSample: request.isSample)
  }

  /// The selected result where it can be acted on.
  var currentItem: BrowseItem? { isStale ? nil : selectedItem }

  /// Whether there is room for details beside the list.
  package var hasPane: Bool { columns >= Self.paneColumns && height >= 5 }

  /// When `clock` is due next; `nil` when nothing changes with time.
  package var deadline: Duration? {
    var times = [localSearchAt, remoteSearchAt, detailAt].compactMap(\.self)
    for status in statuses {
      switch status.state {
      case .waiting(let since): times.append(max(now + .milliseconds(100), since + .milliseconds(300)))
      case .limited(let end) where end > now: times.append(min(end, now + .seconds(1)))
      default: break
      }
    }
    return times.min()
  }

  /// Whether a result has a mark, as it is shown.
  package func isMarked(_ item: BrowseItem, _ mark: BrowseMark) -> Bool {
    marks[MarkKey(mark: mark, key: item.key)]?.isSet ?? (mark == .star ? item.isStarred : item.isFavorite)
  }

  /// The folder of the clone of a result.
  package func clone(of item: BrowseItem) -> String? { clones[item.key] ?? item.clone }
}
