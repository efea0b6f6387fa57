import Foundation
import Synchronization
import TestSupport
import Testing

/// What can be had again is deleted: nobody notices.
struct DisturbedCacheTests {
  private let search = ["search", "match", "-L", "5", "--format", "json"]

  /// The folder goes while the request is on its way, when the program has had it open.
  @Test func theCacheIsDeletedWhileASearchRuns() async throws {
    let github = FakeGitHub(repositories: matching(60))
    let folderToDelete = Mutex<URL?>(nil)
    let handler: LoopbackServer.Handler = { request in
      if let folder = folderToDelete.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
      return github.respond(to: request)
    }
    try await withServer(handler: handler) { server in
      let program = try Program(server.baseURL)
      #expect(try await program.run(["search", "match", "-L", "5"]).status == 0)
      folderToDelete.withLock { $0 = program.cacheFolder }
      for query in ["match a", "match", "match"] {
        let arguments = query == "match a" ? ["search", query] : search + ["--no-cache"]
        let result = try await program.run(arguments)
        #expect([0, 1].contains(result.status), "\(result.err)")
        #expect(!result.err.contains("cache"), "\(result.err)")
      }
      folderToDelete.withLock { $0 = nil }
      let page = try await program.run(search)
      #expect(page.status == 0 && page.err.isEmpty, "\(page.err)")
      let offline = try await program.run(search + ["--offline"])
      #expect(offline.status == 0 && offline.err.isEmpty)
    }
  }
}
