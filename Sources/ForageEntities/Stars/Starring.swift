package import ForageCore
import ForageHTTP
package import ForageSetup

/// Adds and removes stars on the forges of the settings.
package struct Starring: Sendable {
  private let forage: Forage

  /// Nothing is sent.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong proxy, and for a wrong address of the
  ///   forge of plain names; that of another matters only to who asks it.
  package init(_ forage: Forage) throws {
    self.forage = forage
    if let usual = forage.forges.first, !forage.isDisabled(usual.id) {
      _ = try forage.usableProvider(of: usual)
    }
  }

  /// The repository that a reference names.
  ///
  /// - Throws: `ForageError` for what is no repository on one of the forges.
  package func repository(_ reference: ResolvedReference, _ change: StarChange) throws -> EntityReference {
    let entity = try reference.repository(change.done)
    guard canStar(on: entity.host) else {
      var error = forage.noForge(at: entity.host)
      let hosts = forage.starHosts
      if error.remedy == .listProviders, !hosts.isEmpty {
        error = ForageError(
          "nothing can be starred on \(entity.host)",
          hint: "stars can be given on \(hosts.joined(separator: ", ")); nothing was changed")
      } else {
        error.message += "; nothing was changed"
      }
      throw error
    }
    return entity
  }

  /// Whether a host is that of a forge.
  package func canStar(on host: String) -> Bool { forage.forgeProvider(at: host) != nil }

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
    guard let forge = forage.forgeProvider(at: entity.host) else { throw forage.noForge(at: entity.host) }
    return forge
  }
}
