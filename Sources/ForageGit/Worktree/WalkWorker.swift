import ForagePlatform

/// The part of a walk that runs on one thread; its memory is reused for each folder.
struct WalkWorker {
  /// The files that are compared at once; larger folders are split, so that two threads share them.
  private static let filesAtOnce: Int32 = 1024

  /// A name on disk to which the ignore rules apply.
  struct Candidate {
    var name: FolderNames.Name
    /// The folder of the index with this name; -1 for none.
    var directory: Int32
    /// Whether the index has exactly this name.
    var isExact: Bool
    /// Whether the index has a file of this name.
    var isShadowed: Bool
    var isIgnored: Bool?
  }

  let walk: WorktreeWalk
  let view: IndexView
  var result = WalkResult()

  var names = FolderNames()
  var tracked: TrackedNames
  var candidates: [Candidate] = []
  /// The folders of the index that the listing contained under their exact names.
  var listed: [Int32] = []
  var path: [UInt8] = []

  init(_ walk: WorktreeWalk, _ view: IndexView) {
    self.walk = walk
    self.view = view
    tracked = TrackedNames(foldsCase: walk.rules.foldsCase)
  }

  mutating func process(_ item: WalkItem) -> [WalkItem] {
    var found: [WalkItem] = []
    var tasks = item.tasks
    var descriptor = open(item, lists: tasks.contains(.list))
    if descriptor < 0, tasks.isSuperset(of: [.compare, .list]) {
      // Without permission to list the folder its files can still be compared.
      tasks = .compare
      descriptor = open(item, lists: false)
    }
    guard descriptor >= 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP
      if tasks.contains(.compare) {
        recordMissing(item, isGone && !isUnreachable(item) ? .deleted : .unreachable)
      }
      return []
    }
    if let entries = item.entries {
      compare(files: entries, descriptor, Int(view.directories[Int(item.directory)].prefixLength))
      close(descriptor)
      return []
    }
    var handle: DirectoryStream?
    if tasks.contains(.list) {
      handle = fdopendir(descriptor)
      if handle == nil { tasks.remove(.list) }
    }
    // The stream owns the descriptor.
    defer { if let handle { closedir(handle) } else { close(descriptor) } }
    if let handle { names.read(handle, foldsCase: walk.rules.foldsCase) } else { names.removeAll() }
    if item.directory < 0, names.hasGit, isRepository(item) {
      if !item.isShadowed { result.untracked += 1 }
      return []
    }
    let isListed = tasks.contains(.list)
    if item.directory >= 0 {
      visit(item, isListed, descriptor, tasks, &found)
    } else {
      for name in names.names where name.kind != .other {
        candidates.append(
          Candidate(name: name, directory: -1, isExact: false, isShadowed: false, isIgnored: nil))
      }
    }
    if isListed { classifyCandidates(item, &found) }
    return found
  }

  private func open(_ item: WalkItem, lists: Bool) -> Int32 {
    item.path.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { walk.root.open($0, lists: lists) } ?? -1
      }
    }
  }

  /// Whether something in place of a folder cannot be resolved, such as a link to itself; git reports nothing
  /// below it.
  private func isUnreachable(_ item: WalkItem) -> Bool {
    item.path.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { text in
        var info = stat()
        guard let start = text.baseAddress, fstatat(walk.root.descriptor, start, &info, 0) != 0 else {
          return false
        }
        return errno != ENOENT && errno != ENOTDIR
      }
    }
  }

  private mutating func visit(
    _ item: WalkItem, _ isListed: Bool, _ descriptor: Int32, _ tasks: WalkItem.Tasks,
    _ found: inout [WalkItem]
  ) {
    let folder = view.directories[Int(item.directory)]
    let prefix = Int(folder.prefixLength)
    let compares = tasks.contains(.compare)
    if isListed { tracked.reset(count: count(of: item.directory)) }
    var part = folder.first
    var child = item.directory + 1
    var entry = folder.first
    while entry < folder.end {
      let isFolder = child < folder.subtreeEnd && view.directories[Int(child)].first == entry
      if isFolder {
        let below = view.directories[Int(child)]
        if part < entry, compares { compareInParts(files: part..<entry, item, descriptor, prefix, &found) }
        if isListed { tracked.insert(directory: child, name(ofFolder: below, prefix)) }
        entry = below.end
        part = entry
        child = below.subtreeEnd
      } else {
        if isListed {
          let name = UnsafeRawBufferPointer(rebasing: view.path(Int(entry))[prefix...])
          tracked.insert(entry: entry, name)
        }
        entry += 1
      }
    }
    if part < entry, compares { compareInParts(files: part..<entry, item, descriptor, prefix, &found) }
    if isListed { match(item, prefix) }
    guard compares else {
      listed.removeAll(keepingCapacity: true)
      return
    }
    // Folders that the listing did not contain under their exact names are examined nevertheless.
    listed.sort()
    var seen = 0
    child = item.directory + 1
    while child < folder.subtreeEnd {
      if seen < listed.count, listed[seen] == child {
        seen += 1
      } else {
        found.append(
          WalkItem(path: path(of: child), directory: child, tasks: .compare, entries: nil, rules: nil))
      }
      child = view.directories[Int(child)].subtreeEnd
    }
    listed.removeAll(keepingCapacity: true)
  }

  /// Returns the number of files and subfolders that the index has directly in a folder.
  private func count(of directory: Int32) -> Int {
    let folder = view.directories[Int(directory)]
    var count = Int(folder.end - folder.first)
    var child = directory + 1
    while child < folder.subtreeEnd {
      let below = view.directories[Int(child)]
      count -= Int(below.end - below.first) - 1
      child = below.subtreeEnd
    }
    return count
  }

  private func name(ofFolder folder: IndexDirectory, _ prefix: Int) -> UnsafeRawBufferPointer {
    let path = view.path(Int(folder.first))
    return UnsafeRawBufferPointer(rebasing: path[prefix..<(Int(folder.prefixLength) - 1)])
  }

  private func path(of directory: Int32) -> [UInt8] { Array(view.prefix(Int(directory)).dropLast()) + [0] }

  /// Compares consecutive files of one folder; queues all but the last part for any thread.
  private mutating func compareInParts(
    files: Range<Int32>, _ item: WalkItem, _ descriptor: Int32, _ prefix: Int, _ found: inout [WalkItem]
  ) {
    var rest = files
    while rest.count > Self.filesAtOnce {
      let part = rest.lowerBound..<(rest.lowerBound + Self.filesAtOnce)
      found.append(
        WalkItem(path: item.path, directory: item.directory, tasks: .compare, entries: part, rules: nil))
      rest = part.upperBound..<rest.upperBound
    }
    compare(files: rest, descriptor, prefix)
  }

  private mutating func compare(files: Range<Int32>, _ descriptor: Int32, _ prefix: Int) {
    var info = stat()
    for number in files {
      let entry = Int(number)
      if view.stage(entry) != 0 { continue }
      let isSkipped = view.isSkipped(entry)
      if view.isAssumedUnchanged(entry) || isSkipped && !walk.rules.seesSkipped {
        result.findings.append(WalkFinding(entry: number, kind: .unchecked))
        continue
      }
      let mode = view.mode(entry) & IndexView.Mode.type
      if mode == IndexView.Mode.directory {
        result.findings.append(WalkFinding(entry: number, kind: .unchecked))
        continue
      }
      if mode == IndexView.Mode.gitlink {
        result.findings.append(WalkFinding(entry: number, kind: .submodule))
        continue
      }
      guard let name = view.cString(entry, from: prefix) else { return }
      guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
        let isGone = errno == ENOENT || errno == ENOTDIR
        result.findings.append(
          WalkFinding(entry: number, kind: isSkipped ? .unchecked : isGone ? .deleted : .unreachable))
        continue
      }
      if view.isIntentToAdd(entry) {
        let isFolder = UInt32(info.st_mode) & IndexView.Mode.type == IndexView.Mode.directory
        result.findings.append(WalkFinding(entry: number, kind: isFolder ? .deleted : .intentToAdd))
        continue
      }
      switch walk.rules.verdict(entry, view, info) {
      case .clean: break
      case .doubtful: result.findings.append(WalkFinding(entry: number, kind: .doubtful))
      case .changed:
        let isFolder = UInt32(info.st_mode) & IndexView.Mode.type == IndexView.Mode.directory
        result.findings.append(WalkFinding(entry: number, kind: isFolder ? .deleted : .changed))
      }
    }
  }

  /// Records that all files of a folder are absent or unreachable.
  private mutating func recordMissing(_ item: WalkItem, _ kind: WalkFinding.Kind) {
    guard item.directory >= 0 else { return }
    let folder = view.directories[Int(item.directory)]
    for number in item.entries ?? folder.first..<folder.end {
      let entry = Int(number)
      if view.stage(entry) != 0 { continue }
      let mode = view.mode(entry) & IndexView.Mode.type
      // For longer paths the system does not report that they do not exist.
      let isUnchecked =
        view.isAssumedUnchanged(entry) || view.isSkipped(entry) || mode == IndexView.Mode.directory
        || view.records[entry].pathLength >= UInt32(PATH_MAX)
      let isSubmodule = mode == IndexView.Mode.gitlink
      result.findings.append(
        WalkFinding(entry: number, kind: isUnchecked ? .unchecked : isSubmodule ? .submodule : kind))
    }
  }
}
