import ForageClones
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageManifest
import ForageSetup
import ForageStore

/// Names of what is on forges.
extension ReferenceReader {
  func onForge(_ text: String) async throws -> ResolvedReference? {
    guard let entity = try await entityOfForges(text) else { return nil }
    let parts = text[...].slashSeparated()
    // A place in a file is no repository with a colon in its name.
    if (entity.owner + entity.name).contains(":"), !isKnown(entity.repositoryID ?? entity.id) {
      throw try namesNothing(text)
    }
    let exists = ReferencePath.exists(text)
    // Three names and no host: the first is taken for one only where an entity with this id is known.
    if parts.count < 3 || canBeHost(parts[0]) || isKnown(entity.repositoryID ?? entity.id) {
      if exists, parts.count == 2 { await noteFolder(text, entity) }
      return ResolvedReference(text: text, entity: entity)
    }
    if !exists, let host = try await hostOfGroups(text), let entity = self.entity("\(host)/\(text)") {
      return ResolvedReference(text: text, entity: entity)
    }
    try checkStore()
    throw ForageError(
      "there is no folder \(text) here, and \(parts[0]) is not the name of a host",
      hint: "write owner/name, host/owner/name, or a path that exists")
  }

  /// The entity that a text names; an address for ssh may have a name of ssh's configuration in it.
  func entity(_ text: String) -> EntityReference? {
    let hosts = forage.remoteHosts
    return EntityReference(
      hosts.resolved(text), defaultHost: defaultHost, twoLevelHosts: twoLevelHosts
    ).map(hosts.canonical)
  }

  /// The entity that a text names. Where a name without a host may mean several forges, it is the one that is
  /// known, else the one whose forge has the repository.
  ///
  /// - Throws: `ForageError` where none or several of these are.
  func entityOfForges(_ text: String) async throws(ForageError) -> EntityReference? {
    guard let entity = entity(text), givenHost == nil, entity.host == defaultHost,
      let hosts = forage.hostsOfBareNames, hosts.count > 1, !namesHost(text, of: entity)
    else { return entity(text) }
    let candidates = (hosts + [defaultHost]).compactMap { host in
      EntityReference(text, defaultHost: host, twoLevelHosts: twoLevelHosts)
        .map(forage.remoteHosts.canonical)
    }
    let known = candidates.filter { isKnown($0.repositoryID ?? $0.id) }
    let meant = known.isEmpty ? await present(candidates) : known
    guard meant.count != 1 else { return meant[0] }
    throw ForageError(
      "\(text) may be on \(HumanFormat.alternatives(meant.isEmpty ? hosts : meant.map(\.host)))",
      hint: "write HOST/\(text)")
  }

  /// How long forges are waited for that are asked whether they have a repository.
  private static let askingTimeout: Duration = .seconds(5)

  /// The candidates of whose repositories their forges say that they have them.
  private func present(_ candidates: [EntityReference]) async -> [EntityReference] {
    let deadline = ContinuousClock.now + Self.askingTimeout
    let found = await withTaskGroup(of: Int?.self) { group in
      for (index, candidate) in candidates.enumerated() {
        guard let repository = candidate.repository, let forge = forage.forgeProvider(at: candidate.host)
        else {
          continue
        }
        group.addTask {
          (try? await forge.repository(repository, deadline: deadline)).flatMap(\.self) == nil ? nil : index
        }
      }
      return await group.reduce(into: Set<Int>()) { found, index in if let index { found.insert(index) } }
    }
    return candidates.indices.filter(found.contains).map { candidates[$0] }
  }

  /// Whether the host of an entity is written in the text that names it, also before the path of a file.
  func namesHost(_ text: String, of entity: EntityReference) -> Bool {
    let other = "host.invalid"
    let ends = text.indices.filter { text[$0] == ":" } + [text.endIndex]
    return ends.contains { end in
      EntityReference(
        forage.remoteHosts.resolved(String(text[..<end])), defaultHost: other, twoLevelHosts: twoLevelHosts
      ).map(forage.remoteHosts.canonical)?.host == entity.host
    }
  }

