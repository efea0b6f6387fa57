import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

/// What the cache should hold, in the plainest way.
private struct Model {
  let bound: Int
  var answers: [String: Answer] = [:]

  var bytes: Int { answers.values.reduce(0) { $0 + $1.storedBytes } }

  mutating func store(_ response: Answer, now: Date) {
    guard response.entry.body.count <= bound / 8 else {
      answers[response.key] = nil
      return
    }
    answers[response.key] = response
    evict(now)
  }

  mutating func touch(_ key: String, at time: Date) -> Bool {
    guard answers[key] != nil else { return false }
    answers[key]?.entry.validatedAt = time
    answers[key]?.entry.headers = []
    evict(time)
    return true
  }

  func isAlive(_ response: Answer, _ now: Date) -> Bool {
    let age = now.timeIntervalSinceReferenceDate - response.entry.validatedAt.timeIntervalSinceReferenceDate
    return age <= 24 * 60 * 60 && age >= -5 * 60
  }

  private mutating func evict(_ now: Date) {
    answers = answers.filter { isAlive($0.value, now) }
    guard bytes > bound else { return }
    let oldest = answers.values.sorted { ($0.entry.validatedAt, $0.key) < ($1.entry.validatedAt, $1.key) }
    for response in oldest where bytes > bound - bound / 10 { answers[response.key] = nil }
  }
}

@Suite struct EvictionPropertyTests {
  @Test func sameAsTheModel() throws {
    var random = SeededGenerator(seed: propertySeed())
    let box = try CacheBox(maximumBytes: 20_000)
    var model = Model(bound: 20_000)
    var now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    for step in 0..<3000 {
      let key = "k\(Int.random(in: 0..<60, using: &random))"
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60:
        // Some too large, some validated long ago or (a clock was wrong) later than now.
        let size =
          random.chance(0.1)
          ? Int.random(in: 2400...2600, using: &random) : Int.random(in: 0...1500, using: &random)
        let age = random.chance(0.2) ? Double(Int.random(in: -600...90_000, using: &random)) : 0
        let headers = random.chance(0.3) ? [(name: "ETag", value: "\(step)")] : []
        let response = answer(key, bytes: size, headers: headers, at: now - age)
        #expect(try box.cache.store(response, now: now) == (size <= 2500))
        model.store(response, now: now)
      case 60..<75:
        #expect(try box.cache.touchValidated(key, at: now, headers: []) == model.touch(key, at: now))
      case 75..<90:
        let found = try box.cache.response(key, now: now)
        let expected = model.answers[key].flatMap { model.isAlive($0, now) ? $0.entry : nil }
        #expect(found?.body == expected?.body && found?.validatedAt == expected?.validatedAt, "step \(step)")
        #expect(lines(found?.headers) == lines(expected?.headers))
      case 90..<99:
        now += Double(Int.random(in: 0...9000, using: &random))
      default:
        try box.cache.removeResponse(key)
        model.answers[key] = nil
      }
      let usage = try box.cache.responseUsage()
      #expect(usage.bytes <= 20_000)
      try #require(usage == (model.answers.count, model.bytes), "step \(step)")
    }
  }
}
