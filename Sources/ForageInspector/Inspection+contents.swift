import ForageGit

extension Inspection {
  /// The number of the largest files that are listed.
  private static let largestCount = 10
  /// The number of files from which unchanged ones are read from the work tree.
  private static let worktreeCount = 256

  /// Adds the facts from `HEAD`'s tree, the index, the work tree and the object database; an error becomes a
  /// note.
  mutating func addContents() {
    let (repository, isCancelled) = (repository, isCancelled)
    let storage = computeOrNote(.size) { () throws(GitError) in
      try repository.storage(isCancelled: isCancelled)
    }
    report.size = storage.map {
      .init(
        packs: $0.packs, packBytes: $0.packBytes, looseObjects: $0.looseObjects, looseBytes: $0.looseBytes)
    }
    addStatus()
    report.stashes = computeOrNote(.stashes) { () throws(GitError) in try repository.stashCount() }
    guard let first = InspectionSection.ofTree.first(where: sections.contains) else { return }
    if case .invalid = repository.refs.head {
      noteInvalidHead(first, missing: "are no files")
      return
    }
    addTree(first)
  }

  private mutating func addStatus() {
    let (repository, isCancelled) = (repository, isCancelled)
    let status = computeOrNote(.status) { () throws(GitError) in
      try repository.worktreeStatus(isCancelled: isCancelled)
    }
    guard case let found?? = status else { return }
    report.status = .init(
      clean: found.isClean, staged: found.staged, unstaged: found.unstaged, untracked: found.untracked,
      conflicted: found.conflicted)
    if found.uncompared > 0 {
      let what = counted(found.uncompared, "file")
      note(.status, "\(what) not compared because of a filter program; counted as unchanged")
    }
  }

  /// Adds the facts from the tree of `HEAD`'s commit, those that are known without reading it.
  ///
  /// - Parameter first: the section that has the note of an error.
  private mutating func addTree(_ first: InspectionSection) {
    let commit = repository.refs.head.commit
    var submodules: [HeadFacts.Recorded] = []
    do throws(GitError) {
      if let commit { submodules = try addTree(of: commit) } else { addEmptyTree() }
    } catch {
      // A partial clone may lack trees, and no commit.
      let isWhole = commit.flatMap { try? repository.tree(of: $0) } == nil
      note(first, error, isWhole: isWhole)
      return
    }
    addSubmodules(submodules, commit)
  }

  /// Adds the facts of a branch without a commit.
  private mutating func addEmptyTree() {
    report.size?.files = 0
    report.size?.bytes = 0
    (report.languages, report.lines, report.files) = ([], [], [])
    (report.licenses, report.largestFiles, report.dependencies) = ([], [], [])
    report.lfs = false
  }

  /// - Returns: the submodules that the tree records.
  private mutating func addTree(of commit: ObjectID) throws(GitError) -> [HeadFacts.Recorded] {
    let wanted = sections.intersection(InspectionSection.ofTree)
    var (found, submodules) = (facts.report, facts.submodules)
    if !wanted.isSubset(of: facts.sections) {
      // What is known is read again, so that the notes about all sections are together.
      var tree = Inspection(
        repository, wanted.union(facts.sections).intersection(InspectionSection.ofTree), now: now,
        isCancelled: isCancelled)
      let isWhole = try tree.readTree(of: commit)
      (found, submodules) = (tree.report, tree.facts.submodules)
      if isWhole {
        facts.submodules = submodules
        facts.add(wanted, of: found)
        facts.report.notes = found.notes
      }
    }
    report.take(wanted.subtracting([.size]), from: found)
    report.size?.files = found.size?.files
    report.size?.bytes = found.size?.bytes
    report.notes += found.notes.filter { note in sections.contains { $0.rawValue == note.section } }
    return submodules
  }

  /// Adds the states of the submodules that the tree records and of those that `.gitmodules` names.
  private mutating func addSubmodules(_ submodules: [HeadFacts.Recorded], _ commit: ObjectID?) {
    let (repository, isCancelled) = (repository, isCancelled)
    let recorded = submodules.compactMap { item in
      ObjectID(hex: item.commit).map { (path: item.path, commit: $0) }
    }
    let found = computeOrNote(.submodules) { () throws(GitError) in
      let root: ObjectID? = if let commit { try repository.tree(of: commit) } else { nil }
      return try repository.submodules(recorded: recorded, tree: root, isCancelled: isCancelled)
    }
    report.submodules = found?.list.map {
      .init(path: $0.path, url: $0.url, commit: $0.commit?.hex, state: $0.state.rawValue)
    }
    if found?.isCut == true {
      note(.submodules, "only the first \(GitRepository.submoduleLimit) submodules are listed")
    }
    if let (count, reason) = found?.unread {
      let what = counted(count, "submodule")
      note(
        .submodules, "the state of \(what) is unknown and shown as modified: \(reason.message)",
        isDamage: reason.isDamage)
    }
  }
}

