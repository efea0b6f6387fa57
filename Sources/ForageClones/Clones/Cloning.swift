package import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForageManifest
import ForagePlatform
public import ForageSetup
import ForageStore

/// The outcome of cloning one repository.
public struct CloneResult: Sendable {
  /// The outcome.
  public enum State: String, Sendable {
    /// It was cloned.
    case cloned
    /// A clone existed already.
    case present
    /// It could not be cloned.
    case failed
  }

  package var source: CloneSource
  /// The outcome.
  public var state: State
  /// The folder of the clone or, after a failure, the one that it would have.
  public var path: String
  /// Why it could not be cloned.
  public var error: ForageError?

  /// The canonical id of the repository, `host/owner/name`.
  public var id: String { source.id }
}

/// Clones repositories with the git program, below the folder of the settings, and adds them to the
/// catalogue.
package struct Cloning: Sendable {
  private let forage: Forage
  private let settings: Settings
  private let git: GitClone
  private let isInteractive: Bool

  /// Finds the git program.
  ///
  /// - Parameter isInteractive: Whether git may ask for a password on the terminal when it clones a single
  ///   repository.
  /// - Throws: `ForageError` for settings that cannot be read, and where there is no git program.
  package init(_ forage: Forage, _ extent: CloneExtent = CloneExtent(), isInteractive: Bool = false)
    throws
  {
    self.forage = forage
    settings = try forage.settings(needing: .clones)
    git = try GitClone(forage, extent)
    self.isInteractive = isInteractive
  }

  /// How long a forge is waited for that is asked for the addresses of a repository.
  private static let answerTimeout: Duration = .seconds(5)

  /// The addresses of a repository; the one for SSH its forge is asked for, because its name does not show
  /// the port.
  private func addresses(of entity: EntityReference, _ result: SearchResult?) async -> CloneSource.Addresses {
    var addresses = CloneSource.Addresses(page: forage.cloneAddress(of: entity))
    addresses.add(result, of: entity)
    if settings.clones.transferProtocol == .ssh, addresses.ssh == nil,
      let forge = forage.forgeProvider(at: entity.host) as? ManifestForgeProvider
    {
      let found = try? await forge.repository(entity, deadline: .now + Self.answerTimeout)
      addresses.add(found, of: entity, isOfForge: true)
      forage.recordSSHHosts([found].compactMap(\.self))
    }
    return addresses
  }

  /// The repository that a text names.
  ///
  /// - Parameters:
  ///   - text: What `entity` was read from, or the address of `result`.
  ///   - result: What is known of it.
  /// - Throws: `ForageError` for names that cannot be those of folders.
  package func source(_ text: String, naming entity: EntityReference, _ result: SearchResult?) async throws
    -> CloneSource
  {
    try CloneSource(
      reference: text, naming: entity, known: await addresses(of: entity, result),
      settings.clones.transferProtocol, hosts: forage.remoteHosts)
  }

  /// The repository of a result of a search.
  ///
  /// - Parameters:
  ///   - entity: What the id of the result names.
  ///   - isOfForge: Whether the forge itself has answered, whose host for SSH may be another one.
  /// - Throws: `ForageError` for names that cannot be those of folders.
  package func source(_ result: SearchResult, naming entity: EntityReference, isOfForge: Bool = false) throws
    -> CloneSource
  {
    if isOfForge { forage.recordSSHHosts([result]) }
    return try CloneSource(
      result, naming: entity, known: CloneSource.Addresses(page: forage.cloneAddress(of: entity)),
      isOfForge: isOfForge,
      settings.clones.transferProtocol)
  }

  /// The plan for one repository; nothing is made.
  package func plan(for source: CloneSource) async throws -> ClonePlanner.Plan {
    try await plans(for: [source])[0].plan
  }

  /// The plans for repositories, in their order; nothing is made.
  package func plans(for sources: [CloneSource]) async throws
    -> [(source: CloneSource, plan: ClonePlanner.Plan)]
  {
    var made = MadeFolders()
    defer { made.removeEmpty() }
    return try await plans(for: sources, root: try root(&made), store: try forage.store.existing()).plans
  }

  /// The plans for repositories and what made them.
  private func plans(for sources: [CloneSource], root: String, store: Store?) async throws
    -> (plans: [(source: CloneSource, plan: ClonePlanner.Plan)], planner: ClonePlanner)
  {
    var sources = sources
    if let store { sources = try await RepositoryNames(forage).recognized(sources, in: store) }
    // It knows the names that were learned.
    var planner = ClonePlanner(root: root, store: store, hosts: forage.remoteHosts)
    return (try await planner.plans(for: sources), planner)
  }

  /// Clones repositories, several at once; those that are cloned already are left alone.
  ///
  /// A failure stops no other clone. Folders that stay empty are removed again.
  ///
  /// - Parameters:
  ///   - folder: The folder of a single repository, `nil` for its place below the folder of the settings.
  ///   - isAgreed: Takes the plans; nothing is cloned unless it returns `true`.
  ///   - started: Takes each repository that git begins to clone, with what tells how far it is.
  ///   - ended: Takes each result as soon as it is known.
  /// - Returns: The results in the order of the repositories, after an interruption those that are known;
  ///   `nil` where it was not agreed.
  /// - Throws: `ForageError` for a folder that cannot be used; what the closures throw; `CancellationError`.
  package func run(
    _ sources: [CloneSource], into folder: String? = nil,
    isAgreed: (_ plans: [(source: CloneSource, plan: ClonePlanner.Plan)]) throws -> Bool = { _ in true },
    started: @escaping @Sendable (CloneSource, @escaping @Sendable () -> String?) -> Void = { _, _ in },
    ended: (CloneResult) throws -> Void = { _ in }
  ) async throws -> [CloneResult]? {
    var made = MadeFolders()
    var catalogue: CloneRun.Catalogue?
    defer {
      made.removeEmpty()
      catalogue?.removeUnused()
    }
    let root = try root(&made)
    catalogue = try await self.catalogue(root)
    UnfinishedClone.removeAbandoned(below: root)
    var planner = ClonePlanner(root: root, store: catalogue?.store, hosts: forage.remoteHosts)
    var plans: [(source: CloneSource, plan: ClonePlanner.Plan)] = []
    if let folder {
      for source in sources { plans.append((source, try await planner.plan(source, folder))) }
    } else {
      (plans, planner) = try await self.plans(for: sources, root: root, store: catalogue?.store)
    }
    var missing = 0
    for case .missing(let path) in plans.map(\.plan) {
      missing += 1
      made.willMake(FileAccess.parent(of: path))
    }
    guard try isAgreed(plans) else { return nil }
    for case (let source, .missing) in plans { warnOfOtherProtocol(source) }
    return try await CloneRun(
      forage: forage, git: git, isInteractive: isInteractive && missing == 1, planner: planner,
      catalogue: catalogue, started: started
    ).run(plans, ended)
  }

  /// Says that git does not use SSH, which the settings want: the name of a repository does not show the port
  /// of its forge for it.
  private func warnOfOtherProtocol(_ source: CloneSource) {
    guard settings.clones.transferProtocol == .ssh,
      let scheme = ["https", "http"].first(where: { source.url.hasPrefix($0 + "://") })
    else { return }
    forage.reporter.warnOnce(
      "no address for SSH is known at \(source.host); git uses \(scheme.uppercased())",
      hint: "write the ssh:// address of the repository instead of its name")
  }

  /// The folder below which clones are placed, made where it does not exist, without links.
  private func root(_ made: inout MadeFolders) throws -> String {
    let named = settings.clones.root
    let path = named.hasPrefix("~") ? forage.paths.home + named.dropFirst() : named
    made.willMake(path)
    let hint = "set clones.root to another folder in \(forage.paths.configFile)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ForageError(
        "the folder for clones, \(path), cannot be made", hint: "check its permissions, or \(hint)")
    }
    guard path.hasPrefix("/"), let root = FileAccess.realPath(path), root != "/" else {
      throw ForageError("\(path) cannot be the folder for clones", hint: hint)
    }
    return root
  }

  /// The catalogue, brought up to date; `nil` where it cannot be used.
  private func catalogue(_ root: String) async throws -> CloneRun.Catalogue? {
    let preparation = ClonePreparation(forage)
    try await preparation.scanWhatIsNew()
    do {
      return try await forage.reporter.waiting(for: StoreAccess.name) {
        let store = try forage.store.writable()
        let (folder, isNew) = try await preparation.register(root, store)
        return CloneRun.Catalogue(folder: folder, store: store, isNew: isNew)
      }
    } catch let error as StoreError {
      forage.reporter.warnOnce("clones cannot be added to the catalogue: " + error.message, hint: error.hint)
      return nil
    }
  }
}

