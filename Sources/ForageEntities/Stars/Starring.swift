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
  /// - Throws: `ForageError` for what is no repository on a forge with stars.
  package func repository(_ reference: ResolvedReference, _ change: StarChange) throws -> EntityReference {
    let entity = try reference.repository(change.done)
    do throws(ForageError) {
      _ = try forage.starForge(at: entity.host)
    } catch {
      var unchanged = error
      unchanged.message += "; nothing was changed"
      throw unchanged
    }
    return entity
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
      try await forage.starForge(at: entity.host).change(change, of: entity, deadline: .now + timeout)
    }
    StarMarks(forage).record([entity.id: change == .add])
  }

  /// The pause that the forge of a repository asks for between two changes.
  package func pause(for entity: EntityReference) -> Duration {
    (try? forage.starForge(at: entity.host))?.pauseBetweenChanges ?? .zero
  }
}
