import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct CacheResponsesTests {
  private let box: CacheBox
  private var cache: CacheStore { box.cache }

  init() throws { box = try CacheBox() }

  @Test func everythingComesBack() throws {
    let body = (0...255).map { UInt8($0) }
    let full = Answer(
      key: "github 1 'q' \u{0} ü",
      entry: HTTPCacheEntry(
        status: 203,
        headers: [("ETag", "W/\"a\""), ("Set", "1"), ("Set", "2"), ("X", ""), ("Ü\n", "🚀\"\\")], body: body,
        storedAt: noon - 0.1, validatedAt: noon))
    #expect(try cache.store(full, now: noon))
    let found = try #require(try box.other().response(full.key, now: noon))
    #expect(found.status == 203 && found.body == body)
    #expect(lines(found.headers) == lines(full.entry.headers))
    #expect(found.storedAt == noon - 0.1 && found.validatedAt == noon)
    #expect(try cache.responseUsage() == (1, full.storedBytes))
    #expect(try cache.response("github", now: noon) == nil)
    #expect(try cache.response("github 1 'q' \u{0} other", now: noon) == nil)
  }

  @Test func whatBeginsAlikeIsForgotten() throws {
    let kept = ["a", "a b", "a b c\nGET", "b", "a b\u{0B}", "a ü"]
    let forgotten = ["a b\n", "a b\nGET 1", "a b\n\u{0}", "a b\n\u{10FFFF}"]
    try cache.removeResponses(beginningWith: "a b\n")
    for key in kept + forgotten { try cache.store(answer(key), now: noon) }
    try cache.removeResponses(beginningWith: "a b\n")
    for key in kept { #expect(try cache.response(key, now: noon) != nil, "\(key.debugDescription)") }
    for key in forgotten { #expect(try cache.response(key, now: noon) == nil, "\(key.debugDescription)") }
    #expect(try cache.responseUsage().count == kept.count)
  }

  @Test func emptyBodyAndReplacement() throws {
    try cache.store(answer("a", bytes: 0), now: noon)
    #expect(try cache.response("a", now: noon)?.body == [])
    try cache.store(answer("a", bytes: 3, headers: [("H", "v")], at: noon + 1), now: noon + 1)
    let found = try #require(try cache.response("a", now: noon + 1))
    #expect(found.body == [7, 7, 7] && lines(found.headers) == ["H: v"] && found.validatedAt == noon + 1)
    #expect(try cache.responseUsage() == (1, 6))
  }

  @Test func validation() throws {
    try cache.store(answer("a", headers: [("ETag", "1"), ("X-Left", "5")]), now: noon)
    let touched = try cache.touchValidated(
      "a", at: noon + 60, headers: [("etag", "2"), ("New", "n")])
    #expect(touched)
    let found = try #require(try cache.response("a", now: noon + 60))
    #expect(lines(found.headers) == ["etag: 2", "New: n"])
    #expect(found.storedAt == noon && found.validatedAt == noon + 60 && found.body.count == 10)
    #expect(try cache.responseUsage().bytes == Answer(key: "a", entry: found).storedBytes)
    #expect(try cache.touchValidated("b", at: noon, headers: []) == false)
  }

  @Test func aDayAndNoLonger() throws {
    let day = CacheStore.responseLifetime
    try cache.store(answer("a"), now: noon)
    #expect(try cache.response("a", now: noon + day) != nil)
    #expect(try cache.response("a", now: noon + day + 1) == nil)
    // What is only read stays; a writing lets it go.
    #expect(try cache.responseUsage().count == 1)
    try cache.store(answer("b", at: noon + day), now: noon + day)
    #expect(try cache.responseUsage().count == 2)
    try cache.store(answer("b", at: noon + day + 1), now: noon + day + 1)
    #expect(try cache.responseUsage().count == 1)
    // Confirmed in time it lives on.
    #expect(try cache.touchValidated("b", at: noon + 2 * day, headers: []))
    #expect(try cache.response("b", now: noon + 3 * day) != nil)
  }

  /// A clock that was far ahead once does not make an answer fresh for ever.
  @Test func fromTheFuture() throws {
    try cache.store(answer("near", at: noon + 60), now: noon)
    try cache.store(answer("far", at: noon + 86_400), now: noon + 86_400)
    #expect(try cache.response("near", now: noon) != nil)
    #expect(try cache.response("far", now: noon) == nil)
    try cache.store(answer("c"), now: noon)
    #expect(try cache.responseUsage().count == 2)
  }

  @Test func largeBodies() throws {
    let box = try CacheBox(maximumBytes: 8000)
    #expect(try box.cache.store(answer("a", bytes: 1000), now: noon))
    #expect(try box.cache.store(answer("b", bytes: 1001), now: noon) == false)
    #expect(try box.cache.response("b", now: noon) == nil)
    // An older answer is not shown in the place of one that is too large.
    #expect(try box.cache.store(answer("a", bytes: 1001), now: noon) == false)
    #expect(try box.cache.responseUsage() == (0, 0))
    for bound in [0, -5] {
      let none = try CacheBox(maximumBytes: bound)
      try none.cache.store(answer("a", bytes: 0), now: noon)
      try none.cache.store(answer("b", bytes: 1), now: noon)
      #expect(try none.cache.responseUsage() == (0, 0))
    }
  }

  @Test func oldestGoFirst() throws {
    let box = try CacheBox(maximumBytes: 1000)
    // 101 bytes each: nine fit, the tenth drives out two, so that 808 are left.
    for index in 0..<9 {
      try box.cache.store(answer("\(index)", bytes: 100, at: noon + Double(index)), now: noon)
    }
    #expect(try box.cache.responseUsage() == (9, 909))
    #expect(try box.cache.touchValidated("0", at: noon + 20, headers: []))
    try box.cache.store(answer("9", bytes: 100, at: noon + 9), now: noon)
    #expect(try box.cache.responseUsage() == (8, 808))
    for key in ["1", "2"] { #expect(try box.cache.response(key, now: noon + 20) == nil) }
    for key in ["0", "3", "9"] { #expect(try box.cache.response(key, now: noon + 20) != nil) }
  }
}
