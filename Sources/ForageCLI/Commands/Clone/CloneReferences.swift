import Forage
import ForageCore
import ForageGit

/// Reads the references of `forage clone`.
struct CloneReferences {
  private let context: Context
  private let reader: ReferenceReader
  private let cloning: Cloning

  init(_ context: Context, _ cloning: Cloning) throws {
    self.context = context
    self.cloning = cloning
    reader = try context.references()
  }

  /// The repositories that arguments and, for `-`, the lines of standard input name, each once.
  ///
  /// A line that names none is reported and stops no other.
  ///
  /// - Returns: The repositories, and how many lines named none.
  /// - Throws: `ForageError` for an argument that names no repository; `GitError` for a path without a clone.
  func read(_ arguments: [String]) async throws -> (sources: [CloneSource], failures: Int) {
    var (sources, failures, seen) = ([CloneSource](), 0, Set<String>())
    for argument in arguments {
      guard argument == "-" else {
        for source in try await cloning.sources(argument, reader) where seen.insert(source.id).inserted {
          sources.append(source)
        }
        continue
      }
      var number = 0
      while let line = context.input.readLine() {
        number += 1
        try Task.checkCancellation()
        do {
          for text in try Self.references(inLine: line) {
            for source in try await cloning.sources(text, reader) where seen.insert(source.id).inserted {
              sources.append(source)
            }
          }
        } catch {
          failures += 1
          try report(error, line: number)
        }
      }
    }
    return (sources, failures)
  }

  private func report(_ error: any Error, line: Int) throws {
    switch error {
    case let error as ForageError:
      context.output.problem("line \(line): \(error.message)", hint: error.advice)
    case let error as GitError where error.code != .cancelled:
      context.output.problem("line \(line): \(error.message)", hint: error.hint)
    default: throw error
    }
  }

  /// The references in a line of a list: its only text, the first field of a row with tabs, or the addresses in a JSON document.
  ///
  /// A row of a search names a repository by owner and name alone; its address, where there is one, names the forge too.
  ///
  /// - Returns: Nothing for a line without one, for example the summary after a list in JSON.
  /// - Throws: `ForageError` for JSON that is incomplete or names nothing.
  static func references(inLine line: String) throws -> [String] {
    let line = line.trimmingWhitespace()
    if line.hasPrefix("{") || line.hasPrefix("[") {
      guard let document = try? JSONTree(parsing: Array(line.utf8)) else {
        throw ForageError(
          "not a name, and not a complete JSON document", hint: "write each document on one line")
      }
      return try references(in: document)
    }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { $0.trimmingWhitespace() }
    guard let first = fields.first, !first.isEmpty else { return [] }
    let address = fields.dropFirst().first { field in
      guard let known = RepositoryIdentity.canonical(field), field.hasPrefix("https://") else { return false }
      return known.lowercased().hasSuffix("/" + first.lowercased())
    }
    return [address ?? first]
  }

  /// The members of documents that hold lists.
  private static let lists = ["items", "favorites", "clones"]

  private static func references(in document: JSONTree) throws -> [String] {
    if let elements = document.array ?? lists.lazy.compactMap({ document[$0]?.array }).first {
      return try elements.flatMap(references)
    }
    if let name = document.string ?? document["url"]?.string ?? document["id"]?.string { return [name] }
    guard document["summary"] != nil else {
      throw ForageError("a JSON object without \"url\" and \"id\"", hint: "for example: --json url")
    }
    return []
  }
}
