import ForageCore

/// A thing that can be picked.
package struct PickItem: Sendable {
  /// The text that is printed.
  package let value: String
  let name: FoldedText
  /// The path or address, shown behind the name.
  let place: FoldedText
  /// How much it is used, at least 0: 1 for once just now.
  package let weight: Double

  package init(value: String, name: String, place: String, weight: Double) {
    (self.value, self.weight) = (value, weight)
    (self.name, self.place) = (FoldedText(name), FoldedText(place))
  }
}

/// A text, with its characters as they are and in small letters.
struct FoldedText: Sendable {
  let text: String
  let scalars: [Unicode.Scalar]
  let lower: [Unicode.Scalar]

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
    // A letter without a single small one stands for itself, so that places stay the same.
    lower = scalars.map { scalar in
      let small = scalar.properties.lowercaseMapping.unicodeScalars
      return small.count == 1 ? small.first ?? scalar : scalar
    }
  }
}

extension FoldedText {
  /// Whether the text or its last part behind a slash is a name, in small letters.
  fileprivate func isNamed(_ name: [Unicode.Scalar]) -> Bool {
    guard lower.count >= name.count, lower.suffix(name.count).elementsEqual(name) else { return false }
    return lower.count == name.count || lower[lower.count - name.count - 1] == "/"
  }
}

/// How picking ended.
package enum PickEnding: Hashable, Sendable {
  case picked(String)
  /// Nothing was picked.
  case cancelled
  case interrupted
}

