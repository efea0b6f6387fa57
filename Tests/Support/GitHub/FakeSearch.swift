/// One search of `FakeGitHub`: where it looks, which qualifiers it evaluates, and what it answers.
struct FakeSearch<Item: Sendable>: Sendable {
  /// The qualifiers that are understood; a part with another name is a word.
  var qualifiers: Set<String>
  /// Where words are looked for unless `in:` says otherwise.
  var scopes: Set<String>
  /// The texts of an item with the scope that each belongs to.
  var texts: @Sendable (Item) -> [(scope: String, text: String)]
  /// Whether an item fulfils a qualifier of a name and a value; of what is understood but not evaluated every
  /// item does.
  var satisfies: @Sendable (_ item: Item, _ name: String, _ value: String) -> Bool
  /// What `sort` can ask for.
  var sorts: [String: @Sendable (Item) -> Double] = [:]
  /// How well an item is found; nil: all alike, so that they stay in their order.
  var rank: (@Sendable (Item, FakeQuery) -> Double)?
  /// The full name of the repository that an item belongs to; nil for items that belong to none.
  var repository: (@Sendable (Item) -> String)?
  /// What holds for every item whatever the query says.
  var always: @Sendable (Item, FakeQuery) -> Bool = { _, _ in true }
  /// Why a query is refused, if it is.
  var problem: @Sendable (FakeQuery) -> FakeJSON? = { _ in nil }
  /// The item as the answer has it.
  var json: @Sendable (Item, FakeRendering) -> FakeJSON

  /// The items in the order that a request asks for; what is equal keeps its order.
  func sorted(_ items: [Item], by request: RecordedRequest, _ query: FakeQuery) -> [Item] {
    var descending = request.query("order") != "asc"
    let key: (Item) -> Double
    if let sort = request.query("sort").flatMap({ sorts[$0] }) {
      key = sort
    } else if let rank {
      key = { rank($0, query) }
      descending = true
    } else {
      return items
    }
    return items.enumerated().map { (value: key($0.element), offset: $0.offset) }.sorted { left, right in
      if left.value != right.value { return descending ? left.value > right.value : left.value < right.value }
      return left.offset < right.offset
    }.map { items[$0.offset] }
  }
}

/// What the form of an item in an answer depends on.
struct FakeRendering {
  let links: FakeRepository.Links
  /// The words that text matches are told for, in lower case; nil: none were asked for.
  let words: [String]?
  private let repositories: [FakeRepository]

  init(
    _ call: FakeGitHub.Call, _ options: FakeGitHub.Options, _ links: FakeRepository.Links, _ query: FakeQuery
  ) {
    self.links = links
    repositories = options.repositories
    let accept = call.request.header("accept") ?? ""
    words = accept.contains("text-match") ? query.positiveWords : nil
  }

  /// The repository of a name: the known one, or one that has little more than its name.
  func repository(_ fullName: String) -> FakeRepository {
    repositories.first { $0.fullName == fullName }
      ?? FakeRepository(id: FakeAccount.number(of: fullName), fullName: fullName)
  }

  /// The `text_matches` of a text: two pieces at most, each a line with what was found; places count code
  /// points.
  func textMatches(_ text: String, property: String, type: String, url: String) -> FakeJSON? {
    guard let words else { return nil }
    var pieces: [FakeJSON] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) where pieces.count < 2 {
      let scalars = Array(line.unicodeScalars)
      let lower = scalars.map { $0.isASCII ? Character($0).lowercased() : String($0) }
      var matches: [FakeJSON] = []
      for word in words.map({ $0.unicodeScalars.map(String.init) }) where !word.isEmpty {
        guard lower.count >= word.count else { continue }
        for start in 0...(lower.count - word.count) where Array(lower[start..<start + word.count]) == word {
          var found = String.UnicodeScalarView()
          found.append(contentsOf: scalars[start..<start + word.count])
          matches.append([
            "text": .string(String(found)), "indices": [.int(start), .int(start + word.count)],
          ])
        }
      }
      guard !matches.isEmpty else { continue }
      pieces.append([
        "object_url": .string(url), "object_type": .string(type), "property": .string(property),
        "fragment": .string(String(line)), "matches": .array(matches),
      ])
    }
    return .array(pieces)
  }
}
