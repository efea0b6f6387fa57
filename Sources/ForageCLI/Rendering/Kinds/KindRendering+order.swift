import ForageCore
import ForageFoundation
import ForagePlatform

/// What a list is sorted by, as far as a table shows it.
struct ShownOrder: Sendable {
  /// The sort key, `nil` for none.
  var key: String?
  /// Whether the user asked for the key; otherwise it is the usual order of a feed.
  var isChosen = true
  /// The sort key of a time that the query has a condition on; the time column shows it, unless that shows the order.
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
  /// The time of the order among the fields of rows for programs: it takes the place of the usual time, so that the number of fields stays.
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

  /// Whether the time in a field takes the place of the usual one. In a feed of several providers some results have another time.
  fileprivate func replacesTime(_ field: ResultField, of items: [MergedItem]) -> Bool {
    let count = items.count { $0.result[field]?.date != nil }
    return count > 0 && (isChosen || count == items.count)
  }
}

extension KindRendering {
  /// The rendering for a list: with columns for fields of its providers' own, and one for what it is sorted by, which stays
  /// however narrow the terminal is.
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
