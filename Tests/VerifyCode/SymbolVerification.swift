import Foundation
import TestSupport

/// Compares the definitions that `symbol:` finds in a clone with the tags of universal-ctags, by language.
///
/// A tag and a definition are the same if file, line and name are; of names with parts, such as `A::b`, the
/// last part counts. Tags of what is no definition (locals, parameters, imports, labels), of keywords and of
/// what has no name are left out, and so are generated and vendored files.
struct SymbolVerification {
  /// The counts of one language.
  struct Counts {
    var files = 0
    var tags = 0
    /// The tags that are found.
    var found = 0
    var definitions = 0
    /// The definitions that are no tag of any kind.
    var others = 0
    /// Examples of tags that are not found, and of definitions that are no tags.
    var missing: [String] = []
    var extra: [String] = []
  }

  private struct Place: Hashable {
    var file: String
    var line: Int
    var name: String
  }

  /// What ctags tells of a definition.
  private struct Tag {
    var place: Place
    var kind: String
    /// The kind of what it is in.
    var scope: String?
    /// The text of its line.
    var line: Substring
  }

  private static let patience: Duration = .seconds(600)
  private static let examples = 20
  /// The languages with the names that ctags has for them.
  private static let languages = [
    "C": "C", "C++": "C++", "Objective-C": "ObjectiveC", "C#": "C#", "Java": "Java", "Kotlin": "Kotlin",
    "Go": "Go",
    "Rust": "Rust", "PHP": "PHP", "JavaScript": "JavaScript", "TypeScript": "TypeScript", "Python": "Python",
    "Ruby": "Ruby", "Lua": "Lua", "Perl": "Perl", "Shell": "Sh", "SQL": "SQL",
  ]
  /// The kinds of tags that must be found.
  private static let wanted: Set = [
    "function", "func", "method", "singletonMethod", "subroutine", "procedure", "generator", "getter",
    "setter",
    "macro", "class", "struct", "structure", "union", "enum", "interface", "type", "typedef", "talias",
    "alias",
    "trait", "protocol", "category", "implementation", "annotation", "member", "field", "property",
    "enumerator",
    "enumConstant", "constant", "const", "define", "methodSpec", "table", "view", "trigger", "index",
    "variable", "var",
  ]
  /// The kinds that are no definitions in a language: implementations and imports of what is defined
  /// elsewhere, and entries of objects, which are no types.
  private static let unwanted: [String: Set<String>] = [
    "Rust": ["implementation"], "PHP": ["alias"], "C#": ["typedef"], "JavaScript": ["property"],
  ]
  /// The kinds that are locals in a function.
  private static let perhapsLocal: Set = [
    "variable", "var", "constant", "const", "property", "field", "member", "method",
  ]
  /// The kinds of what local names are in.
  private static let functions: Set = ["function", "func", "method", "subroutine"]
  /// The languages of whose variables ctags does not tell in which function they are.
  private static let withoutScopes: Set = ["JavaScript", "TypeScript", "C++", "PHP"]
  /// What begins a field of a class of PHP, all other indented variables being local.
  private static let modifiers: Set = [
    "private", "protected", "public", "var", "static", "readonly", "const",
  ]
  /// What ctags takes for names.
  private static let keywords: Set = [
    "get", "set", "lock", "finally", "try", "if", "for", "foreach", "while", "switch", "using", "catch",
    "unchecked", "checked", "fixed", "true", "false", "this", "return", "import", "export", "do", "else",
  ]
  /// The kinds of tags that are no definitions of names that are looked for; all others may be found.
  private static let never: Set = [
    "local", "parameter", "label", "header", "library", "script", "heredoc", "import", "unknown", "receiver",
    "macroparam", "tparam", "name", "using", "packageName", "format",
  ]

  let forage: URL
  let ctags: URL
  let clone: URL

  /// Compares a clone.
  func counts() async throws -> [String: Counts] {
    let home = try TemporaryDirectory(prefix: "forage-verify")
    let environment = [
      "HOME": home.path(""), "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "FORAGE_GITHUB_URL": "http://127.0.0.1:9",
    ]
    let arguments = [
      "search", "-k", "code", "-p", "local", "symbol:/./ repo:. -is:generated -is:vendored",
      "--limit", "10000", "--matches", "1000000", "--timeout", "600", "--json", "path,language,symbols",
    ]
    let output = try await run(forage, arguments, environment)
    guard let files = try JSONSerialization.jsonObject(with: output) as? [[String: Any]] else {
      throw SupportError(code: .program, message: "the search printed no list", hint: "run it by hand")
    }
    var counts: [String: Counts] = [:]
    for (language, files) in Dictionary(grouping: files, by: { $0["language"] as? String ?? "" }) {
      guard let name = Self.languages[language] else { continue }
      counts[language] = try await compare(files, with: name, environment, list: home.path("files"))
    }
    return counts
  }

