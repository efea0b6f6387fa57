import Foundation
import TestSupport
import Testing

/// The program that compares code search with `git grep`.
struct VerifyCodeTests {
  @Test func sameLinesAsGitGrep() async throws {
    let clone = try await TemporaryRepository.make()
    var files: [String: String] = ["größe/日本.txt": "größer als 日本語\nGRÖSSER\n"]
    for number in 0..<20 {
      files["d\(number % 3)/f\(number).c"] =
        "int value_\(number) = \(number);\nreturn value_\(number % 4)(x, \"y z\");\n"
    }
    try await clone.commit(files: files)
    let result = try await ProcessRunner.run(
      try verifyCodeBinary, ["--count=5", try forageBinary.path, clone.path],
      environment: ["PATH": "/usr/bin:/bin"], timeout: .seconds(300))
    #expect(result.status == 0, "\(result.out)\(result.err)")
    #expect(result.out.contains("15 queries, 0 with differences"))
    #expect(result.out.hasSuffix("1 of 1 clones: the same lines as git grep\n"))
  }

  /// Random commands over clones that change behind the index print what rg prints.
  @Test func sameBytesAsRG() async throws {
    let result = try await ProcessRunner.run(
      try verifyCodeBinary, ["--grep", "--count=160", try forageBinary.path],
      environment: ProcessInfo.processInfo.environment.filter {
        ["PATH", "FORAGE_TEST_SEED"].contains($0.key)
      },
      timeout: .seconds(300))
    #expect(result.status == 0, "\(result.out)\(result.err)")
    #expect(result.out.hasSuffix("160 commands, 0 with other bytes than rg\n"))
    #expect(!result.out.contains("left out of 0 commands"), "\(result.out)")
  }

  @Test func usage() async throws {
    let result = try await ProcessRunner.run(
      try verifyCodeBinary, [], environment: [:], timeout: .seconds(60))
    #expect(result.status == 2)
    #expect(result.err.hasPrefix("usage: "))
  }
}
