import Foundation
import TestSupport

/// A program that lists files for a query in an order.
protocol SearchEngine {
  var name: String { get }
  /// Whether the program has means for all parts of the query.
  func supports(_ query: RelevanceQuery) -> Bool
  /// The place of the first wanted file, from 1; nil if it is not among the first `searchLimit`.
  func place(of query: RelevanceQuery) async throws -> Int?
}

/// The places that are looked at.
let searchLimit = 100

extension SearchEngine {
  /// Programs for text know words, phrases, expressions and these qualifiers.
  func supports(_ query: RelevanceQuery) -> Bool {
    !query.hasOperators && Set(query.qualifiers.keys).isSubset(of: ["filename", "language", "repo"])
  }
}

/// `forage search --kind code` over all clones.
struct ForageEngine: SearchEngine {
  let corpus: Corpus
  var name: String { "forage" }

  private struct Item: Decodable {
    var repository: String
    var path: String
    var places: [Item]?
  }

  func supports(_ query: RelevanceQuery) -> Bool { true }

  func place(of query: RelevanceQuery) async throws -> Int? {
    let output = try await corpus.run(
      corpus.forage,
      [
        "search", "-k", "code", "-p", "local", "-L", "\(searchLimit)", "--timeout", "60", "--json",
        "repository,path,places", "--", query.text,
      ])
    guard !output.isEmpty else { return nil }
    let items = try JSONDecoder().decode([Item].self, from: output)
    let place = items.firstIndex { item in
      ([item] + (item.places ?? [])).contains {
        query.files.contains($0.path) && "/\($0.repository.lowercased())".hasSuffix("/\(query.repository)")
      }
    }
    return place.map { $0 + 1 }
  }
}

/// The files in which `rg` finds all terms, by path.
struct RipgrepEngine: SearchEngine {
  /// The names of types that differ from those of languages.
  private static let types = ["javascript": "js", "python": "py", "typescript": "ts"]

  let program: URL
  let corpus: Corpus
  var name: String { "rg --sort path" }

  func place(of query: RelevanceQuery) async throws -> Int? {
    var common = ["--no-config", "--sort", "path", "--ignore-case", "--null"]
    if let language = query.qualifiers["language"]?.lowercased() {
      common += ["--type", Self.types[language] ?? language]
    }
    if let name = query.qualifiers["filename"] { common += ["--glob", name] }
    let folder = query.qualifiers["repo"].flatMap { corpus.clones[$0.lowercased()] } ?? corpus.folder
    var found: [String]?
    for term in query.terms {
      let pattern = (term.isExpression ? [] : ["--fixed-strings"]) + ["-e", term.text]
      let paths = try await files(common + ["--files-with-matches"] + pattern + ["--", folder])
      let known = Set(paths)
      found = found.map { $0.filter(known.contains) } ?? paths
    }
    if found == nil { found = try await files(common + ["--files", "--", folder]) }
    guard let clone = corpus.clones[query.repository] else { return nil }
    let wanted = Set(query.files.map { "\(clone)/\($0)" })
    return found?.prefix(searchLimit).firstIndex(where: wanted.contains).map { $0 + 1 }
  }

  private func files(_ arguments: [String]) async throws -> [String] {
    try await corpus.run(program, arguments).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The order of zoekt, with an index of all clones.
struct ZoektEngine: SearchEngine {
  private static let qualifiers = ["filename": "f", "language": "lang", "repo": "r"]

  let program: URL
  let corpus: Corpus
  let index: String
  var name: String { "zoekt" }

  /// Indexes the clones; nil if zoekt is not installed.
  init?(corpus: Corpus) async throws {
    guard let program = Corpus.program("zoekt"), let indexer = Corpus.program("zoekt-git-index") else {
      return nil
    }
    self.program = program
    self.corpus = corpus
    index = corpus.home.path("zoekt")
    for clone in corpus.clones.values.sorted() {
      _ = try await corpus.run(indexer, ["-index", index, clone], accepting: [0])
    }
  }

  func place(of query: RelevanceQuery) async throws -> Int? {
    let terms = query.terms.map { term in
      let pattern = term.isExpression ? term.text : NSRegularExpression.escapedPattern(for: term.text)
      let quoted = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return (term.isExpression ? "regex:" : "") + "\"\(quoted)\""
    }
    let qualifiers = query.qualifiers.sorted { $0.key < $1.key }.map {
      "\(Self.qualifiers[$0.key] ?? $0.key):\($0.value)"
    }
    let text = (["case:no"] + terms + qualifiers).joined(separator: " ")
    let output = try await corpus.run(program, ["-index_dir", index, "-l", "-r", text])
    // Each line is `host/owner/name/path`.
    let wanted = query.files.map { "/\(query.repository)/\($0)".lowercased() }
    let lines = String(decoding: output, as: UTF8.self).lowercased().split(separator: "\n")
    return lines.prefix(searchLimit).firstIndex { line in wanted.contains { "/\(line)".hasSuffix($0) } }
      .map { $0 + 1 }
  }
}
