/// Values that were needed lately, up to a sum of bytes: the oldest leave first.
struct RecentCache<Key: Hashable, Value> {
  /// What a value takes beside its bytes, about.
  private static var overhead: Int { 128 }
  /// Keys that have left are cleared away when there are so many.
  private static var slack: Int { 1024 }

  private let byteLimit: Int
  private var values: [Key: (value: Value, bytes: Int)] = [:]
  private var bytes = 0
  /// The keys in the order of arrival; those before `oldest` have left.
  private var arrivals: [Key] = []
  private var oldest = 0

  /// Creates an empty cache.
  ///
  /// - Parameter byteLimit: bytes that are kept; the value that came last stays, however large.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  subscript(key: Key) -> Value? { values[key]?.value }

  /// Adds a value; one that is there stays.
  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    guard values[key] == nil else { return }
    values[key] = (value, size + Self.overhead)
    arrivals.append(key)
    bytes += size + Self.overhead
    while bytes > byteLimit, oldest < arrivals.count - 1 {
      bytes -= values.removeValue(forKey: arrivals[oldest])?.bytes ?? 0
      oldest += 1
    }
    guard oldest >= Self.slack else { return }
    arrivals.removeFirst(oldest)
    oldest = 0
  }
}
