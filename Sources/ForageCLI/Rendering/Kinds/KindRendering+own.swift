import ForageCore
import ForageFoundation

/// Fields of a provider's own, as columns, as fields of rows for programs and as lines of a page.
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

extension KindRendering.Fact {
  /// A field that a provider defines.
  init(_ definition: FieldDefinition) {
    self.init(definition.label, definition.name) { item, page in
      item[definition.name]?.text(definition, count: page.dates.count, date: page.dates.dated)
    }
  }
}
