import ForageCore
import ForageGit
import ForageLocal

/// What a query for code may not mean.
extension SearchRunner {
  /// Says what of a query for code is understood otherwise than it may be meant.
  func warnOfCode(_ query: Query) {
    warnOfPaths(query)
    if query.root.positiveTerms.contains(where: \.matchesNoLine) {
      services.reporter.warning(
        "files are searched line by line, so that a regular expression with \\n matches nothing",
        "search for what one line has, or for several words")
    }
  }

  /// Says how to write `path:` where it is written as a regular expression, or as a path from the current folder or on this
  /// disk: it is the path in a repository.
  private func warnOfPaths(_ query: Query) {
    for qualifier in query.root.qualifiers where qualifier.name == "path" {
      guard case .text(let text) = qualifier.value else { continue }
      if text.hasPrefix("/"), text.hasSuffix("/"), text.contains(where: { "^$+|()[]{}\\".contains($0) }) {
        services.reporter.warning(
          "path:\(text) is compared as text, not as a regular expression",
          "use * and ?, for example path:src/*.c")
      }
      guard let path = ReferencePath.written(text, home: services.environment["HOME"]),
        let real = FileAccess.realPath(path), let root = CloneProbe.root(above: real)
      else { continue }
      let below = String(real.dropFirst(root.count + 1))
      let condition = below.isEmpty ? "" : " \(QueryExpression.qualifier(Qualifier("path", .text(below))))"
      let isHere = FileAccess.realPath(".").flatMap { CloneProbe.root(above: $0) } == root
      services.reporter.warning(
        "path: is a part of the path in a repository, and not \(text) on this disk",
        isHere
          ? "write repo:.\(condition)" : "name the clone, and the path in it: repo:owner/name\(condition)")
    }
  }
}
