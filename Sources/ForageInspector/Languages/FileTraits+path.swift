extension FileTraits {
  /// Returns the traits that follow from a path alone, without attributes.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func ofPath(_ path: String) -> FileTraits { PathTraits.of(path) }
}

/// Recognises tests by their paths.
package enum TestPaths {
  /// Names of folders that hold tests in most languages.
  private static let folders: Set<String> = [
    "test", "tests", "testing", "spec", "specs", "__tests__", "testdata", "test-data", "fixtures", "t",
    "unittest", "unittests", "e2e",
  ]

  /// Whether a path is that of a test or of its data: by a folder of a usual name, or by a name such as
  /// `test_x.py`, `x_test.go`, `XTests.swift` or `x.spec.ts`.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func contains(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return false }
    if parts.dropLast().contains(where: { isFolder($0) }) { return true }
    let stem = name.prefix { $0 != "." }
    let rest = name.dropFirst(stem.count).lowercased()
    if rest.hasPrefix(".test.") || rest.hasPrefix(".spec.") { return true }
    let lower = stem.lowercased()
    if lower.hasPrefix("test_") || lower.hasPrefix("test-") || lower == "conftest" { return true }
    if ["_test", "-test", "_tests", "_spec", "-spec"].contains(where: lower.hasSuffix) { return true }
    // Camel case: "latest" is no test.
    return ["Test", "Tests", "Spec", "TestCase"].contains { stem.hasSuffix($0) && stem != $0 }
  }

  private static func isFolder(_ name: Substring) -> Bool {
    folders.contains(name.lowercased()) || name.hasSuffix("Tests") || name.hasSuffix("Test")
  }
}

extension LanguageTable {
  /// The name of the language that a name or alias means, ignoring case; nil if there is none.
  package func languageName(_ name: String) -> String? {
    language(named: name).map { self.name($0) }
  }
}
