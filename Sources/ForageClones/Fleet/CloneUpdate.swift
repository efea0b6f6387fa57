import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// The changes in one clone after a fetch or a pull.
package struct CloneUpdate: Sendable {
  package enum Status: String, Sendable {
    /// There is something new.
    case updated
    /// There was nothing new.
    case current
    /// Nothing was done, for a reason that is no failure.
    case skipped = "left"
    case failed
  }

  /// A branch of a remote that has changed, or the branch that was pulled.
  package struct Branch: Sendable {
    /// With the name of the remote in front unless it is `origin` or the only one.
    package var name: String
    /// With the name of the remote in any case, for example `origin/main`.
    fileprivate var fullName: String
    /// The commits before and after, 40 hexadecimal digits; `nil` for a branch that is new or gone.
    package var old, new: String?
    /// The number of commits that it has and did not have; `nil` where they cannot be counted.
    package var commits: Int?
  }

  package var clone: CloneState
  package var status = Status.current
  /// Why it was left alone or failed.
  package var reason: String?
  /// The action that helps after a failure.
  package var hint = ""
  package var branches: [Branch] = []
  /// The names of new tags.
  package var tags: [String] = []
  package var elapsed = Duration.zero
  /// Whether every remote was fetched.
  fileprivate var isFetched = false

  init(_ clone: CloneState) { self.clone = clone }

  mutating func fail(_ reason: String, hint: String) {
    (status, self.reason, self.hint) = (.failed, reason, hint)
  }

  /// Tells the current branch, which was pulled, in place of the branch of the remote that it now has, and
  /// another one of the same name with its remote.
  ///
  /// - Parameter upstream: The branch of the remote, for example `origin/main`.
  fileprivate mutating func tellPulled(_ pulled: Branch, upstream: String) {
    branches.removeAll { $0.fullName == upstream }
    for place in branches.indices where branches[place].name == pulled.name {
      branches[place].name = branches[place].fullName
    }
    branches.insert(pulled, at: 0)
  }

  mutating func skip(_ reason: String) { (status, self.reason) = (.skipped, reason) }
}

