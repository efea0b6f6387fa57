import ForageFoundation
package import ForageGit

extension Inspection {
  /// The number of newest commits that `signedShare` covers.
  private static let signedSample = 100

  /// The Monday of the current week, in days since 1970.
  private var monday: Int64 { CommitTimes.monday(of: Int64(now.timeIntervalSince1970)) }

  /// The requested sections about commits whose facts are not known.
  private var missingOfCommits: Set<InspectionSection> {
    var missing = sections.intersection(InspectionSection.ofCommits).subtracting(facts.sections)
    // The clock was set back after the facts were cached.
    if sections.contains(.activity), facts.activity?.covers(monday) == false { missing.insert(.activity) }
    return missing
  }

  /// Adds the facts from commits and tags; an error becomes a note.
  ///
  /// All commits are walked only if a section needs that and its facts are not known. Tags and the upstream
  /// alone read as many commits as `git describe` and `git rev-list` would.
  ///
  /// - Returns: the commits of `HEAD` as far as they are walked; nil if none was needed.
  mutating func addHistory() -> CommitGraph? {
    let missing = missingOfCommits
    report.take(facts.sections.intersection(InspectionSection.ofCommits), from: facts.report)
    report.activity = missing.contains(.activity) ? nil : facts.activity?.activity(until: monday)
    var graph: CommitGraph?
    switch repository.refs.head {
    case .invalid:
      if let section = InspectionSection.ofCommits.first(where: missing.contains) {
        noteInvalidHead(section, missing: "is no history")
      }
    case .symbolic(_, nil):
      report.commits = .init(count: 0, merges: 0, first: nil, last: nil)
      (report.authors, report.authorCount, report.busFactor) = ([], 0, 0)
    case .symbolic(_, let tip?), .detached(let tip):
      graph = walk(from: tip, missing)
    }
    // The tags and the upstream need only a part of the history, which may be there.
    var (part, incomplete): (CommitGraph?, CommitGraph?) = (graph, nil)
    graph = nil
    if part?.unread != nil, let tip = repository.refs.head.commit {
      incomplete = part
      part = CommitGraph(lazilyFrom: tip, in: repository)
    }
    addTags(&part)
    if sections.contains(.upstream) { addUpstream(&part) }
    return incomplete ?? part
  }

  /// Walks as much of the history as the sections need; nil when none is needed or it cannot be read.
  private mutating func walk(from tip: ObjectID, _ missing: Set<InspectionSection>) -> CommitGraph? {
    guard let first = InspectionSection.ofCommits.first(where: missing.contains) else {
      guard sections.contains(.tags) || sections.contains(.upstream) else { return nil }
      return CommitGraph(lazilyFrom: tip, in: repository)
    }
    var found: Set<InspectionSection> = []
    do throws(GitError) {
      if missing == [.signedShare] {
        var newest = CommitGraph(lazilyFrom: tip, in: repository)
        if try addSigned(&newest) {
          facts.add([.signedShare], of: report)
          return newest
        }
        report.signedShare = nil
      }
      var walked = try CommitGraph(
        from: tip, in: repository, tallies: !missing.isSubset(of: [.commits, .signedShare]),
        lastMonday: monday, skipsDamage: true, isCancelled: isCancelled)
      defer { if walked.unread == nil { facts.add(found, of: report) } }
      try addCommits(missing, &walked, tip, &found)
      if let unread = walked.unread {
        let what = "\(counted(unread.count, "commit")) and all behind could not be read and are not counted"
        note(first, GitError(.missingObject, "\(what): \(unread.reason.message)"), isWhole: true)
      }
      return walked
    } catch {
      if let section = InspectionSection.ofCommits.first(where: missing.subtracting(found).contains) {
        note(section, error, isWhole: true)
      }
      return error.code == .cancelled ? nil : CommitGraph(lazilyFrom: tip, in: repository)
    }
  }

