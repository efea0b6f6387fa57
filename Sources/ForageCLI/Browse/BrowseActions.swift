import Forage
import ForageBrowse
import ForageCore
import ForageInspector

/// What is done with one result.
struct BrowseActions: Sendable {
  let services: BrowseServices
  /// Whether texts are for the screens, which draw bars and marks.
  var isDrawn = true
  /// The remaining requests that hosts reported.
  private let requestsRemaining = Locked<[String: Int]>([:])
  private var context: Context { services.context }

  /// The whole page of a result; what is missing is told as problems.
  ///
  /// - Parameter providers: The ids of the providers to ask.
  /// - Throws: An error when nothing is known.
  func details(_ result: SearchResult, _ providers: [String], isRefresh: Bool) async throws
    -> (text: BrowseText, problems: [BrowseProblem])
  {
    func page(_ record: EntityRecord) -> BrowseText { BrowseText(record, context, isDrawn: isDrawn) }
    if let file = file(result) { return (file, []) }
    let known = EntityRecord(item: result)
    let entity = entity(result)
    guard entity != nil || hasOwnDetails(result, providers) else { return (page(known), []) }
    let use = isRefresh && !services.options.isOffline ? .bypass : services.cache
    let lookup = try EntityLookup(services.forage, providers: providers, cache: use)
    let target =
      entity.map { lookup.target($0) }
      ?? lookup.target(ResolvedReference(text: result.title, result: result), listed: result)
    let answer = try await lookup.answer(target, sections: [], within: SearchOptions.defaultTimeout)
    guard let entity else {
      if answer.remote.item == nil, let error = answer.remote.outcomes.lazy.compactMap(\.error).first {
        throw error
      }
      return try await loaded(answer, result, lookup)
    }
    guard answer.item != nil else {
      if let error = answer.remote.outcomes.lazy.compactMap(\.error).first { throw error }
      // No provider covers the host, for example that of a clone: the list has all its facts.
      if answer.remote.outcomes.isEmpty { return (page(known), []) }
      throw BrowseProblem(
        "\(entity.title) does not exist, or is private and not visible to you",
        hint: "for a private one set a token (see: forage auth status)")
    }
    return try await loaded(answer, result, lookup)
  }

  private func loaded(
    _ answer: EntityLookup.Answer, _ result: SearchResult, _ lookup: EntityLookup
  ) async throws -> (text: BrowseText, problems: [BrowseProblem]) {
    let record = try await record(of: answer, result, lookup)
    lookup.remember(answer)
    let problems = record.missing.map { provider, part in
      BrowseProblem(
        "\(provider): \(part.field.rawValue): \(part.error.message)", hint: BrowseProblem(part.error).hint)
    }
    return (BrowseText(record, context, isDrawn: isDrawn), problems)
  }

  /// Whether a result is on no forge, and its provider, one of those to ask, has details of it.
  private func hasOwnDetails(_ result: SearchResult, _ providers: [String]) -> Bool {
    services.all.selecting(providers).hasDetails(ofListed: result)
  }

  /// The page of a file that was found in a clone, which is on this disk and needs no request; `nil` for
  /// everything else.
  private func file(_ result: SearchResult) -> BrowseText? {
    ResolvedReference(text: result.title, result: result).file.map {
      BrowseText(EntityRecord(item: $0), context, isDrawn: isDrawn)
    }
  }

  /// The oldest cached answers that are shown of a result that is only selected.
  private static let previewAge: Duration = .seconds(300)

  /// The page of a result that is only selected; `nil` where more than the list knows would take requests
  /// that its forge has few of, or those of a plugin or manifest.
  ///
  /// - Parameter providers: The ids of the providers to ask.
  /// - Throws: An error when nothing is known.
  func preview(_ result: SearchResult, _ providers: [String]) async throws -> BrowseText? {
    if let file = file(result) { return file }
    let entity = entity(result)
    if entity == nil, hasOwnDetails(result, providers) { return nil }
    guard let entity, !services.options.isOffline else {
      return try await details(result, providers, isRefresh: false).text
    }
    if await services.forage.allowsPreviews(
      host: entity.host, of: providers, reported: requestsRemaining)
    {
      return try await details(result, providers, isRefresh: false).text
    }
    let lookup = try EntityLookup(services.forage, providers: providers, cache: .offline)
    let answer = try await lookup.answer(
      lookup.target(entity), sections: [], within: SearchOptions.defaultTimeout)
    let age = answer.remote.outcomes.compactMap(\.cache.age).max()
    guard answer.item != nil, let age, age < Self.previewAge else { return nil }
    return BrowseText(try await record(of: answer, result, lookup), context, isDrawn: isDrawn)
  }

  private func record(
    of answer: EntityLookup.Answer, _ result: SearchResult, _ lookup: EntityLookup
  ) async throws -> EntityRecord {
    var record = try await lookup.record(of: answer, within: SearchOptions.defaultTimeout)
    record.item.addClones([result[.path]?.text].compactMap(\.self))
    return record
  }

