import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageHTTP

@Suite struct HTTPCachePropertyTests {
  /// What the server has at an address: a version, and how it behaves at the moment.
  private enum Behaviour: CaseIterable { case well, noStore, incomplete, unwell, unreachable, gone }

  private static let cases = 200
  private static let steps = 25
  private static let incomplete: UInt8 = 0xFF

  private static func answer(_ request: HTTPRequest, _ behaviour: Behaviour, version: UInt8) throws
    -> HTTPResponse
  {
    let tag = "\"\(version)\""
    switch behaviour {
    case .unreachable: throw HTTPError(.unreachable, "no")
    case .unwell: return HTTPResponse(status: 503)
    case .gone: return HTTPResponse(status: 404)
    case .noStore: return HTTPResponse(status: 200, headers: [("Cache-Control", "no-store")], body: [0xEE])
    case .incomplete: return HTTPResponse(status: 200, headers: [("ETag", tag)], body: [incomplete])
    case .well:
      if request.headers.contains(where: { $0.name == "If-None-Match" && $0.value == tag }) {
        return HTTPResponse(status: 304, headers: [("ETag", tag)])
      }
      return HTTPResponse(status: 200, headers: [("ETag", tag)], body: [version])
    }
  }

  @Test func randomSequencesKeepTheRules() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<Self.cases {
      let box = try CacheBox()
      let (clock, cache) = (box.clock, box.cache())
      var version: UInt8 = 1
      /// When the server last stood by the version that it had then.
      var confirmed: (version: UInt8, at: Date)?
      for _ in 0..<Self.steps {
        clock.advance(random.pick([0, 1, 59, 60, 61, 3600, 86_300, 86_400, 90_000]))
        if random.chance(0.2) { version = version % 200 + 1 }
        let behaviour = random.pick(Behaviour.allCases + [.well, .well])
        let mode = random.pick([CacheMode.normal, .normal, .normal, .offline, .bypass])
        let policy = HTTPCachePolicy(mode: mode, freshFor: .seconds(60))
        let current = version
        let stub = StubTransport { _, request in try Self.answer(request, behaviour, version: current) }
        let before = box.paths
        let transport = stub.transport.caching(cache, policy: policy, scope: "s")
        let answer = try? await transport.send(try request("https://h/a"))
        if answer?.body == [Self.incomplete] { answer?.discardStored?() }

        if mode == .offline { #expect(stub.requests.isEmpty) }
        if mode == .bypass { #expect(before == box.paths && stub.requests.count == 1) }
        #expect(box.files.allSatisfy { $0.body != [0xEE] && $0.body != [Self.incomplete] })
        guard let use = answer?.cache else {
          #expect(mode == .offline || behaviour == .unreachable)
          continue
        }
        if let age = use.age, use.isStale {
          #expect(age <= HTTPCachePolicy.staleFor && mode != .bypass)
          #expect(answer?.body == confirmed.map { [$0.version] })
          #expect(confirmed.map { clock.now.timeIntervalSince($0.at) <= 86_400 } == true)
        } else if let age = use.age, stub.requests.isEmpty {
          #expect(age < .seconds(60))
          #expect(answer?.body == confirmed.map { [$0.version] })
        } else if let age = use.age {
          // The body is the kept one; nothing of it is read from the server.
          #expect(age == .zero && answer?.body == [current])
          confirmed = (current, clock.now)
        } else if mode == .normal, behaviour == .well {
          confirmed = (current, clock.now)
        }
      }
    }
  }
}
