import Foundation
import Synchronization
import TestSupport
import Testing

/// What can be had again is deleted, old or damaged: nobody notices, or is told that a place is lost.
struct DisturbedCacheTests {
  private let search = ["search", "match", "-L", "5", "--format", "json"]

  private func sessions(_ program: Program) -> URL {
    program.cacheFolder.appendingPathComponent("sessions")
  }

  private func places(_ program: Program) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sessions(program).path).filter { !$0.hasPrefix(".") }
  }

  /// The folder goes while the request is on its way, when the program has had it open.
  @Test func theCacheIsDeletedWhileASearchRuns() async throws {
    let github = FakeGitHub(repositories: matching(60))
    let doomed = Mutex<URL?>(nil)
    let handler: LoopbackServer.Handler = { request in
      if let folder = doomed.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
      return github.respond(to: request)
    }
    try await withServer(handler: handler) { server in
      let program = try Program(server.baseURL)
      #expect(try await program.run(["search", "match", "-L", "5"]).status == 0)
      doomed.withLock { $0 = program.cacheFolder }
      for query in ["match a", "match", "match"] {
        let arguments = query == "match a" ? ["search", query] : search + ["--no-cache"]
        let result = try await program.run(arguments)
        #expect([0, 1].contains(result.status), "\(result.err)")
        #expect(!result.err.contains("cache"), "\(result.err)")
      }
      doomed.withLock { $0 = nil }
      let page = try await program.run(search)
      #expect(page.status == 0 && page.err.isEmpty, "\(page.err)")
      let cursor = try #require(try page.json()["next"]?.string)
      let next = try await program.run(search + ["--after", cursor])
      #expect(next.status == 0 && next.err.isEmpty)
      let offline = try await program.run(search + ["--offline"])
      #expect(offline.status == 0 && offline.err.isEmpty)
    }
  }

  @Test func tenThousandOldPlaces() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let files = FileManager.default
      try files.createDirectory(at: sessions(program), withIntermediateDirectories: true)
      let old = Date(timeIntervalSinceNow: -7200)
      for number in 0..<10_000 {
        let digits = String(number, radix: 16)
        let name = String(repeating: "0", count: 32 - digits.count) + digits
        let path = sessions(program).appendingPathComponent(name).path
        try #require(
          files.createFile(atPath: path, contents: nil, attributes: [.modificationDate: old]))
        try files.setAttributes([.modificationDate: old], ofItemAtPath: path)
      }
      let page = try await program.run(search)
      #expect(page.status == 0 && page.err.isEmpty)
      let cursor = try #require(try page.json()["next"]?.string)
      #expect(try places(program) == [String(cursor.split(separator: ".")[1])])
    }
  }

  /// However small the damage, no page comes of it.
  @Test func damagedPlaces() async throws {
    var random = SeededGenerator(seed: propertySeed())
    var damages: [@Sendable (inout Data) -> Void] = [
      { $0 = Data() }, { $0 = $0.prefix($0.count / 2) }, { $0.removeLast() }, { $0.append(0) },
      { $0 = Data(repeating: 0, count: $0.count) },
    ]
    for _ in 0..<10 {
      let (place, bit) = (
        Int.random(in: 0..<1_000_000, using: &random), Int.random(in: 0..<8, using: &random)
      )
      damages.append { $0[place % $0.count] ^= 1 << UInt8(bit) }
    }
    let all = damages
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let cursor = try #require(try await program.run(search).json()["next"]?.string)
      let name = try #require(try places(program).first)
      let file = sessions(program).appendingPathComponent(name)
      let whole = try Data(contentsOf: file)
      for damage in all {
        var bytes = whole
        damage(&bytes)
        try bytes.write(to: file)
        let refused = try await program.run(search + ["--after", cursor])
        #expect(refused.status == 2 && refused.out.isEmpty)
        #expect(expectMessages(refused).first?.contains("its stored page is damaged") == true)
      }
      try whole.write(to: file)
      #expect(try await program.run(search + ["--after", cursor]).status == 0)
    }
  }
}
