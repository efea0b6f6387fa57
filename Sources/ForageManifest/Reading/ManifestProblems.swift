/// Everything that is wrong with a manifest.
package struct ManifestProblems: Error, Hashable, Sendable {
  /// The file.
  package var path: String
  /// What is wrong, in the order of the lines; never empty.
  package var problems: [YAMLProblem]

  package init(path: String, _ problems: [YAMLProblem]) {
    self.path = path
    self.problems = problems
  }

  /// Each problem on a line with its place, for example `acme.yaml:4: "wieght" is not a known key`.
  package var lines: [String] { problems.map { $0.text(path: path) } }
}
