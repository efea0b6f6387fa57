import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct InspectionFactsTests {
  private let day: Double = 24 * 60 * 60

  private func facts(_ count: Int, _ byte: UInt8 = 7) -> [UInt8] { Array(repeating: byte, count: count) }

  @Test func comesBackAsItWasKept() throws {
    let box = try CacheBox()
    let bytes = (0...255).map { UInt8($0) }
    #expect(try box.cache.keepInspectionFacts("a", bytes, now: noon))
    #expect(try box.cache.keepInspectionFacts("empty", [], now: noon))
    #expect(try box.other().inspectionFacts("a", now: noon) == bytes)
    #expect(try box.cache.inspectionFacts("empty", now: noon) == [])
    #expect(try box.cache.inspectionFacts("b", now: noon) == nil)
    #expect(try box.cache.inspectionFacts("A", now: noon) == nil)
    #expect(try box.cache.keepInspectionFacts("a", [1], now: noon + 1))
    #expect(try box.cache.inspectionFacts("a", now: noon + 1) == [1])
    #expect(try box.inspectionSizes() == [2, 5])
  }

  /// A zero would end the text: no two keys may become one.
  @Test func keysWithAZeroAreNotKept() throws {
    let box = try CacheBox()
    #expect(try box.cache.keepInspectionFacts("a\0b", [1], now: noon) == false)
    #expect(try box.cache.keepInspectionFacts("a", [2], now: noon))
    #expect(try box.cache.inspectionFacts("a\0b", now: noon) == nil)
    #expect(try box.cache.inspectionFacts("ü/日本'; DROP TABLE inspection", now: noon) == nil)
    #expect(try box.cache.inspectionFacts("a", now: noon) == [2])
  }

  @Test func whatIsTooOldOrOfTheFutureDoesNotCount() throws {
    let box = try CacheBox()
    try box.cache.keepInspectionFacts("old", [1], now: noon)
    #expect(try box.cache.inspectionFacts("old", now: noon + 90 * day) == [1])
    #expect(try box.cache.inspectionFacts("old", now: noon + 90 * day + 1) == nil)
    #expect(try box.cache.inspectionFacts("old", now: noon - 600) == nil)
    try box.cache.keepInspectionFacts("new", [1], now: noon + 91 * day)
    #expect(try box.inspectionSizes().count == 1)
  }

  @Test func theOldestGoFirstWhenThereIsTooMuch() throws {
    let box = try CacheBox(maximumBytes: 1000)
    #expect(try box.cache.keepInspectionFacts("large", facts(121), now: noon) == false)
    for number in 0..<10 {
      try box.cache.keepInspectionFacts("k\(number)", facts(98), now: noon + Double(number))
    }
    #expect(try box.inspectionSizes() == Array(repeating: 100, count: 10))
    // Kept anew: no longer the oldest.
    try box.cache.keepInspectionFacts("k0", facts(98, 1), now: noon + 20)
    try box.cache.keepInspectionFacts("k10", facts(97), now: noon + 21)
    #expect(try box.inspectionSizes().reduce(0, +) == 900)
    let left = try (0...10).filter { try box.cache.inspectionFacts("k\($0)", now: noon + 21) != nil }
    #expect(left == [0, 3, 4, 5, 6, 7, 8, 9, 10])
  }

  @Test func damageCostsNothingButWhatWasKept() throws {
    let box = try CacheBox()
    try box.plant(Data("no database".utf8))
    #expect(try box.cache.inspectionFacts("a", now: noon) == nil)
    #expect(try box.cache.keepInspectionFacts("a", [1], now: noon))
    #expect(try box.other().inspectionFacts("a", now: noon) == [1])
  }
}
