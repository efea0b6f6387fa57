import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

/// How the results of one kind are written: as rows of a table, as rows for programs, and as a page. Each
/// kind has a file.
struct KindRendering: Sendable {
  struct Column: Sendable {
    var look: TableColumn
    /// The field that it shows, `nil` where that is not just one.
    var field: ResultField?
    /// Whether it shows the most relevant time of a result.
    var isTime = false
    /// Whether it says who found a result.
    var isOrigin = false
    /// Whether it is a number of what its title names.
    var isCount = false
    /// Whether it shows what the details of a result show, too.
    var isDetail: Bool
    var text: @Sendable (MergedItem, FactSheet.Dates) -> String
    /// Whether it begins with the name of a repository.
    var isNamed: Bool

    /// The text; the name of a repository that would be another one without its host has it in front.
    func named(_ item: MergedItem, _ dates: FactSheet.Dates, _ bareHost: String) -> String {
      isNamed ? item.result.withHost(text(item, dates), bareHost) : text(item, dates)
    }

    init(
      _ title: String, _ style: Style? = nil, alignsRight: Bool = false, dropOrder: Int = 0,
      isFlexible: Bool = false, maximum: Int = .max, least: Int = TableColumn.usualLeast,
      fifths: Int? = nil, keepsEnd: Bool = false, isPath: Bool = false, givesWay: Bool = false,
      isDetail: Bool = false,
      _ text: @escaping @Sendable (MergedItem, FactSheet.Dates) -> String
    ) {
      look = TableColumn(
        title: title, style: style, alignsRight: alignsRight, dropOrder: dropOrder, isFlexible: isFlexible,
        maximum: maximum, least: least, keepsEnd: keepsEnd, isPath: isPath, fifths: fifths,
        givesWay: givesWay)
      self.isDetail = isDetail
      isNamed = ["REPOSITORY", "ISSUE", "RESULT"].contains(title)
      self.text = text
    }
  }

  /// A field of a row for programs, with the name that a heading gives it.
  struct Field: Sendable {
    var name: String
    var isTime = false
    var text: @Sendable (MergedItem) -> String

    init(_ name: String, _ text: @escaping @Sendable (MergedItem) -> String) {
      self.name = name
      self.text = text
    }
  }

  /// The columns, the first of which is always shown.
  var columns: [Column]
  /// The fields of a row for programs; scripts depend on their order.
  var fields: [Field]
  /// These fields as the manual lists them; `nil` to leave them out.
  var manual: String?
  /// The lines of the page of a result.
  var facts: [Fact]
  /// The heading of that page.
  var heading: @Sendable (SearchResult, Page) -> String
  /// The field that begins with the name of a repository, if one does.
  var named: Int?
  /// The rows for programs: one, or one for each line that was found.
  var rows: @Sendable (MergedItem) -> [[String]]
  /// What names a result on one line.
  var name: @Sendable (SearchResult) -> String
  /// What else is to be said of it on the same line.
  var text: @Sendable (SearchResult) -> String
  /// Its most relevant time.
  var date: @Sendable (SearchResult) -> Date?

  init(
    columns: [Column], fields: [Field], manual: String? = nil, facts: [Fact],
    heading: @escaping @Sendable (SearchResult, Page) -> String = { item, _ in item.title },
    named: Int? = nil,
    rows: (@Sendable (MergedItem) -> [[String]])? = nil,
    name: @escaping @Sendable (SearchResult) -> String = { $0.title },
    text: @escaping @Sendable (SearchResult) -> String = { $0.text(.description) },
    date: @escaping @Sendable (SearchResult) -> Date? = { $0[.updatedAt]?.date }
  ) {
    self.columns = columns
    (self.fields, self.manual) = (fields, manual)
    (self.facts, self.heading) = (facts, heading)
    self.named = named
    self.rows = rows ?? { item in [fields.map { $0.text(item) }] }
    self.name = name
    self.text = text
    self.date = date
  }

  /// The kinds that are known here.
  private static let known: [ResultKind: KindRendering] = [
    .repo: repository, .code: code, .issue: issue, .commit: commit, .user: user, .topic: topic, .story: story,
    .question: question, .package: package, .notification: notification,
  ]

  /// The rendering of a kind; one that is not known here shows what every result has.
  static func of(_ kind: ResultKind) -> KindRendering { known[kind] ?? other }

  /// What the manual says of the rows of each kind.
  static var manual: String {
    ResultKind.known.compactMap { kind in known[kind]?.manual.map { "\(kind.rawValue)\n  \($0)" } }
      .joined(separator: "\n")
  }

