import ForageInspector

/// How likely a file is what somebody looks for in code, the best last.
enum FileKind: Int, Comparable, Sendable {
  /// Not the project's own work, or not written to be read: vendored and generated files, translations, lock
  /// files, snapshots of tests and data.
  case foreign
  /// Tests, examples and what others contributed.
  case test
  /// Prose and configuration, and what is of no known language.
  case prose
  case code

  static func < (a: FileKind, b: FileKind) -> Bool { a.rawValue < b.rawValue }

  static let data: Set<String> = [
    "CSV", "TSV", "Gettext Catalog", "SVG", "Jupyter Notebook", "Unity3D Asset", "Checksums", "Diff",
    "XML Property List", "PostScript", "Wavefront Object", "NPM Config", "Pip Requirements", "Go Checksums",
    "SubRip Text", "WebVTT", "Raw token data", "HTTP", "STL", "Public Key", "Java Properties",
  ]

  static let configuration: Set<String> = [
    "JSON", "JSON with Comments", "JSON5", "YAML", "TOML", "INI", "XML", "EditorConfig", "Ignore List",
    "Git Config", "Git Attributes", "Go Module", "Go Workspace", "Dockerfile", "Dotenv", "Procfile", "Text",
    "Maven POM", "SSH Config",
  ]

  /// Extensions of translations, snapshots and lock files.
  private static let extensions: Set<Substring> = [
    "po", "pot", "snap", "lock", "sum", "xlf", "arb", "strings",
  ]

  /// Folders of translations and snapshots.
  private static let folders: Set<Substring> = [
    "locale", "locales", "translations", "i18n", "l10n", "__snapshots__", "snapshots", "po",
  ]

  /// Folders of examples, and of other programs than the one that the project is.
  private static let asides: Set<Substring> = [
    "example", "examples", "sample", "samples", "demo", "demos", "contrib", "bench", "benches", "benchmark",
    "benchmarks", "playground", "playgrounds", "doc", "docs", "documentation", "Documentation", "Examples",
    "Samples", "Benchmarks",
  ]

  /// Folders that github-linguist calls vendored, but in which programs are written.
  private static let ordinary: Set<Substring> = ["env", "cache", ".github"]

  /// Longer configuration is data, in bytes.
  private static let configurationLimit = 64 << 10

  init(of file: CodeFile) {
    let traits = FileTraits(rawValue: UInt8(truncatingIfNeeded: file.flags))
    let isProgram = LanguageFamily(of: file.language) != nil
    self =
      if traits.contains(.vendored) && !Self.isBelow(Self.ordinary, file) || traits.contains(.generated)
        || Self.isData(file)
      {
        .foreign
      } else if file.flags & CodeFile.test != 0 || isProgram && Self.isBelow(Self.asides, file) {
        .test
      } else if !isProgram && traits.contains(.documentation) || Self.isProse(file.language) {
        .prose
      } else {
        .code
      }
  }

  private static func isProse(_ language: String?) -> Bool {
    guard let language else { return true }
    return CodeFile.isProse(language) || configuration.contains(language)
  }

  private static func isBelow(_ folders: Set<Substring>, _ file: CodeFile) -> Bool {
    // By bytes, because a frequent word has tens of thousands of files.
    file.path.utf8.split(separator: UInt8(ascii: "/")).dropLast().contains { folders.contains(Substring($0)) }
  }

  private static func isData(_ file: CodeFile) -> Bool {
    if let language = file.language {
      if data.contains(language) { return true }
      if configuration.contains(language), let bytes = file.bytes, bytes > configurationLimit { return true }
    }
    let name = file.name
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      extensions.contains(Substring(name.utf8[dot...].dropFirst()))
    {
      return true
    }
    return LanguageFamily(of: file.language) == nil && isBelow(folders, file)
  }
}
