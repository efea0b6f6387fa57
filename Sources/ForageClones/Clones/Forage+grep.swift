package import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageSetup
import ForageStore

/// What `forage grep` asks about clones.
extension Forage {
  /// rg, as it is started from here; `nil` where it is not installed.
  var ripgrep: Ripgrep? { Ripgrep(environment: setup.environment) }

  /// The absolute path of rg; `nil` where it is not installed.
  package var ripgrepProgram: String? { ripgrep?.program }

  /// Whether rg says of several locations what it says of each of them, one behind the other: where no rules
  /// are above them, which it applies in another way to each.
  package static func areDivisible(_ locations: [GrepLocation]) -> Bool {
    !RipgrepRules.areAbove(locations.map(\.root))
  }

  /// The clones and files that rg must search.
  ///
  /// - Parameters:
  ///   - locations: Clones, or parts of them, in order.
  ///   - patterns: Patterns of which a text must match one; `nil` if anything may match.
  ///   - givesFiles: Whether single files may be given in place of a clone.
  /// - Throws: ``ForageError`` for settings that cannot be read.
  package func grepTargets(
    _ locations: [GrepLocation], _ patterns: GrepPatterns?, givesFiles: Bool
  ) throws -> GrepTargets {
    guard let ripgrep else { return GrepTargets() }
    let index = searchedCodeIndex
    // Under another limit the texts are others.
    try? index.setMaximumFileSize(settings().maximumFileSize)
    return GrepTargets(locations, patterns, givesFiles: givesFiles, index: index, ripgrep: ripgrep)
  }

  /// The clones that have files on disk, or the parts of them that paths name, in the order of their paths.
  ///
  /// - Parameters:
  ///   - paths: Paths in the clones, or absolute ones; none for the whole clones.
  ///   - hint: What to do where a path is in none of them.
  /// - Throws: ``ForageError`` for a path that no clone has, and where no clone has files on disk.
  package func grepLocations(
    _ clones: [CloneState], _ paths: [[UInt8]], hint: String
  ) throws -> [GrepLocation] {
    // A clone that is gone from the disk is none.
    let roots = clones.map(\.path).filter { FileAccess.isDirectory($0) && CloneProbe.hasWorktree($0) }
      .sorted { $0.bytesPrecede($1) }
    guard !roots.isEmpty else {
      throw ForageError("no chosen clone has files on disk", hint: "search a commit with: --ref HEAD")
    }
    if paths.isEmpty { return roots.map { GrepLocation(root: $0) } }
    return try paths.flatMap { path in
      let found = roots.compactMap { Self.location(path, in: $0) }
      guard !found.isEmpty else {
        throw ForageError("no chosen clone has \(String(decoding: path, as: UTF8.self))", hint: hint)
      }
      return found
    }
  }

  /// A path in a clone, or an absolute one below its root; `nil` if there is nothing.
  private static func location(_ path: [UInt8], in root: String) -> GrepLocation? {
    let slash = UInt8(ascii: "/")
    var part = path[...]
    if path.first == slash {
      let length = root.utf8.count
      guard path.starts(with: root.utf8), path.count == length || path[length] == slash else { return nil }
      part = path.dropFirst(length)
    }
    let names = part.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    guard !names.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    let location = GrepLocation(root: root, path: Array(names.joined(separator: [slash])))
    return FileAccess.entry(bytes: location.absolutePath) == nil ? nil : location
  }

  /// The parts of clones that are below the current folder, or that paths name from there; `nil` outside of
  /// clones.
  ///
  /// - Parameter ref: Whether the paths are those of a ref, which need not be on disk.
  /// - Throws: ``ForageError`` for a path that does not exist, or that is in no clone.
  package func currentLocations(_ paths: [String], ofRef ref: Bool) throws -> [GrepLocation]? {
    let current = CloneProbe.root(above: ClonePreparation.absolute("."))
    if paths.isEmpty, current == nil { return nil }
    return try (paths.isEmpty ? ["."] : paths).map { path in
      let isKnown = FileAccess.entry(path) != nil
      guard isKnown || ref else {
        throw ForageError("there is no file or folder \(path)", hint: "check the path")
      }
      let location = ClonePreparation.absolute(path)
      guard let root = isKnown ? CloneProbe.root(above: location) : current,
        FileAccess.isInside(location, root)
      else {
        throw ForageError(
          "\(path) is in no clone", hint: "to search every clone of the catalogue, use --all")
      }
      return GrepLocation(
        root: root, path: Array(location.utf8.dropFirst(root == "/" ? 1 : root.utf8.count + 1)))
    }
  }

