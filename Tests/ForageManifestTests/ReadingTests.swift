import ForageCore
import ForageManifest
import ForageYAML
import Foundation
import TestSupport
import Testing

/// A manifest with a fault, and the problem that is reported for it.
struct ReadingTests {
  private static let head = "forage: 1\nid: acme\nname: Acme\nkinds: [package]\n"
  private static let tail = [
    "request: {url: \"{base}/search\", params: {q: \"{text}\"}}", "items: $.items[*]",
    "map: {id: $.id, url: $.url, title: $.name}",
  ]

  @Test func theSampleIsRead() throws {
    let manifest = try manifest(sample(more: "base: https://acme.example\nrate: {perSecond: 0.5}"))
    #expect(manifest.id == "acme" && manifest.name == "Acme" && manifest.kinds.map(\.kind) == [.package])
    #expect(manifest.perSecond == 0.5 && manifest.usesBase && !manifest.needsBase)
    #expect(manifest.search.paging.size == 50)
    #expect(manifest.search.request.parameters.map(\.name) == ["q", "per_page", "page"])
  }

  private static let guide = URL(fileURLWithPath: bundledFolder).deletingLastPathComponent()
    .appendingPathComponent("MANIFESTS.md")

  @Test func theExamplesOfTheGuideAreRead() throws {
    let text = try String(contentsOf: Self.guide, encoding: .utf8)
    let examples = text.matches(of: /```yaml\n((?s:.*?))```/).map { String($0.1) }
    #expect(examples.count == 3)
    for example in examples { #expect(problems(example).isEmpty, "\(problems(example))") }
  }

  /// Each style of paging has an example in the table, which a request with its placeholder accepts.
  @Test func theStylesOfTheGuideAreRead() throws {
    let text = try String(contentsOf: Self.guide, encoding: .utf8)
    let styles = text.matches(of: /`(\{style: (\w+)[^`]*\})`/).map { (String($0.1), String($0.2)) }
    #expect(Set(styles.map(\.1)) == ["page", "offset", "cursor", "link", "none"])
    for (paging, style) in styles {
      let place = ["page", "offset"].contains(style) ? ", p: \"{\(style)}\"" : ""
      let found = problems(sample(paging: paging, params: "{q: \"{text}\"\(place)}"))
      #expect(found.isEmpty, "\(paging): \(found)")
    }
  }

  /// A field of its own is one like any other: a qualifier of its type, unless the manifest says what that
  /// is.
  @Test func fieldsOfItsOwn() throws {
    let more = """
      base: https://acme.example
      fields: {votes: number, lastSeen: {type: date, title: SEEN, column: 2}, weight: {type: fraction, unit: kg}}
      qualifiers: {votes: {min: least}}
      """
    let info = try manifest(sample(more: more)).info()
    #expect(
      info.fields == [
        FieldDefinition("votes", .number), FieldDefinition("lastSeen", .date, title: "SEEN", column: 2),
        FieldDefinition("weight", .fraction, unit: "kg"),
      ])
    let vocabulary = QualifierVocabulary.common.adding(info.vocabulary)
    #expect(Set(info.vocabulary.map(\.name)) == ["lastseen", "votes"])
    #expect(vocabulary["lastseen"]?.type == .date && vocabulary["lastseen"]?.field == "lastSeen")
  }

  /// `flag` and `boolean` are one type, of fields and of qualifiers.
  @Test(arguments: ["flag", "boolean"])
  func wordsForFlags(_ word: String) throws {
    let more = """
      base: https://acme.example
      fields: {open: \(word), free: {type: \(word)}}
      qualifiers: {sold: {param: sold, type: \(word)}}
      """
    let info = try manifest(sample(more: more)).info()
    #expect(info.fields == [FieldDefinition("open", .flag), FieldDefinition("free", .flag)])
    #expect(info.vocabulary.first { $0.name == "sold" }?.type == .flag)
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
    #expect(manifest.kinds[0].qualifiers.isEmpty)
    let definitions = QualifierVocabulary(manifest.info().vocabulary).of(manifest.kinds[0].kind)
    #expect(definitions["weekly"]?.field == "weekly" && definitions["weekly"]?.type == .number)
    #expect(definitions["release"]?.field == "version" && definitions["release"]?.type == .text)
    #expect(manifest.abilities[.package]?.qualifiers.isEmpty == true)
    let found = problems(text.replacing("version: {push: local}", with: "version: {push: local, param: v}"))
    #expect(found.count == 1 && found.first?.contains("param has no effect with push: local") == true)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var yaml: String
    /// How the one problem and its hint begin.
    var expected: String
    var testDescription: String { yaml }
  }

  /// Lines before the request, or in place of the request, the items or the map; then the problem.
  private static let faults: [Fault] = {
    var (faults, lines) = ([Fault](), [Substring]())
    for line in faultTable.split(separator: "\n") {
      if line.hasPrefix("=> ") {
        faults.append(Fault(yaml: lines.joined(separator: "\n"), expected: "acme.yaml:" + line.dropFirst(3)))
        lines = []
      } else {
        lines.append(line)
      }
    }
    return faults
  }()

  private static let faultTable = #"""
    wieght: 1
    => 5: "wieght" is not a known key | known:
    itmes: $.a[*]
    => 5: "itmes" is not a known key | did you mean "items"?
    bse: https://a.example
    => 5: "bse" is not a known key | did you mean "base"?
    rate: 1
    => 5: rate must be a mapping (name: value) | for example: rate: {perSecond: 1}
    rate: {perSecond: fast}
    => 5: perSecond takes a number from 0.01 to 1000 | fix
    rate:
      perSecnd: 1
    => 6: "perSecnd" is not a known key | did you mean "perSecond"?
    base: ftp://a.example
    => 5: base, "ftp://a.example", is not the address of an API | write it
    base: http://a.example
    => 5: base, "http://a.example", would send requests unencrypted
    base: https://10.0.0.1
    => 5: base, "https://10.0.0.1", is in a private network
    base: https://user:pw@a.example
    => 5: base is not the address of an API | write it
    hosts: a.example
    => 5: hosts takes a list of hosts | for example
    hosts: ["https://a.example"]
    => 5: hosts takes host names, without scheme and path
    needsText: perhaps
    => 5: needsText takes true or false | fix
    needsToken: true
    => 5: needsToken requires auth | add: auth
    partial: $.warning
    => 5: partial takes a list of places | for example
    partial: [{reason: too slow}]
    => 5: "path" is missing | add it, for example: path: $.timedOut
    partial: [{path: warning}]
    => 5: path takes a path such as $.name | fix
    partial: [{path: $.warning, cause: x}]
    => 5: "cause" is not a known key | partial: [
    text: sloppy
    => 5: text does not accept "sloppy" | accepted values: exact, inexact
    text: {phrases: qouted}
    => 5: phrases does not accept "qouted" | did you mean "quoted"?
    text: {take: longest}
    => 5: with take: longest, Forage checks the other words | add: push: inexact
    auth: {header: X-Token}
    => 5: "secret" is missing | add it, for example: auth: {secret
    auth: {secret: token}
    => 5: auth has no target for the secret | use one of
    auth: {secret: token, bearer: true, query: k}
    => 5: auth has two targets for the secret
    auth: {secret: "ghp aB", bearer: true}
    => 5: secret takes the name of a secret, not the secret itself
    auth: {secret: token, header: "X Y"}
    => 5: header takes the name of a header field
    retryAfter: backoff
    => 5: retryAfter takes a path such as $.name
    errors: {code: {path: $.e, map: {x: boom}}}
    => 5: "boom" is not an error code | known codes
    sorts: {stars: {sort: stars}}
    => 5: the sort stars has no direction | write the parameters
    sorts: {stars: {desc: {sort: stars}, up: {sort: stars}}}
    => 5: the sort stars takes desc and asc, not "up"
    total: {atLeast: true}
    => 5: total takes a path or a header field | for example
    paging: {style: pages}
    => 5: style does not accept "pages" | did you mean "page"?
    paging: {size: 5}
    => 5: "style" is missing | add it, for example: style: page
    paging: {style: none, size: 0}
    => 5: size takes a whole number from 1 to 1000 | fix
    paging: {style: none, next: $.a}
    => 5: next has no effect with style: none | remove it
    paging: {style: cursor}
    => 5: "next" is missing | add it, for example: next: $.page.after
    qualifiers: {language: {push: exact}}
    => 5: language has no target for its value | use one of
    qualifiers: {language: {param: l, text: "x:{value}"}}
    => 5: language has two targets for its value
    qualifiers: {language: {param: l, push: inexact}}
    => 5: language is checked on a field that the map does not have: language | add the field
    qualifiers: {missing: {push: local}}
    => 5: missing is checked on a field that the map does not have: missing | add the field
    qualifiers: {language: {param: l, psuh: exact}}
    => 5: "psuh" is not a known key | did you mean "push"?
    qualifiers: {Lang: {param: l}}
    => 5: "Lang" is not a valid qualifier name | use lower-case letters
    qualifiers: {language: {text: "lang:"}}
    => 5: text takes a text with {value} once | for example
    qualifiers: {language: {min: a}}
    => 5: min and max are for numbers and dates, but language is neither
    qualifiers: {created: {min: a}}
    => 5: the ends of created are dates | add: format
    qualifiers: {stars: {min: a, format: iso}}
    => 5: the ends of stars are numbers | remove format
    qualifiers: {x: {param: p, field: starz}}
    => 5: "starz" is not a known field | did you mean "stars"?
    fields: {stars: number}
    => 5: "stars" is a field that every provider can have, and is not declared
    fields: {favorite: flag}
    => 5: "favorite" is not a valid name for a field of your own | use letters and digits
    fields: {paths: list}
    => 5: "paths" is not a valid name for a field of your own
    fields: {size: number}
    => 5: "size" is not a valid name for a field of your own
    fields: {label: text}
    => 5: "label" is not a valid name for a field of your own
    fields: {lastSeen: date, lastseen: date}
    => 5: "lastseen" is the name of something else, too | use another name
    fields: {votes: integer}
    => 5: votes does not accept "integer" | accepted values: text, number
    fields: {votes: {title: VOTES}}
    => 5: "type" is missing | add it, for example: type: number
    fields: {votes: {type: number, colum: 2}}
    => 5: "colum" is not a known key | did you mean "column"?
    fields: {votes: {type: number, column: 0}}
    => 5: column takes a whole number from 1 to 20
    fields: {votes: {type: number, unit: "a\nb"}}
    => 5: unit takes a text on one line, of at most 40 characters
    feed: {request: {url: "{base}/f", params: {q: "{text}"}}}
    => 5: feed must not use {text} | remove it
    feed: {items: "$.a[*]"}
    => 5: "request" is missing | add it
    a: &x 1
    => 5: anchors, aliases and tags (&, * and ! before a value) are not supported
    id: other
    => 2: "id" occurs twice | remove one of the two
    a: [1
    => 6:8: this is not valid YAML: a comma or ] is missing | fix the line
    total: {path: $.a[0], atLeast: true}
    => 5:18: this is not valid YAML: a comma or } is missing | quote the path
    request: {params: {}}
    => 5: "url" is missing
    request: {url: "https://{text}.example/x"}
    => 5: the host of an address must not contain placeholders
    request: {url: "https://a.example/x?q={text}"}
    => 5: the url must not contain parameters | write them under params
    request: {url: "{base}x"}
    => 5: {base} must be followed by a slash
    request: {url: "{base}/../x"}
    => 5: the path of a url must not contain . or ..
    request: {url: "{base}/é"}
    => 5: the path of a url has characters that are not allowed there | percent-encode
    request: {url: "http://a.example/x"}
    => 5: url, "http://a.example", would send requests unencrypted
    request: {url: "https://0x7f.1/x"}
    => 5: url, "https://0x7f.1", is not the address of an API
    request: {url: "https://192.168.1.1/x"}
    => 5: url, "https://192.168.1.1", is in a private network | declare it with: hosts: [192.168.1.1]
    request: {url: "{base}/x", params: {q: "{txt}"}}
    => 5: {txt} is not a known placeholder | did you mean {text}?
    request: {url: "{base}/x", method: POST, body: {a: ["{txt}"]}}
    => 5: {txt} is not a known placeholder | did you mean {text}?
    request: {url: "{base}/x", params: {p: "{page}"}}
    => 5: {page} has no value with this paging | write: paging: {style: page, ...}
    request: {url: "{base}/x", params: {p: [[1]]}}
    => 5: a parameter takes a text, a number, true or false, or a list of these
    forge: {account: {url: "{base}/user/{id}", login: $.login}}
    => 5: forge requires the kind repo | add it to kinds
    forge: {account: {url: "{base}/user", login: $.login}}
    => 5: forge requires the kind repo | add it to kinds
    aliases: {Acme: Acme}
    => 5: "Acme" cannot be a type
    site: https://acme.example
    => 5: site takes a host | for example: site: acme.example
    page: "{base}/search?q={text}"
    => 5: a value in this address could change its host or path
    details: {url: "{base}/x/{id}", parts: {readme: {url: "{base}/x/{id}/r", content: $.c}}}
    => 5: "readme" is no part of the kind package
    request: {url: "{base}/x", method: PUT}
    => 5: method does not accept "PUT"
    request: {url: "{base}/x", body: {a: 1}}
    => 5: a request has a body only with: method: POST
    request: {url: "{base}/x", headers: {Authorization: x}}
    => 5: Authorization cannot be set by a manifest | for a secret
    items: $.items
    => 6: items must be a path to a list, but $.items selects one value | write: items: $.items[*]
    items: $..items
    => 6: $..items is not a valid path: descendants (..) are not supported
    items: .items[*]
    => 6: items takes a path such as $.name
    map: {id: $.id, url: $.url}
    => 7: "title" is missing | add it, for example: title: $.title
    map: {id: $.id, url: $.url, title: $.t, descripton: $.d}
    => 7: "descripton" is not a known key | did you mean "description"?
    map: {id: $.id, url: $.url, title: $.t, quux: $.d}
    => 7: "quux" is not a known key | to add a field of your own, declare its type
    map: {id: $.id, url: $.url, title: "$.t[*]"}
    => 7: title takes one value, but this can find several | replace * by a number, or add: as: join
    map: {id: $.id, url: $.url, title: {path: $.t, as: upper}}
    => 7: as does not accept "upper" | accepted values: htmlDecode
    map: {id: $.id, url: {template: "https://a.example{0}", args: [$.u]}, title: $.t}
    => 7: a value in this address could change its host or path
    map: {id: $.id, url: {template: "{0|path}", args: [$.u]}, title: $.t}
    => 7: a value in this address could change its host or path
    map: {id: $.id, url: {template: "{base}{0|path}", args: [$.u]}, title: $.t}
    => 7: a value in this address could change its host or path
    map: {id: $.id, url: $.u, title: {template: "{1}", args: [$.u]}}
    => 7: {1} is not a known placeholder | known placeholders: {base}, {0}
    map: {id: $.id, url: $.u, title: {template: "{0}"}}
    => 7: {0} is not a known placeholder | list the values under args
    map: {id: $.id, url: $.u, title: {template: "{0|segmnt}", args: [$.u]}}
    => 7: |segmnt is not a known filter | did you mean |segment?
    map: {id: $.id, url: $.u, title: {as: trim}}
    => 7: title has no source for its value | use one of
    map: {id: $.id, url: $.u, title: {path: $.a, first: [$.b]}}
    => 7: title has two sources for its value
    """#

  @Test(arguments: faults)
  func aFault(_ fault: Fault) {
    var lines = Self.tail
    let place = lines.firstIndex { $0.prefix { $0 != ":" } == fault.yaml.prefix { $0 != ":" } }
    if let place { lines[place] = fault.yaml } else { lines.insert(fault.yaml, at: 0) }
    let found = problems(Self.head + lines.map { $0 + "\n" }.joined())
    #expect(found.count == 1 && found.first?.hasPrefix(fault.expected) == true, "\(found)")
  }

  @Test(arguments: [
    ("{file: {url: \"{base}/{id}/{file}\", content: $.c}}", "folder"),
    ("{file: {url: \"{base}/{id}/{file}\"}, folder: {FOLDER, map: {name: $.n}}}", "content"),
    ("{file: {url: \"{base}/{id}/f\", content: $.c}, folder: {FOLDER, map: {name: $.n}}}", "contain {file}"),
    (
      "{file: {url: \"{base}/{id}/{file}\", content: $.c}, folder: {FOLDER, map: {type: $.n}}}",
      "contain name"
    ),
    (
      "{file: {url: \"{base}/{id}/{ref}/{file}\", content: $.c}, folder: {FOLDER, map: {name: $.n}}}",
      "{ref} has no value"
    ),
    ("{file: {url: \"{base}/{id}/{file}\", content: $.c}, folder: {FOLDER, map: {name: $.n}}}", nil),
  ])
  func filesOfAForge(_ files: String, _ expected: String?) {
    let files = files.replacing("FOLDER", with: "url: \"{base}/{id}/t/{file|path}\", items: \"$[*]\"")
    let found = problems(
      """
      forage: 1
      id: acme
      name: Acme
      base: https://acme.example
      forge: {files: \(files)}
      kinds:
        repo:
          request: {url: "{base}/search", params: {q: "{text}"}}
          items: $[*]
          map: {id: $.id, url: $.url, title: $.title}

      """)
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    #expect(found.allSatisfy { $0.contains(expected ?? "") }, "\(found)")
  }

  /// Brackets in comments and quoted texts are no lists.
  @Test func bracketsOfTextsAreNotCounted() {
    let text = (0..<40).map { "# a [\($0)\nc\($0): \"x [ {\"\n" }.joined()
    #expect(!problems(text).contains { $0.contains("too deep") })
  }

  @Test(
    arguments: [
      ("", "acme.yaml: the file is empty | begin with: forage: 1"),
      ("# nothing\n", "acme.yaml: the file is empty"),
      ("- a\n", "acme.yaml:1: a manifest must be a mapping (name: value)"),
      ("forage: 2\n", "acme.yaml:1: this is format 2, but this program supports format 1 | update"),
      ("forage: one\n", "acme.yaml:1: forage takes the version of the format | write: forage: 1"),
      ("forage: 1\nkinds: []\n", "acme.yaml:2: kinds takes a list with a name, or a mapping of names"),
      ("forage: 1\nkinds: [a, b]\n", "acme.yaml:2: a list of kinds has one name, but this one has 2"),
      ("forage: 1\nkinds: [Repo]\n", "acme.yaml:2: \"Repo\" is not a valid kind | known kinds: repo"),
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
      kinds: {package: {}, repo: {}}
      rate: {perSecond: 0}
      request: {url: "{base}/search", params: {q: "{txt}"}}
      items: $.items
      map: {id: $.id, url: $.url, titel: $.name}
      """)
    let lines = found.compactMap {
      $0.split(separator: ":")[1].split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(lines == [2, 3, 5, 6, 7, 8], "\(found.joined(separator: "\n"))")
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
    let bytes: [UInt8] = [0x66, 0xFF, 0x0A]
    #expect(throws: ManifestProblems.self) { try Manifest.read(bytes, path: "x") }
  }

  /// Nine levels of nine references each stand for 387 million texts.
  @Test func anAliasBombCostsNothing() {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<9 {
      let references = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(references)]\n"
    }
    bomb += "? *a8\n: 1\n"
    #expect(problems(bomb).first?.hasPrefix("acme.yaml:1: anchors, aliases and tags") == true)
  }
}
