package import ForageCore
import ForageHTTP

/// Adds and removes stars on the forges of the settings.
package struct Starring: Sendable {
  private let forage: Forage
  private let forges: [(provider: any ForgeProvider, hosts: [String])]

  /// The hosts on which something can be starred, that of plain names first.
  package var hosts: [String] { forges.flatMap(\.hosts) }

  /// Finds the forges; nothing is sent.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong proxy, and for a wrong address of the forge of plain names; that of another matters only to who asks it.
  package init(_ forage: Forage) throws {
    self.forage = forage
    let known = forage.forges
    forges =
      try known.compactMap { forge in
        let isFirst = forge.id == known.first?.id
        let address = isFirst ? try forge.address.get() : try? forge.address.get()
        guard let address else { return nil }
        return (try forge.make(forage, RequestOptions()), address.entityHosts)
      } + forage.addedForges.map { ($0, $0.info.hosts) }
  }

  /// The repository that a reference names.
  ///
  /// - Throws: `ForageError` for what is no repository on one of the forges.
  package func repository(_ reference: ResolvedReference, _ change: StarChange) throws -> EntityReference {
    let entity = try reference.repository(change.done)
    guard canStar(on: entity.host) else {
      throw ForageError(
        "nothing can be starred on \(entity.host)",
        hint: "stars can be given on \(hosts.joined(separator: ", ")); nothing was changed")
    }
    return entity
  }

  /// Whether a host is that of a forge.
  package func canStar(on host: String) -> Bool { provider(at: host) != nil }

  private func provider(at host: String) -> (any ForgeProvider)? {
    forges.first { $0.hosts.contains(host) }?.provider ?? forage.manifestForge(at: host)
  }

  /// Changes the star of a repository, and remembers it.
  ///
  /// A change is not repeated, so that its outcome is unknown after an interruption.
  ///
  /// - Throws: `SearchError` where the forge refuses it; `CancellationError`.
  package func change(
    _ change: StarChange, of entity: EntityReference, within timeout: Duration
  ) async throws {
    try await RequestOwner.$current.withValue(entity.owner) {
      try await forge(of: entity).change(change, of: entity, deadline: .now + timeout)
    }
    StarMarks(forage).record([entity.id: change == .add])
  }

  /// The pause that the forge of a repository asks for between two changes.
  package func pause(for entity: EntityReference) -> Duration {
    (try? forge(of: entity))?.pauseBetweenChanges ?? .zero
  }

  private func forge(of entity: EntityReference) throws -> any ForgeProvider {
    guard let forge = provider(at: entity.host) else {
      throw ForageError("nothing can be starred on \(entity.host)", hint: "name a repository of a forge")
    }
    return forge
  }

  /// Sets or removes the star of a repository; otherwise as ``change(_:of:within:)``.
  package func set(_ isSet: Bool, of entity: EntityReference, within timeout: Duration) async throws {
    try await change(isSet ? .add : .remove, of: entity, within: timeout)
  }
}
