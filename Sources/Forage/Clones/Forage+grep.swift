package import ForageCore
import ForageGit
import ForageInspector
import ForageLocal

extension Forage {
  /// Finds lines in the files of clones.
  ///
  /// - Parameter each: Receives each file in its turn, on any thread, one at a time; what it throws ends the search.
  /// - Throws: What `each` throws; `QueryError` for a pattern that cannot be used; ``ForageError`` where there is nothing to search;
  ///   `CancellationError`.
  package func grep(
    _ request: GrepRequest, _ each: @escaping @Sendable (GrepFile) throws -> Void
  ) async throws -> GrepSummary {
    let settings = try settings()
    switch request.scope {
    case .all, .clones: try await ClonePreparation(self).scanWhatIsNew(within: nil)
    case .paths, .wholeClones: break
    }
    let code = CodeSettings(
      index: searchedCodeIndex, maximumFileSize: settings.maximumFileSize, hosts: remoteHosts)
    let clones = LocalProvider(code: code) { [store] in try store.existing() }
    do {
      return try await clones.grep(request, each)
    } catch let error as GrepPatternProblem {
      throw QueryError(
        message: error.message, hint: error.hint, query: error.pattern,
        range: error.offset..<error.offset + 1)
    } catch let error as GrepProblem {
      throw ForageError(error.message, hint: error.hint)
    }
  }
}

extension GrepRequest.Scope {
  /// What is below the current folder, or every clone where that is in none.
  package static var current: GrepRequest.Scope {
    let folder = ClonePreparation.absolute(".")
    return CloneProbe.root(above: folder) == nil ? .all : .paths([folder])
  }

  /// The whole clone that contains the current folder.
  package static var wholeClone: GrepRequest.Scope { .wholeClones([ClonePreparation.absolute(".")]) }

  /// What some paths name.
  ///
  /// - Parameter mustExist: Whether they are files and folders on disk.
  /// - Returns: What those that exist name, how they were typed as `GrepRequest.typedPaths` has it, and an error for each of
  ///   the others.
  package static func named(
    _ paths: [String], mustExist: Bool
  ) -> (scope: GrepRequest.Scope, typed: [[UInt8]: String], missing: [ForageError]) {
    func isOfGit(_ path: String) -> Bool {
      ClonePreparation.absolute(path)[...].slashSeparated().contains(".git")
    }
    let missing = paths.filter { mustExist && FileAccess.entry($0) == nil || isOfGit($0) }
    let errors = missing.map { path in
      path == "-"
        ? ForageError("the standard input is not searched", hint: "to search it, use rg")
        : isOfGit(path)
          ? ForageError("\(path) is git's own, and is not searched", hint: "to search it, use rg")
          : ForageError("there is no file or folder \(path)", hint: "check the path")
    }
    let found = paths.filter { !missing.contains($0) }.map {
      (path: ClonePreparation.absolute($0), typed: $0)
    }
    let typed = Dictionary(found.map { (Array($0.path.utf8), $0.typed) }) { first, _ in first }
    return (.paths(found.map(\.path)), typed, errors)
  }
}

extension GrepSummary {
  /// The languages of which `symbol:` and `--symbol` know what lines define, sorted.
  package static var languagesOfSymbols: [String] { LanguageFamily.languageNames }

  /// The names of the languages that an option means: a language by its name or alias, or those of files with an extension.
  ///
  /// - Throws: ``ForageError`` for an unknown name.
  package static func languages(_ name: String, option: String) throws -> [String] {
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

  /// The outcome as that of a search for code in clones.
  ///
  /// - Parameters:
  ///   - results: The files, in order.
  ///   - elapsed: The time that it took.
  package func result(_ results: [SearchResult], elapsed: Duration) -> FederatedResult {
    var outcome = ProviderOutcome(id: LocalProvider.id, name: LocalProvider.info.name, kind: .code)
    outcome.returned = results.count
    outcome.total = ResultTotal(results.count)
    outcome.elapsed = elapsed
    outcome.coverage = coverage
    outcome.notes = notes
    if let note = notes.first {
      outcome.state = .partial
      outcome.error = SearchError(note.code, note.message, hint: note.hint)
    }
    let items = results.enumerated().map { place, result in
      MergedItem(result, of: LocalProvider.id, rank: place + 1)
    }
    return FederatedResult(items: items, outcomes: [outcome])
  }
}
