/// What the tags of a repository tell.
package struct TagSummary: Sendable, Hashable {
  /// How many there are.
  package let count: Int
  /// The nearest one that is reachable from `HEAD`, as `git describe --tags` tells, with its distance.
  package let nearest: Nearest?
  /// The one with the highest version.
  package let highest: String?

  /// A tag and how many commits are after it.
  package struct Nearest: Sendable, Hashable {
    package let name: String
    package let distance: Int
  }
}

extension GitRepository {
  private static let tagPrefix = "refs/tags/"

  /// Counts and ranks the tags.
  ///
  /// - Parameter graph: the history of `HEAD`, walked or not; nil when there is none or `nearest` is not wanted.
  /// - Throws: `cancelled`; `missingObject`, `corrupt` when a commit on the way to the nearest cannot be read. A tag
  ///   whose object cannot be read counts, but is never the nearest.
  package func tags(
    _ graph: inout CommitGraph?, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> TagSummary {
    let references = refs.with(prefix: Self.tagPrefix)
    var highest: (version: VersionTag, name: String)?
    for reference in references {
      let name = String(reference.name.dropFirst(Self.tagPrefix.count))
      guard let version = VersionTag(name) else { continue }
      if let current = highest, !(current.version < version) { continue }
      highest = (version, name)
    }
    var nearest: TagSummary.Nearest?
    if graph != nil {
      let names = describeNames(references, &graph)
      if let found = try graph?.describe(names, isCancelled: isCancelled) {
        nearest = .init(name: found.name, distance: found.distance)
      }
    }
    return TagSummary(count: references.count, nearest: nearest, highest: highest?.name)
  }

  /// The tag that speaks for each commit: annotated before lightweight, of annotated ones the newest, else
  /// the first.
  private func describeNames(
    _ references: [Reference], _ graph: inout CommitGraph?
  ) -> [Int: DescribeName] {
    var names: [Int: (name: DescribeName, tag: ObjectID)] = [:]
    for reference in references {
      var target = reference.peeled ?? reference.target
      if reference.peeled == nil, !reference.isKnownPlain, graph?.number(of: target) == nil {
        // A loose tag: what it names is only in its object.
        guard let peeled = try? peel(target), peeled.kind == .commit else { continue }
        target = peeled.id
      }
      guard let number = graph?.insertTagTarget(target) else { continue }
      let isAnnotated = target != reference.target
      let name = DescribeName(
        name: String(reference.name.dropFirst(Self.tagPrefix.count)), isAnnotated: isAnnotated)
      if let current = names[number] {
        if current.name.isAnnotated, !isAnnotated { continue }
        if current.name.isAnnotated == isAnnotated {
          guard isAnnotated, taggedAt(current.tag) < taggedAt(reference.target) else { continue }
        }
      }
      names[number] = (name, reference.target)
    }
    return names.mapValues(\.name)
  }

  private func taggedAt(_ id: ObjectID) -> Int64 { (try? tag(id).taggedAt) ?? 0 }
}
