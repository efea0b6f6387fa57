import ForageClones
public import ForageCore
import ForageGit
public import ForageInspector
import ForageLocal
package import ForageSetup
import ForageStore

/// Everything known about one entity, remote and local.
public struct EntityRecord: Sendable {
  /// The entity with its facts.
  public var item: SearchResult
  /// The outcome for each provider that was asked.
  public var outcomes: [ProviderOutcome]
  /// The parts that the provider of the item could not deliver, with its id.
  public var missing: [(provider: String, part: MissingPart)]
  /// The facts of its first clone on this machine.
  public var report: InspectionReport?

  package init(
    item: SearchResult, outcomes: [ProviderOutcome] = [],
    missing: [(provider: String, part: MissingPart)] = [], report: InspectionReport? = nil
  ) {
    (self.item, self.outcomes, self.missing, self.report) = (item, outcomes, missing, report)
  }

  package var document: JSONTree {
    let notes = missing.map { _, part -> JSONTree in
      JSONTree(["section": part.field.rawValue, "message": part.error.message])
    }
    return JSONTree([
      "schema": 1, "item": JSONTree.object(SearchJSON.members(item) + SearchJSON.related(item)),
      "local": report.map(InspectJSON.document), "providers": outcomes.map(SearchJSON.outcome),
      "notes": notes.isEmpty ? nil : notes,
    ])
  }
}

