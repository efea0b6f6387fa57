import Foundation
import TestSupport
import Testing

@testable import ForageCore

/// What is sent and what is checked here give together what the whole query means.
@Suite struct QueryPlanPropertyTests {
  private static let fields: [String: ResultField] = [
    "language": .language, "stars": .stars, "forks": .forks, "topic": .topics, "archived": .archived,
    "license": .license, "pushed": .pushedAt,
  ]

  private static let words = ["alpha", "größe", "e\u{301}te\u{301}", "日本語"]

  private static let query = RandomQuery(
    leaves: words.map(word)
      + ["swift", "go", "größe"].flatMap { [text("language", $0), text("topic", $0)] }
      + [
        number("stars", .from(50)), number("stars", .upTo(20, isInclusive: false)),
        number("forks", .closed(10, 60)),
        flag("archived", true), flag("archived", false), text("license", "mit"),
      ]
      + [DatePoint("2024-01-15")].compactMap { $0 }.map { date("pushed", .from($0)) },
    depth: 3)

  private static func abilities(_ random: inout SeededGenerator) -> Abilities {
    var qualifiers: [String: Pushdown] = [:]
    var known: Set<ResultField> = []
    for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
      qualifiers[name] = random.pick([Pushdown.exact, .inexact, .unsupported])
      if random.chance(0.8) { known.insert(field) }
    }
    return Abilities(
      fields: known, qualifiers: qualifiers, booleans: random.chance(0.8),
      needsText: random.chance(0.2) ? true : random.chance(0.2) ? nil : false)
  }

  private static func item(_ index: Int, _ known: Set<ResultField>, _ random: inout SeededGenerator)
    -> SearchResult
  {
    let title = words.filter { _ in random.chance(0.5) }.joined(separator: "-")
    var item = SearchResult(id: "example.org/a/\(index)", kind: .repo, title: title)
    let values: [(ResultField, FieldValue)] = [
      (.language, .text(random.pick(["Swift", "Go", "Größe"]))),
      (.stars, .number(Int.random(in: 0...100, using: &random))),
      (.forks, .number(Int.random(in: 0...100, using: &random))),
      (.topics, .list(["swift", "go", "größe"].filter { _ in random.chance(0.4) })),
      (.archived, .flag(random.chance(0.5))),
      (.license, .text(random.pick(["MIT", "ISC"]))),
      (.pushedAt, .date(Date(timeIntervalSince1970: random.pick([1_705_000_000, 1_705_300_000])))),
    ]
    for (field, value) in values where known.contains(field) && random.chance(0.85) { item[field] = value }
    return item
  }

  /// A provider that lets more through where it is inexact, and ignores some qualifiers altogether.
  private struct Provider {
    var abilities: Abilities
    var ignored: Set<String>
    var looseness: UInt64

    func passes(_ sent: QueryExpression, _ item: SearchResult) -> Bool {
      switch sent {
      case .and(let children): return children.allSatisfy { passes($0, item) }
      case .or(let children): return children.contains { passes($0, item) }
      case .term: return sent.matches(item)
      case .qualifier(let qualifier):
        if ignored.contains(qualifier.name) { return true }
        return sent.matches(item) || (abilities.push(qualifier.name) == .inexact && isLoose(qualifier, item))
      case .not(.qualifier(let qualifier)):
        #expect(abilities.push(qualifier.name) == .exact, "a negated inexact qualifier was sent")
        return ignored.contains(qualifier.name) || sent.matches(item)
      case .not(let child):
        guard case .term = child else {
          Issue.record("a negated group was sent: \(sent)")
          return true
        }
        return sent.matches(item)
      }
    }

    /// One arbitrary but steady answer for each qualifier and item.
    private func isLoose(_ qualifier: Qualifier, _ item: SearchResult) -> Bool {
      let bytes = Array((qualifier.name + item.id).utf8)
      return bytes.reduce(looseness) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } >> 20 & 1 == 0
    }
  }

  @Test func pushedAndResidualEqualABruteForceFilter() throws {
    var random = SeededGenerator(seed: propertySeed())
    var planned = 0
    for _ in 0..<4_000 {
      let tree = Self.query.tree(&random)
      let abilities = Self.abilities(&random)
      var items: [SearchResult] = []
      for index in 0..<15 { items.append(Self.item(index, abilities.fields, &random)) }
      let expected = items.filter { tree.matches($0) }
      do throws(QueryPlan.NotApplicable) {
        var plan = try QueryPlan(tree, abilities: abilities, vocabulary: .common)
        planned += 1
        for leaf in plan.pushed?.leaves ?? [] {
          guard case .qualifier(let qualifier) = leaf.expression else { continue }
          #expect(abilities.push(qualifier.name) != .unsupported, "\(tree)")
        }
        let ignored = Set(Self.fields.keys.sorted().filter { _ in random.chance(0.1) })
        let provider = Provider(abilities: abilities, ignored: ignored, looseness: random.next())
        let delivered = items.filter { item in plan.pushed.map { provider.passes($0, item) } ?? true }
        plan.demote(ignored)
        let kept = delivered.filter { plan.residual?.matches($0) ?? true }
        #expect(kept.map(\.id) == expected.map(\.id), "\(tree), pushed \(String(describing: plan.pushed))")
      } catch {
        if error.qualifier != nil {
          #expect(expected.isEmpty, "\(tree) is possible in spite of \(error.what)")
        } else if error.what == "OR" {
          #expect(!abilities.booleans && tree.negationNormalForm.hasDisjunction, "\(tree)")
        } else {
          #expect(abilities.needsText != false, "\(tree)")
        }
      }
    }
    #expect(planned >= 1_000)
  }
}
