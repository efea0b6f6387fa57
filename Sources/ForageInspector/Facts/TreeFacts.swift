import ForageGit

/// Facts from the tree of `HEAD`'s commit alone; they are the same in every clone that has all objects of the commit.
struct TreeFacts: Sendable, Hashable, Codable {
  /// The sections in the order of the report; the first that is requested has the note of an error.
  static let order: [InspectionSection] = [
    .size, .languages, .lines, .files, .licenses, .largestFiles, .dependencies, .version, .submodules, .lfs,
  ]
  static let sections = Set(order)
  private static let largestCount = 10
  /// The number of files from which unchanged ones are read from the work tree.
  private static let worktreeCount = 256

  /// A submodule as the tree records it.
  struct Recorded: Sendable, Hashable, Codable {
    var path: String
    /// 40 hexadecimal digits.
    var commit: String
  }

  /// The sections whose facts are here.
  private(set) var computed: Set<InspectionSection> = []
  var files = 0
  /// The bytes of the files that are there; nil when none is.
  var bytes: Int?
  var languages: [InspectionReport.Language]?
  var lines: [InspectionReport.Lines]?
  var skipped: InspectionReport.Skipped?
  var fileLines: [InspectionReport.FileLines]?
  var licenses: [InspectionReport.License]?
  var largestFiles: [InspectionReport.LargeFile]?
  var dependencies: [InspectionReport.Dependencies]?
  /// The version in the manifests; a version tag has precedence.
  var version: InspectionReport.Version?
  var lfs: Bool?
  var submodules: [Recorded] = []
  /// Why facts are missing or incomplete.
  var notes: [InspectionReport.Note] = []
  /// Whether nothing is missing or damaged; other facts are not cached.
  var isWhole = true
  /// Whether objects may be missing because the remote has them.
  private var isPartial = false
  /// Whether there is a file that can be read, or none in the tree.
  private var hasFiles = true
}

extension TreeFacts {
  /// Returns the facts of a commit's tree.
  ///
  /// - Parameters:
  ///   - request: the requested sections; ``notes`` says what could not be computed.
  ///   - known: facts that are known; returned if they cover the request, otherwise their sections are computed again
  ///     with the requested ones.
  static func of(
    _ commit: ObjectID, _ repository: GitRepository, _ request: InspectionRequest, known: TreeFacts?
  ) throws(GitError) -> TreeFacts {
    var request = request
    if let known {
      if request.sections.intersection(sections).isSubset(of: known.computed) { return known }
      request.sections.formUnion(known.computed)
    }
    return try TreeFacts(commit, repository, request)
  }

  /// Creates the facts of a branch without a commit.
  static func empty(_ request: InspectionRequest) -> TreeFacts {
    var facts = TreeFacts()
    facts.bytes = 0
    if request.includes(.languages) { facts.languages = [] }
    if request.includes(.lines) { facts.lines = [] }
    if request.includes(.files) { facts.fileLines = [] }
    if request.includes(.licenses) { facts.licenses = [] }
    if request.includes(.largestFiles) { facts.largestFiles = [] }
    if request.includes(.dependencies) { facts.dependencies = [] }
    facts.lfs = false
    return facts
  }

  private init(
    _ commit: ObjectID, _ repository: GitRepository, _ request: InspectionRequest
  ) throws(GitError) {
    let listing = try repository.listing(
      of: try repository.tree(of: commit), skipsDamage: true, isCancelled: request.isCancelled)
    computed = request.sections.intersection(Self.sections)
    isPartial = repository.isPartialClone
    files = listing.files.count
    hasFiles = listing.hasFiles
    submodules = listing.submodules.map { .init(path: $0.path, commit: $0.commit.hex) }
    if !request.sections.isDisjoint(with: [.languages, .lines, .files, .lfs]) {
      readSources(listing, repository, request)
    }
    if hasFiles {
      bytes = listing.bytes
      if request.includes(.largestFiles) { largestFiles = Self.largest(listing) }
    }
    let losses = listing.losses(isPartial: isPartial)
    if !losses.isEmpty {
      isWhole = false
      let always: [InspectionSection] = [.size, .languages, .lines, .files, .largestFiles]
      let below: [InspectionSection] = [.licenses, .dependencies, .submodules, .lfs]
      for section in always + (listing.lostFolders > 0 ? below : []) where request.includes(section) {
        for loss in losses { note(section, loss.message, isDamage: loss.isDamage) }
      }
    }
    if request.includes(.licenses) {
      let found = LicenseFiles.find(listing, repository)
      licenses = found.licenses
      noteUnread(.licenses, found.unread, "license file")
    }
    if request.includes(.dependencies) || request.includes(.version) {
      readManifests(listing, repository, request)
    }
  }

