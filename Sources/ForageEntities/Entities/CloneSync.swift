package import ForageClones
import ForageCore
import ForageGit
import ForageLocal
package import ForageSetup
import ForageStore

extension Settings.Clones.Sync {
  /// Why a repository of the account is not in the set.
  package enum Omission: CaseIterable, Sendable {
    case fork, archived, topic, excluded
  }

  /// Why a repository of the account is not in the set; `nil` for one that is.
  func omission(of item: SearchResult) -> Omission? {
    if !forks, item[.fork]?.flag == true { return .fork }
    if !archived, item[.archived]?.flag == true { return .archived }
    let topics = topics.map { $0.lowercased() }
    if !topics.isEmpty, item[.topics]?.texts.contains(where: { topics.contains($0.lowercased()) }) != true {
      return .topic
    }
    let title = item.title.lowercased()
    let names = [
      title, String(title.drop { $0 != "/" }.dropFirst()), item[.name]?.text?.lowercased() ?? title,
    ]
    let isExcluded = exclude.contains { pattern in
      let glob = Glob(Array(pattern.lowercased().utf8)[...])
      return names.contains { name in Array(name.utf8).withUnsafeBytes { glob.matches($0) } }
    }
    return isExcluded ? .excluded : nil
  }
}

/// Keeps clones of the repositories that `clones.sync` in the settings describes: clones what is new, fetches
/// the rest, and names what is gone from its forge or has another name there. Nothing is deleted.
package struct CloneSync: Sendable {
  /// The work that is to be done.
  package struct Plan: Sendable {
    /// The repositories of the set, with the folders that they are cloned to, or have their clones in.
    package var repositories: [(source: CloneSource, plan: ClonePlanner.Plan)] = []
    /// The clones of the accounts whose repositories are gone from their forges or belong to others now.
    package var lost: [Lost] = []
    /// How many repositories of the accounts are not in the set, by the reason.
    package var omitted: [Settings.Clones.Sync.Omission: Int] = [:]
    /// The errors of repositories that could not be listed.
    package var failures: [ForageError] = []
    /// Whether an account was not listed completely.
    package var isIncomplete = false
  }

  /// A clone of a repository that its account has no more.
  package struct Lost: Sendable {
    package var clone: CloneState
    /// The id of the repository, now where it has another name.
    package var id: String?
    /// `host/owner/name` now; `nil` where it is gone, or private and not visible.
    package var name: String?
  }

  private let forage: Forage
  private let cloning: Cloning
  private let sets: [Settings.Clones.Sync]

  /// - Throws: `ForageError` for settings that cannot be read or describe no set, and where there is no git
  ///   program.
  package init(_ forage: Forage) throws {
    self.forage = forage
    cloning = try Cloning(forage)
    sets = try forage.settings().clones.sync
    guard !sets.isEmpty else {
      throw ForageError(
        "the settings name nothing to keep clones of",
        hint: "for example in \(forage.paths.configFile): clones: {sync: [{owner: acme}]}",
        code: .nothingFound)
    }
  }

  /// Asks the forges what there is.
  ///
  /// - Throws: `StoreError` where the catalogue cannot be read; `CancellationError`.
  package func plan() async throws -> Plan {
    var plan = Plan()
    var (sources, seen) = ([CloneSource](), Set<String>())
    var accounts: [(set: Settings.Clones.Sync, account: String, ids: Set<String>)] = []
    var omissions: [String: Settings.Clones.Sync.Omission] = [:]
    for set in sets {
      let found: AccountRepositories
      do {
        found = try await AccountRepositories.list(
          .owner(set.owner, provider: set.provider), includesForks: true, cache: .bypass, forage)
      } catch let error as SearchError {
        plan.failures.append(
          ForageError("\(set.owner): \(error.message)", hint: forage.reporter.hint(error), code: .failed))
        continue
      } catch let error as ForageError where error.code != .interrupted {
        plan.failures.append(error)
        continue
      }
      for (provider, error) in found.problems {
        forage.reporter.warning("\(provider): \(error.message)", forage.reporter.hint(error))
      }
      try learn(found.items)
      if found.isIncomplete {
        plan.isIncomplete = true
      } else if let account = found.account {
        accounts.append((set, account, Set(found.items.map(\.id))))
      }
      for item in found.items {
        if let omission = set.omission(of: item) {
          omissions[item.id] = omissions[item.id] ?? omission
          continue
        }
        guard let entity = EntityReference(item.id, defaultHost: "")?.repository,
          seen.insert(entity.id).inserted
        else { continue }
        do {
          sources.append(try cloning.source(item, naming: entity))
        } catch let error as ForageError {
          plan.failures.append(error)
        }
      }
    }
    // One entry may want what another leaves out.
    for (id, omission) in omissions where !seen.contains(id) { plan.omitted[omission, default: 0] += 1 }
    plan.repositories = try await cloning.plans(for: sources)
    let clones = try await CloneState.catalogued(forage)
    for (set, account, ids) in accounts {
      for clone in clones where clone.addressID.map({ Self.is($0, of: account) }) == true {
        guard let id = clone.id, !ids.contains(id),
          !plan.lost.contains(where: { $0.clone.path == clone.path })
        else { continue }
        if let lost = try await lost(clone, set, &plan) { plan.lost.append(lost) }
      }
    }
    return plan
  }

  /// Clones what the plan says is missing.
  ///
  /// - Parameters:
  ///   - started: As for ``Cloning/run(_:into:isAgreed:started:ended:)``, as is `ended`.
  /// - Returns: The results; of what was there already as well.
  package func clone(
    _ plan: Plan, started: @escaping @Sendable (CloneSource, @escaping @Sendable () -> String?) -> Void,
    ended: (CloneResult) throws -> Void
  ) async throws -> [CloneResult] {
    try await cloning.run(plan.repositories.map(\.source), started: started, ended: ended) ?? []
  }

  /// The clones of the set that were there before; the catalogue is read again.
  package func present(in results: [CloneResult]) async throws -> [CloneState] {
    let paths = Set(results.filter { $0.state == .present }.map(\.path))
    return try await CloneState.catalogued(forage).filter { paths.contains($0.path) }
  }

  /// Whether a repository belongs to an account, or to a group in it.
  private static func `is`(_ id: String, of account: String) -> Bool {
    id.lowercased().hasPrefix(account.lowercased() + "/")
  }

  private func learn(_ items: [SearchResult]) throws {
    guard let store = try forage.store.existing() else { return }
    _ = try RepositoryNames(forage).learn(items, try store.clones(ofEntities: items.map(\.id)), in: store)
  }

  /// What has become of a repository that its account does not list; `nil` where its forge has it all the
  /// same, and where that cannot be told.
  private func lost(_ clone: CloneState, _ set: Settings.Clones.Sync, _ plan: inout Plan) async throws
    -> Lost?
  {
    if let name = clone.renamedTo { return Lost(clone: clone, id: clone.id, name: name) }
    guard let id = clone.id, let entity = EntityReference(id, defaultHost: "")?.repository else { return nil }
    let lookup = try EntityLookup(forage, providers: set.provider.map { [$0] } ?? [], cache: .bypass)
    let answer = try await lookup.answer(
      lookup.target(entity), sections: [], within: SearchOptions.defaultTimeout)
    if let item = answer.remote.item {
      guard item.id != id else { return nil }
      RepositoryNames(forage).learn(item, asked: id)
      let name = RepositoryNames.name(item, asked: id)?.name
      return Lost(clone: clone, id: item.id, name: name ?? item.id)
    }
    guard !answer.remote.outcomes.isEmpty, answer.remote.outcomes.allSatisfy({ $0.state == .ok }) else {
      for case let error? in answer.remote.outcomes.map(\.error) {
        plan.failures.append(
          ForageError("\(id): \(error.message)", hint: forage.reporter.hint(error), code: .failed))
      }
      return nil
    }
    return Lost(clone: clone, id: id)
  }
}
