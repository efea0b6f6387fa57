import ArgumentParser
import Forage
import ForageFoundation

/// The conditions of `clones list`; a clone is listed when it meets all that are given.
struct CloneConditions: ParsableArguments {
  @Flag(help: "Show only clones with uncommitted changes or untracked files.")
  var dirty = false

  @Flag(help: "Show only clones with commits that the upstream lacks.")
  var ahead = false

  @Flag(help: "Show only clones that lack commits of the upstream.")
  var behind = false

  @Flag(help: "Show only clones with stashes.")
  var stashed = false

  @Flag(help: "Show only clones whose branch has no upstream.")
  var noUpstream = false

  @Option(
    help: ArgumentHelp(
      "Show only clones whose last commit is older (90d, 8w, 6mo, 2y).", valueName: "age"))
  var stale: String?

  @Flag(help: "Show only clones whose work is all on a remote.")
  var safeToDelete = false

  /// The conditions as options, as given.
  var names: [String] {
    let flags = [
      ("--dirty", dirty), ("--ahead", ahead), ("--behind", behind), ("--stashed", stashed),
      ("--no-upstream", noUpstream), ("--safe-to-delete", safeToDelete),
    ]
    return flags.filter(\.1).map(\.0) + (stale.map { ["--stale \($0)"] } ?? [])
  }

  /// The filter for these conditions, `nil` where none is given.
  ///
  /// - Throws: `ForageError` for an age that cannot be read.
  func filter(now: Date) throws -> CloneFilter? {
    var filter = CloneFilter()
    (filter.isDirty, filter.isAhead, filter.isBehind, filter.isStashed) = (dirty, ahead, behind, stashed)
    (filter.lacksUpstream, filter.isSafeToDelete) = (noUpstream, safeToDelete)
    filter.staleBefore = try stale.map { now.addingTimeInterval(-Double(try Self.seconds($0))) }
    return names.isEmpty ? nil : filter
  }

  /// Seconds of the units; months and years have the mean length of the Gregorian calendar's.
  private static let units = ["d": 86_400, "w": 604_800, "mo": 2_629_746, "y": 31_556_952]
  /// More days than any commit can be old.
  private static let maximumCount = 100_000

  /// The seconds in a text such as `90d`.
  private static func seconds(_ text: String) throws -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), (1...maximumCount).contains(count),
      let unit = units[text.dropFirst(digits.count).lowercased()]
    else {
      throw ForageError(
        "--stale takes a number with d, w, mo or y, not \"\(text)\"", hint: "for example: --stale 90d")
    }
    return count * unit
  }
}
