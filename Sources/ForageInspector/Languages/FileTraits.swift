/// Reasons why a file may not be the project's own work, as in github-linguist.
package struct FileTraits: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Third-party code (`linguist-vendored`).
  package static let vendored = FileTraits(rawValue: 1)
  /// Written by a program (`linguist-generated`).
  package static let generated = FileTraits(rawValue: 2)
  /// About the project (`linguist-documentation`).
  package static let documentation = FileTraits(rawValue: 4)
}

extension FileTraits {
  /// The patterns for one trait: for the path of a folder with a trailing slash, and for the path of a file.
  private struct Rule {
    let trait: FileTraits
    let folder: Pattern
    let file: Pattern

    init(_ trait: FileTraits, folders: StaticString, files: StaticString) {
      self.trait = trait
      folder = Self.pattern(folders)
      file = Self.pattern(files)
    }

    /// Makes one pattern of the lines of a text.
    private static func pattern(_ lines: StaticString) -> Pattern {
      Pattern("\(lines)".split(separator: "\n").joined(separator: "|"))
    }
  }

  private static let rules = [
    Rule(.vendored, folders: vendoredFolders, files: vendoredFiles),
    Rule(.generated, folders: generatedFolders, files: generatedFiles),
    Rule(.documentation, folders: documentationFolders, files: documentationFiles),
  ]

  /// Returns the traits that follow from a path alone, without attributes.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func of(_ path: String) -> FileTraits {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { path[...$0] } ?? ""
    return ofFolder(folder).union(ofFile(path))
  }

  /// Returns the traits that the folders of a path give their contents.
  ///
  /// - Parameter folder: the path of the folder with a trailing slash; empty for the root.
  static func ofFolder(_ folder: some StringProtocol) -> FileTraits {
    folder.isEmpty ? [] : FileTraits(rules.lazy.filter { $0.folder.matches(folder) }.map(\.trait))
  }

  /// Returns the traits that follow from the name of a file, alone or together with its folders.
  static func ofFile(_ path: some StringProtocol) -> FileTraits {
    FileTraits(rules.lazy.filter { $0.file.matches(path) }.map(\.trait))
  }
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