  /// The host of a name with groups in it and without one: that of the command, or that of the only other
  /// forge, else of the one that has the repository.
  ///
  /// - Throws: `ForageError` where several forges may be meant.
  private func hostOfGroups(_ text: String) async throws -> String? {
    if let givenHost, !RepositoryIdentity.isTwoLevel(givenHost), !twoLevelHosts.contains(givenHost) {
      return givenHost
    }
    // What a command opens may be a file that is not there.
    guard files != .every || text.contains(where: { "#!@".contains($0) }) else { return nil }
    let hosts = try forage.hostsOfGroups().sorted()
    guard hosts.count > 1 else { return hosts.first }
    let present = await present(hosts.compactMap { entity("\($0)/\(text)") }).map(\.host)
    guard present.count != 1 else { return present[0] }
    throw ForageError(
      "\(text) may be on \(HumanFormat.alternatives(present.isEmpty ? hosts : present))",
      hint: "write HOST/\(text)")
  }

  /// The commit with a whole id in a clone in the catalogue, first in the one that one stands in; `nil` where
  /// no clone of a forge has it.
  ///
  /// - Throws: `ForageError` where clones of several forges have it, as of a mirror: no page of another forge
  ///   is meant.
  func commitOfClone(_ text: String) async throws -> ResolvedReference? {
    guard [40, 64].contains(text.utf8.count), let id = ObjectID(hex: text.lowercased()) else { return nil }
    let here = FileAccess.realPath(".").flatMap(CloneProbe.root)
    let clones = ((try? forage.store.existing()?.clones()) ?? []).filter { $0.entityID != nil }
    let found = try await BlockingGit.run { _ throws(GitError) in
      var found: [CloneRecord] = []
      for clone in clones.filter({ $0.path == here }) + clones.filter({ $0.path != here }) {
        if found.contains(where: { $0.host == clone.host }) { continue }
        let repository = try? GitRepository.open(clone.path, loadsReferences: false)
        guard (try? repository?.header(of: id))?.kind == .commit else { continue }
        found.append(clone)
        if clone.path == here || found.count > 1 { break }
      }
      return found
    }
    if found.count > 1 {
      let names = found.compactMap(\.entityID)
      throw ForageError(
        "\(text) is a commit of \(names.joined(separator: " and "))",
        hint: "for example: \(names[0])@\(text)")
    }
    return found.first?.entityID.flatMap { entity("\($0)@\(text)") }.map {
      ResolvedReference(text: text, entity: $0)
    }
  }

  /// Whether a text is `#12` or `!12`.
  private static func isIssue(_ text: String) -> Bool {
    guard text.hasPrefix("#") || text.hasPrefix("!"),
      text.dropFirst().utf8.allSatisfy({ (48...57).contains($0) })
    else { return false }
    return Int(text.dropFirst()).map { $0 > 0 } ?? false
  }

  /// An issue of the repository whose clone one stands in.
  func issueOfClone(_ text: String) async throws -> ResolvedReference? {
    guard Self.isIssue(text) else { return nil }
    let hint = "write owner/name\(text)"
    guard ReferencePath.isInClone(".") else {
      throw ForageError("\(text) names an issue inside a clone only", hint: hint)
    }
    let clone = try await clone(text, at: ".")
    let name = clone.title + text
    guard let host = clone.entity?.host,
      let issue = EntityReference("\(host)/\(name)", defaultHost: host, twoLevelHosts: twoLevelHosts)
    else { throw ForageError("this clone has no remote on a forge, so \(text) names nothing", hint: hint) }
    return ResolvedReference(text: name, entity: issue)
  }

  /// Says how to name the clone at a path that reads as `owner/name`, unless it is a clone of that
  /// repository.
  private func noteFolder(_ text: String, _ entity: EntityReference) async {
    guard ReferencePath.isInClone(text), let found = try? await clone(text, at: text), found.id != entity.id
    else { return }
    forage.reporter.warning(
      "\(text) is read as the repository \(entity.id)", "to name the folder, write ./\(text)")
  }

  /// Whether a name can be that of a host: it has a dot or a port, or the settings name it.
  func canBeHost(_ name: Substring) -> Bool {
    name.contains(".") || name.contains(":") || name.contains("@") || name == "localhost"
      || name == defaultHost
      || twoLevelHosts.contains(String(name))
  }

  /// Whether there is a clone or a favorite of a repository.
  func isKnown(_ id: String) -> Bool {
    (try? forage.store.existing()?.favoriteIDs().contains(id)) == true
      || (try? forage.cloneNames())?.clones(ofID: id).isEmpty == false
  }
}
