import Foundation
import TestSupport
import Testing

/// The program killed at any moment: what it has confirmed stays, nothing is damaged, and the next command
/// works.
struct KilledRunTests {
  /// How often it is killed.
  private static let kills = 72
  /// Nearly every command is done after so many milliseconds.
  private static let longest = 150
  /// After so many kills everything is looked at.
  private static let stretch = 12

  /// What must be there, what must not, and what was ever asked for.
  private struct Ledger {
    var confirmed: Set<String> = []
    var removed: Set<String> = []
    var asked: Set<String> = []
  }

  private func command(_ number: Int, _ program: Program, _ random: inout SeededGenerator) -> [String] {
    let name = "github.com/o/n\(number)"
    return random.pick([
      ["favorite", "add", name, name + "-second", name + "-third"],
      ["favorite", "add", name],
      ["favorite", "remove", "github.com/o/n\(Int.random(in: 0...number, using: &random))"],
      ["search", "match", "--format", "json", "--no-cache"], ["search", "match \(number)"],
      ["clones", "add", program.source], ["clones", "scan"], ["show", "owner/match1"],
      ["inspect", program.source + "/match1"],
    ])
  }

  private func kill(_ arguments: [String], _ program: Program, after delay: Duration) async throws
    -> ProcessResult
  {
    let process = try program.start(arguments)
    try await Task.sleep(for: delay)
    process.kill()
    return await process.wait()
  }

  @Test func atAnyMoment() async throws {
    let seed = propertySeed()
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      var random = SeededGenerator(seed: seed)
      for number in 0..<3 { try await program.makeClone("owner/match\(number)") }
      try await program.addClones()
      var ledger = Ledger()
      for number in 0..<Self.kills {
        let arguments = command(number, program, &random)
        let delay = Duration.milliseconds(Int.random(in: 0...Self.longest, using: &random))
        let result = try await kill(arguments, program, after: delay)
        if arguments.starts(with: ["favorite"]) {
          let names = Set(arguments.dropFirst(2))
          // Whether a name that was not yet told of is there, nobody knows.
          ledger.confirmed.subtract(names)
          ledger.removed.subtract(names)
          ledger.asked.formUnion(names)
          ledger.confirmed.formUnion(result.results(ending: " is now a favorite"))
          ledger.removed.formUnion(result.results(ending: " is no longer a favorite"))
        }
        guard number % Self.stretch == Self.stretch - 1 else { continue }
        let kept = try await program.favorites()
        #expect(kept.isSuperset(of: ledger.confirmed), "lost: \(ledger.confirmed.subtracting(kept))")
        #expect(kept.isDisjoint(with: ledger.removed), "back: \(ledger.removed.intersection(kept))")
        #expect(kept.isSubset(of: ledger.asked))
        try await program.expectIntact("match")
      }
      let clones = try await program.run(["clones", "list", "--format", "json"]).json()
      #expect(clones["clones"]?.array.count == 3)
    }
  }

  /// The moments of a first start, when nothing is there yet.
  @Test func inTheFirstStart() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<12 {
      let program = try Program()
      let delay = Duration.milliseconds(Int.random(in: 0...60, using: &random))
      let first = try await kill(["favorite", "add", "github.com/o/first"], program, after: delay)
      let second = try await program.run(["favorite", "add", "github.com/o/second"])
      #expect(second.status == 0 && second.out == "o/second is now a favorite\n")
      let kept = try await program.favorites()
      #expect(
        kept.isSuperset(of: first.results(ending: " is now a favorite").union(["github.com/o/second"])))
      #expect(kept.isSubset(of: ["github.com/o/first", "github.com/o/second"]))
    }
  }
}
