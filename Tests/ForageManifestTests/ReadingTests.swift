import ForageCore
import ForageManifest
import ForageYAML
import TestSupport
import Testing

/// A manifest with a fault, and the problem that is reported for it.
struct ReadingTests {
  private static let head = """
    forage: 1
    id: acme
    name: Acme
    kinds: [package]

    """
  private static let tail = """
    request: {url: "{base}/search", params: {q: "{text}"}}
    items: $.items[*]
    map: {id: $.id, url: $.url, title: $.name}

    """

  @Test func theSampleIsRead() throws {
    let manifest = try manifest(sample(more: "base: https://acme.example\nrate: {perSecond: 0.5}"))
    #expect(manifest.id == "acme" && manifest.name == "Acme" && manifest.kind == .package)
    #expect(manifest.perSecond == 0.5 && manifest.usesBase && !manifest.needsBase)
    #expect(manifest.search.paging.size == 50)
    #expect(manifest.search.request.parameters.map(\.name) == ["q", "per_page", "page"])
  }

  /// A qualifier that the API does not know is checked on the field of the map that it names.
  @Test func localQualifiers() throws {
    let more = """
      base: https://acme.example
      fields: {weekly: number}
      qualifiers:
        version: {push: local}
        weekly: {push: local}
        release: {push: local, field: version}
      """
    let text = sample(more: more).replacing("$.version}", with: "$.version, weekly: $.weekly}")
    let manifest = try manifest(text)
    #expect(manifest.qualifiers.isEmpty)
    let definitions = Dictionary(
      uniqueKeysWithValues: manifest.info().vocabulary.map { ($0.name, $0) })
    #expect(definitions["weekly"]?.field == "weekly" && definitions["weekly"]?.type == .number)
    #expect(definitions["release"]?.field == "version" && definitions["release"]?.type == .text)
    #expect(manifest.kinds[.package]?.qualifiers.isEmpty == true)
  }

