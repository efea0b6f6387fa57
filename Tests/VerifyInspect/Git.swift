import Foundation
import TestSupport

/// Runs the `git` program on a clone; nothing is fetched, written or asked.
struct Git: Sendable {
  /// A history of a million commits is walked well within it.
  static let patience: Duration = .seconds(1800)

  /// The clone.
  let folder: String
  private let program: URL
  private let environment: [String: String]

  /// - Parameter protocols: those over which it may fetch.
  /// - Throws: `SupportError` when git is not installed.
  init(_ folder: String, protocols: String = "none") throws {
    self.folder = URL(fileURLWithPath: folder).path
    let inherited = ProcessInfo.processInfo.environment
    let places = (inherited["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/git" }
    guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw SupportError(code: .missing, message: "git is not installed", hint: "install it")
    }
    program = URL(fileURLWithPath: place)
    // Replacements and grafts are not facts of the history, and missing objects stay missing.
    environment = inherited.merging([
      "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0",
      "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": "/dev/null", "GIT_ALLOW_PROTOCOL": protocols,
    ]) { _, new in new }
  }

  /// What a command prints; nil when it fails.
  func bytes(_ arguments: [String], input: [UInt8]? = nil) async throws -> [UInt8]? {
    let result = try await run(arguments, input)
    return result.status == 0 ? Array(result.stdout) : nil
  }

  /// What a command prints that must succeed.
  ///
  /// - Throws: `SupportError` when it fails.
  func output(_ arguments: [String], input: [UInt8]? = nil) async throws -> [UInt8] {
    let result = try await run(arguments, input)
    guard result.status == 0 else {
      throw SupportError(
        code: .program, message: "git \(arguments.joined(separator: " ")): \(result.err)",
        hint: "give a whole clone that git can read")
    }
    return Array(result.stdout)
  }

  private func run(_ arguments: [String], _ input: [UInt8]?) async throws -> ProcessResult {
    let settings = [
      "core.quotePath=off", "log.showRoot=true", "log.showSignature=false", "status.relativePaths=false",
    ]
    let options = settings.flatMap { ["-c", $0] }
    return try await ProcessRunner.run(
      program, ["-C", folder, "--no-pager"] + options + arguments, environment: environment,
      stdin: input.map { Data($0) }, timeout: Self.patience)
  }

  /// What a command prints, without the line's end; nil when it fails.
  func text(_ arguments: String...) async throws -> String? {
    try await bytes(arguments).map { bytes in
      String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
  }

  /// The number that a command prints.
  func number(_ arguments: String...) async throws -> Int? {
    try await bytes(arguments).flatMap { bytes in
      Int(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// The lines that a command prints.
  func lines(_ arguments: String...) async throws -> [String]? {
    try await bytes(arguments).map { $0.pieces(of: UInt8(ascii: "\n")).map(\.text) }
  }

  /// What a command prints between zero bytes.
  func records(_ arguments: String...) async throws -> [String]? {
    try await bytes(arguments).map { $0.pieces(of: 0).map(\.text) }
  }
}

extension [UInt8] {
  /// The parts that end with a byte, without it; what follows the last is one when it is not empty.
  func pieces(of end: UInt8) -> [ArraySlice<UInt8>] {
    var parts = split(separator: end, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts
  }
}

extension ArraySlice<UInt8> {
  /// The text, with invalid UTF-8 repaired.
  var text: String { String(decoding: self, as: UTF8.self) }
  /// The decimal number that it is.
  var number: Int? { Int(text) }
}
