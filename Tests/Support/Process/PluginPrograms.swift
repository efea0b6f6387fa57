public import Foundation

/// The built plugin for Hacker News: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var hackerNewsPluginBinary: URL {
  get throws { try builtProgram("forage-plugin-hackernews", hint: "build the package first") }
}

/// The built plugin that is made for the tests of the SDK, found in the same way.
///
/// - Throws: `SupportError` when there is none.
public var samplePluginBinary: URL {
  get throws { try builtProgram("sample-plugin", hint: "build the package first") }
}

/// Runs a plugin with lines of requests; the end of input comes when an answer is there, so that nothing
/// depends on how fast it is.
///
/// - Parameters:
///   - lines: The requests, without line ends.
///   - id: The number of the request whose answer is waited for, `nil` for the end of input at once.
public func runPlugin(_ program: URL, _ lines: [String], waitingFor id: Int?) async throws -> ProcessResult {
  let input = Data(lines.map { $0 + "\n" }.joined().utf8)
  guard let id else { return try await ProcessRunner.run(program, [], environment: [:], stdin: input) }
  let folder = try TemporaryDirectory()
  try input.write(to: folder.url.appending(path: "input"))
  // The pattern is that of an answer as the SDK writes it: the id, then what it holds.
  let script =
    #"{ cat input; until grep -q '"id":\#(id),"[re]' output 2>/dev/null; do sleep 0.02; done; } | "$0" > output"#
  var result = try await ProcessRunner.run(
    URL(fileURLWithPath: "/bin/sh"), ["-c", script, program.path], environment: ["PATH": "/usr/bin:/bin"],
    workingDirectory: folder.url)
  result.stdout = try Data(contentsOf: folder.url.appending(path: "output"))
  return result
}