/// Fetches clones, and pulls them where nothing can be lost.
package struct CloneUpdating: Sendable {
  package enum Action: Sendable {
    case fetch
    /// Also fast-forwards the current branch of a clean work tree.
    case pull
  }

  /// The usual limits.
  package static let silence: Duration = .seconds(60)
  package static let jobs = 8

  private let forage: Forage
  private let git: GitCommand
  private let action: Action
  private let prunes: Bool
  private let silence: Duration
  private let isInteractive: Bool

  /// Finds the git program.
  ///
  /// - Parameters:
  ///   - prunes: Whether branches that a remote has no more are removed; otherwise the configuration of each
  ///     clone says it.
  ///   - silence: How long git may say nothing before it is ended.
  ///   - isInteractive: Whether git may ask on the terminal.
  /// - Throws: `ForageError` where there is no git program.
  package init(
    _ forage: Forage, _ action: Action, prunes: Bool = false, silence: Duration = silence,
    isInteractive: Bool = false
  ) throws {
    git = try GitCommand(forage)
    (self.forage, self.action, self.prunes) = (forage, action, prunes)
    (self.silence, self.isInteractive) = (silence, isInteractive)
  }

  /// Updates clones, several at a time.
  ///
  /// - Parameters:
  ///   - started: Takes each clone that is begun, with what tells how far it is.
  ///   - ended: Takes each result as soon as it is known.
  /// - Throws: What `ended` throws. An interruption ends it early, without an error.
  package func run(
    _ clones: [CloneState], jobs: Int = jobs,
    started: @escaping @Sendable (CloneState, @escaping @Sendable () -> String?) -> Void,
    ended: (CloneUpdate) throws -> Void
  ) async throws {
    try await FleetLock.hold(forage) {
      try await asCompleted(Self.repositories(clones), width: jobs) { clones in
        var updates: [CloneUpdate] = []
        for clone in clones {
          guard let update = await update(clone, after: updates.first, started: { started(clone, $0) }) else {
            break
          }
          updates.append(update)
        }
        return updates
      } each: { _, updates in
        for update in updates { try ended(update) }
      }
    }
  }

  /// The clones by their repository: linked work trees have the same references as it, and as a bare one that
  /// they are linked to, so that one of them is fetched.
  private static func repositories(_ clones: [CloneState]) -> [[CloneState]] {
    var places: [String: Int] = [:]
    var groups: [[CloneState]] = []
    for clone in clones {
      let own = clone.path + "/.git"
      let other =
        FileAccess.isDirectory(own) ? nil : try? GitRepository.open(clone.path, loadsReferences: false)
      let place = other?.commonDir ?? own
      if let known = places[place] {
        groups[known].append(clone)
      } else {
        places[place] = groups.count
        groups.append([clone])
      }
    }
    return groups
  }

  /// - Parameter first: What became of the clone of the same repository that was fetched before.
  /// - Returns: `nil` after an interruption.
  private func update(
    _ clone: CloneState, after first: CloneUpdate?, started: (@escaping @Sendable () -> String?) -> Void
  ) async -> CloneUpdate? {
    let start = ContinuousClock.now
    var update = CloneUpdate(clone)
    do {
      let messages = try OutputFile(masking: await forage.credentials.knownSecrets())
      started { messages.lastLine }
      if let first {
        if !first.isFetched {
          let reason = first.status == .skipped ? first.reason : nil
          update.skip(reason ?? "it has the references of \(first.clone.path)")
        }
      } else {
        try await fetch(&update, messages)
      }
      if action == .pull, update.status == .updated || update.status == .current {
        try await pull(&update)
      }
    } catch let error as GitError where error.code != .cancelled {
      update.fail(error.message, hint: error.hint)
    } catch let error as ForageError {
      update.fail(error.message, hint: error.hint)
    } catch {
      return nil
    }
    update.elapsed = ContinuousClock.now - start
    return update
  }

  private func fetch(_ update: inout CloneUpdate, _ messages: OutputFile) async throws {
    let path = update.clone.path
    let before = try await BlockingGit.run { _ throws(GitError) in try KnownRefs(path) }
    guard before.hasRemotes else { return update.skip("it has no remote") }
    let start = ContinuousClock.now
    let outcome = try await git.run(
      ["fetch", "--all", "--progress"] + (prunes ? ["--prune"] : []), in: path, messages: messages,
      silence: silence,
      questions: isInteractive ? .onTerminal : .none(sshCommand: before.sshCommand))
    forage.reporter.traceEnd(of: "git fetch in \(path)", outcome.text, since: start)
    // Of several remotes one may have answered.
    (update.branches, update.tags) = try await BlockingGit.run { isCancelled throws(GitError) in
      try KnownRefs(path).changes(since: before, isCancelled)
    }
    switch outcome {
    case .done:
      update.isFetched = true
      // Of several remotes it is not known which one was redirected.
      if before.isOnlyRemote, let id = update.clone.addressID {
        let names = RepositoryNames(forage)
        names.learn([names.name(at: messages.redirects, asked: id)].compactMap(\.self))
      }
      update.status = update.branches.isEmpty && update.tags.isEmpty ? .current : .updated
    case .silent:
      update.fail(
        "git said nothing for \(HumanFormat.duration(silence))", hint: "allow more time with --timeout")
    case .failed(let failure):
      let host = update.clone.id?.prefix { $0 != "/" } ?? ""
      update.fail(
        failure.reason ?? "git failed without a reason",
        hint: Self.hint(failure, path, host: String(host)))
    }
  }

  private static func hint(_ failure: GitFailure, _ path: String, host: String) -> String {
    let git = "git -C \(path.shellQuoted) fetch --all"
    return if failure.isBlockedByRemovedBranch {
      "a branch and a folder of branches have this name by turns; run: forage clones fetch --prune "
        + path.shellQuoted
    } else if failure.isBlockedByMovedTag {
      "a tag has moved there; to take it, run: \(git) --tags --force"
    } else {
      failure.hint(for: host) ?? "see all messages with: \(git)"
    }
  }

  /// Fast-forwards the current branch where its work tree is clean and it lacks commits of its upstream only.
  private func pull(_ update: inout CloneUpdate) async throws {
    let path = update.clone.path
    let inspected = await InspectedClone.of(path, [.head, .upstream, .status], cache: nil)
    let report: InspectionReport
    do throws(InspectionError) { report = try inspected.outcome.get() } catch {
      if error.code == .cancelled { throw CancellationError() }
      return update.fail(error.message, hint: error.hint)
    }
    if report.bare { return }
    guard let behind = Self.behind(report, &update), behind > 0 else { return }
    let branch = report.head?.branch ?? ""
    guard try await fetchSubmodules(&update, upstreamOf: branch) else { return }
    // It goes on to its end also after an interruption, apart from the terminal, so that nothing is left half
    // done.
    let folder = update.clone.folder
    let start = ContinuousClock.now
    let (outcome, submodules, new) = try await Task { [git, forage] in
      let secrets = await forage.credentials.knownSecrets()
      let outcome = try await git.run(
        ["merge", "--quiet", "--ff-only", "@{upstream}"], in: path, messages: try OutputFile(masking: secrets)
      )
      guard case .done = outcome else { return (outcome, nil as GitCommand.Outcome?, nil as String?) }
      let submodules = try await updateSubmodules(of: path, try OutputFile(masking: secrets))
      // What lists and searches say of it; the next scan finds it where that fails.
      if let store = try? forage.store.writable() {
        try? await CloneCatalogue(store: store, hosts: forage.remoteHosts).add(path, folder: folder)
      }
      return (
        outcome, submodules,
        try await BlockingGit.run { _ throws(GitError) in
          try GitRepository.open(path, loadsReferences: false).refs.head.commit?.description
        }
      )
    }.value
    forage.reporter.traceEnd(of: "git merge in \(path)", outcome.text, since: start)
    if case .failed(let failure) = outcome {
      let reason = failure.reason ?? "git merge failed without a reason"
      let refusal = "would be overwritten by merge"
      guard reason.contains(refusal) else {
        return update.fail(reason, hint: "see: git -C \(path.shellQuoted) merge --ff-only")
      }
      return update.skip("untracked files would be overwritten")
    }
    update.status = .updated
    update.tellPulled(
      .init(name: branch, fullName: branch, old: report.head?.commit, new: new, commits: behind),
      upstream: report.upstream?.name ?? "")
    if case .failed(let failure)? = submodules {
      update.fail(
        "a submodule could not follow: \(failure.reason ?? "git failed without a reason")",
        hint: "run: git -C \(path.shellQuoted) submodule update --recursive")
    }
  }

  /// Fetches the commits of submodules that the upstream records and that are not there, as after a fetch
  /// that was not whole: a submodule that cannot follow a merge would leave a clone that counts as changed.
  ///
  /// - Returns: Whether all are there; otherwise the update has failed.
  private func fetchSubmodules(_ update: inout CloneUpdate, upstreamOf branch: String) async throws -> Bool {
    let path = update.clone.path
    func lacking() async throws -> (path: String, commit: ObjectID, sshCommand: String?)? {
      try await BlockingGit.run { _ throws(GitError) in
        let repository = try GitRepository.open(path, loadsReferences: false)
        guard let new = repository.upstream(ofBranch: branch)?.commit,
          let submodule = repository.submoduleLackingCommit(recordedIn: new)
        else { return nil }
        return (submodule.path, submodule.commit, repository.sshCommand)
      }
    }
    var attempts: [String: Int] = [:]
    var reason: String?
    while let missing = try await lacking() {
      let folder = FileAccess.join(path, missing.path)
      // No branch may have the commit, as where the submodule is shallow.
      let ways = [[], ["origin", missing.commit.hex]]
      let attempt = attempts[missing.path, default: 0]
      guard attempt < ways.count else {
        update.fail(
          "its submodule \(missing.path) cannot follow: "
            + (reason ?? "its remote does not have commit \(missing.commit.hex)"),
          hint: "see: git -C \(folder.shellQuoted) fetch; where it has another address now, pull with git, "
            + "then run: git submodule sync --recursive")
        return false
      }
      attempts[missing.path] = attempt + 1
      let outcome = try await git.run(
        ["fetch", "--quiet"] + ways[attempt], in: folder,
        messages: try OutputFile(masking: await forage.credentials.knownSecrets()), silence: silence,
        questions: .none(sshCommand: missing.sshCommand))
      if case .failed(let failure) = outcome { reason = failure.reason }
    }
    return true
  }

  /// Checks out the commits of submodules that a merge has recorded: otherwise the work tree would count as
  /// changed. Those that are not checked out stay so; that all others were clean was seen before the merge.
  ///
  /// - Returns: `nil` where there are none.
  private func updateSubmodules(of path: String, _ messages: OutputFile) async throws -> GitCommand.Outcome? {
    let all = GitRepository.checkedOutSubmodules(in: path)
    // Those in them follow by themselves.
    let submodules = all.filter { inner in !all.contains { inner.hasPrefix($0 + "/") } }
    guard !submodules.isEmpty else { return nil }
    let command = try await BlockingGit.run { _ throws(GitError) in
      try GitRepository.open(path, loadsReferences: false).sshCommand
    }
    return try await git.run(
      ["submodule", "--quiet", "update", "--recursive", "--"] + submodules, in: path, messages: messages,
      silence: silence, questions: .none(sshCommand: command))
  }

  /// How many commits of the upstream the current branch lacks; `nil` where it cannot be fast-forwarded.
  private static func behind(_ report: InspectionReport, _ update: inout CloneUpdate) -> Int? {
    guard let status = report.status, let head = report.head else {
      let note = report.notes.first?.message
      update.fail(
        note ?? "its state cannot be read", hint: "look at it: forage inspect \(report.path.shellQuoted)")
      return nil
    }
    if let operation = report.operation {
      update.skip("a \(operation) is in progress")
    } else if head.detached {
      update.skip("no branch is checked out")
    } else if report.upstream == nil {
      update.skip("\(head.branch ?? "its branch") has no upstream")
    } else if report.upstream?.behind == nil {
      update.skip("its upstream is gone")
    }
    guard update.status != .skipped, let upstream = report.upstream, let behind = upstream.behind else {
      return nil
    }
    let ahead = upstream.ahead ?? 0
    if behind > 0, ahead > 0 {
      update.skip("diverged: \(HumanFormat.plural(ahead, "commit")) ahead, \(behind) behind")
    } else if behind > 0, status.staged + status.unstaged + status.conflicted > 0 {
      update.skip("it has changes that are not committed")
    }
    return update.status == .skipped ? nil : behind
  }
}