/// Looks up one entity: at its forge, in the catalogue of clones and in its clone.
package struct EntityLookup: Sendable {
  package let choice: ProviderChoice
  let forage: Forage
  private let reader: ReferenceReader
  let usesCache: Bool
  let requestOptions: RequestOptions
  private let settings: Settings

  /// The entity that a reference names.
  package struct Target: Sendable {
    /// The reference as it was written.
    package var reference: ResolvedReference
    /// The entity on a forge, where there is one.
    package var entity: EntityReference?
    /// The folders of its clones.
    package var clones: [String]
    /// The record of its clone in the catalogue, or the result as it was listed.
    var known: SearchResult?
    /// Whether it is on no forge and its provider is asked for details of what was listed.
    var isListed = false
  }

  package struct Answer: Sendable {
    package var target: Target
    /// The entity, `nil` where nothing is known.
    package var item: SearchResult?
    package var remote: FederatedDetails
    /// The facts of the clone, or why there are none; `nil` without a clone.
    package var local: Result<InspectionReport, InspectionError>?
  }

  /// Chooses the providers; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - names: The ids of the providers to ask, none for all that are enabled.
  ///   - cache: How cached answers are used.
  ///   - files: The files on this disk that are named.
  ///   - lastList: The list that numbers refer to.
  package init(
    _ forage: Forage, providers names: [String] = [], cache: CacheMode = .normal,
    files: ReferenceReader.Files = .none, lastList: (@Sendable () -> LastList?)? = nil
  ) throws {
    self.forage = forage
    usesCache = cache != .bypass
    settings = try forage.settings()
    requestOptions = RequestOptions(cache: cache, named: ProviderChoice.ids(names))
    choice = try ProviderChoice(
      names: names, registry: try forage.registry(settings, requestOptions), installed: forage.knownIDs
    ) { [settings] in forage.isEnabled($0, settings) }
    // A name without a host is one of the providers that are named.
    let host = names.isEmpty ? nil : choice.registry.providers.lazy.compactMap(\.info.hosts.first).first
    var reader = ReferenceReader(forage, defaultHost: host, lastList: lastList)
    reader.files = files
    self.reader = reader
  }

  /// The entity that a text names.
  ///
  /// - Throws: `ForageError` for a text that names nothing.
  package func target(_ text: String) async throws -> Target {
    let named = try await reader.reference(text)
    // What was found in a clone is on this disk and needs no request.
    if choice.registry[LocalProvider.id] != nil, let file = await file(named) {
      return Target(reference: named, entity: nil, clones: [], known: file)
    }
    // Of a result of the last list the folder may be gone meanwhile.
    let clones = [named.path].compactMap(\.self).filter(FileAccess.isDirectory)
    guard let entity = named.entity else {
      guard clones.isEmpty, let result = named.result else {
        return Target(reference: named, entity: nil, clones: clones, known: nil)
      }
      return target(named, listed: result)
    }
    var found = target(named, entity: entity, clones: clones)
    // What no provider has details of is as the list had it, or as the catalogue has it under its own name.
    if entity.kind != .code, !registry(for: entity, named).entries.contains(where: { $0.covers(entity) }) {
      found.known = named.result ?? (clones.isEmpty ? found.known : nil)
    }
    if case .commit(let sha) = entity.subject, choice.registry[LocalProvider.id] != nil {
      found.known = await commit(sha, of: entity)
    }
    return found
  }

  /// The providers that are asked for an entity: those that were chosen, and where the user named none and
  /// none of them has it, the forge of a host that is written.
  private func registry(for entity: EntityReference, _ reference: ResolvedReference) -> ProviderRegistry {
    guard choice.named.isEmpty, !choice.registry.entries.contains(where: { $0.covers(entity) }),
      reader.namesHost(reference.text, of: entity),
      let forge = forage.forgeProvider(at: entity.host, requestOptions)
    else { return choice.registry }
    return ProviderRegistry(choice.registry.providers + [forge], preferences: settings.preferences(of:))
  }

  /// A result that is on no forge.
  package func target(_ reference: ResolvedReference, listed result: SearchResult) -> Target {
    Target(
      reference: reference, entity: nil, clones: [], known: result,
      isListed: !reference.hasDetails && choice.registry.hasDetails(ofListed: result))
  }

  /// An entity whose clones are not inspected.
  package func target(_ entity: EntityReference) -> Target {
    Target(reference: ResolvedReference(text: entity.title, entity: entity), entity: entity, clones: [])
  }

  /// Asks the providers and inspects the clone, at the same time.
  ///
  /// - Parameter sections: What is read of the clone.
  /// - Throws: `CancellationError`.
  package func answer(_ target: Target, sections: Set<InspectionSection>, within timeout: Duration)
    async throws -> Answer
  {
    async let inspected = inspect(
      choice.registry[LocalProvider.id] == nil ? nil : target.clones.first, sections, within: timeout)
    var remote = FederatedDetails()
    var registry = choice.registry
    if let entity = target.entity {
      registry = self.registry(for: entity, target.reference)
      let asked = registry.entries.map(\.info).filter { $0.hosts.contains(entity.host) }
      remote = await forage.reporter.waiting(for: asked.map(\.id).joined(separator: ", ")) {
        [registry] in await registry.details(of: entity, timeout: timeout)
      }
    } else if target.isListed, let known = target.known {
      remote = await forage.reporter.waiting(for: String(known.id.prefix { $0 != ":" })) {
        await choice.registry.details(ofListed: known, timeout: timeout)
      }
    }
    forage.explainTimeouts(&remote.outcomes, of: registry, within: timeout)
    try Task.checkCancellation()
    let local = await inspected
    let report = try? local?.get()
    let isUnknown =
      target.entity != nil && !remote.outcomes.isEmpty && remote.outcomes.allSatisfy { $0.state == .ok }
    // A clone is no answer of the forges where only they are asked.
    let known =
      isUnknown && choice.registry[LocalProvider.id] == nil
      ? nil : target.known ?? report.map { described($0, target.reference) }
    let item = remote.item ?? known
    if remote.item == nil, item != nil, let entity = target.entity {
      remote.missing += remote.outcomes.filter { $0.state == .ok }.map { outcome in
        let message = "\(outcome.name) has no \(entity.title), or it is private and not visible to you"
        let error = SearchError(.notFound, message, hint: forage.reporter.text(.checkAccess))
        return (outcome.id, MissingPart(.remote, error))
      }
    } else if remote.item == nil, target.isListed, let known = target.known {
      remote.missing += remote.outcomes.filter { $0.state == .ok }.map { outcome in
        let message = "\(outcome.name) has no details of \(known.id), which a search has found"
        let hint = "this is what the search said; check the details in its manifest or plugin"
        return (outcome.id, MissingPart(.remote, SearchError(.notFound, message, hint: hint)))
      }
    }
    return Answer(target: target, item: item, remote: remote, local: local)
  }

  /// The record of what was found, with what this machine knows of it.
  ///
  /// - Parameter comments: How many of the last comments of an issue are read.
  /// - Throws: `ForageError` where nothing was found.
  package func record(of answer: Answer, comments: Int = 0, within timeout: Duration) async throws
    -> EntityRecord
  {
    let target = answer.target
    var remote = answer.remote
    guard var item = answer.item else { throw nothing(target, remote.outcomes) }
    var clones = target.clones
    if let found = remote.item, let asked = target.entity, asked.subject == .repository {
      RepositoryNames(forage).learn(found, asked: asked.id)
      // The repository was renamed; its clones may have either name.
      if found.id != asked.id { clones += known(found.id).map(\.path).filter { !clones.contains($0) } }
    }
    // A forge does not tell what another provider has of the entity.
    for (field, value) in target.reference.result?.fields ?? [:] where field.isOwn && item[field] == nil {
      item[field] = value
    }
    forage.define(&item)
    item.addClones(clones)
    let ids = [item.id, target.entity?.id].compactMap(\.self)
    if !clones.isEmpty {
      item.addRelatives(lookedUp { store throws(StoreError) in try store.relatives(of: ids) } ?? [])
    }
    await addComments(comments, to: &item, of: target.entity, &remote, within: timeout)
    // Clones of repositories were looked up in the same store.
    ResultAnnotation(forage, isQuiet: target.entity?.subject == .repository).annotate(&item)
    return EntityRecord(
      item: item, outcomes: remote.outcomes, missing: remote.missing, report: try? answer.local?.get())
  }

  /// Remembers the facts that a forge has told.
  package func remember(_ answer: Answer) {
    guard let shown = answer.remote.item else { return }
    let annotation = ResultAnnotation(forage, isQuiet: true)
    // Finds the favorites that it is.
    var annotated = [shown]
    annotation.annotate(&annotated)
    annotation.remember([(shown, answer.remote.outcomes.filter { $0.state == .ok }.map(\.id))])
  }
}

extension Forage {
  /// Says why the time of providers was over, where the settings allow one less than the command.
  fileprivate func explainTimeouts(
    _ outcomes: inout [ProviderOutcome], of registry: ProviderRegistry, within timeout: Duration
  ) {
    for index in outcomes.indices {
      guard let entry = registry[outcomes[index].id] else { continue }
      outcomes[index].error = outcomes[index].error.map { entry.explained($0, within: timeout) }
    }
  }
}
