import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is told from commits and tags: only what was asked for, the rest stays nil.
struct HistoryFacts: Sendable {
  /// What depends on the commits of `HEAD` alone, and what was known of it before: what is worth keeping.
  var commitFacts: CommitFacts
  var commits: InspectionReport.Commits?
  var authors: [InspectionReport.Author]?
  var authorCount: Int?
  var busFactor: Int?
  var activity: InspectionReport.Activity?
  var signedShare: Double?
  /// Also there when only the version was asked for, then without the nearest tag.
  var tags: InspectionReport.Tags?
  var upstream: InspectionReport.Upstream?
  var notes: [InspectionReport.Note] = []

  private let sections: Set<InspectionSection>
  /// The Monday of the current week, in days since 1970.
  private let monday: Int64

  /// Tells the history; failures become notes.
  ///
  /// All commits are walked only when a section needs that and `known` does not have it; tags and the upstream alone
  /// look at as much as `git describe` and `git rev-list` would.
  ///
  /// - Parameters:
  ///   - sections: what to tell; others than those of the history are passed over.
  ///   - known: facts from before, of the same ``memoryKey(_:)``.
  ///   - now: the time that the weeks of the activity end with.
  ///   - isCancelled: asked now and then, on this thread.
  init(
    _ repository: GitRepository, sections: Set<InspectionSection> = InspectionSection.standard,
    known: CommitFacts? = nil, now: Date, isCancelled: () -> Bool
  ) {
    self.sections = sections
    monday = CommitTally.monday(of: Int64(now.timeIntervalSince1970))
    commitFacts = known ?? CommitFacts()
    // The clock was set back since.
    if let activity = commitFacts.activity, !activity.covers(monday) { commitFacts.activity = nil }
    var graph: CommitGraph?
    switch repository.refs.head {
    case .invalid:
      let error = GitError(.invalidHead, "without a valid HEAD there is no history to tell")
      if !commitFacts.covers(sections) { noteCommits(error) }
    case .symbolic(_, nil):
      commitFacts = CommitFacts(unbornFor: sections)
    case .symbolic(_, let tip?), .detached(let tip):
      graph = look(from: tip, repository, isCancelled)
    }
    take()
    addTags(repository, &graph, isCancelled)
    if sections.contains(.upstream) { follow(repository, &graph, isCancelled) }
  }

  /// Walks the history as far as it is needed; nil when nothing of it can be told.
  private mutating func look(
    from tip: ObjectID, _ repository: GitRepository, _ isCancelled: () -> Bool
  ) -> CommitGraph? {
    let missing = commitFacts.missing(sections)
    guard !missing.isEmpty else {
      guard sections.contains(.tags) || sections.contains(.upstream) else { return nil }
      return CommitGraph(lazilyFrom: tip, in: repository)
    }
    do throws(GitError) {
      let walked = try CommitGraph(
        from: tip, in: repository, tallies: CommitFacts.needsTally(missing), lastMonday: monday,
        isCancelled: isCancelled)
      try commitFacts.add(sections, walked, tip, repository)
      return walked
    } catch {
      noteCommits(error)
      return nil
    }
  }

  /// Takes of the commits' facts what was asked for.
  private mutating func take() {
    if sections.contains(.commits) { commits = commitFacts.commits }
    if sections.contains(.authors) { authors = commitFacts.authors }
    if sections.contains(.authorCount) { authorCount = commitFacts.authors?.count }
    if sections.contains(.busFactor) { busFactor = commitFacts.busFactor }
    if sections.contains(.activity) { activity = commitFacts.activity?.activity(until: monday) }
    if sections.contains(.signedShare) { signedShare = commitFacts.signedShare }
  }

  private mutating func addTags(
    _ repository: GitRepository, _ graph: inout CommitGraph?, _ isCancelled: () -> Bool
  ) {
    guard sections.contains(.tags) || sections.contains(.version) else { return }
    var none: CommitGraph?
    do throws(GitError) {
      let summary =
        if sections.contains(.tags) {
          try repository.tags(&graph, isCancelled: isCancelled)
        } else {
          try repository.tags(&none, isCancelled: isCancelled)
        }
      tags = .init(
        count: summary.count,
        nearest: summary.nearest.map { .init(name: $0.name, distance: $0.distance) },
        highest: summary.highest)
    } catch {
      note(sections.contains(.tags) ? .tags : .version, error)
      // How many there are is known all the same.
      if error.code != .cancelled, let summary = try? repository.tags(&none) {
        tags = .init(count: summary.count, nearest: nil, highest: summary.highest)
      }
    }
  }

  /// Compares with what the branch follows; takes the graph, because it grows.
  private mutating func follow(
    _ repository: GitRepository, _ graph: inout CommitGraph?, _ isCancelled: () -> Bool
  ) {
    guard let branch = repository.refs.head.branch, let followed = repository.upstream(ofBranch: branch)
    else {
      return
    }
    upstream = .init(name: followed.name, ahead: nil, behind: nil)
    guard let tip = followed.commit else {
      note(.upstream, GitError(.notFound, "\(followed.name) does not exist (any more)"))
      return
    }
    guard graph != nil else { return }
    do throws(GitError) {
      let target = try repository.peel(tip).id
      guard let difference = try graph?.difference(target, repository, isCancelled) else { return }
      upstream?.ahead = difference.ahead
      upstream?.behind = difference.behind
    } catch {
      note(.upstream, error)
    }
  }

  /// Notes why the commits' facts are missing, at the first section that was asked for and has none.
  private mutating func noteCommits(_ error: GitError) {
    let missing = commitFacts.missing(sections)
    let order: [InspectionSection] = [.commits, .authors, .authorCount, .busFactor, .activity, .signedShare]
    if let section = order.first(where: missing.contains) { note(section, error) }
  }

  private mutating func note(_ section: InspectionSection, _ error: GitError) {
    notes.append(.init(section: section.rawValue, message: error.message))
  }
}

extension HistoryFacts {
  /// Counts up whenever facts are told in another way, so that older ones are not taken for them.
  private static let memoryVersion = 2

  /// What ``CommitFacts`` depend on: under the same key they are the same; nil when there is nothing to keep.
  static func memoryKey(_ repository: GitRepository) -> String? {
    guard let head = repository.refs.head.commit else { return nil }
    return "history \(memoryVersion) \(head.hex) \(repository.historyFingerprint())"
  }
}

extension CommitGraph {
  /// Compares with another commit, in the way that fits what is known.
  fileprivate mutating func difference(
    _ other: ObjectID, _ repository: GitRepository, _ isCancelled: () -> Bool
  ) throws(GitError) -> AheadBehind {
    guard headCount > 0 else { return try aheadBehind(lazilyOf: other, isCancelled: isCancelled) }
    // First all is there, then it is compared.
    let number = try extend(from: other, in: repository, isCancelled: isCancelled)
    return aheadBehind(of: number)
  }
}
