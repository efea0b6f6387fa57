import ForageBrowse
import ForageCore

/// The columns of the samples: name, description, language, stars with the marks, age, providers.
let sampleColumns = [
  TableColumn(style: .title, fifths: 2), TableColumn(dropOrder: 1, isFlexible: true),
  TableColumn(style: .language, dropOrder: 3, maximum: 16),
  TableColumn(style: .stars, alignsRight: true, dropOrder: 2, hasMarks: true),
  TableColumn(style: .dim, alignsRight: true, dropOrder: 4), TableColumn(style: .source, dropOrder: 5),
]

/// A repository `owner/name` of a list.
func sample(
  _ name: String, _ description: String = "A thing", language: String = "Swift", stars: String = "8.1k",
  age: String = "2d ago", from: String = "github", isStarred: Bool = false, isFavorite: Bool = false,
  isRepository: Bool = true, clone: String? = nil, url: String? = nil
) -> BrowseItem {
  var result = SearchResult(
    id: (isRepository ? "github.com/" : "/") + name, kind: .repo, title: name,
    url: url ?? "https://github.com/" + name)
  if isStarred { result.set(.starred, true) }
  if isFavorite { result.set(.favorite, true) }
  result.set(.path, clone)
  return BrowseItem(
    result, cells: [name, description, language, stars, age, from],
    summary: BrowseText { _ in [FrameRow(name, .title), FrameRow("summary of " + name)] })
}

/// Repositories `owner/0`, `owner/1` and so on.
func samples(_ range: Range<Int>) -> [BrowseItem] { range.map { sample("owner/\($0)") } }

func page(_ items: [BrowseItem], isAppended: Bool = false, hasMore: Bool = false) -> BrowsePage {
  BrowsePage(
    BrowseRows(columns: sampleColumns, items: items), isAppended: isAppended, hasMore: hasMore)
}

let sampleProviders = [
  BrowseProvider(
    id: "github", kinds: [.repo, .code, .issue],
    sorts: [.repo: ["stars", "forks", "updated"], .issue: ["updated"]]),
  BrowseProvider(id: "local", kinds: [.repo], sorts: [.repo: []]),
  BrowseProvider(id: "hackernews", kinds: [.story], sorts: [.story: []], isChosen: false),
]

/// A state that is driven by events, with the effects that it asks for.
struct Screen {
  var state: BrowseState
  /// The effects of the last event.
  var effects: [BrowseEffect]

  init(
    columns: Int = 80, rows: Int = 24, query: String = "", kinds: [ResultKind] = [], sort: String? = nil,
    providers: [BrowseProvider] = sampleProviders, saved: [BrowseSavedSearch] = [],
    actions: [ResultAction] = [], isUnicode: Bool = true
  ) {
    state = BrowseState(
      columns: columns, rows: rows, query: query, kinds: kinds, sort: sort, providers: providers,
      saved: saved, actions: actions,
      isUnicode: isUnicode)
    effects = state.begin()
  }

  @discardableResult
  mutating func send(_ event: BrowseEvent) -> [BrowseEffect] {
    effects = reduce(&state, event)
    return effects
  }

  @discardableResult
  mutating func press(_ keys: BrowseKey...) -> [BrowseEffect] {
    var all: [BrowseEffect] = []
    for key in keys { all += send(.input(.key(key))) }
    effects = all
    return all
  }

  @discardableResult
  mutating func type(_ text: String) -> [BrowseEffect] {
    var all: [BrowseEffect] = []
    for character in text { all += send(.input(.key(.character(character)))) }
    effects = all
    return all
  }

  /// Lets time pass.
  @discardableResult
  mutating func wait(_ milliseconds: Int) -> [BrowseEffect] {
    send(.clock(state.now + .milliseconds(milliseconds)))
  }

  /// Answers the running search.
  @discardableResult
  mutating func answer(_ news: BrowseSearchEvent) -> [BrowseEffect] {
    send(.search(generation: state.request.generation, news))
  }

  /// Answers the running search with its final list.
  @discardableResult
  mutating func answer(_ items: [BrowseItem], hasMore: Bool = false) -> [BrowseEffect] {
    answer(.page(page(items, hasMore: hasMore)))
  }

  /// The request of the only search among the effects.
  var request: BrowseRequest? {
    let requests = effects.compactMap { if case .search(let request) = $0 { request } else { nil } }
    return requests.count == 1 ? requests[0] : nil
  }

  var text: String { state.frame().text }
  var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
  var selectedTitle: String? { state.selectedItem?.title }

  /// A list of results with the focus on it.
  static func list(_ items: [BrowseItem], columns: Int = 80, rows: Int = 24, hasMore: Bool = false) -> Screen
  {
    var screen = Screen(columns: columns, rows: rows, query: "http client")
    screen.answer(items, hasMore: hasMore)
    return screen
  }
}

extension BrowseEffect {
  var isPreview: Bool { if case .preview = self { true } else { false } }
}