  /// Whether a kind is known here, so that its columns and lines say what is of interest.
  static func isKnown(_ kind: ResultKind) -> Bool { known[kind] != nil }

  /// The rows for programs; the host stands before the name of a repository that would be another one without
  /// it.
  func rows(of item: MergedItem, bareHost: String) -> [[String]] {
    let rows = rows(item)
    guard let named else { return rows }
    return rows.map { row in
      var row = row
      row[named] = item.result.withHost(row[named], bareHost)
      return row
    }
  }

  /// A result on one line, for a list that has not got its final form yet; the name says enough of a
  /// repository.
  func line(_ result: SearchResult) -> String {
    let (name, text) = (name(result), text(result))
    return result.kind == .repo || text.isEmpty || text == name ? name : name + "  " + text
  }

  /// The rendering of a list: that of its kind, or one with a column for the kind where there are several.
  static func of(_ kinds: [ResultKind]) -> KindRendering {
    let first = kinds.first ?? .repo
    return kinds.allSatisfy { $0 == first } ? of(first) : mixed
  }

  /// The table of a list.
  ///
  /// - Parameter home: The home folder, which paths of clones begin with `~` for; `nil` to leave them as they
  ///   are.
  func table(
    _ items: [MergedItem], width: Int, dates: FactSheet.Dates, marks: ListMarks = ListMarks(),
    home: String? = nil, bareHost: String = BuiltInProvider.usualHost
  ) -> Table {
    let columns = ordered(for: items)
    let rows = Self.texts(items, columns, dates: dates, home: home, bareHost: bareHost)
    var table = Table(columns: columns.map(\.look), rows: rows.map { $0.map { SafeText.line($0) } })
    // In a very narrow table a short piece of a text says more than names alone.
    for index in table.columns.indices {
      table.columns[index].least = min(table.columns[index].least, max(1, width / 2))
    }
    return marks.added(to: table, items)
  }

  /// The texts of the rows; clones of the same name have their folders beside it, and names that would mean
  /// another repository their hosts before it.
  static func texts(
    _ items: [MergedItem], _ columns: [Column], dates: FactSheet.Dates, home: String?, bareHost: String
  ) -> [[String]] {
    let paths = PathText(home: home)
    var rows = items.map { item in
      columns.map { column in
        let text = column.named(item, dates, bareHost)
        return column.look.keepsEnd || column.look.isPath ? paths.text(text) : text
      }
    }
    guard let title = columns.firstIndex(where: { $0.look.style == .title }) else { return rows }
    let counts = Dictionary(rows.map { ($0[title], 1) }, uniquingKeysWith: +)
    for (index, item) in items.enumerated() where counts[rows[index][title], default: 1] > 1 {
      guard item.result.kind == .repo, let path = item.result[.path]?.text else { continue }
      rows[index][title] += " " + paths.text(path)
    }
    return rows
  }

  /// The columns; where the results are from several providers, who found them stays longer than all but the
  /// text.
  func ordered(for items: [MergedItem]) -> [Column] {
    guard Set(items.flatMap { $0.sources.map(\.provider) }).count > 1,
      let origin = columns.firstIndex(where: \.isOrigin)
    else { return columns }
    var columns = columns
    let (second, last) = (2, columns[origin].look.dropOrder)
    guard last > second else { return columns }
    for place in columns.indices where (second..<last).contains(columns[place].look.dropOrder) {
      columns[place].look.dropOrder += 1
    }
    columns[origin].look.dropOrder = second
    return columns
  }
}

/// Columns and fields that most kinds have.
extension KindRendering.Column {
  /// Who found it.
  static func from(dropOrder: Int) -> Self {
    var column = Self("FROM", .source, dropOrder: dropOrder, maximum: 24) { item, _ in
      item.sources.map(\.provider).joined(separator: "+")
    }
    column.isOrigin = true
    return column
  }

  /// The folder of the clone.
  static func clone(dropOrder: Int) -> Self {
    var column = Self(
      "CLONE", .dim, dropOrder: dropOrder, maximum: 48, least: 24, isPath: true, givesWay: true,
      isDetail: true
    ) { item, _ in item.result.text(.path) }
    column.field = .path
    return column
  }

  /// How long ago something was.
  static func age(
    _ title: String, dropOrder: Int, _ date: @escaping @Sendable (SearchResult) -> Date?
  ) -> Self {
    var column = Self(title, .dim, alignsRight: true, dropOrder: dropOrder) { item, dates in
      date(item.result).map(dates.text) ?? ""
    }
    column.isTime = true
    return column
  }