  /// Finds lines in the files of clones.
  ///
  /// - Returns: The files, by clone and path.
  /// - Throws: `SearchError`; ``ForageError`` for settings that cannot be read; `CancellationError`.
  package func lines(_ request: CodeLines) async throws -> SearchPage {
    let settings = try settings()
    if request.locations == nil { try await ClonePreparation(self).scanWhatIsNew(within: nil) }
    let code = CodeSettings(
      index: searchedCodeIndex, maximumFileSize: settings.maximumFileSize, hosts: remoteHosts)
    return try await LocalProvider(code: code) { [store] in try store.existing() }.lines(request)
  }

  /// The outcome as that of a search for code in clones.
  ///
  /// - Parameter elapsed: The time that it took.
  package static func result(_ page: SearchPage, elapsed: Duration) -> FederatedResult {
    var outcome = ProviderOutcome(id: LocalProvider.id, name: LocalProvider.info.name, kind: .code)
    outcome.returned = page.items.count
    outcome.total = page.total
    outcome.elapsed = elapsed
    outcome.coverage = page.coverage
    outcome.notes = page.notes
    if let note = page.notes.first {
      outcome.state = .partial
      outcome.error = SearchError(note.code, note.message, hint: note.hint)
    }
    let items = page.items.enumerated().map { place, result in
      MergedItem(result, of: LocalProvider.id, rank: place + 1)
    }
    return FederatedResult(items: items, outcomes: [outcome])
  }

  /// The bytes of a file of the user; `nil` if it cannot be read.
  package static func contents(of path: String) -> [UInt8]? { (try? FileAccess.read(path)) ?? nil }
}

/// The languages of code.
package enum CodeLanguage {
  /// Those of which `symbol:` and `--symbol` know what lines define, sorted.
  package static var namesWithSymbols: [String] { LanguageFamily.languageNames }

  /// The names of the languages in which uses of names are found.
  package static var namesWithUses: [String] { FileOutline.languages }

  /// The types of files of rg that people search in. Source: `rg --type-list`.
  package static let ripgrepTypes = [
    "c", "clojure", "cmake", "config", "cpp", "cs", "css", "csv", "d", "dart", "docker", "elixir",
    "elm", "erlang",
    "fsharp", "go", "groovy", "h", "haskell", "html", "java", "js", "json", "julia", "kotlin",
    "less", "lisp", "lua",
    "make", "markdown", "nim", "nix", "objc", "ocaml", "perl", "php", "protobuf", "ps", "py", "r", "rst",
    "ruby", "rust", "sass",
    "scala", "sh", "sql", "svg", "swift", "tex", "tf", "toml", "ts", "txt", "vim",
    "xml", "yaml",
    "zig",
  ]

  /// The languages that an option means: one by its name or alias, or those of files with an extension.
  ///
  /// - Throws: ``ForageError`` for an unknown name.
  package static func names(_ name: String, option: String) throws -> [String] {
    let table = LanguageTable.shared
    if let language = table.languageName(name) {
      // To those who type it, files .tsx are of this language, too.
      return language == "TypeScript" ? [language, "TSX"] : [language]
    }
    let languages = table.languages(extension: "." + name).map(table.name)
    guard languages.isEmpty else { return languages }
    let nearest = NearestName.hint(for: name, among: table.languageNames) { $0.lowercased() }
    throw ForageError(
      "\(option) takes a language, not \"\(name)\"", hint: nearest ?? "for example: \(option) swift")
  }
}
