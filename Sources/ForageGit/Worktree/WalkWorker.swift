#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The part of a walk that runs on one thread, with memory of its own that is used again for each folder.
struct WalkWorker {
  /// Of larger folders the files are compared in parts, so that two threads share them.
  private static let filesAtOnce: Int32 = 1024

  /// A name of which the rules of ignored paths are asked.
  struct Candidate {
    var name: FolderNames.Name
    /// The index's folder of this name; -1 for none.
    var directory: Int32
    /// Whether the index has it under this very name.
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
  /// The index's folders that a listing showed under their own name.
  var listed: [Int32] = []
  var path: [UInt8] = []

  init(_ walk: WorktreeWalk, _ view: IndexView) {
    self.walk = walk
    self.view = view
    tracked = TrackedNames(foldsCase: walk.rules.foldsCase)
  }

  /// Does what is to be done with one folder; returns what came up below it.
  mutating func process(_ item: WalkItem) -> [WalkItem] {
    var found: [WalkItem] = []
    var tasks = item.tasks
    var descriptor = open(item, lists: tasks.contains(.list))
    if descriptor < 0, tasks == [.compare, .list] {
      // Without permission to list it, its files can still be compared.
      tasks = .compare
      descriptor = open(item, lists: false)
    }
    guard descriptor >= 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP
      if tasks.contains(.compare) { miss(item, isGone && !isUnreachable(item) ? .deleted : .unseen) }
      return []
    }
    if let entries = item.entries {
      compare(files: entries, descriptor, Int(view.directories[Int(item.directory)].prefixLength))
      close(descriptor)
      return []
    }
    var handle: OpaquePointer?
    if tasks.contains(.list) {
      handle = fdopendir(descriptor)
      if handle == nil { tasks.remove(.list) }
    }
    // The handle has taken over the descriptor.
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
    if isListed { sort(item, &found) }
    return found
  }

  private func open(_ item: WalkItem, lists: Bool) -> Int32 {
    item.path.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { walk.root.open($0, lists: lists) } ?? -1
      }
    }
  }

  /// Whether there is something else in a folder's place that leads nowhere, as a link to itself does: of what
  /// would be below it git says nothing.
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

  /// Goes through what the index has in a folder.
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
        if part < entry, compares { take(files: part..<entry, item, descriptor, prefix, &found) }
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
    if part < entry, compares { take(files: part..<entry, item, descriptor, prefix, &found) }
    if isListed { match(item, prefix) }
    guard compares else {
      listed.removeAll(keepingCapacity: true)
      return
    }
    // Folders that the listing did not show under their own name are looked for all the same.
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

  /// How many files and folders the index has directly in a folder.
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

  /// Compares files of one folder that follow each other in the index, or leaves them to whoever comes first.
  private mutating func take(
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
        result.findings.append(WalkFinding(entry: number, kind: .unseen))
        continue
      }
      let mode = view.mode(entry) & IndexView.Mode.type
      if mode == IndexView.Mode.directory {
        result.findings.append(WalkFinding(entry: number, kind: .unseen))
        continue
      }
      if mode == IndexView.Mode.gitlink {
        result.findings.append(WalkFinding(entry: number, kind: .submodule))
        continue
      }
      guard let name = view.cString(entry, from: prefix) else { return }
      guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
        let isGone = errno == ENOENT || errno == ENOTDIR
        result.findings.append(WalkFinding(entry: number, kind: isSkipped || !isGone ? .unseen : .deleted))
        continue
      }
      if view.isIntentToAdd(entry) {
        let isFolder = UInt32(info.st_mode) & IndexView.Mode.type == IndexView.Mode.directory
        result.findings.append(WalkFinding(entry: number, kind: isFolder ? .deleted : .intended))
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

  /// Notes that all files of a folder are gone or out of reach.
  private mutating func miss(_ item: WalkItem, _ kind: WalkFinding.Kind) {
    guard item.directory >= 0 else { return }
    let folder = view.directories[Int(item.directory)]
    for number in item.entries ?? folder.first..<folder.end {
      let entry = Int(number)
      if view.stage(entry) != 0 { continue }
      let mode = view.mode(entry) & IndexView.Mode.type
      // Of longer paths the system does not even say that they do not exist.
      let isUnseen =
        view.isAssumedUnchanged(entry) || view.isSkipped(entry) || mode == IndexView.Mode.directory
        || view.records[entry].pathLength >= UInt32(PATH_MAX)
      let isSubmodule = mode == IndexView.Mode.gitlink
      result.findings.append(
        WalkFinding(entry: number, kind: isUnseen ? .unseen : isSubmodule ? .submodule : kind))
    }
  }
}