  static func count(_ title: String, _ field: ResultField, _ style: Style? = nil, dropOrder: Int) -> Self {
    var column = Self(title, style, alignsRight: true, dropOrder: dropOrder) { item, _ in
      item.result[field]?.number.map(HumanFormat.count) ?? ""
    }
    (column.field, column.isCount) = (field, true)
    return column
  }
}

extension KindRendering.Field {
  /// The page of the result.
  static let address = Self("Address") { $0.result.url ?? "" }
  /// Who found it.
  static let from = Self("From") { $0.sources.map(\.provider).joined(separator: ",") }

  static func text(_ name: String, _ field: ResultField) -> Self { Self(name) { $0.result.text(field) } }
  static func list(_ name: String, _ field: ResultField) -> Self {
    Self(name) { $0.result[field]?.texts.joined(separator: ",") ?? "" }
  }
  static func number(_ name: String, _ field: ResultField) -> Self {
    Self(name) { $0.result[field]?.number.map(String.init) ?? "" }
  }
  static func date(_ name: String, _ date: @escaping @Sendable (SearchResult) -> Date?) -> Self {
    var field = Self(name) { date($0.result).map(Timestamp.text) ?? "" }
    field.isTime = true
    return field
  }
}

extension SearchResult {
  /// The text of a field, nothing where there is none.
  func text(_ field: ResultField) -> String { self[field]?.text ?? "" }

  /// The words for the flags that are set, in brackets before the text that they describe.
  func marks(_ words: [(field: ResultField, word: String)]) -> String {
    let set = self.words(words)
    return set.isEmpty ? "" : "[\(set.joined(separator: ", "))] "
  }

  /// The words for the flags that are set.
  func words(_ words: [(field: ResultField, word: String)]) -> [String] {
    words.filter { self[$0.field]?.flag == true }.map(\.word)
  }

  /// A text that begins with `owner/name` of the repository that it is or belongs to, behind the host where
  /// it would mean another repository without it. In place of a repository's name that cannot be read stands
  /// the folder of its clone.
  ///
  /// - Parameter bareHost: The host that a name without one means.
  func withHost(_ text: String, _ bareHost: String) -> String {
    // An address names its place by itself.
    guard !text.isEmpty, !text.contains("://") else { return text }
    if kind == .repo, self[.host] != nil, text == title, !RepositoryIdentity.isReference(id) {
      return self[.path]?.text ?? url ?? id
    }
    return (hostBeforeName(bareHost).map { $0 + "/" } ?? "") + text
  }

  /// The host that has to stand before `owner/name` of the repository that it is or belongs to; `nil` where a
  /// row does not name it so.
  private func hostBeforeName(_ bareHost: String) -> String? {
    guard self[.clone] == nil, kind == .repo || kind.belongsToRepository,
      let id = namedRepository,
      let host = RepositoryIdentity.hostBeforeName(of: id, bareHost: bareHost)
    else { return nil }
    // Not every repository is called by its id.
    return kind != .repo || id.dropFirst(host.count + 1).lowercased() == title.lowercased() ? host : nil
  }

  /// The id of the repository that it is or belongs to.
  private var namedRepository: String? {
    if kind == .repo, RepositoryIdentity.components(id) != nil { return id }
    return self[.repository]?.text ?? EntityReference(id, defaultHost: text(.host))?.repositoryID
  }

  /// `owner/name` of the repository that it belongs to, spelled as its field or its address spells it; the
  /// path of the clone where that name means another one; nothing where neither is known.
  var repositoryName: String {
    if let clone = self[.clone]?.text { return clone }
    let id = namedRepository
    guard let id, let parts = RepositoryIdentity.components(id) else { return id ?? "" }
    let name = parts.owner + "/" + parts.name
    guard name == name.lowercased() else { return name }
    // Behind "https:", "" and the host.
    let path = (url ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    let spelled = path.prefix(name.count { $0 == "/" } + 1).joined(separator: "/")
    return spelled.lowercased() == name.lowercased() ? spelled : name
  }
}

/// What a list is sorted by, as far as a table shows it.
struct ShownOrder: Sendable {
  /// The sort key, `nil` for none.
  var key: String?
  /// Whether the user asked for the key; otherwise it is the usual order of a feed.
  var isChosen = true
  /// The sort key of a time that the query has a condition on; the time column shows it, unless that shows
  /// the order.
  var condition: String?
}

extension ShownOrder {
  /// The order of a search: the feed of a forge has the newest stars first.
  init(_ search: FederatedSearch) {
    self.init(key: search.sort ?? (search.isFeed ? "starred" : nil), isChosen: search.sort != nil)
    // Other kinds have one time that people ask for.
    guard !search.isFeed, search.kinds == [.repo] else { return }
    condition = search.query?.root.qualifiers.map(\.name).first {
      ["updated", "created", "pushed"].contains($0)
    }
  }