extension Inspection {
  /// Reads the facts that depend on a commit's tree alone; they are the same in every clone that has all its
  /// objects.
  ///
  /// - Returns: whether nothing was missing or damaged.
  private mutating func readTree(of commit: ObjectID) throws(GitError) -> Bool {
    let listing = try repository.listing(
      of: try repository.tree(of: commit), skipsDamage: true, isCancelled: isCancelled)
    facts.submodules = listing.submodules.map { .init(path: $0.path, commit: $0.commit.hex) }
    var isWhole = true
    if !sections.isDisjoint(with: [.languages, .lines, .files, .lfs]) { readSources(listing, &isWhole) }
    report.size = .init(
      files: listing.files.count, bytes: listing.hasFiles ? listing.bytes : nil, packs: 0, packBytes: 0,
      looseObjects: 0, looseBytes: 0)
    if listing.hasFiles, sections.contains(.largestFiles) { report.largestFiles = Self.largest(listing) }
    let losses = listing.losses(isPartial: repository.isPartialClone)
    if !losses.isEmpty {
      isWhole = false
      let always: [InspectionSection] = [.size, .languages, .lines, .files, .largestFiles]
      let below: [InspectionSection] = [.licenses, .dependencies, .submodules, .lfs]
      for section in always + (listing.lostFolders > 0 ? below : []) where sections.contains(section) {
        for loss in losses { note(section, loss.message, isDamage: loss.isDamage) }
      }
    }
    if sections.contains(.licenses) {
      let found = LicenseFiles.find(listing, repository)
      report.licenses = found.licenses
      let isSeveral = Set(found.licenses.map(\.spdx)).count > 1
      let declared = isSeveral ? ProjectStatement(listing, repository).license : nil
      report.license = InspectionReport.License.expression(of: found.licenses, declared: declared)
      noteUnread(.licenses, found.unread, "license file", &isWhole)
    }
    if sections.contains(.dependencies) || sections.contains(.version) { readManifests(listing, &isWhole) }
    return isWhole
  }

  /// Reads languages, lines and the attributes that mark Git LFS.
  private mutating func readSources(_ listing: TreeListing, _ isWhole: inout Bool) {
    let repository = repository
    let attributes = AttributeFiles(listing, repository)
    if attributes.marksLFS {
      report.lfs = true
    } else if attributes.unread > 0 {
      if sections.contains(.lfs) { noteUnread(.lfs, attributes.unread, ".gitattributes file", &isWhole) }
    } else if !attributes.isCut {
      report.lfs = false
    } else if sections.contains(.lfs) {
      note(.lfs, AttributeFiles.cutMessage)
    }
    let countsLines = sections.contains(.lines) || sections.contains(.files)
    guard listing.hasFiles, sections.contains(.languages) || countsLines else { return }
    let classified = ClassifiedFiles(
      listing, attributes: attributes.attributes, countsLines: countsLines,
      readsPointers: attributes.marksPointers, isCancelled: isCancelled
    ) { count in
      // Reading the index takes as long as unpacking some hundred blobs.
      CloneFileReader(
        repository, stamps: count >= Self.worktreeCount ? repository.fileStamps() : FileStamps())
    }
    // A lookup that took too long may be faster the next time.
    if classified.damagedCount > 0 || attributes.isExhausted { isWhole = false }
    if sections.contains(.languages) {
      report.languages = classified.shares()
      if classified.unreadCount > 0 {
        note(
          .languages,
          "\(counted(classified.unreadCount, "file")) could not be examined: too large, missing or damaged",
          isDamage: classified.damagedCount > 0)
      }
      if attributes.isIncomplete { note(.languages, AttributeFiles.cutMessage) }
    }
    guard countsLines else { return }
    let isIncomplete = classified.lines.unreadable > 0
    if isIncomplete { isWhole = false }
    if sections.contains(.files) { report.files = classified.largestByLines }
    guard sections.contains(.lines) else {
      if isIncomplete { note(.files, "some files could not be read", isDamage: true) }
      return
    }
    report.lines = classified.lines.lines
    report.skipped = classified.skipped
    report.notes += classified.lines.notes
    if attributes.isIncomplete { note(.lines, AttributeFiles.cutMessage) }
  }

  private mutating func readManifests(_ listing: TreeListing, _ isWhole: inout Bool) {
    let repository = repository
    let manifests = ManifestFacts(
      listing, read: { try? repository.blob($0.id, limit: PackageManifestReader.byteLimit) },
      isCancelled: isCancelled)
    report.version = manifests.version.map { .init(name: $0.name, source: "manifest", path: $0.path) }
    if sections.contains(.version) { noteUnread(.version, manifests.unread, "manifest", &isWhole) }
    guard sections.contains(.dependencies) else { return }
    report.dependencies = manifests.dependencies
    noteUnread(.dependencies, manifests.unread, "manifest", &isWhole)
    if manifests.isCut {
      note(.dependencies, "some manifests were not read: too many, too large or not valid")
    }
  }

  /// Notes files of one kind that could not be read.
  private mutating func noteUnread(
    _ section: InspectionSection, _ count: Int, _ noun: String, _ isWhole: inout Bool
  ) {
    guard count > 0 else { return }
    isWhole = false
    let isPartial = repository.isPartialClone
    let why = isPartial ? "not present in this partial clone" : "missing or damaged"
    note(section, "\(counted(count, noun)) could not be read: \(why)", isDamage: !isPartial)
  }

  /// Returns the largest files, ordered by size and then by path.
  private static func largest(_ listing: TreeListing) -> [InspectionReport.LargeFile] {
    listing.files.filter { $0.size != nil }.sorted { ($1.size ?? 0, $0.path) < ($0.size ?? 0, $1.path) }
      .prefix(largestCount).map {
        .init(path: $0.path, bytes: $0.size ?? 0)
      }
  }
}

extension TreeListing {
  /// What is missing and what is damaged, one sentence without a full stop for each.
  ///
  /// - Parameter isPartial: whether objects may be missing because the remote has them, which is no damage.
  func losses(isPartial: Bool) -> [(message: String, isDamage: Bool)] {
    let absence = isPartial ? "not present in this partial clone" : GitError.absence
    let losses = [
      (count: missing, state: absence, isDamage: !isPartial),
      (count: damaged, state: "damaged", isDamage: true),
    ]
    return losses.filter { $0.count > 0 }.map { loss in
      let what = loss.count == 1 ? "1 file or folder is" : "\(loss.count) files or folders are"
      return ("\(what) \(loss.state)", loss.isDamage)
    }
  }
}
