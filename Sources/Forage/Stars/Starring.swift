package import ForageCore
import ForageGitHub

/// Adds and removes stars on the forges of the settings.
package struct Starring: Sendable {
  /// The pause between two changes that GitHub asks for.
  package static let pause = GitHubClient.pauseBetweenWrites

  private let services: Services
  private let forges: [(client: GitHubClient, hosts: [String])]

  /// The hosts on which something can be starred, that of plain names first.
  package var hosts: [String] { forges.flatMap(\.hosts) }

  /// Finds the forges; nothing is sent.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong proxy, and for a wrong address of the forge of plain names; that of another matters only to who asks it.
  package init(_ services: Services) throws {
    self.services = services
    let instances = services.instances
    forges = try instances.compactMap { instance in
      let isFirst = instance.id == instances.first?.id
      let host = isFirst ? try instance.host.get() : try? instance.host.get()
      guard let host else { return nil }
      return (try services.client(instance), host.entityHosts)
    }
  }

  /// The repository that a reference names.
  ///
  /// - Throws: `ForageError` for what is no repository on one of the forges.
  package func repository(_ reference: ResolvedReference, _ change: StarChange) throws -> EntityReference {
    let entity = try reference.repository(change.done)
    guard hosts.contains(entity.host) else {
      throw ForageError(
        "nothing can be starred on \(entity.host)",
        hint: "stars can be given on \(hosts.joined(separator: ", ")); nothing was changed")
    }
    return entity
  }

  /// Changes the star of a repository, and remembers it.
  ///
  /// - Parameter requests: Counts what was sent; a change is not repeated, so that its outcome is unknown after an interruption.
  /// - Throws: `SearchError` where the forge refuses it; `CancellationError`.
  package func change(
    _ change: StarChange, of entity: EntityReference, within timeout: Duration,
    requests: RequestCounter = RequestCounter()
  ) async throws {
    guard let forge = forges.first(where: { $0.hosts.contains(entity.host) }) else {
      throw ForageError("nothing can be starred on \(entity.host)", hint: "name a repository of a forge")
    }
    try await forge.client.change(change, of: entity, deadline: .now + timeout, requests: requests)
    StarMarks(services).record([entity.id: change == .add])
  }

  /// Sets or removes the star of a repository; otherwise as ``change(_:of:within:requests:)``.
  package func set(_ isSet: Bool, of entity: EntityReference, within timeout: Duration) async throws {
    try await change(isSet ? .add : .remove, of: entity, within: timeout)
  }
}
