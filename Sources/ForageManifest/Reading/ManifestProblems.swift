/// The problems of a manifest.
package struct ManifestProblems: Error, Hashable, Sendable {
  /// The file.
  package var path: String
  /// The problems in the order of their lines; never empty.
  package var problems: [YAMLProblem]

  /// One line per problem, for example `acme.yaml:4: "wieght" is not a known key`.
  package var lines: [String] { problems.map { $0.text(path: path) } }
}
