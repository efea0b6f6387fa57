import ForageCore
import Foundation
import TestSupport

extension FakeAPI {
  /// What a query of quoted words finds; `-` and `NOT` before a condition turn it around.
  private static func found(_ query: String, _ things: [FakeThing]) -> [FakeThing] {
    var (conditions, isNegated): ([(text: String, isNegated: Bool)], Bool) = ([], false)
    for part in query.replacing("\\\\", with: "").split(separator: " ") {
      if part == "NOT" {
        isNegated = true
        continue
      }
      let plain = part.replacing("\"", with: "")
      conditions.append(
        (plain.hasPrefix("-") ? String(plain.dropFirst()) : String(plain), isNegated || part.hasPrefix("-")))
      isNegated = false
    }
    return things.filter { thing in
      conditions.allSatisfy { condition in
        let holds: Bool
        if condition.text.hasPrefix("lang:") {
          holds = condition.text.dropFirst(5).lowercased() == thing.language.lowercased()
        } else if condition.text.hasPrefix("file:") {
          let path = condition.text.dropFirst(5).replacing("\\", with: "")
          holds = thing.path.contains(path)
        } else if condition.text.contains(":") {
          return true
        } else {
          holds = thing.has([condition.text[...]])
        }
        return holds != condition.isNegated
      }
    }
  }

  /// A zoekt web server's `POST /api/search`: texts are bytes in Base64, an empty list is null.
  static let zoekt = FakeAPI(path: "/api/search", method: "POST") { request, things in
    guard let body = try? JSONTree(parsing: request.body), let query = body["Q"]?.string, !query.isEmpty
    else {
      return .json(status: 400, body: #"{"Error":"missing query"}"#)
    }
    let all = found(query, things)
    let files = all.prefix(body["Opts"]?["MaxDocDisplayCount"]?.integer ?? 50).map { thing -> JSONTree in
      let line = "ü let parser = \(thing.name)\n"
      return .object([
        "FileName": .string(thing.path),
        "Repository": .string("github.com/\(thing.owner)/\(thing.name)"),
        "Branches": .array([.string("HEAD")]), "Version": .string(String(repeating: "0", count: 40)),
        "Language": .string(thing.language),
        "LineMatches": .array([
          .object([
            "Line": .string(Data(line.utf8).base64EncodedString()), "LineNumber": .integer(thing.number),
            "FileName": .bool(false),
            "LineFragments": .array([.object(["LineOffset": .integer(7), "MatchLength": .integer(6)])]),
          ]),
          .object([
            "Line": .string(Data("x".utf8).base64EncodedString()), "LineNumber": .integer(0),
            "FileName": .bool(true),
          ]),
        ]),
      ])
    }
    return .json(
      body: json(
        .object([
          "Result": .object([
            "FileCount": .integer(all.count), "Files": files.isEmpty ? .null : .array(files),
          ])
        ])))
  }

  /// Sourcegraph's GraphQL API.
  static let sourcegraph = FakeAPI(path: "/.api/graphql", method: "POST") { request, things in
    guard let body = try? JSONTree(parsing: request.body),
      body["query"]?.string?.contains("{ search(query: $query") == true,
      let query = body["variables"]?["query"]?.string
    else { return .json(status: 400, body: #"{"errors":[{"message":"must have a query"}]}"#) }
    guard query.hasPrefix("type:file count:") else {
      return .json(body: #"{"data":null,"errors":[{"message":"no"}]}"#)
    }
    let all = found(query, things)
    let rows = all.map { thing -> JSONTree in
      .object([
        "__typename": .string("FileMatch"),
        "repository": .object(["name": .string("github.com/\(thing.owner)/\(thing.name)")]),
        "file": .object([
          "path": .string("Sources/a b/\(thing.name).swift"), "url": .string("/x"),
          "commit": .object(["oid": .string(String(repeating: "0", count: 40))]),
        ]),
        "lineMatches": .array([
          .object([
            "preview": .string("let parser = 1"), "lineNumber": .integer(thing.number),
            "offsetAndLengths": .array([.array([.integer(4), .integer(6)])]),
          ])
        ]),
      ])
    }
    return .json(
      body: json(
        .object([
          "data": .object([
            "search": .object([
              "results": .object(["matchCount": .integer(all.count), "results": .array(rows)])
            ])
          ])
        ])))
  }
}
