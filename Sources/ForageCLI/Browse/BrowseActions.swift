import Forage
import ForageBrowse
import ForageCore
import ForageGit
import ForageGitHub
import ForageInspector
import ForageLocal
import ForageStore

/// What is done with one result.
struct BrowseActions: Sendable {
  let services: BrowseServices
  /// Whether shares of languages are drawn as bars.
  var drawsBars = true
  private var context: Context { services.context }

  /// The whole page of a result; what is missing is told as problems.
  ///
  /// - Throws: `BrowseProblem` when nothing is known.
  func details(_ result: SearchResult, isRefresh: Bool) async throws(BrowseProblem)
    -> (text: BrowseText, problems: [BrowseProblem])
  {
    let known = ShowRendering(EntityRecord(item: result))
    guard let entity = entity(result) else {
      return (BrowseText(known, context, drawsBars: drawsBars), [])
    }
    let found: FederatedDetails
    do {
      let request = BrowseRequest(
        generation: 0, query: "", providers: services.chosenIDs, scope: isRefresh ? .refresh : .asked)
      found = await Federation(try services.registry(for: request).asked).details(
        of: entity, timeout: SearchOptions.defaultTimeout)
    } catch {
      throw BrowseProblem(error)
    }
    guard var item = found.item else {
      // A host that no provider covers, of a clone for example: the list knows all there is.
      guard let error = found.outcomes.lazy.compactMap(\.error).first else {
        if found.outcomes.isEmpty {
          return (BrowseText(known, context, drawsBars: drawsBars), [])
        }
        throw BrowseProblem(
          "\(entity.title) does not exist, or is private and not visible to you",
          hint: "for a private one set a token (see: forage auth status)")
      }
      throw BrowseProblem(error.message, hint: error.advice)
    }
    item.addClones([result[.path]?.text].compactMap(\.self))
    let annotation = ResultAnnotation(context.services, isQuiet: true)
    annotation.annotate(&item)
    annotation.remember([item])
    let rendering = ShowRendering(
      EntityRecord(item: item, outcomes: found.outcomes, missing: found.missing))
    let problems = found.missing.map { provider, part in
      BrowseProblem("\(provider): \(part.field.rawValue): \(part.error.message)", hint: part.error.advice)
    }
    return (BrowseText(rendering, context, drawsBars: drawsBars), problems)
  }

  private func entity(_ result: SearchResult) -> EntityReference? {
    guard !result.id.hasPrefix("/"),
      let entity = EntityReference(
        result.id, defaultHost: "github.com", twoLevelHosts: context.services.twoLevelHosts),
      entity.id == result.id
    else { return nil }
    return entity
  }

  /// The facts of a clone.
  func facts(_ path: String) async throws(BrowseProblem) -> BrowseText {
    let memory = InspectionCache.memory(context.services.directories.cacheFolder)
    let clone = await InspectedClone.of(path, ShowRendering.localSections, memory: memory)
    switch clone.outcome {
    case .success(let report): return BrowseText(report, context, drawsBars: drawsBars)
    case .failure(let error): throw BrowseProblem(error.message, hint: error.hint)
    }
  }

  /// Adds a star or removes it, on the forge.
  func star(_ result: SearchResult, isSet: Bool) async throws(BrowseProblem) {
    guard !services.options.isOffline else {
      throw BrowseProblem("nothing is sent under --offline", hint: "start again without it")
    }
    guard let entity = entity(result), entity.subject == .repository else {
      throw BrowseProblem("\(result.title) is not a repository on a forge")
    }
    do {
      let starring = try Starring(context.services)
      guard starring.hosts.contains(entity.host) else {
        throw BrowseProblem("nothing can be starred on \(entity.host)", hint: "f makes it a favorite")
      }
      try await starring.change(isSet ? .add : .remove, of: entity, within: SearchOptions.defaultTimeout)
    } catch is CancellationError {
      // The request may have arrived.
      throw BrowseProblem(
        "\(result.title) may not be \(isSet ? "starred" : "unstarred"): it was interrupted",
        hint: "check it with: forage show \(entity.id)")
    } catch {
      throw BrowseProblem(error)
    }
  }

