/// What is wrong with a file, with its line.
package struct YAMLProblem: Error, Hashable, Sendable {
  /// The line, from 1; `nil` for the whole file.
  package var line: Int?
  /// The column, from 1, where it is known.
  package var column: Int?
  /// What is wrong, without a full stop.
  package var message: String
  package var hint: String

  package init(line: Int?, column: Int? = nil, _ message: String, hint: String) {
    self.line = line
    self.column = column
    self.message = message
    self.hint = hint
  }

  /// The message with its position, for example `acme.yaml:4: "wieght" is not a known key`.
  package func text(path: String) -> String {
    ([path] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":") + ": " + message
  }
}