  @Test(arguments: [
    ("missing: {push: local}", "missing is checked on a field that the map does not have"),
    ("version: {push: local, param: v}", "param has no effect with push: local"),
    ("version: {}", "has no target for its value"),
  ])
  func wrongLocalQualifiers(_ line: String, _ message: String) {
    let text = sample(more: "base: https://acme.example\nqualifiers: {\(line)}")
    let error = #expect(throws: ManifestProblems.self) {
      try Manifest.read(Array(text.utf8), path: "acme.yaml")
    }
    #expect(error?.lines.contains { $0.contains(message) } == true, "\(error?.lines ?? [])")
  }

  /// The example of the documentation, and the forms that it names beside it.
  @Test func theDocumentedFormsAreRead() throws {
    let example = """
      forage: 1
      id: crates
      name: crates.io
      kinds: [package]
      request: {url: https://crates.io/api/v1/crates, params: {q: "{text}", per_page: "{size}", page: "{page}"}}
      paging: {style: page, start: 1, size: 50, more: $.meta.next_page}
      rate: {perSecond: 1}
      qualifiers: {keyword: {param: keyword, push: exact}}
      items: $.crates[*]
      map:
        id: $.name
        url: {template: "https://crates.io/crates/{0|segment}", args: [$.name]}
        title: $.name
        description: {path: $.description, default: ""}
        version: {first: [$.max_stable_version, $.newest_version]}
        updatedAt: {path: $.updated_at, as: isoDate}
        repository: {path: $.repository, as: repositoryURL}

      """
    let more = [
      "sorts: {stars: {order_by: star_count, sort: desc}}", "total: $.total",
      "retryAfter: {path: $.backoff, unit: s}",
      "auth: {secret: token, header: PRIVATE-TOKEN}", "auth: {secret: token, bearer: true}",
      "auth: {secret: token, query: key}",
      "hosts: [static.crates.io]",
      "feed: {request: {url: https://crates.io/api/v1/summary, params: {page: \"{page}\"}}}",
    ]
    for line in [""] + more { #expect(problems(example + line).isEmpty, "\(problems(example + line))") }
    let request =
      "request: {method: POST, url: \"{base}/x\", body: {Q: \"{text}\", Opts: {MaxDocDisplayCount: \"{size}\"}}}"
    for paging in ["{style: cursor, param: after, next: $.page.after}", "{style: link}", "{style: none}"] {
      let text = example.split(separator: "\n").map { line in
        line.hasPrefix("request:") ? request : line.hasPrefix("paging:") ? "paging: " + paging : String(line)
      }.joined(separator: "\n")
      #expect(problems(text).isEmpty, "\(problems(text))")
    }
    let offset = example.replacing(
      "{style: page, start: 1, size: 50, more: $.meta.next_page}", with: "{style: offset, start: 0, size: 50}"
    )
    .replacing("page: \"{page}\"", with: "from: \"{offset}\"")
    #expect(problems(offset).isEmpty, "\(problems(offset))")
    let base = example.replacing(
      "url: https://crates.io/api/v1/crates,", with: "url: \"{base}/api/v4/projects\",")
    #expect(problems(base + "base: https://gitlab.com").isEmpty)
  }

  /// Lines behind the four first ones, before the request, and the one sentence with its hint.
  @Test(
    arguments: [
      ("wieght: 1\n", "acme.yaml:5: \"wieght\" is not a known key | known: "),
      ("itmes: $.a[*]\n", "acme.yaml:5: \"itmes\" is not a known key | did you mean \"items\"?"),
      ("bse: https://a.example\n", "acme.yaml:5: \"bse\" is not a known key | did you mean \"base\"?"),
      (
        "rate: 1\n", "acme.yaml:5: rate must be a mapping (name: value) | for example: rate: {perSecond: 1}"
      ),
      ("rate: {perSecond: fast}\n", "acme.yaml:5: perSecond takes a number from 0.01 to 1000 | fix"),
      (
        "rate:\n  perSecnd: 1\n", "acme.yaml:6: \"perSecnd\" is not a known key | did you mean \"perSecond\"?"
      ),
      (
        "base: ftp://a.example\n",
        "acme.yaml:5: base, \"ftp://a.example\", is not the address of an API | write it"
      ),
      (
        "base: http://a.example\n", "acme.yaml:5: base, \"http://a.example\", would send requests unencrypted"
      ),
      ("base: https://10.0.0.1\n", "acme.yaml:5: base, \"https://10.0.0.1\", is in a private network"),
      ("base: https://user:pw@a.example\n", "acme.yaml:5: base is not the address of an API | write it"),
      ("hosts: a.example\n", "acme.yaml:5: hosts takes a list of hosts | for example"),
      ("hosts: [\"https://a.example\"]\n", "acme.yaml:5: hosts takes host names, without scheme and path"),
      ("needsText: perhaps\n", "acme.yaml:5: needsText takes true or false | fix"),
      ("text: sloppy\n", "acme.yaml:5: text does not accept \"sloppy\" | accepted values: exact, inexact"),
      (
        "text: {phrases: qouted}\n",
        "acme.yaml:5: phrases does not accept \"qouted\" | did you mean \"quoted\"?"
      ),
      (
        "text: {take: longest}\n",
        "acme.yaml:5: with take: longest, Forage checks the other words | add: push: inexact"
      ),
      ("booleans: true\ntext: inexact\n", "acme.yaml:5: booleans requires text that the API applies exactly"),
      (
        "auth: {header: X-Token}\n", "acme.yaml:5: \"secret\" is missing | add it, for example: auth: {secret"
      ),
      ("auth: {secret: token}\n", "acme.yaml:5: auth has no target for the secret | use one of"),
      (
        "auth: {secret: token, bearer: true, query: k}\n",
        "acme.yaml:5: auth has two targets for the secret"
      ),
      (
        "auth: {secret: \"ghp aB\", bearer: true}\n",
        "acme.yaml:5: secret takes the name of a secret, not the secret itself"
      ),
      ("auth: {secret: token, header: \"X Y\"}\n", "acme.yaml:5: header takes the name of a header field"),
      ("retryAfter: {path: $.a, unit: h}\n", "acme.yaml:5: unit takes s or ms | fix"),
      (
        "errors: {code: {path: $.e, map: {x: boom}}}\n",
        "acme.yaml:5: \"boom\" is not an error code | known codes"
      ),
      (
        "sorts: {stars: {sort: stars}}\n",
        "acme.yaml:5: the sort stars has no direction | write the parameters"
      ),
      (
        "sorts: {stars: {desc: {sort: stars}, up: {sort: stars}}}\n",
        "acme.yaml:5: the sort stars takes desc and asc, not \"up\""
      ),
      ("sorts: {stars: {asc: {}}}\n", "acme.yaml:5: the sort stars has no parameters for asc"),
      ("total: {atLeast: true}\n", "acme.yaml:5: total takes a path or a header field | for example"),
      (
        "paging: {style: pages}\n",
        "acme.yaml:5: style does not accept \"pages\" | did you mean \"page\"?"
      ),
      ("paging: {size: 5}\n", "acme.yaml:5: \"style\" is missing | add it, for example: style: page"),
      ("paging: {style: none, size: 0}\n", "acme.yaml:5: size takes a whole number from 1 to 1000 | fix"),
      (
        "paging: {style: none, next: $.a}\n",
        "acme.yaml:5: next has no effect with style: none | remove it"
      ),
      (
        "paging: {style: cursor}\n",
        "acme.yaml:5: \"next\" is missing | add it, for example: next: $.page.after"
      ),
      (
        "qualifiers: {language: {push: exact}}\n",
        "acme.yaml:5: language has no target for its value | use one of"
      ),
      (
        "qualifiers: {language: {param: l, text: \"x:{value}\"}}\n",
        "acme.yaml:5: language has two targets for its value"
      ),
      (
        "qualifiers: {language: {param: l, push: inexact}}\n",
        "acme.yaml:5: language is checked on a field that the map does not have: language | add the field"
      ),
      (
        "qualifiers: {language: {param: l, psuh: exact}}\n",
        "acme.yaml:5: \"psuh\" is not a known key | did you mean \"push\"?"
      ),
      (
        "qualifiers: {Lang: {param: l}}\n",
        "acme.yaml:5: \"Lang\" is not a valid qualifier name | use lower-case letters"
      ),
      (
        "qualifiers: {language: {text: \"lang:\"}}\n",
        "acme.yaml:5: text takes a text with {value} once | for example"
      ),
      (
        "qualifiers: {language: {min: a}}\n",
        "acme.yaml:5: min and max are for numbers and dates, but language is neither"
      ),
      ("qualifiers: {created: {min: a}}\n", "acme.yaml:5: the ends of created are dates | add: format"),
      (
        "qualifiers: {x: {param: p, field: starz}}\n",
        "acme.yaml:5: \"starz\" is not a known field | did you mean \"stars\"?"
      ),
      ("fields: {stars: number}\n", "acme.yaml:5: \"stars\" is not a valid name for a field of your own"),
      (
        "fields: {votes: integer}\n",
        "acme.yaml:5: votes does not accept \"integer\" | accepted values: text, number"
      ),
      (
        "feed: {request: {url: \"{base}/f\", params: {q: \"{text}\"}}}\n",
        "acme.yaml:5: a feed must not use {text} | remove it"
      ),
      (
        "a: &x 1\nb: *x\n",
        "acme.yaml:5: anchors, aliases and tags (&, * and ! before a value) are not supported"
      ),
      (
        "a: !!str 1\n", "acme.yaml:5: anchors, aliases and tags (&, * and ! before a value) are not supported"
      ),
      ("id: other\n", "acme.yaml:2: \"id\" occurs twice | remove one of the two"),
      ("a: [1\n", "acme.yaml:6:8: this is not valid YAML: a comma or ] is missing | fix the line"),
      (
        "total: {path: $.a[0], atLeast: true}\n",
        "acme.yaml:5:18: this is not valid YAML: a comma or } is missing | quote the path"
      ),
    ] as [(String, String)])
  func aFaultBetween(_ lines: String, _ expected: String) {
    let found = problems(Self.head + lines + Self.tail)
    #expect(found.count == 1 && found.first?.hasPrefix(expected) == true, "\(found)")
  }

  /// Whether there is a further page is a path or a header field, and nothing else.
  @Test(
    arguments: [
      ("{header: x-next, atLeast: true}", "acme.yaml:5: \"atLeast\" is not a known key | known: header"),
      ("[1]", "acme.yaml:5: more takes a path or a header field | for example"),
      ("{}", "acme.yaml:5: more takes a path or a header field | for example"),
    ])
  func aFaultOfMore(_ more: String, _ expected: String) {
    let tail = Self.tail.replacing("{text}\"}", with: "{text}\", page: \"{page}\"}")
    let found = problems(Self.head + "paging: {style: page, more: \(more)}\n" + tail)
    #expect(found.count == 1 && found.first?.hasPrefix(expected) == true, "\(found)")
  }

  /// Brackets in comments and quoted texts are no lists.
  @Test func bracketsOfTextsAreNotCounted() {
    let text = (0..<40).map { "# a [\($0)\nc\($0): \"x [ {\"\n" }.joined()
    #expect(!problems(text).contains { $0.contains("too deep") })
  }

  /// In place of the request, the items or the map.
  @Test(
    arguments: [
      ("request: {url: \"{base}/search\"}\n", "request: {params: {}}\n", "acme.yaml:5: \"url\" is missing"),
      (
        "request", "request: {url: \"https://{text}.example/x\"}\n",
        "acme.yaml:5: the host of an address must not contain placeholders"
      ),
      (
        "request", "request: {url: \"https://a.example/x?q={text}\"}\n",
        "acme.yaml:5: the url must not contain parameters | write them under params"
      ),
      ("request", "request: {url: \"{base}x\"}\n", "acme.yaml:5: {base} must be followed by a slash"),
      (
        "request", "request: {url: \"{base}/../x\"}\n",
        "acme.yaml:5: the path of a url must not contain . or .."
      ),
      (
        "request", "request: {url: \"http://a.example/x\"}\n",
        "acme.yaml:5: url, \"http://a.example\", would send requests unencrypted"
      ),
      (
        "request", "request: {url: \"https://0x7f.1/x\"}\n",
        "acme.yaml:5: url, \"https://0x7f.1\", is not the address of an API"
      ),
      (
        "request", "request: {url: \"https://192.168.1.1/x\"}\n",
        "acme.yaml:5: url, \"https://192.168.1.1\", is in a private network | declare it with: hosts: [192.168.1.1]"
      ),
      (
        "request", "request: {url: \"{base}/x\", params: {q: \"{txt}\"}}\n",
        "acme.yaml:5: {txt} is not a known placeholder | did you mean {text}?"
      ),
      (
        "request", "request: {url: \"{base}/x\", params: {p: \"{page}\"}}\n",
        "acme.yaml:5: {page} has no value with this paging | write: paging: {style: page, ...}"
      ),
      (
        "request", "request: {url: \"{base}/x\", params: {p: [1]}}\n",
        "acme.yaml:5: a parameter takes a text, a number, true or false"
      ),
      (
        "request", "request: {url: \"{base}/x\", method: PUT}\n",
        "acme.yaml:5: method does not accept \"PUT\""
      ),
      (
        "request", "request: {url: \"{base}/x\", body: {a: 1}}\n",
        "acme.yaml:5: a request has a body only with: method: POST"
      ),
      (
        "request", "request: {url: \"{base}/x\", headers: {Authorization: x}}\n",
        "acme.yaml:5: Authorization cannot be set by a manifest | for a secret"
      ),
      (
        "items", "items: $.items\n",
        "acme.yaml:6: items must be a path to a list, but $.items selects one value | write: items: $.items[*]"
      ),
      (
        "items", "items: $..items\n",
        "acme.yaml:6: $..items is not a valid path: descendants (..) are not supported"
      ),
      ("items", "items: .items[*]\n", "acme.yaml:6: items takes a path such as $.name"),
      ("map", "map: {id: $.id, url: $.url}\n", "acme.yaml:7: \"title\" is missing in the map"),
      (
        "map", "map: {id: $.id, url: $.url, title: $.t, descripton: $.d}\n",
        "acme.yaml:7: \"descripton\" is not a known field | did you mean \"description\"?"
      ),
      (
        "map", "map: {id: $.id, url: $.url, title: $.t, votes: $.d}\n",
        "acme.yaml:7: \"votes\" is not a known field | did you mean \"notes\"?"
      ),
      (
        "map", "map: {id: $.id, url: $.url, title: \"$.t[*]\"}\n",
        "acme.yaml:7: title takes one value, but $.t[*] can select several"
      ),
      (
        "map", "map: {id: $.id, url: $.url, title: {path: $.t, as: upper}}\n",
        "acme.yaml:7: as does not accept \"upper\" | accepted values: htmlDecode"
      ),
      (
        "map", "map: {id: $.id, url: {template: \"https://a.example{0}\", args: [$.u]}, title: $.t}\n",
        "acme.yaml:7: a value in this address could change its host or path"
      ),
      (
        "map", "map: {id: $.id, url: {template: \"{0|path}\", args: [$.u]}, title: $.t}\n",
        "acme.yaml:7: a value in this address could change its host or path"
      ),
      (
        "map", "map: {id: $.id, url: {template: \"{base}{0|path}\", args: [$.u]}, title: $.t}\n",
        "acme.yaml:7: a value in this address could change its host or path"
      ),
      (
        "map", "map: {id: $.id, url: $.u, title: {template: \"{1}\", args: [$.u]}}\n",
        "acme.yaml:7: {1} is not a known placeholder | known placeholders: {base} and {0} to {0}"
      ),
      (
        "map", "map: {id: $.id, url: $.u, title: {template: \"{0|segmnt}\", args: [$.u]}}\n",
        "acme.yaml:7: |segmnt is not a known filter | did you mean |segment?"
      ),
      (
        "map", "map: {id: $.id, url: $.u, title: {as: trim}}\n",
        "acme.yaml:7: title has no source for its value | use one of"
      ),
      (
        "map", "map: {id: $.id, url: $.u, title: {path: $.a, first: [$.b]}}\n",
        "acme.yaml:7: title has two sources for its value"
      ),
    ] as [(String, String, String)])
  func aFaultInPlaceOf(_ what: String, _ line: String, _ expected: String) {
    let lines = Self.tail.split(separator: "\n").map { old in
      what.hasPrefix(old.prefix { $0 != ":" }) ? line : old + "\n"
    }
    let found = problems(Self.head + lines.joined())
    if what == "map", expected.contains("votes") {
      #expect(found.first?.hasPrefix("acme.yaml:7: \"votes\" is not a known field") == true, "\(found)")
      return
    }
    #expect(found.count == 1 && found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test(
    arguments: [
      ("", "acme.yaml: the file is empty | begin with: forage: 1"),
      ("# nothing\n", "acme.yaml: the file is empty"),
      ("- a\n", "acme.yaml:1: a manifest must be a mapping (name: value)"),
      (
        "forage: 2\n",
        "acme.yaml:1: this is format 2, but this program supports format 1 | update the program"
      ),
      ("forage: one\n", "acme.yaml:1: forage takes the version of the format | write: forage: 1"),
    ] as [(String, String)])
  func aWholeFile(_ text: String, _ expected: String) {
    #expect(problems(text).contains { $0.hasPrefix(expected) }, "\(problems(text))")
  }

  @Test func everythingIsToldAtOnceInTheOrderOfTheLines() {
    let found = problems(
      """
      forage: 1
      id: ACME
      nam: Acme
      kinds: [package, repo]
      rate: {perSecond: 0}
      request: {url: "{base}/search", params: {q: "{txt}"}}
      items: $.items
      map: {id: $.id, url: $.url, titel: $.name}
      """)
    let lines = found.compactMap {
      $0.split(separator: ":")[1].split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(lines == lines.sorted() && found.count == 7, "\(found.joined(separator: "\n"))")
    #expect(Set(lines) == [2, 3, 4, 5, 6, 7, 8])
  }

  @Test func sizesAreBounded() {
    let long = problems("forage: 1\n# " + String(repeating: "x", count: StrictYAML.maximumBytes) + "\n")
    #expect(long.count == 1 && long[0].contains("bytes, more than the maximum of"))
    for deep in [
      String(repeating: "[", count: 5000), String(repeating: "{a: ", count: 5000),
      String(repeating: "- ", count: 5000),
      (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
      String(repeating: "? ", count: 5000),
    ] {
      let found = problems(deep)
      #expect(found.count == 1 && found[0].contains("too deep"), "\(found)")
    }
    #expect(problems("a: \u{FF}").isEmpty == false)
    let bytes: [UInt8] = [0x66, 0xFF, 0x0A]
    #expect(throws: ManifestProblems.self) { try Manifest.read(bytes, path: "x") }
  }

  /// Nine levels of nine references each stand for 387 million texts.
  @Test func anAliasBombCostsNothing() {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<9 {
      bomb +=
        "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
        + "]\n"
    }
    bomb += "? *a8\n: 1\n"
    #expect(problems(bomb).first?.hasPrefix("acme.yaml:1: anchors, aliases and tags") == true)
  }
}
