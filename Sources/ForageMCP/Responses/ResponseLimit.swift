import ForageCore

/// Keeps responses within the number of characters that an agent asked for.
enum ResponseLimit {
  /// What `maxChars` may be: fewer than 1,000 characters hold no useful answer.
  static let range = 1_000...Int.max
  /// The length of an answer at most, whatever `maxChars` is: more floods any context.
  static let maximum = 100_000
  /// `maxChars` without a choice: some 2,000 tokens.
  static let standard = 8_000
  /// Characters kept free for `truncated` and `next`.
  private static let reserve = 120
  /// The length of a list before it is shortened, more than fit into the longest answer.
  private static let listMaximum = 10_000
  /// The longest list of numbers that goes as a whole or not at all.
  private static let hours = 24
  /// Longer than most ids and addresses.
  private static let addressLength = 200
  /// Shorter texts tell little.
  private static let textMinimum = 64
  /// The members without which an answer tells nothing, dropped last; their texts are as long as addresses.
  private static let kept: Set = ["complete", "error", "id", "path", "providers", "next"]

  /// The compact JSON of a value, its members by name.
  static func text(_ tree: JSONTree) -> String {
    String(decoding: tree.encoded(), as: UTF8.self)
  }

  private static func length(_ tree: JSONTree) -> Int { text(NeutralText.neutral(tree)).unicodeScalars.count }

  /// Whether an answer needs no cut.
  static func fits(_ members: [String: JSONTree], maxChars: Int) -> Bool {
    length(.object(members)) <= maxChars - reserve
  }

  /// How many items of a list fit into an answer; at least one, which then has to be shortened.
  ///
  /// - Parameters:
  ///   - items: The list.
  ///   - frame: The answer without the list.
  static func fitting(_ items: [JSONTree], in frame: [String: JSONTree], maxChars: Int) -> Int {
    var left = maxChars - length(.object(frame)) - reserve
    for (index, item) in items.enumerated() {
      left -= length(item) + 1
      if left < 0 { return max(1, index) }
    }
    return items.count
  }

  /// A value of at most a number of characters: its longest texts and lists are shortened, again and again,
  /// then members are dropped.
  static func shortened(_ tree: JSONTree, to maxChars: Int) -> JSONTree {
    var tree = tree
    // Long texts go first, then the ends of lists, then whole members.
    var (textLimit, listLimit) = (maxChars, listMaximum)
    while length(tree) > maxChars, textLimit > textMinimum {
      if listLimit > 1 {
        textLimit = max(addressLength, textLimit / 2)
        listLimit = listLimit * 2 / 3
      } else {
        textLimit /= 2
      }
      tree = cut(tree, text: textLimit, list: max(1, listLimit))
    }
    for kept in [kept, ["complete", "error"]] {
      while length(tree) > maxChars, let smaller = withoutLargest(tree, keeping: kept) { tree = smaller }
    }
    return tree
  }

  /// A value without its largest member; of one that has an id or a path, only the largest member of that
  /// goes. `nil` where none can go.
  private static func withoutLargest(_ tree: JSONTree, keeping kept: Set<String>) -> JSONTree? {
    switch tree {
    case .array(let values):
      return values.first.flatMap { withoutLargest($0, keeping: kept) }.map { .array([$0]) }
    case .object:
      var members = tree.object ?? [:]
      let sizes = members.filter { !kept.contains($0.key) }.mapValues(length)
      guard let name = sizes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key,
        let value = members[name]
      else { return nil }
      members[name] = isNamed(value) ? withoutLargest(value, keeping: kept) : nil
      return .object(members)
    default: return nil
    }
  }

  private static func isNamed(_ tree: JSONTree) -> Bool {
    let one = tree.array?.first ?? tree
    return one["id"] != nil || one["path"] != nil
  }

  private static func cut(_ tree: JSONTree, text: Int, list: Int) -> JSONTree {
    switch tree {
    case .string(let value):
      value.unicodeScalars.count > text
        ? .string(String(String.UnicodeScalarView(value.unicodeScalars.prefix(text))) + "…") : tree
    // Numbers that their places explain, as those of the hours of a day.
    case .array(let values) where values.count <= hours && values.allSatisfy({ $0.integer != nil }): tree
    case .array(let values): .array(values.prefix(list).map { cut($0, text: text, list: list) })
    case .object(let members):
      .object(
        members.map { name, value in
          (name, cut(value, text: kept.contains(name) ? max(text, addressLength) : text, list: list))
        })
    default: tree
    }
  }

  /// An answer without a list, cut where it is too long.
  static func record(_ members: [String: JSONTree], maxChars: Int) -> JSONTree {
    guard length(.object(members)) > maxChars else { return .object(members) }
    guard var cut = shortened(.object(members), to: maxChars - reserve).object else {
      return .object(members)
    }
    cut["truncated"] = .bool(true)
    return .object(cut)
  }
}
