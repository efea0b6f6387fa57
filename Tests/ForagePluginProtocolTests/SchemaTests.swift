import ForageCore
import ForagePluginProtocol
import Foundation
import Testing

/// The JSON Schema and the types tell the same, and what the documentation shows fits both.
struct SchemaTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func validator() throws -> SchemaValidator {
    let text = try text("Plugins/forage-plugin-1.schema.json")
    return SchemaValidator(root: try JSONTree(parsing: Array(text.utf8)))
  }

  private static func tree(_ value: any Encodable) throws -> JSONTree {
    try JSONTree(parsing: Array(try JSONEncoder().encode(value)))
  }

  private struct Sample: Sendable {
    var name: String
    var value: any Encodable & Sendable
  }

  private static let filter = SearchFilter(
    field: "stars", op: .range, value: .array([.integer(1), .string("2024-01-15")]), negated: true)
  private static let errorData = ErrorData(retryAfterMs: 5, hint: "wait", reason: "tls")
  private static let errorObject = ErrorObject(.rateLimited, "slow", data: errorData)
  private static let related = RelatedItem(
    id: "github.com/a/b", url: "https://github.com/a/b", why: "repository")
  private static let item = Item(
    id: "42", kind: "repo", url: "https://acme.example/42", title: "a/b", fields: ["stars": .integer(12)],
    related: [related], observedAt: "2024-01-15T10:00:00Z")
  private static let note = NoteInfo(
    code: "own", message: "cut", hint: "narrow it", incomplete: true, field: "readme")
  private static let info = ProgramInfo(name: "forage", version: "1")

  /// A value of every type with all that it can have.
  private static let full: [Sample] = [
    Sample(name: "programInfo", value: info),
    Sample(
      name: "initializeParams",
      value: InitializeParams(host: info, config: ["url": .string("x")], secrets: ["token": "x"])),
    Sample(name: "initializeResult", value: InitializeResult(version: "1.2.0")),
    Sample(
      name: "searchParams",
      value: SearchParams(
        provider: "acme", kind: "repo", text: ["a b"], filters: [filter], sort: "stars", order: "asc",
        limit: 50,
        cursor: "c", deadlineMs: 2800)),
    Sample(name: "searchFilter", value: filter),
    Sample(
      name: "searchFilter",
      value: SearchFilter(
        field: "label", op: .anyOf, value: .array([.string("a"), .string("b, c")]), negated: false)),
    Sample(
      name: "detailsParams",
      value: DetailsParams(
        provider: "acme", kind: "repo", id: "42", deadlineMs: 1)),
    Sample(name: "cancelParams", value: CancelParams(id: .text("a"))),
    Sample(
      name: "httpParams",
      value: HTTPParams(
        id: .number(7), url: "https://acme.example/", method: "POST", headers: ["Accept": "text/plain"],
        body: "q", cacheSeconds: 60)),
    Sample(
      name: "httpResult",
      value: HTTPResult(status: 200, headers: ["etag": "x"], body: "text", bodyBase64: "/w==")),
    Sample(name: "itemsParams", value: ItemsParams(id: .number(7), items: [item])),
    Sample(name: "item", value: item), Sample(name: "relatedItem", value: related),
    Sample(
      name: "searchAnswer",
      value: SearchAnswer(
        count: 1, next: "n", total: ResultTotal(900, .atLeast), notes: [note], items: [item])),
    Sample(name: "resultTotal", value: ResultTotal(3)), Sample(name: "note", value: note),
    Sample(name: "errorObject", value: errorObject), Sample(name: "errorData", value: errorData),
  ]

  /// Values with no more than they need.
  private static let minimal: [Sample] = [
    Sample(name: "httpParams", value: HTTPParams(id: .number(7), url: "https://acme.example/")),
    Sample(name: "httpResult", value: HTTPResult(status: 204)),
    Sample(name: "initializeParams", value: InitializeParams(host: info)),
    Sample(name: "searchParams", value: SearchParams(provider: "a", kind: "repo", limit: 1, deadlineMs: 0)),
    Sample(name: "detailsParams", value: DetailsParams(provider: "a", kind: "repo", id: "x", deadlineMs: 0)),
    Sample(name: "searchAnswer", value: SearchAnswer(count: 0)),
    Sample(name: "errorObject", value: ErrorObject(.cancelled, "cancelled")),
    Sample(name: "item", value: Item(id: "1", kind: "repo", title: "t")),
  ]

  @Test func everyTypeIsInTheSchemaWithAllThatItCanHave() throws {
    let validator = try Self.validator()
    for sample in Self.full {
      let schema = try #require(validator.resolve("#/$defs/" + sample.name), "\(sample.name)")
      let tree = try Self.tree(sample.value)
      #expect(validator.faults(tree, schema) == [], "\(sample.name)")
      // A sample that lacks something would let a property go unseen.
      for child in Mirror(reflecting: sample.value).children {
        let isAbsent =
          Mirror(reflecting: child.value).displayStyle == .optional
          && Mirror(reflecting: child.value).children.isEmpty
        #expect(!isAbsent, "\(sample.name).\(child.label ?? "")")
      }
      #expect(
        (tree.object ?? [:]).keys.sorted() == (schema["properties"]?.object ?? [:]).keys.sorted(),
        "\(sample.name)")
    }
    for sample in Self.minimal {
      let schema = try #require(validator.resolve("#/$defs/" + sample.name), "\(sample.name)")
      #expect(validator.faults(try Self.tree(sample.value), schema) == [], "\(sample.name)")
    }
    let others: Set<String> = [
      "requestID", "providerID", "push", "filterValue", "fromHost", "fromPlugin", "setting",
      "pluginDescription", "providerDeclaration", "kindDeclarations", "kindDeclaration",
      "qualifierDeclaration", "fieldType", "fieldDeclaration", "fieldDeclarations", "concurrency",
      "authDeclaration", "actionDeclaration",
    ]
    let names = Set((validator.root["$defs"]?.object ?? [:]).keys)
    #expect(names == others.union(Self.full.map(\.name)))
  }

  /// What a schema requires, the types must not be able to do without, and the other way round.
  @Test func whatIsRequiredIsRequiredByTheTypes() throws {
    let validator = try Self.validator()
    for (sample, type) in [
      ("item", Item.self as any Decodable.Type), ("searchAnswer", SearchAnswer.self),
      ("itemsParams", ItemsParams.self),
      ("initializeResult", InitializeResult.self), ("errorObject", ErrorObject.self),
      ("resultTotal", ResultTotal.self), ("relatedItem", RelatedItem.self),
      ("cancelParams", CancelParams.self), ("httpParams", HTTPParams.self),
      ("httpResult", HTTPResult.self), ("note", NoteInfo.self), ("searchFilter", SearchFilter.self),
      ("initializeParams", InitializeParams.self), ("programInfo", ProgramInfo.self),
    ] {
      let value = try #require(Self.full.first { $0.name == sample })
      let schema = try #require(validator.resolve("#/$defs/" + sample))
      let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
      let members = try #require(try Self.tree(value.value).object)
      for name in members.keys {
        let without = JSONTree.object(members.filter { $0.key != name })
        let isRead = (try? JSONDecoder().decode(type, from: Data(without.encoded()))) != nil
        #expect(isRead == !required.contains(name), "\(sample) without \(name)")
      }
    }
  }

  @Test(arguments: [
    ("item", #"{"id":"","kind":"repo","title":"t"}"#), ("item", #"{"id":"1","kind":"repo"}"#),
    ("item", #"{"id":"1","kind":"repo","title":"t","url":"ftp://x"}"#), ("searchAnswer", #"{"next":"x"}"#),
    ("searchAnswer", #"{"count":-1}"#),
    ("searchAnswer", #"{"count":1,"total":{"value":1,"relation":"about"}}"#),
    (
      "searchParams",
      #"{"provider":"a","kind":"repo","text":[],"filters":[],"sort":null,"limit":201,"cursor":null,"deadlineMs":1}"#
    ),
    ("searchParams", #"{"provider":"a","kind":"repo","text":[],"filters":[],"limit":1,"deadlineMs":1}"#),
    ("providerDeclaration", #"{"id":"A b","kinds":["repo"]}"#),
    ("providerDeclaration", #"{"id":"a","kinds":[]}"#),
    ("providerDeclaration", #"{"id":"a","kinds":{"repo":{"text":"fuzzy"}}}"#),
    ("providerDeclaration", #"{"id":"a","kinds":{"repo":{"sort":["stars"]}}}"#),
    ("providerDeclaration", #"{"id":"a","kinds":{"repo":{"qualifiers":{"a":{"push":"exact","type":"x"}}}}}"#),
    ("searchFilter", #"{"field":"stars","op":"eq"}"#),
    ("fromHost", #"{"jsonrpc":"1.0","id":1,"method":"search","params":{}}"#),
    ("fromPlugin", #"{"jsonrpc":"2.0","id":1}"#),
    (
      "pluginDescription",
      #"{"forage":1,"id":"a","name":"A","version":"1","command":["a"],"kinds":["repo"],"secret":[]}"#
    ),
    (
      "pluginDescription", #"{"forage":2,"id":"a","name":"A","version":"1","command":["a"],"kinds":["repo"]}"#
    ),
  ])
  func whatIsWrongDoesNotFit(_ name: String, _ json: String) throws {
    let validator = try Self.validator()
    let schema = try #require(validator.resolve("#/$defs/" + name))
    #expect(validator.faults(try JSONTree(parsing: Array(json.utf8)), schema) != [])
  }

  @Test func theSchemaUsesOnlyWhatIsUnderstoodAndLeadsSomewhere() throws {
    let validator = try Self.validator()
    func check(_ schema: JSONTree) {
      for (keyword, value) in schema.object ?? [:] {
        #expect(SchemaValidator.keywords.contains(keyword), "\(keyword)")
        switch keyword {
        case "$ref": #expect(value.string.flatMap(validator.resolve) != nil, "\(value)")
        case "properties", "$defs": for (_, child) in value.object ?? [:] { check(child) }
        case "anyOf": for child in value.array ?? [] { check(child) }
        case "items", "additionalProperties": check(value)
        default: break
        }
      }
    }
    check(validator.root)
  }

  @Test func theSpecificationShowsWhatFits() throws {
    let validator = try Self.validator()
    let text = try Self.text("Sources/ForagePluginProtocol/ForagePluginProtocol.docc/Protocol.md")
    var count = 0
    for line in text.split(separator: "\n") where line.hasPrefix("-> ") || line.hasPrefix("<- ") {
      guard !line.contains("[...]") else { continue }
      let schema = validator.resolve("#/$defs/" + (line.hasPrefix("->") ? "fromHost" : "fromPlugin")) ?? .null
      let message = try JSONTree(parsing: Array(line.dropFirst(3).utf8))
      #expect(validator.faults(message, schema) == [], "\(line)")
      count += 1
    }
    #expect(count > 5)
  }

  /// The descriptions in the documentation, and those of the plugins that are here.
  @Test func descriptionsFit() throws {
    let validator = try Self.validator()
    let schema = try #require(validator.resolve("#/$defs/pluginDescription"))
    var descriptions: [String] = []
    for path in ["Sources/ForagePluginProtocol/ForagePluginProtocol.docc/Protocol.md", "Plugins/README.md"] {
      descriptions += try Self.text(path).matches(of: /(?s)```json[^\n]*\n(.*?)\n```/).map { String($0.1) }
    }
    let plugins = Self.root.appendingPathComponent("Plugins")
    for folder in try FileManager.default.contentsOfDirectory(atPath: plugins.path) {
      let path = "Plugins/\(folder)/plugin.json"
      if FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(path).path) {
        descriptions.append(try Self.text(path))
      }
    }
    #expect(descriptions.count >= 4)
    for text in descriptions {
      #expect(validator.faults(try JSONTree(parsing: Array(text.utf8)), schema) == [], "\(text.prefix(200))")
    }
  }
}