  /// Adds a favorite or removes it.
  func favorite(_ result: SearchResult, isSet: Bool) throws(BrowseProblem) {
    let favorites = Favorites(context.services)
    do {
      if isSet {
        try favorites.add(ResolvedReference(text: result.title, result: result))
      } else {
        try favorites.remove(result.id)
      }
    } catch {
      throw BrowseProblem(error)
    }
  }

  /// Opens a page in the browser.
  ///
  /// - Returns: What was done.
  func open(_ address: String) async throws(BrowseProblem) -> BrowseProblem {
    let text = CollectedText()
    let output = Output(
      writeResult: { _ in text.add("there is no browser; the address is \(SafeText.line(address))\n") },
      writeMessage: { text.add($0) }, isTerminal: false, isMessageTerminal: false, now: context.output.now)
    do {
      try await Browser(environment: context.services.environmentWithoutTokens, program: .silent).open(
        address, output: output)
    } catch {
      throw BrowseProblem(error)
    }
    return BrowseProblem.read(text.text).first ?? BrowseProblem("opened \(address)")
  }

  private func source(_ result: SearchResult) throws -> CloneSource {
    guard let entity = entity(result)?.repository else {
      throw BrowseProblem("\(result.title) is not a repository on a forge")
    }
    let spelling = result[.owner]?.text.flatMap { owner in
      result[.name]?.text.map { (owner: owner, name: $0) }
    }
    return try CloneSource(entity, spelling: spelling, services.settings.clones.transferProtocol)
  }

  /// The folder into which a repository would be cloned.
  ///
  /// - Throws: `BrowseProblem` where it cannot be cloned, or is cloned already.
  func cloneFolder(_ result: SearchResult) async throws(BrowseProblem) -> String {
    var made = MadeFolders()
    // Nothing is cloned yet.
    defer { made.removeEmpty() }
    do {
      let root = try CloneCommand.root(services.settings, context, &made)
      var places = ClonePlaces(root: root, store: try context.services.store.existing())
      guard let plan = try await places.plans(for: [try source(result)]).first?.plan else { return root }
      switch plan {
      case .missing(let path): return path
      case .present(let path, _): throw BrowseProblem("\(result.title) is cloned already: \(path)")
      case .blocked(_, let error): throw error
      }
    } catch {
      throw BrowseProblem(error)
    }
  }

  /// Clones a repository and adds it to the catalogue.
  ///
  /// - Returns: The folder of the clone.
  func clone(_ result: SearchResult, into folder: String) async throws(BrowseProblem) -> String {
    var made = MadeFolders()
    var catalogue: CloneCommand.Catalogue?
    defer {
      made.removeEmpty()
      catalogue?.removeUnused()
    }
    do {
      let home = context.services.directories.home
      let path = folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
      guard path.hasPrefix("/") else {
        throw BrowseProblem("\(folder) is not an absolute path", hint: "begin it with / or ~/")
      }
      let source = try source(result)
      let root = try CloneCommand.root(services.settings, context, &made)
      catalogue = try await CloneCommand.catalogue(root, context)
      made.willMake(FileAccess.parent(of: path))
      let places = ClonePlaces(root: root, store: catalogue?.store)
      switch try await places.plan(source, path) {
      case .present: break
      case .blocked(_, let error): throw error
      case .missing:
        let git = GitClone(
          program: try GitClone.program(context.services.environment),
          environment: context.services.environmentWithoutTokens, extent: GitClone.Extent(),
          isInteractive: false
        ) { [context] in context.services.trace($0) }
        try await git.run(source, into: path) { _ in }
      }
      if let catalogue {
        if path.hasPrefix(root + "/") {
          try await CloneCatalogue(store: catalogue.store).add(path, folder: catalogue.folder)
        } else {
          _ = try await ClonePreparation(context.services).register(path, catalogue.store)
        }
      }
      return path
    } catch {
      throw BrowseProblem(error)
    }
  }
}
