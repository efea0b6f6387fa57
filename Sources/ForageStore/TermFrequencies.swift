import ForageFoundation
import GRDB

/// In how many texts of the code index terms occur, about: a search asks for the rarest ones.
///
/// Terms with the same hash are counted together, and texts that are gone stay counted.
package struct TermFrequencies: Sendable {
  /// The number of counts as a power of two. In 100 clones with a million terms, 85,000 are in 50 to 2,000 texts; of
  /// these, 3 in 100 have the count of a term that is in more than 5,000, and 25 in 100 with an eighth of the counts.
  private static let sizeBits = 17

  /// Counts up to 65,535, above which the order does not matter.
  private var counts: [UInt16]

  init() { counts = Array(repeating: 0, count: 1 << Self.sizeBits) }

  /// Reads the counts; all are 0 in an index that was made without them.
  init(_ database: Database) throws {
    self.init()
    guard let stored = try Data.fetchOne(database, sql: "SELECT counts FROM frequencies"),
      stored.count == 2 << Self.sizeBits
    else { return }
    counts.withUnsafeMutableBytes { $0.copyBytes(from: stored) }
  }

  func write(_ database: Database) throws {
    let stored = counts.withUnsafeBytes { Data($0) }
    try database.execute(
      sql: "INSERT OR REPLACE INTO frequencies (id, counts) VALUES (0, ?)", arguments: [stored])
  }

  package subscript(term: String) -> Int { Int(counts[Self.place(term.utf8)]) }

  /// Counts the terms of a text, which are separated by spaces.
  mutating func add(_ terms: Data) {
    terms.withUnsafeBytes { bytes in
      for term in bytes.split(separator: UInt8(ascii: " ")) {
        let place = Self.place(term)
        if counts[place] < .max { counts[place] += 1 }
      }
    }
  }

  /// FNV-1a, of which the highest bits are mixed best.
  private static func place(_ term: some Sequence<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in term { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> (32 - sizeBits))
  }
}
