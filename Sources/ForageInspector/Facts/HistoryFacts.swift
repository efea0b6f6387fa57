import ForageFoundation
import ForageGit

/// Facts from commits and tags; those that were not requested are nil.
struct HistoryFacts {
  /// The facts that depend on the commits of `HEAD` alone, those of the cache included.
  var commitFacts: CommitFacts
  var commits: InspectionReport.Commits? { sections.contains(.commits) ? commitFacts.commits : nil }
  var authors: [InspectionReport.Author]? { sections.contains(.authors) ? commitFacts.authors : nil }
  var authorCount: Int? { sections.contains(.authorCount) ? commitFacts.authors?.count : nil }
  var busFactor: Int? { sections.contains(.busFactor) ? commitFacts.busFactor : nil }
  var activity: InspectionReport.Activity? {
    sections.contains(.activity) ? commitFacts.activity?.activity(until: monday) : nil
  }
  var signedShare: Double? { sections.contains(.signedShare) ? commitFacts.signedShare : nil }
  /// Also set when only the version is requested, then without the nearest tag.
  var tags: InspectionReport.Tags?
  var upstream: InspectionReport.Upstream?
  private(set) var notes: FactNotes
  /// The commits of `HEAD` as far as they are walked; nil if none was needed.
  private(set) var graph: CommitGraph?
  /// Whether all commits could be read; otherwise the facts are not cached.
  private(set) var isWhole = true

  private let sections: Set<InspectionSection>
  /// The Monday of the current week, in days since 1970.
  private let monday: Int64

  /// Computes the facts; an error becomes a note.
  ///
  /// All commits are walked only if a section needs that and `known` lacks it. Tags and the upstream alone
  /// read as many commits as `git describe` and `git rev-list` would.
  ///
  /// - Parameters:
  ///   - sections: the sections to compute; those that are not about the history are ignored.
  ///   - known: the facts of an earlier inspection of the same commits.
  init(
    _ repository: GitRepository, sections: Set<InspectionSection> = InspectionSection.standard,
    known: CommitFacts = CommitFacts(), now: Date, isCancelled: () -> Bool
  ) {
    self.sections = sections
    monday = CommitTally.monday(of: Int64(now.timeIntervalSince1970))
    commitFacts = known
    notes = FactNotes(repository)
    // The clock was set back after the facts were cached.
    if let activity = commitFacts.activity, !activity.covers(monday) { commitFacts.activity = nil }
    switch repository.refs.head {
    case .invalid:
      if let section = CommitFacts.order.first(where: commitFacts.missing(sections).contains) {
        notes.addInvalidHead(section, missing: "is no history")
      }
    case .symbolic(_, nil):
      commitFacts = CommitFacts(unbornFor: sections)
    case .symbolic(_, let tip?), .detached(let tip):
      graph = walk(from: tip, repository, isCancelled)
    }
    // The tags and the upstream need only a part of the history, which may be there.
    var (part, incomplete): (CommitGraph?, CommitGraph?) = (graph, nil)
    graph = nil
    if part?.unread != nil, let tip = repository.refs.head.commit {
      incomplete = part
      part = CommitGraph(lazilyFrom: tip, in: repository)
    }
    addTags(repository, &part, isCancelled)
    if sections.contains(.upstream) { compareUpstream(repository, &part, isCancelled) }
    graph = incomplete ?? part
  }

  /// Walks as much of the history as the sections need; nil when none is needed or it cannot be read.
  private mutating func walk(
    from tip: ObjectID, _ repository: GitRepository, _ isCancelled: () -> Bool
  ) -> CommitGraph? {
    let missing = commitFacts.missing(sections)
    guard !missing.isEmpty else {
      guard sections.contains(.tags) || sections.contains(.upstream) else { return nil }
      return CommitGraph(lazilyFrom: tip, in: repository)
    }
    do throws(GitError) {
      if missing == [.signedShare] {
        var newest = CommitGraph(lazilyFrom: tip, in: repository)
        if try commitFacts.addSigned(&newest, repository) { return newest }
        commitFacts.signedShare = nil
      }
      var walked = try CommitGraph(
        from: tip, in: repository, tallies: CommitFacts.needsTally(missing), lastMonday: monday,
        skipsDamage: true, isCancelled: isCancelled)
      let section = CommitFacts.order.first(where: missing.contains)
      isWhole = walked.unread == nil
      try commitFacts.add(sections, &walked, tip, repository)
      guard let unread = walked.unread else { return walked }
      let what = counted(unread.count, "commit")
      if let section {
        note(
          section,
          GitError(
            .missingObject,
            "\(what) and all behind could not be read and are not counted: \(unread.reason.message)"))
      }
      return walked
    } catch {
      noteCommits(error)
      return error.code == .cancelled ? nil : CommitGraph(lazilyFrom: tip, in: repository)
    }
  }

  private mutating func addTags(
    _ repository: GitRepository, _ graph: inout CommitGraph?, _ isCancelled: () -> Bool
  ) {
    guard sections.contains(.tags) || sections.contains(.version) else { return }
    // The names of tags are known without objects.
    if let problem = repository.objectProblem, sections.contains(.tags) { note(.tags, problem) }
    var none: CommitGraph?
    do throws(GitError) {
      let summary =
        sections.contains(.tags)
        ? try repository.tags(&graph, isCancelled: isCancelled)
        : try repository.tags(&none, isCancelled: isCancelled)
      tags = .init(
        count: summary.count,
        nearest: summary.nearest.map { .init(name: $0.name, distance: $0.distance) },
        highest: summary.highest)
      if summary.unread > 0 {
        let what = counted(summary.unread, "tag")
        notes.add(
          .tags, "\(what) could not be read and may be nearer: objects are missing or damaged", isDamage: true
        )
      }
    } catch {
      note(sections.contains(.tags) ? .tags : .version, error)
      // The number of tags does not need the history.
      if error.code != .cancelled, let summary = try? repository.tags(&none) {
        tags = .init(count: summary.count, nearest: nil, highest: summary.highest)
      }
    }
  }

  /// Compares the branch with its upstream. Takes the graph as `inout`, because the walk extends it.
  private mutating func compareUpstream(
    _ repository: GitRepository, _ graph: inout CommitGraph?, _ isCancelled: () -> Bool
  ) {
    guard let branch = repository.refs.head.branch, let followed = repository.upstream(ofBranch: branch)
    else {
      return
    }
    upstream = .init(name: followed.name, ahead: nil, behind: nil)
    if let problem = repository.objectProblem {
      note(.upstream, problem)
      return
    }
    guard let tip = followed.commit else {
      note(.upstream, GitError(.notFound, "\(followed.name) does not exist"))
      return
    }
    guard graph != nil else { return }
    do throws(GitError) {
      let target = try repository.peel(tip).id
      guard let difference = try graph?.aheadBehind(of: target, isCancelled: isCancelled) else { return }
      upstream?.ahead = difference.ahead
      upstream?.behind = difference.behind
    } catch {
      note(.upstream, error)
    }
  }

  /// Notes an error at the first requested section that has no facts.
  private mutating func noteCommits(_ error: GitError) {
    let missing = commitFacts.missing(sections)
    if let section = CommitFacts.order.first(where: missing.contains) { note(section, error) }
  }

  /// A partial clone has all commits, so that one that is missing is damage there, too.
  private mutating func note(_ section: InspectionSection, _ error: GitError) {
    notes.add(section, error, isWhole: true)
  }
}