/// A list that narrows while one types, for one answer; without a terminal.
package struct PickState: Sendable {
  /// An item that fits, with the places of what was typed in its name.
  private struct Row: Sendable {
    var item: Int
    var places: Set<Int> = []
    /// Whether what was typed is its name.
    var isExact = false
  }

  private let items: [PickItem]
  private let isUnicode: Bool
  private var columns: Int
  private var height: Int
  private var field: TextField
  private var rows: [Row] = []
  private var selected = 0
  private var top = 0
  /// What is known of an item, by its value.
  private var preview: (value: String, rows: [FrameRow]) = ("", [])

  /// - Parameter query: What is typed at first.
  package init(_ items: [PickItem], query: String, columns: Int, rows: Int, isUnicode: Bool) {
    (self.items, self.isUnicode, self.columns, height) = (items, isUnicode, columns, rows)
    field = TextField(query)
    narrow()
  }

  /// The values of the items that fit, the best first.
  package var values: [String] { rows.map { items[$0.item].value } }

  /// The value of the only item that fits, or of the only one whose name was typed; `nil` for any other
  /// number.
  package var single: String? {
    let exact = rows.filter(\.isExact)
    let meant = exact.isEmpty ? rows : exact
    return meant.count == 1 ? items[meant[0].item].value : nil
  }

  /// The value of the item of which a preview has room beside the list; `nil` on a narrow terminal.
  package var previewed: String? {
    columns >= Self.previewColumns && !rows.isEmpty ? items[rows[selected].item].value : nil
  }

  /// Shows what is known of an item as long as it is selected.
  package mutating func show(_ rows: [FrameRow], of value: String) { preview = (value, rows) }

  package mutating func resize(columns: Int, rows: Int) {
    (self.columns, height) = (columns, rows)
    scroll()
  }

  /// Applies a key, a paste or the mouse.
  ///
  /// - Returns: How picking ends; `nil` where it goes on.
  package mutating func apply(_ input: BrowseInput) -> PickEnding? {
    switch input {
    case .key(.enter): return rows.isEmpty ? nil : .picked(items[rows[selected].item].value)
    case .key(.escape), .key(.control("d")): return .cancelled
    case .key(.control("c")): return .interrupted
    case .key(.up), .key(.control("p")), .key(.control("k")): select(selected - 1)
    case .key(.down), .key(.control("n")), .key(.control("j")): select(selected + 1)
    case .key(.pageUp): select(selected - listHeight)
    case .key(.pageDown): select(selected + listHeight)
    case .key(let key): if field.apply(key) { narrow() }
    case .paste(let text):
      field.insert(text)
      narrow()
    case .wheel(let isUp): select(selected + (isUp ? -1 : 1))
    case .click(_, let row):
      if row >= Self.headHeight, top + row - Self.headHeight < rows.count {
        select(top + row - Self.headHeight)
      }
    }
    return nil
  }

  // MARK: What fits

  /// Points for one use just now, as many as for the beginning of a word; for three, seven and more uses
  /// twice and three times as many.
  private static func usePoints(_ weight: Double) -> Int { 8 * min(3, Int((1 + weight).exponent)) }

  /// Finds what fits the words that are typed, all of which must occur: the best first, a whole name before
  /// parts of names, and these before places.
  private mutating func narrow() {
    let typed = FoldedText(field.text.trimmingWhitespace()).lower
    let words = field.text.split(separator: " ").map { Array($0.unicodeScalars) }
    var found: [(row: Row, places: Int, score: Int)] = []
    for (index, item) in items.enumerated() {
      var (row, inPlaces, score) = (Row(item: index), 0, Self.usePoints(item.weight))
      let fits = words.allSatisfy { word in
        if let match = FuzzyMatch(word, in: item.name.scalars, lower: item.name.lower) {
          score += match.score
          row.places.formUnion(match.places)
          return true
        }
        guard let match = FuzzyMatch(word, in: item.place.scalars, lower: item.place.lower) else {
          return false
        }
        inPlaces += 1
        score += match.score
        return true
      }
      row.isExact = !typed.isEmpty && (item.name.isNamed(typed) || item.place.isNamed(typed))
      if fits { found.append((row, inPlaces, score)) }
    }
    found.sort { left, right in
      if left.row.isExact != right.row.isExact { return left.row.isExact }
      if left.places != right.places { return left.places < right.places }
      if left.score != right.score { return left.score > right.score }
      let (one, other) = (items[left.row.item], items[right.row.item])
      if one.weight != other.weight { return one.weight > other.weight }
      // Of names that fit alike the shorter one is what was meant; without words all do, and are by name.
      let (short, long) = (one.name.scalars.count, other.name.scalars.count)
      if !words.isEmpty, short != long { return short < long }
      return left.row.item < right.row.item
    }
    rows = found.map(\.row)
    (selected, top) = (0, 0)
  }

  // MARK: What is shown

  /// The rows above the list.
  private static let headHeight = 1

  /// The columns from which on there is a preview.
  private static let previewColumns = 110

  /// The columns of the list.
  private var listColumns: Int { columns >= Self.previewColumns ? columns * 11 / 20 : columns }

  private var listHeight: Int { max(1, height - Self.headHeight) }

  private mutating func select(_ row: Int) {
    selected = max(0, min(row, rows.count - 1))
    scroll()
  }

  private mutating func scroll() {
    if selected < top { top = selected }
    if selected >= top + listHeight { top = selected - listHeight + 1 }
  }

  /// The frame for the size of the terminal; no row is wider than it.
  package func frame() -> Frame {
    let prompt = "> "
    let count = " \(HumanFormat.grouped(rows.count))/\(HumanFormat.grouped(items.count))"
    let room = max(1, columns - prompt.count - count.count)
    let (text, column) = field.shown(width: room)
    var head = FrameRow(prompt, .title)
    head.add(text)
    head.pad(to: columns - count.count)
    head.add(count, .dim)
    var lines = [head]
    let widest =
      rows.dropFirst(top).prefix(listHeight).map { TextWidth.of(items[$0.item].name.text) }.max() ?? 0
    for (place, row) in rows.dropFirst(top).prefix(listHeight).enumerated() {
      lines.append(line(row, isSelected: top + place == selected, nameWidth: widest))
    }
    if rows.isEmpty, height > 1 { lines.append(FrameRow("  nothing fits", .dim)) }
    lines += [FrameRow](repeating: FrameRow(), count: max(0, height - lines.count))
    if let value = previewed {
      let known = preview.value == value ? preview.rows : []
      for place in lines.indices.dropFirst(Self.headHeight) {
        lines[place].pad(to: listColumns)
        lines[place].add(isUnicode ? " │ " : " | ", .dim)
        if known.indices.contains(place - Self.headHeight) {
          lines[place].add(known[place - Self.headHeight])
        }
      }
    }
    return Frame(
      columns: columns, rows: lines.prefix(height).map { $0.cut(to: columns) },
      cursor: Frame.Cursor(row: 0, column: min(prompt.count + column, columns - 1)))
  }

  private func line(_ row: Row, isSelected: Bool, nameWidth: Int) -> FrameRow {
    let item = items[row.item]
    var line = FrameRow(isSelected ? isUnicode ? "▸ " : "> " : "  ")
    // What was typed is told apart by its look alone, because the text is the same.
    var (piece, isMatched) = ("", false)
    for (place, scalar) in item.name.scalars.enumerated() {
      if row.places.contains(place) != isMatched {
        line.add(piece, isMatched ? .hint : .plain)
        (piece, isMatched) = ("", !isMatched)
      }
      piece.unicodeScalars.append(scalar)
    }
    line.add(piece, isMatched ? .hint : .plain)
    line.pad(to: min(nameWidth, listColumns / 2) + 4)
    line.add(item.place.text, .dim)
    let cut = line.cut(to: listColumns)
    return isSelected ? cut.reversed(to: listColumns) : cut
  }
}
