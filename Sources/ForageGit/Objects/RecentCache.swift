/// A cache with a byte limit that evicts the oldest values first.
struct RecentCache<Key: Hashable, Value> {
  /// The approximate size of a value besides its bytes.
  private static var overhead: Int { 128 }
  /// The number of evicted keys after which the list of arrivals is compacted.
  private static var slack: Int { 1024 }

  private let byteLimit: Int
  private var values: [Key: (value: Value, bytes: Int)] = [:]
  private var bytes = 0
  /// The keys in the order of insertion; those before `oldest` are evicted.
  private var arrivals: [Key] = []
  private var oldest = 0

  /// Creates an empty cache.
  ///
  /// - Parameter byteLimit: the limit in bytes; the newest value stays even if it is larger.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  subscript(key: Key) -> Value? { values[key]?.value }

  /// Inserts a value; an existing one stays.
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
