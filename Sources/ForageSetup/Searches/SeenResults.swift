package import ForageCore
import ForageFoundation
package import ForagePlatform
import ForageStore

/// The results of a saved search that `--new` has shown: ids, and of issues and pull requests when they were
/// updated last.
package struct SeenResults: Sendable {
  /// The most results that are kept; those that were shown longest ago go first.
  private static let maximumCount = 20_000
  private static let maximumBytes = 8 << 20

  private let path: String
  private var times: [String: String] = [:]
  /// Whether `--new` was used before.
  package private(set) var isFirst = true
  /// How many results were read the last time before what could not be; `nil` where everything was.
  package var gap: Count? { times[Self.gapKey].flatMap { Count($0) } }

  /// When the results were updated last before which nothing was looked at; `nil` where everything was.
  private var start: String? { times[Self.startKey] }

  /// Keys of no result: those have a space.
  private static let (gapKey, startKey) = ("gap", "start")

  /// Reads the file of a search.
  package init(_ paths: Paths, of name: String) {
    path = paths.stateFolder + "/searches/" + name
    guard let bytes = PrivateFile.read(path, limit: Self.maximumBytes) else { return }
    isFirst = false
    for (key, time) in Self.entries(bytes) { times[key] = time }
  }

  /// Whether a result was not shown, or was updated since. One that was there before the first `--new`,
  /// behind what that looked at, is not new.
  package func isNew(_ result: SearchResult) -> Bool {
    let time = Self.time(result)
    guard let known = times[Self.key(result)] else { return time.isEmpty || time >= start ?? "" }
    return time > known
  }

  /// Takes note that results were shown; two processes lose nothing of each other.
  ///
  /// - Parameters:
  ///   - gap: How many results were read before what could not be.
  ///   - last: The last result that was looked at of a list by update that goes on.
  /// - Returns: False when that could not be written.
  package func add(_ results: [SearchResult], gap: Int? = nil, last: SearchResult? = nil) -> Bool {
    PrivateFile.change(path, limit: Self.maximumBytes, isLasting: true) { bytes in
      var kept = Self.entries(bytes ?? [])
      let new = Dictionary(results.map { (Self.key($0), Self.time($0)) }) { max($0, $1) }
      // What is shown again is the newest.
      let old = Dictionary(kept, uniquingKeysWith: { max($0, $1) })
      kept.removeAll { new[$0.key] != nil || [Self.gapKey, Self.startKey].contains($0.key) }
      kept += new.sorted { $0.key < $1.key }.map { ($0.key, max($0.value, old[$0.key] ?? "")) }
      if let gap { kept.append((Self.gapKey, String(gap))) }
      let start = old[Self.startKey] ?? last.map(Self.time) ?? ""
      if !start.isEmpty { kept.append((Self.startKey, start)) }
      return Array(kept.suffix(Self.maximumCount).map { "\($0.time)\t\($0.key)\n" }.joined().utf8)
    }
  }

  package func forget() { PrivateFile.remove(path) }

  /// The kind and the id, on one line.
  private static func key(_ result: SearchResult) -> String {
    (result.kind.rawValue + " " + result.id).replacing("\n", with: " ")
  }

  /// When a result was updated, as a text that sorts by time; empty of kinds that are new only once.
  private static func time(_ result: SearchResult) -> String {
    guard result.kind == .issue, let date = result[.updatedAt]?.date else { return "" }
    return Timestamp.text(date)
  }

  private static func entries(_ bytes: [UInt8]) -> [(key: String, time: String)] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return fields.count == 2 ? (String(fields[1]), String(fields[0])) : nil
    }
  }
}
