import ForageCore
import ForageFoundation

/// A qualifier by whose ranges a search can be split, and the result field that holds its value.
///
/// Values are whole numbers; dates are seconds since 1970.
struct PartitionAxis: Hashable, Sendable {
  enum Unit: Hashable { case second, number }

  var qualifier: String
  var field: ResultField
  var unit: Unit

  /// The range of all values. Its ends include everything beyond them.
  var bounds: ClosedRange<Int> { unit == .second ? Self.allSeconds : Self.allNumbers }

  /// 1970 to 2100; dates outside are mistakes and share a piece.
  private static let allSeconds = 0...4_102_444_800
  /// The range of GitHub's counts.
  private static let allNumbers = 0...2_147_483_647
  /// October 2007, when GitHub began.
  private static let gitHubBegan = 1_190_000_000

  /// The range in which most results lie, for splitting without a sample.
  func usual(now: Int) -> ClosedRange<Int> {
    unit == .second ? Self.gitHubBegan...max(Self.gitHubBegan + 1, min(now, bounds.upperBound)) : bounds
  }

  /// The value of a result; `nil` if the result does not contain it.
  func value(of item: SearchResult) -> Int? {
    switch unit {
    case .number: return item[field]?.number.map { min(max($0, bounds.lowerBound), bounds.upperBound) }
    case .second: return item[field]?.date.map(seconds)
    }
  }

  private func seconds(_ date: Date) -> Int {
    let exact = date.timeIntervalSince1970.rounded(.down)
    let (low, high) = (Double(bounds.lowerBound), Double(bounds.upperBound))
    return exact.isNaN ? bounds.lowerBound : Int(min(max(exact, low), high))
  }

  /// The condition that a value lies in a range; `nil` for all values.
  ///
  /// A range at an end of the axis is open there. A single second is written as a range with equal ends,
  /// which is unambiguous.
  func condition(_ range: ClosedRange<Int>) -> QueryExpression? {
    let isOpenBelow = range.lowerBound <= bounds.lowerBound
    let isOpenAbove = range.upperBound >= bounds.upperBound
    let (low, high) = (text(range.lowerBound), text(range.upperBound))
    let value: String
    switch (isOpenBelow, isOpenAbove) {
    case (true, true): return nil
    case (true, false): value = "<=" + high
    case (false, true): value = ">=" + low
    case (false, false): value = low + ".." + high
    }
    return .qualifier(Qualifier(qualifier, .text(value)))
  }

  private func text(_ value: Int) -> String {
    unit == .second ? Timestamp.text(Date(timeIntervalSince1970: Double(value))) : String(value)
  }

  /// A value as a person reads it.
  func sentence(_ value: Int) -> String { "\(qualifier):\(text(value))" }

  /// The range of a qualifier's value; `nil` if it is not a range, or is empty.
  func range(_ value: QualifierValue) -> ClosedRange<Int>? {
    let (low, high): (Int, Int)
    switch (unit, value) {
    case (.second, .date(let dates)):
      low = dates.lower.map { seconds($0.isInclusive ? $0.value.start : $0.value.end) } ?? bounds.lowerBound
      high =
        dates.upper.map { seconds($0.isInclusive ? $0.value.end : $0.value.start) - 1 } ?? bounds.upperBound
    case (.number, .number(let numbers)):
      low = numbers.lower.map { clamped($0.value) + ($0.isInclusive ? 0 : 1) } ?? bounds.lowerBound
      high = numbers.upper.map { clamped($0.value) - ($0.isInclusive ? 0 : 1) } ?? bounds.upperBound
    default: return nil
    }
    return low <= high ? low...high : nil
  }

  private func clamped(_ value: Int) -> Int { min(max(value, bounds.lowerBound), bounds.upperBound) }
}

extension PartitionAxis {
  /// The date by which results of a kind are split; `nil` for kinds without one.
  static func date(of kind: ResultKind) -> PartitionAxis? {
    switch kind {
    case .repo, .issue, .user: PartitionAxis(qualifier: "created", field: .createdAt, unit: .second)
    case .commit: PartitionAxis(qualifier: "committer-date", field: .committedAt, unit: .second)
    default: nil
    }
  }

  /// The qualifier for the values of a sort key; `nil` for keys without one.
  ///
  /// Source: GitHub's documentation, "Sorting search results" and the page on searching each kind. There is
  /// none for `updated` of repositories and for single reactions.
  static func sort(_ key: String, of kind: ResultKind) -> PartitionAxis? {
    switch (kind, key) {
    case (.repo, "stars"): PartitionAxis(qualifier: "stars", field: .stars, unit: .number)
    case (.repo, "forks"): PartitionAxis(qualifier: "forks", field: .forks, unit: .number)
    case (.issue, "comments"): PartitionAxis(qualifier: "comments", field: .comments, unit: .number)
    case (.issue, "created"): PartitionAxis(qualifier: "created", field: .createdAt, unit: .second)
    case (.issue, "updated"): PartitionAxis(qualifier: "updated", field: .updatedAt, unit: .second)
    case (.user, "followers"): PartitionAxis(qualifier: "followers", field: .followers, unit: .number)
    case (.user, "repositories"): PartitionAxis(qualifier: "repos", field: .repositoryCount, unit: .number)
    case (.user, "joined"): PartitionAxis(qualifier: "created", field: .createdAt, unit: .second)
    case (.commit, "author-date"): PartitionAxis(qualifier: "author-date", field: .authoredAt, unit: .second)
    case (.commit, "committer-date"):
      PartitionAxis(qualifier: "committer-date", field: .committedAt, unit: .second)
    default: nil
    }
  }
}
