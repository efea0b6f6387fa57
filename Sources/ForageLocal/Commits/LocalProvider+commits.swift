import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

extension LocalProvider {
  static let commitAbilities = Abilities(
    fields: [
      .host, .repository, .sha, .parents, .message, .author, .authorName, .committer, .authoredAt,
      .committedAt,
    ],
    qualifiers: Dictionary(
      uniqueKeysWithValues: (["repo", "user", "org", "owner", "path", "author"] + commitVocabulary.map(\.name))
        .map {
          ($0, .exact)
        }),
    sorts: ["author-date", "committer-date"], booleans: true, needsText: false, maximumPageSize: 1_000)

  /// The qualifiers of commits, those of GitHub's search with the same meaning.
  static let commitVocabulary: [QualifierDefinition] =
    [
      ("committer", .text, ResultField.committer), ("author-name", .text, .authorName),
      ("committer-name", .text, nil), ("author-email", .text, nil), ("committer-email", .text, nil),
      ("author-date", .date, .authoredAt), ("committer-date", .date, .committedAt),
      ("merge", .flag, .parents), ("hash", .text, .sha), ("added", .text, nil), ("removed", .text, nil),
      ("ref", .text, nil), ("case", .choice(["yes", "no", "smart"]), nil),
    ].map { (name: String, type: QualifierType, field: ResultField?) in
      QualifierDefinition(name, type, field: field, kinds: [.commit])
    }

  /// The time before the deadline at which reading ends, so that what was found is delivered.
  private static let margin = Duration.milliseconds(150)

  /// Searches the histories of the clones, the newest commits first.
  func searchCommits(_ request: SearchRequest) async throws -> SearchPage {
    guard let store = try store(), try store.hasClones() else { throw Self.noClones }
    let query = try CommitQuery(request.query)
    let start = try request.cursor.map(Self.offset) ?? 0
    let wanted = Self.isInLogOrder(request) ? start + request.pageSize + 1 : .max
    let deadline = request.deadline - Self.margin
    let vocabulary = QualifierVocabulary.common.adding(Self.commitVocabulary).of(.commit)
    var clones = try store.clones().sorted { $0.precedes($1) }.filter {
      query.mayFit(CodeClone($0))
    }
    // A clone that is gone from the disk is no missing part of those that are there.
    let there = clones.filter { FileAccess.entry($0.path) != nil }
    if !there.isEmpty { clones = there }
    var found: [Int: Part] = [:]
    try await asCompleted(clones, width: BlockingGit.width) { clone in
      let part = try? await BlockingGit.run { isCancelled throws(GitError) in
        Part(clone, query, vocabulary, hosts, wanted: wanted) {
          isCancelled() || ContinuousClock.now > deadline
        }
      }
      return part
    } each: { index, part in
      found[index] = part
    }
    let parts = found.sorted { $0.key < $1.key }.map(\.value)
    try Task.checkCancellation()
    if case .named(let name) = query.start, !clones.isEmpty, parts.allSatisfy(\.lacksRef) {
      throw SearchError(
        .unknownRef, "no clone has the branch, tag or commit \"\(name)\"",
        hint: "fetch it with: git fetch; or leave ref: out")
    }
    var page = page(parts, clones: clones.count, request, start)
    let strange = parts.count(where: \.lacksUser)
    if let qualifier = query.ofMe, strange > 0 {
      page.notes.append(
        Note(
          "user_unknown",
          "git does not know who you are in \(HumanFormat.plural(strange, "clone")), which \(qualifier.name):@me asks for",
          hint: "tell it: git config --global user.email ADDRESS"))
    }
    return page
  }

  /// Whether the list has the order of `git log`, so that only its beginning is needed.
  private static func isInLogOrder(_ request: SearchRequest) -> Bool {
    request.sort == nil || request.sort == "committer-date" && request.order == .descending
  }

  private func page(_ parts: [Part], clones: Int, _ request: SearchRequest, _ start: Int) -> SearchPage {
    var seen: Set<String> = []
    let found =
      Self.isInLogOrder(request)
      ? Self.merged(parts.map(\.items))
      : ResultOrder.sorted(parts.flatMap(\.items), by: request.sort ?? "", order: request.order)
    let items = found.filter { seen.insert($0.id).inserted }
    let shown = Array(items.dropFirst(start).prefix(request.pageSize))
    let isExact = parts.count == clones && parts.allSatisfy(\.isWhole)
    let hasMore = start + shown.count < items.count || parts.contains { $0.hasMore && !$0.isLate }
    var page = SearchPage(
      items: shown, next: hasMore && !shown.isEmpty ? String(start + shown.count) : nil,
      total: ResultTotal(items.count, isExact ? .equal : .atLeast))
    page.notes = notes(parts, clones: clones)
    return page
  }

  /// The commits of several clones as one list, newest first; those of one clone keep their order, as in `git
  /// log`.
  private static func merged(_ lists: [[SearchResult]]) -> [SearchResult] {
    // An item that is newer than the one before it in its history comes right behind that one.
    let items = lists.flatMap { list in
      var least = Date.distantFuture
      return list.map { item in
        least = min(least, item[.committedAt]?.date ?? .distantPast)
        return (item: item, date: least)
      }
    }
    return items.enumerated().sorted { left, right in
      left.element.date != right.element.date
        ? left.element.date > right.element.date : left.offset < right.offset
    }.map(\.element.item)
  }