/// The references of a clone that a fetch can change.
private struct KnownRefs: Sendable {
  /// Branches of remotes, in a bare repository also those of its own, by their name.
  let branches: [ReferenceName: ObjectID]
  let tags: Set<ReferenceName>
  let hasRemotes: Bool
  let isOnlyRemote: Bool
  /// The command for ssh of the configuration.
  let sshCommand: String?
  /// What the names of branches begin with that stand without the name of their remote.
  private let usualPrefix: String
  private let path: String

  init(_ path: String) throws(GitError) {
    self.path = path
    let repository = try GitRepository.open(path)
    let remotes = repository.remotes()
    isOnlyRemote = remotes.count == 1 && !repository.hasUnlistedRemotes
    hasRemotes = !remotes.isEmpty || repository.hasUnlistedRemotes
    sshCommand = repository.sshCommand
    let usual = remotes.count == 1 ? remotes[0].name : "origin"
    usualPrefix = "refs/remotes/\(usual)/"
    let prefixes = ["refs/remotes/"] + (repository.isBare ? ["refs/heads/"] : [])
    let all = repository.refs.all.filter { !$0.isSymbolic }
    branches = Dictionary(
      all.filter { reference in prefixes.contains(where: reference.name.hasPrefix) }.map {
        ($0.name, $0.target)
      },
      uniquingKeysWith: { first, _ in first })
    tags = Set(all.map(\.name).filter { $0.hasPrefix("refs/tags/") })
  }

