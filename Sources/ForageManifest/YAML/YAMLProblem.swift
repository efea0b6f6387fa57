/// Something in a YAML file that is not as it must be.
package struct YAMLProblem: Error, Hashable, Sendable {
  /// The line, from 1; `nil` where the whole file is meant.
  package var line: Int?
  /// What is wrong, a sentence without a full stop.
  package var message: String
  /// What to do about it.
  package var hint: String

  package init(line: Int?, _ message: String, hint: String) {
    self.line = line
    self.message = message
    self.hint = hint
  }

  /// The problem with its place, for example `acme.yaml:4: "wieght" is not a known key`.
  package func text(path: String) -> String { path + (line.map { ":\($0)" } ?? "") + ": " + message }
}