  private func compare(
    _ files: [[String: Any]], with language: String, _ environment: [String: String], list: String
  ) async throws -> Counts {
    var ours: Set<Place> = []
    var paths: [String] = []
    for file in files {
      guard let path = file["path"] as? String else { continue }
      paths.append(path)
      for symbol in file["symbols"] as? [[String: Any]] ?? [] {
        guard let line = symbol["line"] as? Int, let name = symbol["name"] as? String else { continue }
        ours.insert(Place(file: path, line: line, name: Self.lastPart(name)))
      }
    }
    try Data(paths.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
    let output = try await run(
      ctags,
      [
        // Names that only their file knows are definitions, too.
        "-f", "-", "--sort=no", "--fields=+nKlZ", "--extras=+F", "--extras=-q", "--quiet",
        "--language-force=\(language)", "--kinds-\(language)=*", "-L", list,
      ], environment)
    var counts = Counts(files: paths.count, definitions: ours.count)
    var tags: Set<Place> = []
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      guard let tag = Self.tag(line) else { continue }
      tags.insert(tag.place)
      guard Self.wanted.contains(tag.kind), !Self.isLeftOut(tag, language) else { continue }
      counts.tags += 1
      if ours.contains(tag.place) {
        counts.found += 1
      } else {
        Self.add(tag.place, tag.kind, to: &counts.missing)
      }
    }
    for place in ours.subtracting(tags) {
      counts.others += 1
      Self.add(place, "", to: &counts.extra)
    }
    return counts
  }

  private static func add(_ place: Place, _ kind: String, to examples: inout [String]) {
    guard examples.count < Self.examples else { return }
    examples.append("\(place.file):\(place.line) \(place.name) \(kind)")
  }

  /// Whether a tag is no definition that is looked for, although its kind may be one.
  private static func isLeftOut(_ tag: Tag, _ language: String) -> Bool {
    if unwanted[language]?.contains(tag.kind) == true || keywords.contains(tag.place.name) { return true }
    let words = tag.line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    if language == "JavaScript", tag.kind == "class" {
      return !words.contains("class") && !words.contains("function")
    }
    guard perhapsLocal.contains(tag.kind) else { return false }
    if let scope = tag.scope, functions.contains(scope) { return true }
    guard withoutScopes.contains(language), tag.kind == "variable" || tag.kind == "constant" else {
      return false
    }
    let isIndented = tag.line.first == " " || tag.line.first == "\t"
    return isIndented && !(language == "PHP" && words.first.map(modifiers.contains) == true)
  }

  /// A line of ctags: name, file, pattern, then the kind and the line.
  private static func tag(_ text: Substring) -> Tag? {
    guard let end = text.range(of: ";\"\t", options: .backwards) else { return nil }
    let head = text[..<end.lowerBound].split(separator: "\t", maxSplits: 2)
    let fields = text[end.upperBound...].split(separator: "\t")
    guard head.count == 3, let kind = fields.first, !never.contains(String(kind)),
      let line = fields.lazy.compactMap({ $0.hasPrefix("line:") ? Int($0.dropFirst(5)) : nil }).first
    else { return nil }
    let name = String(head[0])
    guard !["__anon", "AnonymousFunction", "<lambda>", "anonymous"].contains(where: name.contains) else {
      return nil
    }
    let scope = fields.lazy.filter { $0.hasPrefix("scope:") }.first?.split(separator: ":").dropFirst().first
    return Tag(
      place: Place(file: String(head[1]), line: line, name: lastPart(name)), kind: String(kind),
      scope: scope.map(String.init), line: head[2].hasPrefix("/^") ? head[2].dropFirst(2) : head[2])
  }

  private static func lastPart(_ name: String) -> String {
    let parts = name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return parts.last.map(String.init) ?? name
  }

  private func run(_ program: URL, _ arguments: [String], _ environment: [String: String]) async throws
    -> Data
  {
    let result = try await ProcessRunner.run(
      program, arguments, environment: environment, workingDirectory: clone, timeout: Self.patience)
    guard [0, 1].contains(result.status), !result.timedOut else {
      throw SupportError(
        code: .program,
        message: "\(program.lastPathComponent) \(arguments.joined(separator: " ")): \(result.err)",
        hint: "run it by hand")
    }
    return result.stdout
  }
}

extension [String: SymbolVerification.Counts] {
  mutating func add(_ other: [String: SymbolVerification.Counts]) {
    merge(other) { a, b in
      SymbolVerification.Counts(
        files: a.files + b.files, tags: a.tags + b.tags, found: a.found + b.found,
        definitions: a.definitions + b.definitions, others: a.others + b.others,
        missing: a.missing + b.missing, extra: a.extra + b.extra)
    }
  }

  /// A table: of each language the files, the tags, the share of them that is found, the definitions, and the
  /// share of these that is no tag.
  var table: String {
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: Swift.max(0, width - text.count)) + text
    }
    func share(_ part: Int, _ all: Int) -> String {
      all == 0 ? "-" : String(format: "%.3f", Double(part) / Double(all))
    }
    var rows = ["language     files    tags   found  definitions  no tag"]
    for (language, counts) in sorted(by: { $0.key < $1.key }) {
      let name = language + String(repeating: " ", count: Swift.max(0, 12 - language.count))
      rows.append(
        name + padded("\(counts.files)", 6) + padded("\(counts.tags)", 8)
          + padded(share(counts.found, counts.tags), 8) + padded("\(counts.definitions)", 13)
          + padded(share(counts.others, counts.definitions), 8))
    }
    return rows.joined(separator: "\n")
  }
}
