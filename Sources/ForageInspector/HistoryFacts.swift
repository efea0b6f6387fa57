import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is told from commits and tags.
struct HistoryFacts: Sendable {
  var commits: InspectionReport.Commits?
  var authors: [InspectionReport.Author]?
  var tags: InspectionReport.Tags?
  var upstream: InspectionReport.Upstream?
  var notes: [InspectionReport.Note] = []

  /// Walks the history; failures become notes.
  init(_ repository: GitRepository, isCancelled: () -> Bool) {
    var graph: CommitGraph?
    switch repository.refs.head {
    case .invalid:
      note("commits", GitError(.invalidHead, "without a valid HEAD there is no history to tell"))
    case .symbolic(_, nil):
      commits = .init(count: 0, merges: 0, first: nil, last: nil)
      authors = []
    case .symbolic(_, let tip?), .detached(let tip):
      do throws(GitError) {
        let walked = try CommitGraph(from: tip, in: repository, isCancelled: isCancelled)
        try describe(walked, tip, repository)
        graph = walked
      } catch {
        note("commits", error)
      }
    }
    do throws(GitError) {
      let summary = try repository.tags(graph, isCancelled: isCancelled)
      tags = .init(
        count: summary.count,
        nearest: summary.nearest.map { .init(name: $0.name, distance: $0.distance) },
        highest: summary.highest)
    } catch {
      note("tags", error)
    }
    follow(repository, &graph, isCancelled)
  }

  private mutating func describe(
    _ graph: CommitGraph, _ tip: ObjectID, _ repository: GitRepository
  ) throws(GitError) {
    let mailmap = repository.mailmap()
    let total = graph.headCount
    let first: InspectionReport.Commit? =
      if let id = graph.first { commit(try repository.commit(id), mailmap, hasSubject: false) } else { nil }
    let last = commit(try repository.commit(tip), mailmap, hasSubject: true)
    commits = .init(count: total, merges: graph.mergeCount, first: first, last: last)
    authors = graph.authors(mailmap).map { author in
      InspectionReport.Author(
        name: String(decoding: author.name, as: UTF8.self),
        email: String(decoding: author.email, as: UTF8.self),
        commits: author.commits, share: share(author.commits, of: total), firstAt: date(author.firstAt),
        lastAt: date(author.lastAt))
    }
  }

  private func commit(_ commit: Commit, _ mailmap: Mailmap, hasSubject: Bool) -> InspectionReport.Commit {
    let name = mailmap.resolve(name: commit.authorName, email: commit.authorEmail).name
    return .init(
      commit: commit.id.hex, author: String(decoding: name, as: UTF8.self),
      authoredAt: date(commit.authoredAt),
      subject: hasSubject && !commit.subject.isEmpty ? commit.subject : nil)
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
      note("upstream", GitError(.notFound, "\(followed.name) does not exist (any more)"))
      return
    }
    guard graph != nil else { return }
    do throws(GitError) {
      let target = try repository.peel(tip).id
      guard let number = try graph?.extend(from: target, in: repository, isCancelled: isCancelled),
        let difference = graph?.aheadBehind(of: number)
      else { return }
      upstream?.ahead = difference.ahead
      upstream?.behind = difference.behind
    } catch {
      note("upstream", error)
    }
  }

  private mutating func note(_ section: String, _ error: GitError) {
    notes.append(.init(section: section, message: error.message))
  }

  private func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}