  /// Adds the facts that need all commits.
  ///
  /// - Parameters:
  ///   - graph: all commits reachable from `tip`, with a tally if a section needs one.
  ///   - found: receives the sections as they are added.
  private mutating func addCommits(
    _ missing: Set<InspectionSection>, _ graph: inout CommitGraph, _ tip: ObjectID,
    _ found: inout Set<InspectionSection>
  ) throws(GitError) {
    let needsAuthors = !missing.isDisjoint(with: [.authors, .authorCount, .busFactor])
    let mailmap = needsAuthors || missing.contains(.commits) ? repository.mailmap() : Mailmap()
    if missing.contains(.commits) {
      let first: InspectionReport.Commit? =
        if let id = try graph.first() {
          Self.commit(try repository.commit(id), mailmap, hasSubject: false)
        } else { nil }
      let last = Self.commit(try repository.commit(tip), mailmap, hasSubject: true)
      report.commits = .init(count: graph.commitCount, merges: graph.mergeCount, first: first, last: last)
      found.insert(.commits)
    }
    if needsAuthors {
      let statistics = graph.tally?.people(mailmap) ?? []
      let areBots = statistics.map(\.isBot)
      let people = zip(statistics, areBots).filter { !$1 }.map { $0.0.commits }
      let ofBots = zip(statistics, areBots).reduce(0) { $0 + ($1.1 ? $1.0.commits : 0) }
      report.busFactor = Self.busFactor(people, of: graph.commitCount - ofBots)
      report.authorCount = statistics.count
      report.authors = zip(statistics, areBots).map { author, isBot in
        InspectionReport.Author(
          name: String(decoding: author.name, as: UTF8.self),
          email: String(decoding: author.email, as: UTF8.self),
          commits: author.commits, share: share(author.commits, of: graph.commitCount),
          firstAt: Self.date(author.firstAt), lastAt: Self.date(author.lastAt),
          bot: isBot ? true : nil)
      }
      found.formUnion([.authors, .authorCount, .busFactor])
    }
    if missing.contains(.activity), let tally = graph.tally {
      report.activity = tally.times.activity(until: monday)
      if graph.unread == nil { facts.activity = tally.times }
      found.insert(.activity)
    }
    if missing.contains(.signedShare) {
      _ = try addSigned(&graph)
      found.insert(.signedShare)
    }
  }

  /// Adds the share of signed commits; returns whether all commits that it needs could be read.
  ///
  /// - Parameter graph: a walked graph, or one that loads commits when they are needed.
  private mutating func addSigned(_ graph: inout CommitGraph) throws(GitError) -> Bool {
    let newest = try graph.newest(Self.signedSample)
    var signed = 0
    for id in newest.ids where try repository.isSigned(id) { signed += 1 }
    report.signedShare = share(signed, of: newest.ids.count)
    return newest.isWhole
  }

  private mutating func addTags(_ graph: inout CommitGraph?) {
    guard sections.contains(.tags) || sections.contains(.version) else { return }
    // The names of tags are known without objects.
    if let problem = repository.objectProblem, sections.contains(.tags) {
      note(.tags, problem, isWhole: true)
    }
    var none: CommitGraph?
    do throws(GitError) {
      let summary =
        sections.contains(.tags)
        ? try repository.tags(&graph, isCancelled: isCancelled)
        : try repository.tags(&none, isCancelled: isCancelled)
      report.tags = .init(
        count: summary.count,
        nearest: summary.nearest.map { .init(name: $0.name, distance: $0.distance) },
        highest: summary.highest)
      if summary.unread > 0 {
        let what = counted(summary.unread, "tag")
        note(
          .tags, "\(what) could not be read and may be nearer: objects are missing or damaged", isDamage: true
        )
      }
    } catch {
      note(sections.contains(.tags) ? .tags : .version, error, isWhole: true)
      // The number of tags does not need the history.
      if error.code != .cancelled, let summary = try? repository.tags(&none) {
        report.tags = .init(count: summary.count, nearest: nil, highest: summary.highest)
      }
    }
  }

  /// Compares the branch with its upstream. Takes the graph as `inout`, because the walk extends it.
  private mutating func addUpstream(_ graph: inout CommitGraph?) {
    guard let branch = repository.refs.head.branch, let followed = repository.upstream(ofBranch: branch)
    else {
      return
    }
    report.upstream = .init(name: followed.name, ahead: nil, behind: nil)
    if let problem = repository.objectProblem {
      note(.upstream, problem, isWhole: true)
      return
    }
    guard let tip = followed.commit else {
      note(.upstream, GitError(.notFound, "\(followed.name) does not exist"), isWhole: true)
      return
    }
    guard graph != nil else { return }
    do throws(GitError) {
      let target = try repository.peel(tip).id
      guard let difference = try graph?.aheadBehind(of: target, isCancelled: isCancelled) else { return }
      report.upstream = .init(name: followed.name, ahead: difference.ahead, behind: difference.behind)
    } catch {
      note(.upstream, error, isWhole: true)
    }
  }

  /// Returns the size of the smallest set of people who together made at least half of the commits of people.
  ///
  /// - Parameters:
  ///   - counts: commits of each author, highest first.
  ///   - total: the number of their commits; a damaged commit may have no author.
  static func busFactor(_ counts: some Collection<Int>, of total: Int) -> Int {
    var sum = 0
    var authors = 0
    for count in counts where sum < total - sum {
      sum += count
      authors += 1
    }
    return authors
  }

  private static func commit(
    _ commit: Commit, _ mailmap: Mailmap, hasSubject: Bool
  ) -> InspectionReport.Commit {
    let name = mailmap.resolve(name: commit.authorName, email: commit.authorEmail).name
    return .init(
      commit: commit.id.hex, author: String(decoding: name, as: UTF8.self),
      authoredAt: date(commit.authoredAt),
      subject: hasSubject && !commit.subject.isEmpty ? commit.subject : nil)
  }

