import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct BudgetTests {
  private let box: CacheBox
  private var cache: CacheStore { box.cache }
  private let scope = "api.github.com abc search"

  init() throws { box = try CacheBox() }

  private func window(_ remaining: Int?, _ seconds: Double?, limit: Int? = 30, block: Double? = nil)
    -> RateBudget
  {
    RateBudget(
      limit: limit, remaining: remaining, resetAt: seconds.map { noon + $0 },
      blockedUntil: block.map { noon + $0 })
  }

  /// What two answers in this order leave, at noon.
  private func after(_ first: RateBudget, _ second: RateBudget) throws -> RateBudget? {
    let box = try CacheBox()
    try box.cache.record(scope: scope, first, now: noon)
    try box.other().record(scope: scope, second, now: noon)
    return try box.cache.budget(scope: scope)
  }

  @Test func sameWindow() throws {
    #expect(try after(window(20, 60), window(19, 60)) == window(19, 60))
    #expect(try after(window(19, 60), window(20, 60)) == window(19, 60))
    #expect(try after(window(19, 60), window(nil, 60, limit: nil)) == window(19, 60))
    #expect(try after(window(nil, 60), window(19, 60, limit: 40)) == window(19, 60, limit: 40))
    // The servers of one host differ by a second in when a window ends.
    #expect(try after(window(19, 60), window(18, 59)) == window(18, 60))
    #expect(try after(window(18, 59), window(19, 60)) == window(18, 60))
  }

  @Test func otherWindows() throws {
    #expect(try after(window(1, 60), window(29, 120, limit: 50)) == window(29, 120, limit: 50))
    // An answer of an earlier window that arrives late, the last of it perhaps, changes nothing.
    #expect(try after(window(29, 120, limit: 50), window(0, 60)) == window(29, 120, limit: 50))
    #expect(try after(window(nil, nil), window(6, 60)) == window(6, 60))
    // An answer without a window changes nothing of one that lasts.
    #expect(try after(window(5, 60), window(nil, nil, limit: nil)) == window(5, 60))
  }

  @Test func windowThatIsOver() throws {
    try cache.record(scope: scope, window(3, 60, block: 500), now: noon)
    try cache.record(scope: scope, window(nil, nil), now: noon + 61)
    #expect(try cache.budget(scope: scope) == window(nil, nil, block: 500))
    // The next window of a server whose clock was set back.
    #expect(window(3, 60).merged(with: window(9, 61.5), at: noon + 61) == window(9, 61.5))
  }

  @Test func blocks() throws {
    #expect(try after(window(5, 60, block: 10), window(4, 60)) == window(4, 60, block: 10))
    #expect(try after(window(5, 60, block: 10), window(4, 60, block: 5)) == window(4, 60, block: 10))
    #expect(try after(window(5, 60), window(nil, nil, limit: nil, block: 99)) == window(5, 60, block: 99))
    #expect(try after(window(5, 60, block: 10), window(9, 90, block: 20)) == window(9, 90, block: 20))
  }

  /// In whatever order the answers of one window arrive, the same is known in the end.
  @Test func orderDoesNotMatter() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1000 {
      let answers = (0..<5).map { _ in
        window(
          Int.random(in: 0...30, using: &random), Double(random.pick([60, 61, 120, 121, 180])),
          block: random.chance(0.3) ? Double(Int.random(in: 1...300, using: &random)) : nil)
      }
      let merge = { (list: [RateBudget]) in
        list.dropFirst().reduce(list[0]) { $0.merged(with: $1, at: noon) }
      }
      #expect(merge(answers) == merge(answers.shuffled(using: &random)))
    }
  }

  /// The count of refusals is that of the newest answer, and outlives the block by an hour.
  @Test func strikes() throws {
    func refused(_ strikes: Int, _ block: Double) -> RateBudget {
      RateBudget(blockedUntil: noon + block, strikes: strikes)
    }
    #expect(try after(refused(1, 60), refused(2, 180)) == refused(2, 180))
    #expect(try after(refused(2, 60), RateBudget()) == refused(0, 60))
    try cache.record(scope: scope, refused(1, 60), now: noon)
    try cache.record(scope: "other", window(9, 9000), now: noon + 3659)
    #expect(try cache.budget(scope: scope) == refused(1, 60))
    try cache.record(scope: "other", window(8, 9000), now: noon + 3660)
    #expect(try cache.budget(scope: scope) == nil)
  }

  @Test func listAndExpiry() throws {
    try cache.record(scope: "b", window(5, 60), now: noon)
    try cache.record(scope: "a", window(5, 60, block: 200), now: noon)
    try cache.record(scope: "c", window(5, nil), now: noon)
    #expect(try cache.budgets().map(\.scope) == ["a", "b", "c"])
    try cache.record(scope: "d", window(5, 900), now: noon + 100)
    #expect(try cache.budgets().map(\.scope) == ["a", "c", "d"])
    #expect(try cache.budgets().last?.budget == window(5, 900))
    try cache.record(scope: "e", window(5, 9000), now: noon + 3600)
    #expect(try cache.budgets().map(\.scope) == ["e"])
  }
}