private struct CloneRun: Sendable {
  /// The catalogue, and the registered folder that the root belongs to.
  struct Catalogue {
    let folder: String
    let store: Store
    /// Whether this run has registered the folder.
    let isNew: Bool

    /// Removes a folder from the catalogue that this run has registered and that is gone again.
    func removeUnused() {
      guard isNew, !FileAccess.isDirectory(folder) else { return }
      _ = try? store.removeCloneFolder(folder)
    }
  }

  /// How many are cloned at once.
  private static let width = 4

  let forage: Forage
  let git: GitClone
  let isInteractive: Bool
  let planner: ClonePlanner
  /// `nil` where it cannot be written.
  let catalogue: Catalogue?
  let started: @Sendable (CloneSource, @escaping @Sendable () -> String?) -> Void

  /// - Returns: The results in the order of the plans; after an interruption those that are known.
  func run(
    _ plans: [(source: CloneSource, plan: ClonePlanner.Plan)], _ ended: (CloneResult) throws -> Void
  ) async throws -> [CloneResult] {
    var results: [Int: CloneResult] = [:]
    try await asCompleted(plans, width: Self.width) {
      await carryOut($0.plan, $0.source)
    } each: { index, result in
      guard let result else { return }
      results[index] = result
      try ended(result)
    }
    return results.sorted { $0.key < $1.key }.map(\.value)
  }

