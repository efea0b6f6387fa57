import ForageCore
import ForageFoundation

extension KindRendering {
  /// A line of the page of a result.
  struct Fact: Sendable {
    let label: String
    /// The field that it shows, `nil` where that is not just one.
    let field: ResultField?
    /// Its value; `nil` leaves the line out.
    let value: @Sendable (SearchResult, Page) -> FactSheet.Value?

    init(
      _ label: String, _ field: ResultField? = nil,
      _ text: @escaping @Sendable (SearchResult, Page) -> String?
    ) {
      (self.label, self.field) = (label, field)
      value = { item, page in text(item, page).map(FactSheet.Value.text) }
    }

    /// A line that is more than a text.
    init(drawing label: String, _ value: @escaping @Sendable (SearchResult) -> FactSheet.Value?) {
      (self.label, field) = (label, nil)
      self.value = { item, _ in value(item) }
    }
  }

  /// What a page needs to know besides its result.
  struct Page {
    let dates: FactSheet.Dates
    /// The host that a name without one means.
    let bareHost: String
    /// Which lines of a file are shown, `nil` where all are.
    let excerpt: String?
  }

  /// The page of a result without its text.
  func sheet(_ item: SearchResult, _ page: Page) -> FactSheet {
    var sheet = FactSheet(title: heading(item, page))
    for fact in facts(of: item) {
      switch fact.value(item, page) {
      case .text(let text)?: sheet.add(fact.label, text)
      case let value?: sheet.add(fact.label, value)
      case nil: break
      }
    }
    return sheet
  }

  /// The lines of the page of a result, with those for fields that only its providers have before its
  /// address. Of a kind that is not known here, these are all fields.
  private func facts(of item: SearchResult) -> [Fact] {
    let defined = Set(item.definitions.map(\.name))
    let shown = defined.union(facts.compactMap(\.field)).union(Self.fieldsOfIdentity)
    let others =
      Self.isKnown(item.kind)
      ? [] : item.orderedFields.filter { !shown.contains($0) }.map { FieldDefinition($0, .text) }
    let own = (item.definitions + others).map(Fact.init)
    guard let address = facts.last, address.label == Fact.address.label else { return facts + own }
    return facts.dropLast() + own + [address]
  }

  /// The fields that the address, the marks and the text of a page tell.
  private static let fieldsOfIdentity: Set<ResultField> = [
    .host, .avatarURL, .favorite, .starred, .addedAt, .places, .fragments, .matches,
  ]
}

extension KindRendering.Fact {
  /// The page on the web.
  static let address = Self("Address") { item, _ in item.url }

  static func text(_ label: String, _ field: ResultField) -> Self {
    Self(label, field) { item, _ in item.text(field) }
  }
  static func list(_ label: String, _ field: ResultField) -> Self {
    Self(label, field) { item, _ in item[field]?.texts.joined(separator: ", ") }
  }
  static func count(_ label: String, _ field: ResultField) -> Self {
    Self(label, field) { item, page in item[field]?.number.map(page.dates.count) }
  }
  static func flag(_ label: String, _ field: ResultField) -> Self {
    Self(label, field) { item, _ in item[field]?.flag.map { $0 ? "yes" : "no" } }
  }
  /// A time with its day.
  static func age(_ label: String, _ field: ResultField) -> Self {
    Self(label, field) { item, page in item[field]?.date.map(page.dates.dated) }
  }
  /// The known numbers of several fields, each with its word for one and for several.
  static func counts(_ fields: [(field: ResultField, one: String, several: String)]) -> Self {
    Self("Counts") { item, page in
      fields.compactMap { field, one, several in
        item[field]?.number.map { "\(page.dates.count($0)) \($0 == 1 ? one : several)" }
      }.joined(separator: ", ")
    }
  }

  /// A field that a provider defines.
  fileprivate init(_ definition: FieldDefinition) {
    self.init(definition.label, definition.name) { item, page in
      item[definition.name]?.text(definition, count: page.dates.count, date: page.dates.dated)
    }
  }
}

// MARK: Fields of a provider's own

extension KindRendering {
  /// How soon a column goes where there is no room: the first of those whose place a provider tells after the
  /// description, those behind it before it, others first.
  private static let dropOrders = (placed: 3, others: 9)
  /// The widest text of such a column.
  fileprivate static let ownColumns = 24