  /// The orders that may decide what the time column shows, the first one first.
  private var orders: [ShownOrder] { [self] + (condition.map { [ShownOrder(key: $0)] } ?? []) }

  /// The field that decides the order, `nil` for none.
  fileprivate var field: ResultField? {
    key.map(ResultOrder.field(of:))
  }

  /// The heading of a column for the key.
  fileprivate var title: String {
    switch key ?? "" {
    case "author-date": "AUTHORED"
    case "committer-date": "COMMITTED"
    case let key where key.hasPrefix("reactions-"): key.dropFirst("reactions-".count).uppercased()
    case let key: key.uppercased().replacing("-", with: " ")
    }
  }
}

extension ShownOrder {
  /// The time of the order among the fields of rows for programs: it takes the place of the usual time, so
  /// that the number of fields stays.
  ///
  /// - Returns: `nil` where the list is not sorted by a time of its results.
  func time(of items: [MergedItem], in fields: [KindRendering.Field]) -> (
    place: Int, field: KindRendering.Field
  )? {
    guard let place = fields.firstIndex(where: \.isTime) else { return nil }
    for order in orders {
      guard let field = order.field, order.replacesTime(field, of: items) else { continue }
      return (place, .date(order.title.prefix(1) + order.title.dropFirst().lowercased()) { $0[field]?.date })
    }
    return nil
  }

  /// Whether the time in a field takes the place of the usual one. In a feed of several providers some
  /// results have another time.
  fileprivate func replacesTime(_ field: ResultField, of items: [MergedItem]) -> Bool {
    let count = items.count { $0.result[field]?.date != nil }
    return count > 0 && (isChosen || count == items.count)
  }
}

extension KindRendering {
  /// The rendering for a list: with columns for fields of its providers' own, and one for what it is sorted
  /// by, which stays however narrow the terminal is.
  ///
  /// A time takes the place of the time that the kind usually shows; a number gets a column before that.
  func showing(_ order: ShownOrder, of items: [MergedItem]) -> KindRendering {
    var copy = withOwnColumns(of: items)
    let isTime = order.field.map { order.replacesTime($0, of: items) } ?? false
    if let condition = order.condition, !isTime {
      copy = copy.showing(ShownOrder(key: condition), of: items)
    }
    guard let field = order.field else { return copy }
    if let place = copy.columns.firstIndex(where: { $0.field == field }) {
      copy.columns[place].look.dropOrder = 0
      return copy
    }
    let time = copy.columns.firstIndex { $0.isTime }
    let place = time ?? max(1, copy.columns.count - 1)
    if order.key == "interactions" {
      copy.columns.insert(.interactions(order.title), at: place)
      return copy
    }
    if order.key?.hasPrefix("reactions-") == true {
      copy.columns.insert(.reactions(order.title, field), at: place)
      return copy
    }
    if items.contains(where: { $0.result[field]?.date != nil }) {
      let column = Column.age(order.title, dropOrder: 0, field)
      if let time, order.replacesTime(field, of: items) {
        copy.columns[time] = column
      } else {
        copy.columns.insert(column, at: place)
      }
    } else if items.contains(where: { $0.result[field]?.number != nil }) {
      copy.columns.insert(.amount(order.title, field), at: place)
    }
    return copy
  }
}

extension KindRendering.Column {
  /// How long ago the time in a field is.
  static func age(_ title: String, dropOrder: Int, _ field: ResultField) -> Self {
    var column = age(title, dropOrder: dropOrder) { $0[field]?.date }
    column.field = field
    return column
  }

  /// A number that a list is sorted by.
  fileprivate static func amount(_ title: String, _ field: ResultField) -> Self {
    guard field == .sizeKB else { return count(title, field, .stars, dropOrder: 0) }
    return Self(title, .stars, alignsRight: true) { item, _ in
      item.result.sizeBytes.map(HumanFormat.bytes) ?? ""
    }
  }

  /// Reactions of one sort; a result has only those that it got.
  fileprivate static func reactions(_ title: String, _ field: ResultField) -> Self {
    Self(title, .stars, alignsRight: true) { item, _ in
      let count = item.result[field]?.number ?? (item.result[.reactions] == nil ? nil : 0)
      return count.map(HumanFormat.count) ?? ""
    }
  }

  /// Comments and reactions together.
  fileprivate static func interactions(_ title: String) -> Self {
    Self(title, .stars, alignsRight: true) { item, _ in
      let parts = [ResultField.comments, .reactions].compactMap { item.result[$0]?.count }
      return parts.isEmpty ? "" : HumanFormat.count(parts.reduce(0, +).value)
    }
  }
}
