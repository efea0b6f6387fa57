import Foundation
import TestSupport
import Testing

/// Answers within the limits of bytes that are expensive to read: many values, many objects, long names, long
/// texts, nesting. None takes much memory, and each is an answer or an error.
@Suite struct HostileShapeTests {
  /// The fields of an item as Python writes them; all items of a page have the same ones.
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var fields: String
    /// Whether a page of 200 of them exceeds a limit, so that the provider fails after some items.
    var isTooMuch = false
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(name: "numbers", fields: "{'a': [0] * 490}"),
    Shape(name: "empty objects", fields: "{'a': [{}] * 490}"),
    Shape(name: "empty arrays", fields: "{'a': [[]] * 490}"),
    Shape(name: "small objects", fields: "{'a': [{'b': 0}] * 245}"),
    Shape(name: "names", fields: "{'k%d' % n: n for n in range(490)}"),
    Shape(name: "long names", fields: "{'größe %030d' % n: n for n in range(490)}"),
    Shape(name: "times", fields: "{'k%dAt' % n: '2024-01-15T10:00:00Z' for n in range(490)}"),
    Shape(name: "texts", fields: "{'a': ['日本' * 4] * 490}"),
    Shape(name: "nesting", fields: "{'a': [[[[[0]]]]] * 95}"),
    Shape(name: "deep", fields: "{'a': json.loads('[' * 50 + ']' * 50)}"),
    Shape(name: "nulls", fields: "{'a': [None] * 490}"),
    Shape(name: "a long text", fields: "{'description': 'ö' + 'x' * 45000}", isTooMuch: true),
    Shape(name: "escapes", fields: "{'description': '\\n' * 20000}"),
    Shape(name: "20,000 topics", fields: "{'topics': [0] * 20000}", isTooMuch: true),
    Shape(name: "13,000 objects", fields: "{'a': [{}] * 13000}", isTooMuch: true),
    Shape(name: "5,000 names", fields: "{'k%d' % n: n for n in range(4500)}", isTooMuch: true),
  ]

  /// The memory that an answer may take beside that of a small one, in KB.
  private static let allowance = 64 << 10

  private static func script(_ fields: String) -> String {
    """
    import json, sys

    def send(message):
        sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\\n")
        sys.stdout.flush()

    fields = \(fields)
    for line in sys.stdin:
        call = json.loads(line)
        if call["method"] == "initialize":
            send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
        elif "id" in call:
            for seq in range(20):
                send({"method": "search/items", "params": {"id": call["id"], "items": [
                    {"id": str(n), "kind": "repo", "url": "https://shape.example/x/%d" % n, "title": "x/%d" % n,
                     "fields": fields} for n in range(seq * 10, seq * 10 + 10)]}})
            send({"id": call["id"], "result": {"count": 200, "next": "more"}})
    """
  }

  /// The memory of a small answer, in KB. The first run brings the pages of the program into memory, which
  /// count for every later one.
  private static let small = Task {
    let program = try makeProgram()
    let folder = try program.writePlugin("shape", script("{}"))
    var peak = 0
    for _ in 0..<2 { peak = try await program.run(["search", "x", "--plugin", folder] + options).peakKB }
    return peak
  }

  private static let options = ["-p", "shape", "-L", "200", "--timeout", "50", "--format", "json"]

  private static func makeProgram() throws -> Program {
    try Program(adding: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"])
  }

  private func expectSmall(_ result: ProcessResult, _ location: SourceLocation = #_sourceLocation)
    async throws
  {
    #if os(Linux)
      let small = try await Self.small.value
      #expect(
        small > 0 && result.peakKB - small < Self.allowance,
        "\(result.peakKB) KB, and \(small) KB without", sourceLocation: location)
    #endif
  }

  @Test(arguments: shapes) func plugins(_ shape: Shape) async throws {
    let program = try Self.makeProgram()
    let folder = try program.writePlugin("shape", Self.script(shape.fields))
    let found = try await program.run(["search", "x", "--plugin", folder] + Self.options)
    let json = try found.json()
    let outcome = try #require(json.provider("shape"))
    if shape.isTooMuch {
      #expect([3, 4].contains(found.status) && json["complete"]?.bool == false)
      #expect(["partial", "failed"].contains(outcome["state"]?.string))
      // A message with too many values is none, so that its items are missing.
      #expect(
        ["sent more than", "reported 200 items but sent", "with more than 100000 JSON values"].contains {
          found.err.contains($0)
        },
        "\(found.err)")
    } else {
      #expect(found.status == 0 && outcome["state"]?.string == "ok", "\(found.err)")
      #expect(json["items"]?.array.count == 200)
    }
    try await expectSmall(found)
  }

  /// Pages that are small enough each, and without end.
  @Test(
    arguments: [
      "{'body': 'x' * 30000}", "{'k%d' % n: n for n in range(400)}", "{'a': [{'b': 'c'}] * 200}",
      "{'n%03d' % n + 'k' * 100: n for n in range(200)}",
    ])
  func manyPages(_ fields: String) async throws {
    let script = Self.script(fields)
      .replacing(
        "for seq in range(20):",
        with: "first = int(call['params']['cursor'] or 0)\n        for seq in range(20):"
      )
      .replacing("str(n)", with: "str(first + n)").replacing("/%d\" % n", with: "/%d\" % (first + n)")
      .replacing("\"next\": \"more\"", with: "\"next\": str(first + 200)")
    let program = try Self.makeProgram()
    let folder = try program.writePlugin("shape", script)
    let search = ["search", "x", "--plugin", folder, "-p", "shape", "-L", "10000", "--timeout", "50"]
    let found = try await program.run(search + ["--format", "json"], timeout: .seconds(300))
    let json = try found.json()
    let ids = json["items"]?.array.compactMap { $0["id"]?.string } ?? []
    #expect([0, 3].contains(found.status) && json["complete"]?.bool == false && Set(ids).count == ids.count)
    #expect(ids.count >= 200 && found.err.contains("limit of 16 MB"), "\(ids.count): \(found.err)")
    try await expectSmall(found)
  }

  /// Bodies of a server below 5 MiB, as row and as the rest of the answer.
  @Test(
    arguments: [
      ("objects", "{}", 40_000, true), ("more objects", "{}", 1_600_000, false),
      ("numbers", "0", 90_000, true), ("small objects", #"{"b":0}"#, 45_000, true),
      ("arrays", "[[[]]]", 30_000, true), ("texts", #""ääääääääääääääääääää""#, 90_000, true),
      ("small objects without end", #"{"b":0}"#, 500_000, false),
    ] as [(String, String, Int, Bool)])
  func manifests(_ name: String, _ value: String, _ count: Int, _ isRead: Bool) async throws {
    let many = "[" + Array(repeating: value, count: count).joined(separator: ",") + "]"
    let row = #"{"id":"1","url":"https://shape.example/x/1","name":"x/1","stars":"12","topics":\#(many)}"#
    let bodies = [
      (#"{"rest":\#(many),"items":[]}"#, status: 1, state: "ok"),
      (#"{"items":[\#(row)]}"#, status: 0, state: "ok"),
      // None of the items can be read.
      (#"{"items":\#(many)}"#, status: 4, state: "failed"),
    ]
    for (body, status, state) in bodies {
      #expect(body.utf8.count < 5 << 20)
      try await withServer { _ in
        .json(body: body)
      } _: { server in
        let program = try Self.makeProgram()
        let file = try program.home.directory.write(
          "home/shape.yaml",
          """
          forage: 1
          id: shape
          name: Shape
          kinds: [repo]
          base: \(server.baseURL)
          request: {url: "{base}/search", params: {q: "{text}", page: "{page}"}}
          paging: {style: page, size: 50}
          items: $.items[*]
          map: {id: $.id, url: $.url, title: $.name, stars: $.stars, topics: $.topics}
          """)
        let found = try await program.run(["search", "x", "--plugin", file.path] + Self.options)
        let outcome = try #require(try found.json().provider("shape"))
        if isRead {
          #expect(
            found.status == status && outcome["state"]?.string == state,
            "\(found.status) \(outcome["state"]?.string ?? ""): \(found.err)")
        } else {
          #expect(found.status == 4 && outcome["state"]?.string == "failed")
          #expect(found.err.contains("answered with more than 100000 JSON values"), "\(found.err)")
        }
        try await expectSmall(found)
      }
    }
  }
}
