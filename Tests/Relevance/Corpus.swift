import Foundation
import TestSupport

/// The clones below a folder, catalogued and indexed in a home of their own.
struct Corpus {
  /// The time for one command: many clones are indexed well within it.
  private static let patience: Duration = .seconds(3600)

  let forage: URL
  let folder: String
  let home: TemporaryDirectory
  /// The folder of each clone by `owner/name` of its remote, in lower case.
  private(set) var clones: [String: String] = [:]
  private let environment: [String: String]

  private struct Listing: Decodable {
    struct Clone: Decodable {
      var path: String
      /// `host/owner/name` of the remote.
      var id: String?
    }
    var clones: [Clone]
  }

  init(forage: URL, folder: String) async throws {
    self.forage = forage
    self.folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    home = try TemporaryDirectory(prefix: "forage-relevance")
    environment = [
      "HOME": home.path("home"), "PATH": Self.path, "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_CONFIG_GLOBAL": "/dev/null", "FORAGE_GITHUB_URL": "http://127.0.0.1:9",
    ]
    try home.makeDirectory("home")
    // Clones that cannot be read make the status 3.
    _ = try await run(forage, ["clones", "add", self.folder], accepting: [0, 3])
    let listing = try JSONDecoder().decode(
      Listing.self, from: try await run(forage, ["clones", "list", "--format", "json"]))
    for clone in listing.clones {
      guard let parts = clone.id?.lowercased().split(separator: "/"), parts.count >= 2 else { continue }
      let name = parts.suffix(2).joined(separator: "/")
      if clones[name] == nil { clones[name] = clone.path }
    }
  }

  private static var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  /// The program of a name, if it is installed.
  static func program(_ name: String) -> URL? {
    path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  /// Runs a program in the home, and returns its standard output.
  ///
  /// - Throws: `SupportError` for another status than those accepted.
  func run(_ program: URL, _ arguments: [String], accepting: Set<Int32> = [0, 1]) async throws -> Data {
    let result = try await ProcessRunner.run(
      program, arguments, environment: environment,
      workingDirectory: URL(fileURLWithPath: home.path("home"), isDirectory: true), timeout: Self.patience)
    guard accepting.contains(result.status), !result.timedOut else {
      let lines = result.err.split(separator: "\n").joined(separator: " | ")
      throw SupportError(
        code: .program, message: "\(program.lastPathComponent): status \(result.status): \(lines)",
        hint: "run it by hand")
    }
    return result.stdout
  }
}
