import ForageCore
import ForageHTTP
import ForageManifest
import TestSupport
import Testing

struct RowTests {
  private func items(_ text: String, _ rows: String) async throws -> SearchPage {
    try await withAPI(text) { _ in
      .json(body: #"{"items":[\#(rows)]}"#)
    } _: { provider, _ in
      try await provider.search(ask("x", of: provider))
    }
  }

  private static let fields = """
    forage: 1
    id: acme
    name: Acme
    kinds: [package]
    fields: {votes: number, share: fraction, seen: date, open: flag, kinds: list, note: text}
    request: {url: "{base}/search", params: {q: "{text}"}}
    items: $.items[*]
    map:
      id: $.id
      url: $.url
      title: $.name
      description: {path: $.d, default: ""}
      version: {first: [$.stable, $.newest]}
      stars: $.stars
      score: $.score
      archived: $.archived
      topics: $.topics
      labels: $.labels[*].name
      createdAt: $.created
      updatedAt: {path: $.updated, as: unixDate}
      accepted: {exists: $.answer}
      registry: {value: acme}
      license: {path: $.license, map: {NOASSERTION: null, gpl: GPL-3.0-only}}
      author: {path: "$.authors[*].name", as: join}
      votes: $.votes
      share: $.share
      seen: {path: $.seen, as: isoDate}
      open: {path: $.open, map: {yes: true, no: false}}
      kinds: $.kinds
      note: {path: $.note, as: [htmlDecode, trim], default: none}
    """

  @Test func everyField() async throws {
    let row = #"""
      {"id":7,"url":"https://a.example/x y/é","name":"N","d":"D","stable":null,"newest":"2.0","stars":5,"score":-3,"archived":false,
       "topics":["a","",1,"b"],"labels":[{"name":"l1"},{},{"name":"l2"}],"created":"2024-01-31T10:00:00Z","updated":1700000000,"answer":5,
       "license":"gpl","authors":[{"name":"x"},{"name":"y"}],"votes":3,"share":0.5,"seen":"2024-01-31","open":"yes","kinds":["k"],"note":" &lt;n "}
      """#
    let item = try #require(try await items(Self.fields, row).items.first)
    #expect(
      item.id == "acme:7" && item.title == "N" && item.url == "https://a.example/x%20y/%C3%A9"
        && item.forgeID == nil)
    let expected: [ResultField: FieldValue] = [
      "description": .text("D"), "version": .text("2.0"), "stars": .number(5), "score": .number(-3),
      "archived": .flag(false),
      "topics": .list(["a", "b"]), "labels": .list(["l1", "l2"]), "accepted": .flag(true),
      "registry": .text("acme"),
      "license": .text("GPL-3.0-only"), "author": .text("x, y"), "votes": .number(3), "share": .fraction(0.5),
      "open": .flag(true),
      "kinds": .list(["k"]), "note": .text("<n"),
    ]
    for (field, value) in expected { #expect(item[field] == value, "\(field.rawValue)") }
    #expect(
      item["createdAt"] != nil && item["updatedAt"] != nil && item["seen"] != nil
        && item.fields.count == expected.count + 3)
  }

  /// What is on this machine is not for servers to say; the path of a file is its place in the repository.
  @Test(arguments: [("repo", nil), ("code", "/tmp/x")] as [(String, String?)])
  func pathsOnThisMachine(_ kind: String, _ path: String?) async throws {
    let text = """
      forage: 1
      id: acme
      name: Acme
      kinds: [\(kind)]
      request: {url: "{base}/search", params: {q: "{text}"}}
      items: $.items[*]
      map: {id: $.id, url: $.url, title: $.name, path: $.p}
      """
    let row =
      #"{"id":7,"url":"https://github.com/octo/repo1","name":"N","p":"/tmp/x","l":["/tmp/x"],"f":true}"#
    let item = try #require(try await items(text, row).items.first)
    #expect(item[.path]?.text == path)
    for field in [ResultField.favorite, .starred, .file] { #expect(item[field] == nil, "\(field.rawValue)") }
  }

  /// Nulls and values of another type lose the field, never the row.
  @Test(arguments: [
    "null", "[]", "{}", #""""#, "true", "-1", "1.5", #""x""#, "[[1]]", "1e400", "99999999999999999999",
  ])
  func oddValues(_ value: String) async throws {
    let names = [
      "d", "stable", "newest", "stars", "score", "archived", "topics", "labels", "created", "updated",
      "answer", "license", "authors",
      "votes", "share", "seen", "open", "kinds", "note",
    ]
    let row =
      #"{"id":"a","url":"https://a.example","name":"N","#
      + names.map { #""\#($0)":\#(value)"# }.joined(separator: ",") + "}"
    let page = try await items(Self.fields, row)
    let item = try #require(page.items.first)
    #expect(page.unreadable == 0 && item.title == "N" && item["registry"] == .text("acme"))
    for (field, found) in item.fields {
      switch (FieldType.known[field.rawValue], found) {
      case (.number, .number), (.date, .date), (.flag, .flag), (.list, .list), (.text, .text), (nil, _):
        continue
      default: Issue.record("\(field.rawValue) is \(found)")
      }
      #expect(found != .text("") && found != .list([]) && (found.number ?? 0) >= 0 || field == "score")
    }
  }

  /// What was left out is told, once however many rows have it.
  @Test func faultsAreTold() async throws {
    let row =
      #"{"id":7,"url":"https://a.example/x","name":"N","stars":"12","archived":1,"topics":"x","created":"yesterday","updated":"soon"}"#
    try await withAPI(Self.fields) { _ in
      .json(body: #"{"items":[\#(row),\#(row),{"id":8},{"url":"https://a.example/y"}]}"#)
    } _: { provider, _ in
      for _ in 0..<2 {
        let page = try await provider.search(ask("x", of: provider))
        #expect(page.items.count == 2 && page.unreadable == 2)
      }
      let told = provider.warnings.messages
      for part in [
        "field stars is a text instead of a whole number; the field is left out",
        "field archived is a number instead of true or false; the field is left out",
        "field topics is a text instead of a list; the field is left out",
        "field createdAt is not a time in RFC 3339 since 1970; the field is left out",
        "field updatedAt cannot be converted with unixDate; the field is left out",
        "a row without a valid address, which is left out",
        "a row without an id, or with one that is too long, which is left out",
      ] {
        #expect(told.filter { $0.hasSuffix(part) }.count == 1, "\(part): \(told)")
      }
      #expect(told.count == 7)
    }
  }

  /// A text has a maximum length; what is longer is cut where a character begins.
  @Test func textsAreCut() async throws {
    let (title, note) = (String(repeating: "é", count: 5000), "a" + String(repeating: "é", count: 50_000))
    let page = try await items(
      Self.fields, #"{"id":7,"url":"https://a.example/x","name":"\#(title)","d":"\#(note)"}"#)
    let item = try #require(page.items.first)
    #expect(item.title == String(repeating: "é", count: 2048) + "…")
    #expect(item[.description] == .text("a" + String(repeating: "é", count: 2_047) + "…"))
  }

  @Test(
    arguments: [
      #"{"url":"https://a.example","name":"N"}"#, #"{"id":null,"url":"https://a.example"}"#,
      #"{"id":"","url":"https://a.example"}"#,
      #"{"id":[],"url":"https://a.example"}"#, #"{"id":"a"}"#, #"{"id":"a","url":null}"#,
      #"{"id":"a","url":"nothing"}"#,
      #"{"id":"a","url":"javascript:alert(1)"}"#, #"{"id":"a","url":"https://u:p@a.example/"}"#,
      #"{"id":"a","url":"/relative"}"#, "null", "5", "[]",
    ])
  func rowsWithoutANameAreCounted(_ row: String) async throws {
    let page = try await items(Self.fields, row + #",{"id":"b","url":"https://a.example/b"}"#)
    #expect(page.unreadable == 1 && page.items.map(\.id) == ["acme:b"] && page.items.first?.title == "b")
  }

  @Test func relations() async throws {
    let text = sample(more: "").replacing(
      "version: $.version}",
      with:
        "version: $.version, repository: {path: $.repo, as: repositoryURL}, mirrorOf: $.origin, link: $.link}"
    )
    let row =
      #"{"id":"a","url":"https://a.example","name":"N","repo":"git+ssh://git@github.com/O/R.git","origin":"https://gitlab.com/g/p","link":"https://github.com/x/y/tree/main"}"#
    let item = try #require(try await items(text, row).items.first)
    #expect(
      item.related == [
        RelatedEntity(id: "github.com/o/r", why: .repository),
        RelatedEntity(id: "gitlab.com/g/p", why: .mirror),
        RelatedEntity(id: "github.com/x/y", why: .link),
      ])
  }

  @Test func repositoriesAreNamedByTheirAddress() async throws {
    let text = sample().replacing("[package]", with: "[repo]")
    let page = try await items(
      text,
      #"{"id":4,"url":"https://GitLab.com/Group/Sub/Name","name":"N"},{"id":"own","url":"https://a.example/o/n"}"#
    )
    #expect(page.items.map(\.id) == ["gitlab.com/group/sub/name", "a.example/o/n"])
    // The numbers of another forge are not those of this server.
    #expect(page.items.map(\.forgeID) == [nil, nil])
    #expect(page.items.first?[.owner] == .text("Group/Sub") && page.items.first?[.name] == .text("Name"))
    #expect(page.items.first?[.host] == .text("gitlab.com"))
  }

  @Test(arguments: [#"{"items":null}"#, #"{"items":[]}"#, #"{"items":{}}"#])
  func emptyLists(_ body: String) async throws {
    try await withAPI(sample()) { _ in
      .json(body: body)
    } _: { provider, _ in
      let page = try await provider.search(ask("x", of: provider))
      #expect(page.items.isEmpty && page.next == nil && page.unreadable == 0)
    }
  }

  /// Places of what was found are counted in Unicode scalars, however the API counts.
  @Test(arguments: [
    ("bytes", 7, 3, 4, 7), ("scalars", 4, 3, 4, 7), ("bytes", 1, 2, -1, -1),
    ("scalars", 5, 30, -1, -1),
  ])
  func fragments(_ unit: String, _ start: Int, _ length: Int, _ first: Int, _ last: Int) async throws {
    let text = """
      forage: 1
      id: acme
      name: Acme
      kinds: [code]
      request: {url: "{base}/search", params: {q: "{text}"}}
      items: $.items[*]
      map:
        id: $.id
        url: $.url
        title: $.path
        path: $.path
        repository: {path: $.repo, as: repositoryURL}
        fragments:
          each: $.lines[*]
          text: $.t
          line: $.n
          firstLine: 0
          unless: $.skip
          matches: {each: "$.m[*]", start: "$[0]", length: "$[1]", unit: \(unit)}
      """
    // The first scalar has four bytes and two units of UTF-16.
    let row =
      #"{"id":"a","url":"https://a.example","path":"p","repo":"github.com/o/r","lines":[{"t":"🚀abcdefg\n","n":0,"m":[[\#(start),\#(length)]]},{"t":"x","n":-1},{"t":"y","n":1,"skip":true},{"t":""}]}"#
    let item = try #require(try await items(text, row).items.first)
    #expect(
      item[.repository] == .text("github.com/o/r") && item[.host] == .text("github.com")
        && item.related.isEmpty)
    let fragments = try #require(item[.fragments]).elements
    try #require(fragments.count == 2)
    #expect(fragments[0]["text"] == .text("🚀abcdefg") && fragments[0]["line"] == .number(1))
    #expect(fragments[0]["matches"] == .items(first < 0 ? [] : [.items([.number(first), .number(last)])]))
    #expect(fragments[1] == .record(["text": .text("x"), "matches": .items([])]))
  }
}
