import Foundation
import TestSupport

/// A query, and the files that a developer looks for with it.
struct RelevanceQuery {
  struct Term {
    var text: String
    var isExpression = false
  }

  /// The name of the half that the query belongs to.
  var half: String
  /// As it is typed.
  var text: String
  /// `owner/name` in lower case.
  var repository: String
  /// Paths in the repository; each of them satisfies.
  var files: Set<String>
  /// The words, phrases and regular expressions.
  private(set) var terms: [Term] = []
  /// The values by the names of the qualifiers.
  private(set) var qualifiers: [String: String] = [:]
  /// Whether terms are combined by something else than AND.
  private(set) var hasOperators = false

  private static let qualifierNames: Set = [
    "case", "extension", "filename", "is", "language", "org", "path", "repo", "size", "symbol", "user",
  ]

  /// Reads a file of queries, whose format its first lines describe.
  ///
  /// - Throws: `SupportError` for a file that cannot be read, and for a line with fewer than four columns.
  static func read(_ path: String) throws -> [RelevanceQuery] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw SupportError(code: .missing, message: "\(path) cannot be read", hint: "name a file of queries")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return try lines.enumerated().compactMap { number, line in
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 4, !columns.contains("") else {
        throw SupportError(
          code: .missing, message: "\(path):\(number + 1): fewer than four columns, or an empty one",
          hint: "write half, query, repository and files, separated by tabs")
      }
      return RelevanceQuery(
        half: columns[0], text: columns[1], repository: columns[2].lowercased(), files: Set(columns[3...]))
    }
  }

  private init(half: String, text: String, repository: String, files: Set<String>) {
    self.half = half
    self.text = text
    self.repository = repository
    self.files = files
    var rest = text[...]
    if let expression = rest.prefixMatch(of: #/\/(.*)\/(?: |$)/#) {
      terms.append(Term(text: String(expression.1), isExpression: true))
      rest = rest[expression.range.upperBound...]
    }
    for part in rest.matches(of: #/"([^"]*)"|(\S+)/#) {
      let word = String(part.2 ?? "")
      if let phrase = part.1 {
        terms.append(Term(text: String(phrase)))
      } else if let colon = word.firstIndex(of: ":"), Self.qualifierNames.contains(String(word[..<colon])) {
        qualifiers[String(word[..<colon])] = String(word[word.index(after: colon)...])
      } else {
        if ["AND", "OR", "NOT"].contains(word) || word.hasPrefix("(") || word.hasPrefix("-") {
          hasOperators = true
        }
        terms.append(Term(text: word))
      }
    }
  }
}
