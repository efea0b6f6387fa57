package import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
package import ForageStore
import Synchronization

/// The clones that can match, and of some of them the files.
///
/// A clone is left out only if its snapshot is current and none of its texts has the trigrams that a match
/// needs; where anything is unclear, it is searched.
extension GrepTargets {
  /// The most files that are given in place of their clone, and of its files the share.
  private static let mostFiles = (count: 200, divisor: 4)
  /// The bytes of all paths for which files are given: the system limits the arguments of a program to 128
  /// KiB and more.
  private static let mostBytes = 64 << 10
  private static let mostThreads = 8

  private enum Verdict: Sendable {
    case unclear
    case nothing
    /// All of it, with the number of its files.
    case whole(Int)
    case files([[UInt8]])
  }

  /// Finds what must be searched.
  ///
  /// - Parameters:
  ///   - locations: What is asked for, in order.
  ///   - patterns: `nil` if anything may match.
  ///   - givesFiles: Whether single files may be given in place of a clone.
  package init(
    _ locations: [GrepLocation], _ patterns: GrepPatterns?, givesFiles: Bool, index: CodeIndex,
    ripgrep: Ripgrep
  ) {
    self.init()
    guard let expression = patterns?.formula.expression,
      // From a folder in a clone, rg applies the rules of those above in another way.
      locations.allSatisfy(\.path.isEmpty), !RipgrepRules.areAbove(locations.map(\.root)),
      // A search needs no index.
      let known = try? index.worktrees(of: locations.map(\.root), matching: expression)
    else {
      self.locations = locations
      sizes = locations.map { _ in Self.unknownSize }
      return
    }
    let environment = RipgrepRules(ripgrep).environment
    let next = Atomic(0)
    let verdicts = Mutex([Verdict](repeating: .unclear, count: locations.count))
    OwnThread.perform(threads: min(locations.count, OwnThread.processors, Self.mostThreads)) {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < locations.count else { return }
        let location = locations[number]
        guard let snapshot = known.snapshots[Array(location.root.utf8)] else { continue }
        let verdict = Self.verdict(location, snapshot, known.texts, environment, givesFiles: givesFiles)
        verdicts.withLock { $0[number] = verdict }
      }
    }
    var bytes = 0
    for (location, verdict) in zip(locations, verdicts.withLock { $0 }) {
      switch verdict {
      case .nothing: break
      case .unclear:
        unclear += 1
        self.locations.append(location)
        sizes.append(Self.unknownSize)
      case .whole(let count):
        self.locations.append(location)
        sizes.append(count)
      case .files(let files):
        bytes += files.reduce(0) { $0 + location.root.utf8.count + $1.count + 2 }
        if bytes > Self.mostBytes {
          self.locations.append(location)
          sizes.append(Self.unknownSize)
        } else {
          self.locations += files.map { GrepLocation(root: location.root, path: $0) }
          sizes += files.map { _ in 1 }
        }
      }
    }
  }

  private static func verdict(
    _ location: GrepLocation, _ snapshot: Data, _ texts: Set<Int64>, _ environment: Int64, givesFiles: Bool
  ) -> Verdict {
    guard let found = snapshot.withUnsafeBytes({ bytes in try? candidates(in: bytes, texts) }) else {
      return .unclear
    }
    let canBeFiles =
      givesFiles && found.arePlain && found.files.count <= mostFiles.count
      && found.files.count <= found.count / mostFiles.divisor
    guard found.files.isEmpty || canBeFiles else { return .whole(found.count) }
    guard WorkTreeSnapshot.isCurrent(snapshot, root: location.root, environment: environment) else {
      return .unclear
    }
    if found.files.isEmpty { return .nothing }
    return .files(ordered(found.files))
  }

  private struct Candidates {
    /// The files that may match, by their paths in the clone.
    var files: [[UInt8]] = []
    /// Whether rg searches each of them as it does when it is named.
    var arePlain = true
    /// The number of files.
    var count = 0
  }

  private static func candidates(
    in bytes: UnsafeRawBufferPointer, _ texts: Set<Int64>
  ) throws(WorkTreeSnapshot.Reader.Failure) -> Candidates {
    var found = Candidates()
    try WorkTreeSnapshot.visitEntries(of: bytes) { entry in
      guard entry.content != .rules else { return }
      found.count += 1
      if case .indexed(let number) = entry.content, !texts.contains(number) { return }
      found.files.append(entry.path)
      found.arePlain = found.arePlain && entry.isPlain
    }
    return found
  }

  /// Paths in the order of a walk that sorts the names in each folder, as rg does: "a/b" comes before "a-b".
  private static func ordered(_ paths: [[UInt8]]) -> [[UInt8]] {
    let slash = UInt8(ascii: "/")
    return paths.map { (path: $0, key: $0.map { $0 == slash ? 0 : $0 }) }.sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }.map(\.path)
  }
}