  private func entity(_ result: SearchResult) -> EntityReference? {
    guard !result.id.hasPrefix("/"),
      let entity = EntityReference(
        result.id, defaultHost: "", twoLevelHosts: services.forage.twoLevelHosts),
      entity.id == result.id
    else { return nil }
    return entity
  }

  /// Marks a notification as read.
  ///
  /// - Returns: What was done, in words.
  func markRead(_ result: SearchResult) async throws -> String {
    guard let thread = result[.thread]?.text, let host = result[.host]?.text,
      let forge = services.forage.forgeProvider(at: host)
    else { throw BrowseProblem("\(result.title) cannot be marked as read") }
    try await forge.markRead(.thread(thread), deadline: .now + SearchOptions.defaultTimeout)
    return "\(result.title) is read"
  }

  /// The facts of the clone of a result: of the repository of an issue, a commit or code, too.
  ///
  /// - Parameter path: The folder; `nil` where it is not known.
  func facts(_ result: SearchResult, path: String?) async throws -> BrowseText {
    var path = path
    if path == nil {
      let reference = ResolvedReference(text: result.title, result: result)
      path = await ReferenceReader(services.forage).clonePath(of: reference)
    }
    guard let path else {
      let name = result.kind == .repo ? "" : result.repositoryName
      throw BrowseProblem("there is no clone of \(name.isEmpty ? result.title : name)")
    }
    let cache = InspectionCache.stored(in: services.forage.paths.cacheFolder)
    let clone = await InspectedClone.of(path, ShowRendering.localSections, cache: cache)
    switch clone.outcome {
    case .success(let report): return BrowseText(report, context, isDrawn: isDrawn)
    case .failure(let error): throw error
    }
  }

  func set(_ mark: BrowseMark, of result: SearchResult, to isSet: Bool) async throws {
    let favorites = Favorites(services.forage)
    switch mark {
    case .star: try await star(result, isSet: isSet)
    case .favorite where isSet:
      try favorites.add(ResolvedReference(text: result.title, result: result))
    case .favorite: try favorites.remove(result.id)
    }
  }

  /// The pause that the forge of a result asks for between two changes of stars.
  func pauseOfStars(_ result: SearchResult) -> Duration {
    entity(result).flatMap { try? Starring(services.forage).pause(for: $0) } ?? .zero
  }

  /// Adds a star or removes it, on the forge.
  private func star(_ result: SearchResult, isSet: Bool) async throws {
    guard !services.options.isOffline else {
      throw BrowseProblem("nothing is sent under --offline", hint: "start again without it")
    }
    guard let entity = entity(result), entity.subject == .repository else {
      throw BrowseProblem("\(result.title) is not a repository on a forge")
    }
    let starring = try Starring(services.forage)
    do throws(ForageError) {
      _ = try services.forage.starForge(at: entity.host)
    } catch {
      throw BrowseProblem(error.message, hint: "f makes it a favorite")
    }
    do {
      try await starring.change(
        isSet ? .add : .remove, of: entity, within: SearchOptions.defaultTimeout)
    } catch is CancellationError {
      // The request may have arrived.
      let name = services.forage.shortName("\(entity.host)/\(result.title)")
      throw BrowseProblem(
        "interrupted: \(name) may be \(isSet ? "starred" : "unstarred") or not",
        hint: "check it with: forage stars repo:\(name)")
    }
  }

  /// Opens a page in the browser.
  ///
  /// - Returns: What was done.
  func open(_ address: String) async throws -> String {
    let browser = Browser(
      environment: services.forage.environmentWithoutTokens, program: context.terminalPrograms,
      hasTerminal: false)
    return try await browser.open(address)
      ? "opened \(address)"
      : "\(browser.failure?.message ?? "there is no browser"); the address is \(address)"
  }

  private func source(_ result: SearchResult, _ cloning: Cloning) throws -> CloneSource {
    guard let entity = entity(result)?.repository else {
      throw BrowseProblem("\(result.title) is not a repository on a forge")
    }
    return try cloning.source(result, naming: entity)
  }

  /// The folder into which a repository would be cloned.
  ///
  /// - Throws: An error where it cannot be cloned, or is cloned already.
  func cloneFolder(_ result: SearchResult) async throws -> String {
    let cloning = try Cloning(services.forage)
    switch try await cloning.plan(for: try source(result, cloning)) {
    case .missing(let path): return path
    case .present(let path, _): throw BrowseProblem("\(result.title) is cloned already: \(path)")
    case .blocked(_, let error): throw error
    }
  }

  /// Clones a repository and adds it to the catalogue.
  ///
  /// - Returns: The folder of the clone.
  func clone(_ result: SearchResult, into folder: String) async throws -> String {
    let home = services.forage.paths.home
    let path = folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
    guard path.hasPrefix("/") else {
      throw BrowseProblem("\(folder) is not an absolute path", hint: "begin it with / or ~/")
    }
    let cloning = try Cloning(services.forage)
    guard let made = try await cloning.run([try source(result, cloning)], into: path)?.first else {
      throw CancellationError()
    }
    if let error = made.error { throw error }
    return made.path
  }
}