  private func notes(_ parts: [Part], clones: Int) -> [Note] {
    var notes: [Note] = []
    let late = parts.filter(\.isLate)
    if !late.isEmpty || parts.count < clones {
      let reached = late.compactMap(\.reachedAt).max().map { Date(timeIntervalSince1970: Double($0)) }
      let place = reached.map { ", and is read back to \(HumanFormat.day($0)) only" } ?? ""
      notes.append(
        Note(
          "history_not_read",
          "there was no time for the whole history of \(HumanFormat.plural(late.count + clones - parts.count, "clone"))\(place)",
          hint: "allow more time with --timeout, or name a clone with repo:"))
    }
    let faulty = parts.filter { $0.fault != nil || $0.lost > 0 }
    if let first = faulty.first {
      notes.append(
        Note(
          "history_damaged",
          "a part of the history of \(HumanFormat.plural(faulty.count, "clone")) cannot be read: \(first.path)\(first.fault.map { ": " + $0 } ?? "")",
          hint: FileAccess.entry(first.path) == nil
            ? "mount the disk that has it, or run: forage clones scan" : "look at it with: git fsck"))
    }
    return notes
  }
}

/// What was found in one clone.
private struct Part: Sendable {
  let path: String
  private(set) var items: [SearchResult] = []
  /// Whether there may be further ones.
  private(set) var hasMore = false
  /// Whether the time was up.
  private(set) var isLate = false
  private(set) var reachedAt: Int64?
  /// Whether the clone does not have the ref.
  private(set) var lacksRef = false
  /// Whether git does not know who makes commits there.
  private(set) var lacksUser = false
  private(set) var lost = 0
  private(set) var fault: String?

  var isWhole: Bool { !hasMore && !isLate && fault == nil && lost == 0 }

  init(
    _ clone: CloneRecord, _ query: CommitQuery, _ vocabulary: QualifierVocabulary, _ hosts: RemoteHosts,
    wanted: Int,
    isLate isOver: @escaping () -> Bool
  ) {
    path = clone.path
    let place = CodeClone(clone)
    do throws(GitError) {
      let repository = try GitRepository.open(clone.path, loadsReferences: query.start != .head)
      let known = query.ofMe?.name == "committer" ? repository.committer : repository.author
      lacksUser = known.name == nil && known.email == nil
      let tips: [ObjectID]
      switch query.start {
      case .head: tips = [repository.refs.head.commit].compactMap(\.self)
      case .named(let name): tips = [repository.object(meantBy: name)].compactMap(\.self)
      case .branches:
        tips = (repository.refs.with(prefix: "refs/heads/") + repository.refs.with(prefix: "refs/remotes/"))
          .map(\.target)
      }
      guard
        var finder = try CommitFinder(
          from: tips, in: repository, containing: query.needles, idBeginning: query.idBeginning)
      else {
        lacksRef = query.start != .head
        return
      }
      let isPublished =
        query.start == .head && tips.first.map { repository.isPublished($0, isCancelled: isOver) } == true
      let changes = FileChanges(in: repository)
      defer { (reachedAt, lost) = (finder.reachedAt, finder.lost) }
      do throws(GitError) {
        while items.count < wanted, let found = try finder.next(isCancelled: isOver) {
          let item = CommitItem.result(found, clone, isPublished: isPublished, hosts)
          if try query.holds(
            found, item, in: place, repository, changes, vocabulary: vocabulary, isCancelled: isOver)
          {
            items.append(item)
          }
        }
        hasMore = items.count >= wanted
      } catch {
        guard error.code == .cancelled else { throw error }
        isLate = true
      }
    } catch {
      fault = error.message
    }
  }
}

/// A commit of a clone as a result.
private enum CommitItem {
  static func result(
    _ found: CommitFinder.Found, _ clone: CloneRecord, isPublished: Bool, _ hosts: RemoteHosts
  ) -> SearchResult {
    let (commit, repository) = (found.commit, clone.entityID ?? clone.path)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    var result = SearchResult(
      id: "\(repository)@\(commit.id.hex)", kind: .commit,
      title: commit.subject.isEmpty ? String(commit.id.hex.prefix(7)) : commit.subject)
    // A commit that is not pushed has no page.
    if isPublished, clone.host != nil, let name = clone.entityName {
      result.url = hosts.page(of: name, commit: commit.id.hex, remote: clone.remoteURL)
    }
    result.set(.host, clone.host)
    result.set(.repository, RepositoryIdentity.spelled(repository, as: clone.entityName ?? ""))
    result.set(.sha, commit.id.hex)
    result.set(.parents, commit.parents.map(\.hex))
    result.set(.message, text(commit.message))
    result.set(.author, text(commit.authorName))
    result.set(.authorName, text(commit.authorName))
    result.set(.committer, text(found.committerName))
    result.set(.authoredAt, Date(timeIntervalSince1970: Double(commit.authoredAt)))
    result.set(.committedAt, Date(timeIntervalSince1970: Double(commit.committedAt)))
    return result
  }
}
