import Forage
import ForageCore
import ForageFoundation

/// How the results of one kind are written: as rows of a table, as rows for programs, and as a page. Each kind has a file.
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
    var text: @Sendable (MergedItem, Date) -> String
    /// Whether it begins with the name of a repository.
    var isNamed: Bool

    /// The text; the name of a repository that would be another one without its host has it in front.
    func named(_ item: MergedItem, _ now: Date, _ bareHost: String) -> String {
      isNamed ? item.result.withHost(text(item, now), bareHost) : text(item, now)
    }

    init(
      _ title: String, _ style: Style? = nil, alignsRight: Bool = false, dropOrder: Int = 0,
      isFlexible: Bool = false, maximum: Int = .max, least: Int = TableColumn.usualLeast,
      fifths: Int? = nil, keepsEnd: Bool = false, isPath: Bool = false, givesWay: Bool = false,
      isDetail: Bool = false,
      _ text: @escaping @Sendable (MergedItem, Date) -> String
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
    columns: [Column], fields: [Field], facts: [Fact],
    heading: @escaping @Sendable (SearchResult, Page) -> String = { item, _ in item.title },
    named: Int? = nil,
    rows: (@Sendable (MergedItem) -> [[String]])? = nil,
    name: @escaping @Sendable (SearchResult) -> String = { $0.title },
    text: @escaping @Sendable (SearchResult) -> String = { $0.text(.description) },
    date: @escaping @Sendable (SearchResult) -> Date? = { $0[.updatedAt]?.date }
  ) {
    self.columns = columns
    self.fields = fields
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
    _ items: [MergedItem], width: Int, now: Date, marks: ListMarks = ListMarks(), home: String? = nil,
    bareHost: String = BuiltInProvider.usualHost
  ) -> Table {
    let columns = ordered(for: items)
    let rows = Self.texts(items, columns, now: now, home: home, bareHost: bareHost)
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
    _ items: [MergedItem], _ columns: [Column], now: Date, home: String?, bareHost: String
  ) -> [[String]] {
    let paths = PathText(home: home)
    var rows = items.map { item in
      columns.map { column in
        let text = column.named(item, now, bareHost)
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
    var column = Self(title, .dim, alignsRight: true, dropOrder: dropOrder) { item, now in
      date(item.result).map { HumanFormat.age($0, now: now) } ?? ""
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
    guard self[.clone] == nil, [.repo, .code, .issue, .commit, .notification].contains(kind),
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

  /// `owner/name` of the repository that it belongs to, spelled as its address spells it; the path of the clone
  /// where that name means another one; nothing where neither is known.
  var repositoryName: String {
    if let clone = self[.clone]?.text { return clone }
    let id = namedRepository
    guard let id, let parts = RepositoryIdentity.components(id) else { return id ?? "" }
    let name = parts.owner + "/" + parts.name
    // Behind "https:", "" and the host.
    let path = (url ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    let spelled = path.prefix(name.count { $0 == "/" } + 1).joined(separator: "/")
    return spelled.lowercased() == name.lowercased() ? spelled : name
  }
}
