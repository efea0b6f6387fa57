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
}
