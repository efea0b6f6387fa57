import ForageClones
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageSetup
import ForageStore

extension EntityLookup {
  /// Inspects a clone, for as long as the providers may take.
  func inspect(_ path: String?, _ sections: Set<InspectionSection>, within limit: Duration) async
    -> Result<InspectionReport, InspectionError>?
  {
    guard let path else { return nil }
    let cache = usesCache ? InspectionCache.stored(in: forage.paths.cacheFolder) : nil
    let end = forage.reporter.waitsFor(path)
    defer { end() }
    let outcome = try? await Deadline.run(until: .now + limit) {
      await InspectedClone.of(path, sections, cache: cache).outcome
    }
    return outcome
      ?? .failure(
        InspectionError(.cancelled, "the inspection of \(path) did not end in time", hint: "allow more time"))
  }

  /// Adds the last comments of an issue; a failure is a warning, and makes the answer of the forge partial.
  func addComments(
    _ count: Int, to item: inout SearchResult, of entity: EntityReference?, _ remote: inout FederatedDetails,
    within timeout: Duration
  ) async {
    guard count > 0, let entity, entity.kind == .issue,
      let forge = forage.forgeProvider(at: entity.host, requestOptions)
    else { return }
    // A forge that does not tell their number tells the last ones all the same.
    let total = item[.comments]?.number ?? count
    let requests = RequestCounter()
    var failure: SearchError?
    do {
      item[Self.comments] = .items(
        try await requests.counting {
          try await RequestOwner.$current.withValue(entity.owner) {
            try await forge.comments(of: entity, last: count, of: total, deadline: .now + timeout)
          }
        })
    } catch {
      failure = error as? SearchError ?? SearchError(.other, "they could not be read", hint: "run it again")
    }
    let index = remote.outcomes.firstIndex { $0.id == forge.info.id }
    if let index { remote.outcomes[index].requests += requests.count }
    guard let failure else { return }
    forage.reporter.warning("\(forge.info.id): comments: \(failure.message)", forage.reporter.hint(failure))
    remote.missing.append((forge.info.id, MissingPart(Self.comments, failure)))
    if let index, remote.outcomes[index].state == .ok {
      (remote.outcomes[index].state, remote.outcomes[index].error) = (.partial, failure)
    }
  }

  /// The field with the last comments of an issue, where they are asked for.
  private static let comments: ResultField = "recentComments"

  /// Reports what is missing: as warnings where there are results, else as errors.
  package func reportMissing(_ answer: Answer) {
    let hint = forage.reporter.hint
    let report = answer.item == nil ? forage.reporter.problem : forage.reporter.warning
    if case .failure(let error) = answer.local {
      report(error.message, error.code == .cancelled ? forage.reporter.text(.allowTime) : error.hint)
    }
    // The failure of the only provider is thrown where there is nothing to show.
    let failed = answer.item == nil && answer.remote.outcomes.count == 1 ? [] : answer.remote.outcomes
    for outcome in failed where outcome.state != .partial && !outcome.state.isExcluded {
      if let error = outcome.error { report("\(outcome.id): " + error.message, hint(error)) }
    }
    for outcome in answer.remote.outcomes {
      for note in outcome.notes {
        let hint = note.code == .stale && !note.hint.isEmpty ? forage.reporter.text(.askAgain) : note.hint
        forage.reporter.warning("\(outcome.id): " + note.message, hint)
      }
    }
    // One failure can be that of many parts.
    var rest = answer.remote.missing[...]
    while let (provider, first) = rest.first {
      let fields = rest.filter { $0.provider == provider && $0.part.error == first.error }.map(\.part.field)
      rest.removeAll { $0.provider == provider && $0.part.error == first.error }
      let names = fields == [.remote] ? "" : fields.map(\.rawValue).joined(separator: ", ") + ": "
      report("\(provider): \(names)" + first.error.message, hint(first.error))
    }
  }

