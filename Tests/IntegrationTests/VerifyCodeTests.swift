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

  private static let hasRG = FileManager.default.isExecutableFile(atPath: "/usr/bin/rg")

  @Test(.enabled(if: hasRG, "no rg program")) func sameLinesAsRG() async throws {
    let clone = try await TemporaryRepository.make()
    var files: [String: String] = [
      "größe/日本.txt": "größer als 日本語\nGRÖSSER\n", ".hidden/x.c": "int value;\n", ".gitignore": "*.log\n",
    ]
    for number in 0..<20 {
      files["d\(number % 3)/f\(number).c"] =
        "int value_\(number) = \(number);\nreturn value_\(number % 4)(x, \"y z\");\n"
    }
    try await clone.commit(files: files)
    let result = try await ProcessRunner.run(
      try verifyCodeBinary, ["--grep", "--count=25", try forageBinary.path, clone.path],
      environment: ["PATH": "/usr/bin:/bin"], timeout: .seconds(300))
    #expect(result.status == 0, "\(result.out)\(result.err)")
    #expect(result.out.contains("25 queries, 0 with differences"))
    #expect(result.out.hasSuffix("1 of 1 clones: the same lines as rg\n"))
  }

  @Test func usage() async throws {
    let result = try await ProcessRunner.run(
      try verifyCodeBinary, [], environment: [:], timeout: .seconds(60))
    #expect(result.status == 2)
    #expect(result.err.hasPrefix("usage: "))
  }
}