  /// Reads languages, lines and the attributes that mark Git LFS.
  private mutating func readSources(
    _ listing: TreeListing, _ repository: GitRepository, _ request: InspectionRequest
  ) {
    let attributes = AttributeFiles(listing, repository)
    if attributes.marksLFS {
      lfs = true
    } else if attributes.unread > 0 {
      if request.includes(.lfs) { noteUnread(.lfs, attributes.unread, ".gitattributes file") }
    } else if !attributes.isCut {
      lfs = false
    } else if request.includes(.lfs) {
      note(.lfs, AttributeFiles.cutMessage)
    }
    let countsLines = request.includes(.lines) || request.includes(.files)
    guard hasFiles, request.includes(.languages) || countsLines else { return }
    let classified = ClassifiedFiles(
      listing, attributes: attributes.attributes, countsLines: countsLines,
      readsPointers: attributes.marksPointers, isCancelled: request.isCancelled
    ) { count in
      // Reading the index takes as long as unpacking some hundred blobs.
      CloneFileReader(
        repository, stamps: count >= Self.worktreeCount ? repository.fileStamps() : FileStamps())
    }
    // A lookup that took too long may be faster the next time.
    if classified.damagedCount > 0 || attributes.isExhausted { isWhole = false }
    if request.includes(.languages) {
      languages = classified.shares()
      if classified.unreadCount > 0 {
        note(
          .languages, "\(classified.unreadCount) files were too large to examine, or could not be read",
          isDamage: classified.damagedCount > 0)
      }
      if attributes.isIncomplete { note(.languages, AttributeFiles.cutMessage) }
    }
    guard countsLines else { return }
    let isIncomplete = classified.lines.unreadable > 0
    if isIncomplete { isWhole = false }
    if request.includes(.files) { fileLines = classified.largestByLines }
    guard request.includes(.lines) else {
      if isIncomplete { note(.files, "some files could not be read", isDamage: true) }
      return
    }
    lines = classified.lines.lines
    skipped = classified.skipped
    notes += classified.lines.notes
    if attributes.isIncomplete { note(.lines, AttributeFiles.cutMessage) }
  }

  private mutating func readManifests(
    _ listing: TreeListing, _ repository: GitRepository, _ request: InspectionRequest
  ) {
    let manifests = ManifestFacts(
      listing, read: { try? repository.blob($0.id, limit: PackageManifestReader.byteLimit) },
      isCancelled: request.isCancelled)
    version = manifests.version.map { .init(name: $0.name, source: "manifest", path: $0.path) }
    if request.includes(.version) { noteUnread(.version, manifests.unread, "manifest") }
    guard request.includes(.dependencies) else { return }
    dependencies = manifests.dependencies
    noteUnread(.dependencies, manifests.unread, "manifest")
    if manifests.isCut {
      note(.dependencies, "some manifests were not read: too many, too large or not valid")
    }
  }

  /// Notes files of one kind that could not be read.
  private mutating func noteUnread(_ section: InspectionSection, _ count: Int, _ noun: String) {
    guard count > 0 else { return }
    isWhole = false
    let why = isPartial ? "not present in this partial clone" : "missing or damaged"
    note(section, "\(counted(count, noun)) could not be read: \(why)", isDamage: !isPartial)
  }

  private mutating func note(_ section: InspectionSection, _ message: String, isDamage: Bool = false) {
    notes.append(.init(section: section.rawValue, message: message, isDamage: isDamage))
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