  /// The fields that only the providers of results of one kind have; none of several kinds, which have nothing
  /// in common but what the columns of a mixed list show.
  private static func definitions(of items: [MergedItem]) -> [FieldDefinition] {
    guard Set(items.map(\.result.kind)).count == 1 else { return [] }
    var definitions: [FieldDefinition] = []
    var last: [FieldDefinition] = []
    for item in items where item.result.definitions != last {
      last = item.result.definitions
      definitions += last.filter { field in !definitions.contains { $0.name == field.name } }
    }
    return definitions
  }

  /// The fields of rows for programs that only the providers of these results have, for the end of a row.
  static func ownFields(of items: [MergedItem]) -> [Field] {
    definitions(of: items).map { definition in
      Field(definition.label) { item in
        let value = item.result[definition.name]
        return value?.plainText ?? value?.texts.joined(separator: ",") ?? ""
      }
    }
  }

  /// The rendering with columns for fields that only the providers of these results have.
  func withOwnColumns(of items: [MergedItem]) -> KindRendering {
    var definitions = Self.definitions(of: items)
    let known = Set(columns.compactMap(\.field))
    definitions.removeAll { known.contains($0.name) }
    if definitions.isEmpty { return self }
    var copy = self
    // In the order of their places, so that each is at its own.
    let placed = definitions.filter { $0.column != nil }.sorted { ($0.column ?? 0) < ($1.column ?? 0) }
    let further = max(0, placed.count - 1)
    for index in copy.columns.indices where copy.columns[index].look.dropOrder > Self.dropOrders.placed {
      copy.columns[index].look.dropOrder += further
    }
    for (index, definition) in placed.enumerated() {
      let place = min(max(1, (definition.column ?? 1) - 1), copy.columns.count)
      copy.columns.insert(Column(definition, dropOrder: Self.dropOrders.placed + index), at: place)
    }
    let others = definitions.filter { $0.column == nil && ![.text, .list].contains($0.type) }.map {
      var column = Column($0, dropOrder: Self.dropOrders.others + further)
      column.isDetail = true
      return column
    }
    copy.columns.insert(
      contentsOf: others, at: copy.columns.firstIndex(where: \.isOrigin) ?? copy.columns.count)
    return copy
  }
}

extension KindRendering.Column {
  fileprivate init(_ definition: FieldDefinition, dropOrder: Int) {
    let isNumber = definition.type == .number || definition.type == .fraction
    self.init(
      SafeText.line(definition.title ?? definition.words.uppercased()),
      definition.type == .date ? .dim : isNumber ? .stars : nil,
      alignsRight: isNumber || definition.type == .date, dropOrder: dropOrder,
      maximum: KindRendering.ownColumns
    ) { item, dates in
      item.result[definition.name]?.text(definition, count: dates.count, date: dates.text) ?? ""
    }
    (field, isNamed) = (definition.name, false)
    isCount = isNumber && definition.unit == nil
  }
}

extension FieldDefinition {
  /// The title, else the words of the name, as other labels are written: `Download count`. A short word in
  /// capitals is an abbreviation.
  fileprivate var label: String {
    let longestAbbreviation = 4
    let isHeading = title.map { $0 == $0.uppercased() && !$0.contains(" ") && $0.count > longestAbbreviation }
    let text = title.map { isHeading == true ? $0.lowercased() : $0 } ?? words
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension FieldValue {
  /// The value as people read it; `nil` for one that has parts.
  fileprivate func text(
    _ definition: FieldDefinition, count: (Int) -> String, date: (Date) -> String
  ) -> String? {
    let unit = definition.unit.map { $0 == "%" ? $0 : " " + $0 } ?? ""
    return switch self {
    case .text(let text): text
    // A number of four digits can be a year.
    case .number(let number): (abs(number) < 10_000 ? String(number) : count(number)) + unit
    case .fraction(let number): HumanFormat.decimal(number) + unit
    case .flag(let isSet): isSet ? "yes" : "no"
    case .date(let time): date(time)
    case .list(let texts): texts.joined(separator: ", ")
    case .items, .record: nil
    }
  }
}