  /// What is new, in the order of names.
  func changes(since before: KnownRefs, _ isCancelled: () -> Bool) throws(GitError) -> (
    branches: [CloneUpdate.Branch], tags: [String]
  ) {
    var changed: [CloneUpdate.Branch] = []
    let repository = try GitRepository.open(path, loadsReferences: false)
    let known = Set(before.branches.values)
    for name in Set(branches.keys).union(before.branches.keys).sorted() {
      let (old, new) = (before.branches[name], branches[name])
      guard old != new else { continue }
      var branch = CloneUpdate.Branch(
        name: shown(name), fullName: name.text(after: "refs/remotes/") ?? shown(name),
        old: old?.description, new: new?.description)
      if let new {
        var graph = CommitGraph(lazilyFrom: new, in: repository)
        do throws(GitError) {
          branch.commits = try graph.ahead(of: old.map { [$0] } ?? known, isCancelled: isCancelled)
        } catch {
          // A clone without a part of its history cannot tell.
          if error.code == .cancelled { throw error }
        }
      }
      changed.append(branch)
    }
    return (changed, tags.subtracting(before.tags).sorted().compactMap { $0.text(after: "refs/tags/") })
  }

  private func shown(_ name: ReferenceName) -> String {
    for prefix in [usualPrefix, "refs/remotes/", "refs/heads/"] {
      if let text = name.text(after: prefix) { return text }
    }
    return name.description
  }
}