  /// - Returns: `nil` after an interruption.
  private func carryOut(_ plan: ClonePlanner.Plan, _ source: CloneSource) async -> CloneResult? {
    switch plan {
    case .blocked(let path, let error):
      return CloneResult(source: source, state: .failed, path: path, error: error)
    case .present(let path, let isKnown):
      if !isKnown { await add(path, forgeID: source.forgeID) }
      return CloneResult(source: source, state: .present, path: path)
    case .missing(let path):
      let outcome: GitClone.Outcome
      do {
        outcome = try await git.run(source, into: path, isInteractive: isInteractive) { messages in
          started(source) { messages.lastLine }
        }
      } catch let error as ForageError {
        // Another process may have made the clone meanwhile.
        if case .present? = try? await planner.plan(source, path) {
          return CloneResult(source: source, state: .present, path: path)
        }
        return CloneResult(source: source, state: .failed, path: path, error: error)
      } catch {
        return nil
      }
      if outcome.other == nil { await add(path, forgeID: source.forgeID) }
      RepositoryNames(forage).learn([outcome.name].compactMap(\.self))
      if let other = outcome.other { return CloneResult(source: source, state: .present, path: other) }
      return CloneResult(
        source: source, state: outcome.problem == nil ? .cloned : .failed, path: path, error: outcome.problem)
    }
  }

  /// Adds a clone to the catalogue; a scan finds one that cannot be added now.
  ///
  /// - Parameter forgeID: The id of the repository on its forge, where that has told it.
  private func add(_ path: String, forgeID: String?) async {
    guard let catalogue else { return }
    if let ignored = forage.ignored.pattern(for: path) {
      forage.reporter.warnOnce(
        "\(path) is in no search and no list, because \(ignored) is ignored",
        hint: "to undo that, run: forage clones ignore --remove \(ignored.shellQuoted)")
    }
    do {
      if path.hasPrefix(planner.root + "/") {
        try await CloneCatalogue(store: catalogue.store, hosts: forage.remoteHosts)
          .add(path, folder: catalogue.folder, forgeID: forgeID)
      } else {
        _ = try await ClonePreparation(forage).register(path, catalogue.store)
      }
    } catch let error as StoreError {
      forage.reporter.warnOnce(
        "clones could not be added to the catalogue: " + error.message, hint: error.hint)
    } catch {
      // Interrupted: the next scan finds the clone.
    }
  }
}
