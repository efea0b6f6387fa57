package import ForageCore
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup
package import ForageStore

/// Learns from answers which repositories have other names on their forges now, so that a clone stays one of
/// its repository after a rename or a move. A catalogue that cannot be written stays as it is.
package struct RepositoryNames: Sendable {
  private let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// Learns from the answer of a forge about one repository.
  ///
  /// - Parameter id: The canonical id that was asked for.
  /// - Returns: Whether anything was not known.
  @discardableResult
  package func learn(_ answer: SearchResult, asked id: String) -> Bool {
    guard let name = Self.name(answer, asked: id) else { return false }
    guard name.isRenamed else {
      // Under a former name there is another repository now, unless the answer is older than the new name.
      let known = (try? forage.store.existing()?.clones(ofEntity: id))?.first?.forgeID
      return known != nil && answer.forgeID != nil && known != answer.forgeID && learn([name])
    }
    return learn([name])
  }

  /// Learns from the results of a search: one with the forge's id of a clone under another name is its
  /// repository. The forge's ids of the others are kept for later.
  ///
  /// - Parameter clones: The clones of the results, by id.
  /// - Returns: Whether anything was not known.
  package func learn(_ results: [SearchResult], _ clones: [String: [CloneRecord]], in store: Store)
    throws(StoreError)
    -> Bool
  {
    let told = results.filter { $0.kind == .repo && $0.forgeID != nil }
    guard !told.isEmpty else { return false }
    let former = try store.formerNames()
    let known = Dictionary(
      try store.clones(ofForgeIDs: told.compactMap(\.forgeID)).map { ($0.forgeID, $0) },
      uniquingKeysWith: { first, _ in first })
    var (names, ids) = ([RepositoryName](), [String: String]())
    for result in told {
      if let id = known[result.forgeID]?.entityID {
        // An index of a forge may have the former name for a while.
        if id != result.id, former[result.id] == nil {
          names += [Self.name(result, asked: id)].compactMap(\.self)
        }
      } else if let found = clones[result.id]?.first {
        if found.forgeID == nil, found.entityID == result.id { ids[result.id] = result.forgeID }
        // Another repository has the former name of this one now.
        if found.forgeID != nil, former[result.id] != nil {
          names += [Self.name(result, asked: result.id)].compactMap(\.self)
        }
      }
    }
    do throws(StoreError) {
      try store.recordForgeIDs(ids)
    } catch {
      forage.reporter.trace?("ids of clones were not recorded: " + error.message)
    }
    return learn(names)
  }

  /// The name that a repository has according to the last address that git was redirected to.
  ///
  /// - Parameters:
  ///   - addresses: The addresses.
  ///   - id: The canonical id of the repository at the address that git was given.
  /// - Returns: `nil` for the same name, and for one on another host.
  func name(at addresses: [String], asked id: String) -> RepositoryName? {
    guard let address = addresses.last, let identity = CloneIdentity(address, forage.remoteHosts),
      let host = RepositoryIdentity.components(identity.id)?.host
    else { return nil }
    return RepositoryName(formerID: id, name: "\(host)/\(identity.title)").flatMap(Self.checked)
  }

  /// How many repositories without a clone, and how many clones, forges are asked about for one command.
  private static let questionLimit = 8
  /// How long they are waited for: what they do not say in time, a later answer says.
  private static let questionTime: Duration = .seconds(2)

  /// Learns whether repositories without a clone have one under another name: asks their forges for them and,
  /// unless their ids are known, for the clones with the same name or owner.
  ///
  /// - Returns: The repositories, with the ids that their forges told.
  /// - Throws: `StoreError` where the catalogue cannot be read; `CancellationError`.
  func recognized(_ sources: [CloneSource], in store: Store) async throws -> [CloneSource] {
    let known = try store.clones(ofEntities: sources.map(\.id))
    let missing = sources.indices.filter { known[sources[$0].id] == nil }
    guard !missing.isEmpty else { return sources }
    let ids = Set(sources.map(\.id))
    let clones = try store.clones().filter { clone in clone.entityID.map { !ids.contains($0) } ?? false }
    /// Whether a clone can be one of a repository that had its name or its owner before.
    func isLike(_ clone: CloneRecord, _ source: CloneSource) -> Bool {
      clone.host == source.host
        && (isNamed(clone, source) || clone.owner?.lowercased() == source.owner.lowercased())
    }
    func isNamed(_ clone: CloneRecord, _ source: CloneSource) -> Bool {
      clone.name.lowercased() == source.name.lowercased()
    }
    var sources = sources
    let unsure = missing.filter { index in clones.contains { isLike($0, sources[index]) } }
    try await ask(about: &sources, at: unsure)
    let told = unsure.map { sources[$0] }.filter { $0.forgeID != nil }
    let candidates = clones.filter { clone in told.contains { isLike(clone, $0) } }
    // A name is rarer than an owner.
    let named = candidates.filter { clone in told.contains { isNamed(clone, $0) } }
    let others = candidates.filter { clone in !named.contains { $0.path == clone.path } }
    try await ask(about: named + others, in: store)
    return sources
  }

  /// The clone that there is of a repository under another name, of which nothing is like the new one: it has
  /// the same history, and the forge says that it is no fork but the same repository.
  ///
  /// - Parameter path: The new clone, which the catalogue does not have.
  /// - Returns: `nil` where there is none, and where the forge cannot be asked.
  /// - Throws: `CancellationError`.
  func clone(of source: CloneSource, besides path: String) async throws -> String? {
    do {
      guard let store = try forage.store.existing() else { return nil }
      let others = try clones(withHistoryOf: path, of: source, in: store)
      guard !others.isEmpty else { return nil }
      var sources = [source]
      try await ask(about: &sources, at: [0])
      guard sources[0].forgeID != nil || sources[0].hasAnswer == true else { return nil }
      try await ask(about: others, in: store)
      let known = try ClonePlanner.clones(of: sources, in: store)[source.id] ?? []
      return known.map(\.path).first(where: CloneProbe.isClone)
    } catch let error as StoreError {
      forage.reporter.trace?("names of repositories were not looked up: " + error.message)
      return nil
    }
  }

  /// The clones of other repositories of a host that have a commit in common with a clone: its first one,
  /// their current one or, where the history of the new one is cut off, its current one.
  private func clones(withHistoryOf path: String, of source: CloneSource, in store: Store)
    throws(StoreError) -> [CloneRecord]
  {
    guard let new = try? GitRepository.open(path, loadsReferences: false) else { return [] }
    let tip = new.shallow.isEmpty ? nil : new.refs.head.commit
    return try store.clones().filter { clone in
      guard clone.host == source.host, let id = clone.entityID, id != source.id else { return false }
      let commits = [clone.rootCommit, clone.commit].compactMap { $0.flatMap { ObjectID(hex: $0) } }
      if commits.contains(where: new.has) { return true }
      guard let tip else { return false }
      return (try? GitRepository.open(clone.path, loadsReferences: false))?.has(tip) ?? false
    }
  }

  /// Asks forges for the ids that they have for repositories, unless these are known or were asked for; only
  /// for the first ones.
  private func ask(about sources: inout [CloneSource], at places: [Int]) async throws {
    let untold = places.filter { sources[$0].forgeID == nil && sources[$0].hasAnswer == nil }
      .prefix(Self.questionLimit)
    for (index, answer) in zip(untold, try await answers(about: untold.map { sources[$0].id })) {
      sources[index].hasAnswer = answer != nil
      guard let answer else { continue }
      // It may be the former name of what is cloned.
      if answer.id == sources[index].id {
        sources[index].forgeID = answer.forgeID
      } else {
        learn(answer, asked: sources[index].id)
      }
    }
  }

  /// Asks forges for the names that the repositories of clones have now, unless the forges' ids of them are
  /// known; only for the first ones.
  private func ask(about clones: [CloneRecord], in store: Store) async throws {
    var asked: [String] = []
    for id in clones.filter({ $0.forgeID == nil }).compactMap(\.entityID)
    where asked.count < Self.questionLimit {
      if !asked.contains(id) { asked.append(id) }
    }
    var news: [String: String] = [:]
    for (id, answer) in zip(asked, try await answers(about: asked)) {
      guard let answer else { continue }
      learn(answer, asked: id)
      news[answer.id] = answer.forgeID
    }
    // A catalogue that cannot be written learns them another time.
    _ = try? store.recordForgeIDs(news)
  }

  /// What the forges of repositories say of them; `nil` for one that its forge does not have, or that it
  /// could not be asked for.
  private func answers(about ids: [String]) async throws -> [SearchResult?] {
    let deadline = ContinuousClock.now + Self.questionTime
    var answers: [SearchResult?] = []
    let hosts = Set(ids.map { String($0.prefix { $0 != "/" }) })
    try await forage.reporter.waiting(for: hosts.sorted().joined(separator: ", ")) {
      try await inOrder(ids, width: Self.questionLimit) { [forage] id -> SearchResult? in
        guard let entity = EntityReference(id, defaultHost: "")?.repository,
          let forge = forage.forgeProvider(at: entity.host)
        else { return nil }
        return try? await forge.repository(entity, deadline: deadline)
      } each: { _, answer in
        answers.append(answer)
      }
    }
    return answers
  }

  /// Records names.
  ///
  /// - Returns: Whether anything was not known.
  @discardableResult
  func learn(_ names: [RepositoryName]) -> Bool {
    guard !names.isEmpty else { return false }
    do throws(StoreError) {
      return try forage.store.existing()?.learn(names, waits: false) ?? false
    } catch {
      forage.reporter.trace?("names of repositories were not recorded: " + error.message)
      return false
    }
  }

  /// The name of a result, with letters as its forge writes them.
  package static func name(_ result: SearchResult, asked id: String) -> RepositoryName? {
    let (title, whole) = (result.title, result.id)
    let isWritten = whole.lowercased().hasSuffix("/" + title.lowercased())
    return RepositoryName(formerID: id, name: isWritten ? whole.dropLast(title.count) + title : whole)
      .flatMap(checked)
  }

  /// A name on the host of the former one.
  private static func checked(_ name: RepositoryName) -> RepositoryName? {
    func host(_ id: String) -> Substring { id.prefix { $0 != "/" } }
    return host(name.id) == host(name.formerID) ? name : nil
  }
}