  private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension CommitTimes {
  /// Whether the weeks up to that of a Monday are known; false before the week of the tally.
  func covers(_ monday: Int64) -> Bool { monday >= lastMonday }

  /// Returns the activity with the weeks up to that of a Monday, in days since 1970.
  func activity(until monday: Int64) -> InspectionReport.Activity {
    let first = lastMonday - Int64(7 * (weeks.count - 1))
    let starts = weeks.indices.map { monday - Int64(7 * (weeks.count - 1 - $0)) }
    return InspectionReport.Activity(
      weeks: starts.map { start in
        .init(
          start: CommitTimes.date(ofDay: start),
          commits: start > lastMonday ? laterWeeks[start] ?? 0 : weeks[Int((start - first) / 7)])
      },
      weekdays: weekdays, hours: hours)
  }
}

extension Inspection {
  /// The commits that are compared: about a year of a busy project. The whole history costs 35 times as much.
  private static let comparedCommits = 1000
  private static let churnFiles = 20
  private static let blobCount = 10

  /// Adds the facts about what commits changed; an error becomes a note.
  ///
  /// - Parameter graph: the commits of `HEAD` as far as they are walked; nil if none was needed so far.
  mutating func addChanges(_ graph: consuming CommitGraph?) {
    guard let first = InspectionSection.ofChanges.first(where: sections.contains) else { return }
    switch repository.refs.head {
    case .invalid:
      // Otherwise the tree has a note.
      if sections.isDisjoint(with: InspectionSection.ofTree) {
        noteInvalidHead(first, missing: "are no files")
      }
    case .symbolic(_, nil):
      report.churn = .init(commits: 0, files: [])
      report.largestBlobs = []
    case .symbolic(_, let tip?), .detached(let tip):
      report.take(facts.sections.intersection(InspectionSection.ofChanges), from: facts.report)
      addChanges(graph ?? CommitGraph(lazilyFrom: tip, in: repository))
    }
  }

  private mutating func addChanges(_ graph: consuming CommitGraph) {
    var graph = graph
    addChanges(.churn) { (report, isCancelled) throws(GitError) in
      let found = try graph.churn(
        commits: Self.comparedCommits, files: Self.churnFiles, isCancelled: isCancelled)
      report.churn = .init(found)
      return Loss(
        count: max(found.unreadable, found.lost), commits: found.lost,
        what: ("commit", "could not be compared, because objects are"))
    }
    addChanges(.largestBlobs) { (report, isCancelled) throws(GitError) in
      let found = try graph.largestBlobs(limit: Self.blobCount, isCancelled: isCancelled)
      report.largestBlobs = found.blobs.map {
        .init(path: $0.path, bytes: $0.bytes, commit: $0.commit.hex)
      }
      return Loss(
        count: found.missing + found.unreadable + found.lost, commits: found.lost,
        what: ("object", "could not be read:"))
    }
  }

  /// What is missing or damaged.
  private struct Loss {
    var count: Int
    /// The number of commits among it; a partial clone has all of them.
    var commits: Int
    /// What is lost, and what that means, up to the word before what is wrong with the objects.
    var what: (noun: String, effect: String)
  }

  /// Adds the facts of a section, if it is requested and they are not known; notes why they are missing or
  /// incomplete.
  private mutating func addChanges(
    _ section: InspectionSection,
    _ compute: (inout InspectionReport, () -> Bool) throws(GitError) -> Loss
  ) {
    guard sections.contains(section), !facts.sections.contains(section) else { return }
    do throws(GitError) {
      let loss = try compute(&report, isCancelled)
      guard loss.count > 0 else {
        facts.add([section], of: report)
        return
      }
      let isDamage = loss.commits > 0 || !repository.isPartialClone
      let state = isDamage ? "missing or damaged" : "not present in this partial clone"
      let lost = counted(loss.count, loss.what.noun)
      note(section, "\(lost) \(loss.what.effect) \(state)", isDamage: isDamage)
    } catch {
      note(section, error)
    }
  }
}

extension Inspector {
  /// Counts how often the commits of the clone at a path or above it changed one file.
  ///
  /// - Returns: the counts, with the file if a commit changed it, and whether every commit could be compared.
  /// - Throws: the errors of ``inspect(path:sections:cache:now:isCancelled:)``; `cancelled`.
  package func churn(
    of file: String, path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> (counts: InspectionReport.Churn, isWhole: Bool) {
    let repository = try open(path)
    guard let tip = repository.refs.head.commit else { return (.init(commits: 0, files: []), true) }
    var graph = CommitGraph(lazilyFrom: tip, in: repository)
    var found = try graph.churn(files: .max, isCancelled: isCancelled)
    found.files.removeAll { $0.path != file }
    return (InspectionReport.Churn(found), found.unreadable + found.lost == 0)
  }
}

extension InspectionReport.Churn {
  fileprivate init(_ found: Churn) {
    let files = found.files.map { file in
      File(
        path: file.path, commits: file.commits,
        author: file.author.map { .init(name: $0.name, commits: $0.commits) })
    }
    self.init(commits: found.commits, files: files)
  }
}
