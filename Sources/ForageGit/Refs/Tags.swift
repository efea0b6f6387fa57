package struct TagSummary: Sendable, Hashable {
  package let count: Int
  /// The nearest tag reachable from `HEAD`, as `git describe --tags` finds it.
  package let nearest: Nearest?
  package let highest: String?
  /// The number of tags that may be nearer, because objects of them are missing or damaged; 0 if `nearest` is not
  /// requested.
  package var unread = 0

  package struct Nearest: Sendable, Hashable {
    package let name: String
    package let distance: Int
  }
}

extension GitRepository {
  private static let tagPrefix = "refs/tags/"

  /// Counts and ranks the tags.
  ///
  /// - Parameter graph: the history of `HEAD`; nil if there is none or `nearest` is not requested.
  /// - Throws: `cancelled`; `corrupt` if the names of references cannot be read; `missingObject` or `corrupt` if a commit on the way to the nearest tag cannot be
  ///   read. A tag whose object cannot be read counts, but is never the nearest.
  package func tags(
    _ graph: inout CommitGraph?, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> TagSummary {
    let references = objectProblem == nil ? refs.with(prefix: Self.tagPrefix) : []
    let names = objectProblem == nil ? references.map(\.name) : try refs.names().map(\.name)
    let tags = names.compactMap { $0.text(after: Self.tagPrefix) }
    let highest = VersionTag.highest(tags)
    var nearest: TagSummary.Nearest?
    var unread = 0
    if graph != nil {
      let names = describeNames(references, &graph, unread: &unread)
      if let found = try graph?.describe(names, isCancelled: isCancelled) {
        // As git does: an annotated tag has a name of its own, whatever the reference is called.
        let own = found.name.tag.flatMap { try? tag($0).name }
        nearest = .init(name: own ?? found.name.name, distance: found.distance)
      }
    }
    return TagSummary(count: tags.count, nearest: nearest, highest: highest, unread: unread)
  }

  /// Chooses the tag that describes each commit: annotated before lightweight, the newest of annotated ones,
  /// the first of lightweight ones. Counts the tags that cannot be read.
  private func describeNames(
    _ references: [Reference], _ graph: inout CommitGraph?, unread: inout Int
  ) -> [Int: DescribeName] {
    var names: [Int: DescribeName] = [:]
    for reference in references {
      var target = reference.peeled ?? reference.target
      if reference.peeled == nil, graph?.number(of: target) == nil {
        // A loose reference to a tag has no peeled id, and libgit2 does not tell a packed one that needs none,
        // so the object is read.
        do throws(GitError) {
          let peeled = try peel(target)
          guard peeled.kind == .commit else { continue }
          target = peeled.id
        } catch {
          // What a partial clone leaves with its remote is no commit.
          if error.isDamage, error.code != .missingObject || !isPartialClone { unread += 1 }
          continue
        }
      }
      guard let number = graph?.insertTagTarget(target) else { continue }
      let name = DescribeName(
        name: reference.name.text(after: Self.tagPrefix) ?? "",
        tag: target != reference.target ? reference.target : nil)
      if let current = names[number] {
        guard let new = name.tag else { continue }
        if let old = current.tag, taggedAt(old) >= taggedAt(new) { continue }
      }
      names[number] = name
    }
    return names
  }

  private func taggedAt(_ id: ObjectID) -> Int64 { (try? tag(id).taggedAt) ?? 0 }
}
