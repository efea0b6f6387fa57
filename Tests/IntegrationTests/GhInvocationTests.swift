import Foundation
import TestSupport
import Testing

/// Invocations of `gh search` as scripts and documentation have them: forage sends the request that gh sends,
/// and prints the JSON that gh prints.
struct GhInvocationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Gh", isDirectory: true)

  /// A row of `gh-invocations.tsv`, which describes its columns.
  struct Invocation: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var path: String
    var query: String
    var sort: String
    var order: String
    var pageSize: Int
    var output: String
    /// The query that forage sends instead, if any.
    var ours: String
    /// Why it differs.
    var reason: String

    var testDescription: String { arguments.joined(separator: " ") }

    init?(_ line: Substring) throws {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 11, !line.hasPrefix("#"), let pageSize = Int(columns[7]) else { return nil }
      arguments = try JSONDecoder().decode([String].self, from: Data(columns[0].utf8))
      (path, query, sort, order) = (columns[3], columns[4], columns[5], columns[6])
      (self.pageSize, output, ours, reason) = (pageSize, columns[8], columns[9], columns[10])
    }
  }

  private static let invocations: [Invocation] = {
    guard
      let text = try? String(
        contentsOf: folder.appendingPathComponent("gh-invocations.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap { try? Invocation($0) }
  }()

  @Test func theTableIsRead() {
    let invocations = Self.invocations
    #expect(invocations.count == 127)
    #expect(invocations.count { !$0.output.isEmpty } > 40)
    for invocation in invocations {
      #expect(["", "code", "quotes", "qualifiers"].contains(invocation.reason), "\(invocation)")
      #expect(invocation.ours.isEmpty || !invocation.reason.isEmpty, "\(invocation)")
    }
  }

  @Test(arguments: invocations) func invocation(_ invocation: Invocation) async throws {
    try await withServer(handler: Self.answer) { server in
      let program = try Program(server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t"])
      let result = try await program.run(["search"] + Self.arguments(invocation))
      #expect(result.status == 0, "\(result.err)")
      let request = try #require(
        server.requests.first { $0.path.hasPrefix("/search/") }, "\(result.err)")
      #expect(request.path == "/search/" + invocation.path)
      let query = invocation.ours.isEmpty ? invocation.query : invocation.ours
      #expect(Self.conditions(request.query("q") ?? "") == Self.conditions(query))
      #expect(request.query("sort") ?? "" == invocation.sort)
      // The usual order is sent, too; without a sort key gh's has no effect.
      let order = invocation.order.isEmpty ? "desc" : invocation.order
      #expect(request.query("order") == (invocation.sort.isEmpty ? nil : order))
      // What is merged with the results of clones is read in blocks.
      let size = try #require(request.query("per_page").flatMap { Int($0) })
      #expect(size >= invocation.pageSize && size <= 100)
      if invocation.output.isEmpty {
        #expect(!result.out.isEmpty)
      } else {
        #expect(try Self.normalized(result.out) == Self.normalized(invocation.output))
      }
    }
  }

  /// The results of every search: three repositories, issues, pull requests and commits, and a file.
  @Sendable private static func answer(_ request: RecordedRequest) -> ScriptedResponse {
    var name = request.path.split(separator: "/").last.map(String.init) ?? ""
    if name == "issues", request.query("q")?.split(separator: " ").contains("is:pr") == true {
      name = "pulls"
    }
    guard
      let text = try? String(contentsOf: folder.appendingPathComponent(name + ".json"), encoding: .utf8)
    else { return .json(status: 404, body: #"{"message": "Not Found"}"#) }
    return .json(body: text)
  }

  /// The arguments for forage: without a filter, which another program applies, and for code with the kind
  /// and without fields of gh.
  private static func arguments(_ invocation: Invocation) -> [String] {
    let isCode = invocation.arguments.first == "code"
    let left: Set = isCode ? ["--jq", "-q", "--json"] : ["--jq", "-q"]
    var arguments: [String] = isCode ? ["-k", "code"] : []
    var rest = invocation.arguments[(isCode ? 1 : 0)...]
    while let argument = rest.popFirst() {
      if left.contains(argument) { rest = rest.dropFirst() } else { arguments.append(argument) }
    }
    return arguments
  }

  /// The conditions of a query, without their order and without `OR` and parentheses, which gh leaves out
  /// between conditions of one name, so that what they join is not compared; `type:` and `is:` mean the same,
  /// and so do several `in:` and one with commas.
  private static func conditions(_ query: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in query + " " {
      if character == " ", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      word.append(character)
    }
    return words.flatMap { word -> [String] in
      guard !word.contains("\"") else { return [word] }
      let word = word.trimmingCharacters(in: CharacterSet(charactersIn: "()"))
      if word == "OR" { return [] }
      if word.hasPrefix("in:") { return word.dropFirst(3).split(separator: ",").map { "in:" + $0 } }
      return [["type:pr": "is:pr", "type:issue": "is:issue"][word] ?? word]
    }.sorted()
  }

  /// The same JSON with sorted members.
  private static func normalized(_ text: String) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
  }
}