  func nothing(_ target: Target, _ outcomes: [ProviderOutcome]) -> ForageError {
    let reference = target.reference.text
    let name = target.entity?.id ?? reference
    if outcomes.isEmpty {
      let covering = choice.registry.entries.filter { $0.covers(target.entity) }.map(\.info.id)
      if !covering.isEmpty, let kind = target.entity?.kind {
        return ForageError(
          "\(covering.joined(separator: ", ")) has no details of kind \(kind.rawValue)",
          hint: choice.kinds.contains(kind) ? "search for it instead" : "open its page instead",
          code: .nothingFound)
      }
      if choice.named.isEmpty, let refusal = target.entity.flatMap({ forage.refusal(at: $0.host) }) {
        return refusal
      }
      let isRepository = (target.entity?.subject ?? .repository) == .repository
      let local = isRepository ? "there is no clone of it" : "no clone has it by this name"
      // One that is not chosen may have it.
      let settings = try? forage.settings()
      let all = settings.flatMap { try? forage.registry($0, RequestOptions(everything: true)) }
      let others = all?.entries.filter { $0.covers(target.entity) }.map(\.info.id) ?? []
      return ForageError(
        "no chosen provider covers \(target.entity?.host ?? name), and \(local)",
        others.isEmpty ? .listProviders : .chooseProvider(others), code: .usage)
    }
    if outcomes.contains(where: \.state.isAnswer), !outcomes.contains(where: \.state.isFailure) {
      let subject = target.entity?.subject
      if subject == .account || subject == .topic {
        return ForageError("\(name) does not exist", hint: "check the name", code: .nothingFound)
      }
      return ForageError(
        "\(name) does not exist, or is private and not visible to you", .checkAccess, code: .nothingFound)
    }
    let code: ForageError.Code = outcomes.isMisconfigured ? .usage : .failed
    if outcomes.count == 1, let error = outcomes[0].error {
      return ForageError(
        "\(outcomes[0].id): \(error.message)", hint: forage.reporter.hint(error), code: code)
    }
    return ForageError("no provider answered", .diagnose, code: code)
  }

  /// The clones of an entity that are in the catalogue.
  func known(_ id: String) -> [CloneRecord] {
    lookedUp { _ throws(StoreError) in try forage.cloneNames().clones(ofID: id) } ?? []
  }

  /// The result of a query of the store; a failure prints a warning once.
  func lookedUp<Found>(_ body: (Store) throws(StoreError) -> Found) -> Found? {
    do throws(StoreError) {
      guard let store = try forage.store.existing() else { return nil }
      return try body(store)
    } catch {
      forage.reporter.warnOnce("clones could not be looked up: " + error.message, hint: error.hint)
      return nil
    }
  }

  /// The entity with all of its clones.
  func target(_ reference: ResolvedReference, entity: EntityReference, clones: [String]) -> Target {
    guard entity.subject == .repository else {
      let isInClone = reference.result?[.file] != nil
      return Target(
        reference: reference, entity: entity, clones: [], known: isInClone ? reference.result : nil)
    }
    let known = known(entity.id)
    let others = known.map(\.path).filter { !clones.contains($0) }
    return Target(
      reference: reference, entity: entity, clones: clones + others,
      known: known.first?.result(forage.remoteHosts))
  }

  /// The entity as a report describes it, with the description that the catalogue has of the clone.
  func described(_ report: InspectionReport, _ reference: ResolvedReference) -> SearchResult {
    var item =
      reference.result
      ?? SearchResult(id: reference.id, kind: .repo, title: reference.title, url: reference.url)
    if let entity = reference.entity, reference.result == nil {
      item.set(.host, entity.host)
      item.set(.owner, entity.owner)
      item.set(.name, entity.name)
    }
    item.set(.language, report.languages?.first?.name)
    item.set(.license, report.license ?? report.licenses?.lazy.compactMap(\.spdx).first)
    item.set(.path, report.path)
    if item[.description] == nil {
      item.set(.description, (try? forage.cloneNames())?.at(report.path)?.description)
    }
    return item
  }
}

extension SearchResult {
  /// Adds the entities that have the same first commit. A fork shares it with its whole network, so that a
  /// fork gets none.
  mutating func addRelatives(_ ids: [String]) {
    guard self[.fork]?.flag != true else { return }
    let known = Set(related.map(\.id))
    related += ids.filter { !known.contains($0) }.map { RelatedEntity(id: $0, why: .sameHistory) }
  }
}

extension ProviderRegistry.Entry {
  /// Whether it has details of other entities of the same host.
  func covers(_ entity: EntityReference?) -> Bool {
    guard let entity, let provider = provider as? any DetailsProvider else { return false }
    return !provider.detailedKinds.isEmpty && info.hosts.contains(entity.host)
  }
}
