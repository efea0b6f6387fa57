/// A cache of two generations: once the newer one is full it becomes the older one, whose values are dropped.
struct RecentCache<Key: Hashable, Value> {
  /// The approximate size of a value besides its bytes.
  private static var overhead: Int { 128 }

  private let generationLimit: Int
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private var newerBytes = 0

  /// The newest value stays even if it is larger than the limit in bytes.
  init(byteLimit: Int) { generationLimit = byteLimit / 2 }

  subscript(key: Key) -> Value? { newer[key] ?? older[key] }

  /// Inserts a value; an existing one stays.
  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    guard self[key] == nil else { return }
    let bytes = size + Self.overhead
    if newerBytes + bytes > generationLimit { (older, newer, newerBytes) = (newer, [:], 0) }
    newer[key] = value
    newerBytes += bytes
  }
}
