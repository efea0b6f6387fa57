/// An interval of ordered values, closed or open at each end, unbounded where an end is absent.
public struct Bounds<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One end of an interval.
  public struct End: Hashable, Sendable {
    /// The value at the end.
    public var value: Value
    /// Whether the value itself belongs to the interval.
    public var isInclusive: Bool

    /// Creates an end.
    public init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  /// The lower end, absent when unbounded.
  public var lower: End?
  /// The upper end, absent when unbounded.
  public var upper: End?

  /// Creates an interval.
  public init(lower: End?, upper: End?) {
    self.lower = lower
    self.upper = upper
  }

  /// The interval that contains only `value`.
  public static func exactly(_ value: Value) -> Bounds {
    Bounds(lower: End(value, isInclusive: true), upper: End(value, isInclusive: true))
  }
}

extension Bounds where Value: Comparable {
  /// Whether `value` lies within the interval.
  public func contains(_ value: Value) -> Bool {
    if let lower, lower.isInclusive ? value < lower.value : value <= lower.value { return false }
    if let upper, upper.isInclusive ? value > upper.value : value >= upper.value { return false }
    return true
  }
}

extension Bounds {
  /// The interval in the notation of the query language: `N`, `>N`, `>=N`, `<N`, `<=N` or `A..B`.
  ///
  /// - Parameter text: Formats one value.
  func notation(_ text: (Value) -> String) -> String {
    switch (lower, upper) {
    case (let lower?, let upper?):
      lower.value == upper.value ? text(lower.value) : text(lower.value) + ".." + text(upper.value)
    case (let lower?, nil): (lower.isInclusive ? ">=" : ">") + text(lower.value)
    case (nil, let upper?): (upper.isInclusive ? "<=" : "<") + text(upper.value)
    case (nil, nil): "*..*"
    }
  }
}
