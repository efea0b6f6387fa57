import Foundation
import TestSupport
import Testing

/// Two hundred programs at once on one store: searches, favourites and scans, each as if it were alone.
struct CrowdTests {
  private static let crowd = 200
  /// Two processors need about 20 seconds for a build with all checks; a busy machine several times as long.
  private static let patience: Duration = .seconds(300)

  /// One of them.
  private struct Member {
    var arguments: [String]
    var favorites: Set<String> = []
  }

  private func member(_ number: Int, _ program: Program) -> Member {
    let name = "github.com/o/n\(number)"
    let patient = ["--timeout", "250"]
    switch number % 5 {
    case 0: return Member(arguments: ["search", "match", "-L", "5", "--format", "json"] + patient)
    case 1: return Member(arguments: ["favorite", "add", name], favorites: [name])
    case 2: return Member(arguments: ["clones", "add", program.source])
    case 3: return Member(arguments: ["favorite", "add", name, name + "-b"], favorites: [name, name + "-b"])
    default: return Member(arguments: ["search", "match \(number % 3)", "-L", "5", "--no-cache"] + patient)
    }
  }

  @Test(arguments: [false, true])
  func everybodyIsServed(hasStore: Bool) async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      for number in 0..<4 { try await program.makeClone("owner/match\(number)") }
      if hasStore { try await program.addClones() }
      let members = (0..<Self.crowd).map { member($0, program) }
      let folder = try program.home.directory.makeDirectory("crowd")
      // A shell starts them faster than anything else, and needs no pipe for each.
      let lines = members.enumerated().map { number, member in
        let words = member.arguments.map { "'\($0)'" }.joined(separator: " ")
        return "( \"$0\" \(words) >\(number).out 2>\(number).err; echo $? >\(number).status ) &\n"
      }
      let script = try program.home.directory.write("crowd.sh", lines.joined() + "wait\n")
      let all = try await ProcessRunner.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", ". '\(script.path)'", try forageBinary.path],
        environment: program.environment, workingDirectory: folder, timeout: Self.patience)
      try #require(all.status == 0 && !all.timedOut, "\(all.err)")
      for (number, member) in members.enumerated() {
        func text(_ name: String) throws -> String {
          try String(contentsOf: folder.appendingPathComponent("\(number).\(name)"), encoding: .utf8)
        }
        let (status, messages) = (try text("status"), try text("err"))
        #expect(status == "0\n", "\(member.arguments): \(messages)")
        if member.arguments[0] == "search" {
          #expect(messages.isEmpty)
          #expect(try !text("out").isEmpty)
        }
        for id in member.favorites {
          #expect(try text("out").contains("\(id.dropFirst("github.com/".count)) is now a favorite\n"))
        }
      }
      #expect(try await program.favorites() == members.reduce(into: []) { $0.formUnion($1.favorites) })
      let clones = try await program.run(["clones", "list", "--format", "json"]).json()
      #expect(clones["clones"]?.array.count == 4)
      try await program.expectIntact("match")
      let offline = try await program.run(["search", "match", "--offline", "-L", "5", "--format", "json"])
      #expect(offline.status == 0 && offline.err.isEmpty, "\(offline.err)")
    }
  }
}
