package import ForageCore

/// A problem of a file, with its line.
package struct YAMLProblem: Error, Hashable, Sendable {
  /// The line, from 1; `nil` for the whole file.
  package var line: Int?
  /// The column, from 1, where it is known.
  package var column: Int?
  /// A sentence without a full stop that says what is wrong.
  package var message: String
  package var hint: String

  package init(line: Int?, column: Int? = nil, _ message: String, hint: String) {
    self.line = line
    self.column = column
    self.message = message
    self.hint = hint
  }

  /// The message with its position, for example `acme.yaml:4: "wieght" is not a known key`.
  package func text(path: String) -> String { place(in: path) + ": " + message }

  /// The position in a file, for example `acme.yaml:4`.
  package func place(in path: String) -> String {
    ([path] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
  }
}

extension [YAMLProblem] {
  /// The problems in the order of their lines; those of one line keep the order in which they were found.
  package var inOrder: [YAMLProblem] {
    enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(
      \.element)
  }
}

extension SearchError {
  /// The error of a file with problems: the first one, and how many there are.
  package init(_ problems: [YAMLProblem], in path: String) {
    let more = problems.count > 1 ? "; the file has \(problems.count) problems" : ""
    self.init(
      .configuration, problems.first?.text(path: path) ?? path,
      hint: (problems.first?.hint ?? "correct it") + more)
  }
}
