import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

/// Brings the snapshot of a work tree up to date, and the index with its texts.
///
/// rg itself tells which files it searches (`rg --files`). Which folders it enters follows from that, but for
/// those in which it finds no file: such a folder is left out if it is hidden or ignored and rg finds files
/// in it when it is named. Every other one counts as entered, so that a file that appears in it is noticed.
struct WorkTreeSurvey {
  /// Why there is no snapshot, so that the clone is always searched.
  private struct Unclear: Error {}

  /// The folders without a file that may have to be asked about; with more of them there is no snapshot.
  private static let mostFolders = 5_000
  /// How deep below such a folder files are looked for.
  private static let evidenceDepth = 3
  /// How long rg may take to list files.
  private static let listingTime = Duration.seconds(60)
  /// The folders named in one call of rg.
  private static let foldersOfCall = 500
  /// The steps of the clock that files get their times from, in nanoseconds; two seconds where a time has no
  /// fraction.
  private static let clockStep = (fine: Int64(20_000_000), coarse: Int64(2_000_000_000))
  /// The texts of one transaction in bytes.
  private static let batchBytes = 4 << 20

  let ripgrep: Ripgrep
  let index: CodeIndex
  /// Longer files are not indexed.
  let maximumFileSize: Int
  var isCancelled: @Sendable () -> Bool = { false }

  /// Updates the snapshot of a work tree unless it is current; one that cannot be made is removed.
  ///
  /// - Parameter root: The root, absolute, without links.
  /// - Throws: `GitError` with the code `cancelled`; `StoreError` if the index cannot be written.
  func update(_ root: String) throws {
    let rules = RipgrepRules(ripgrep)
    let known = try index.snapshots(of: [root])[Array(root.utf8)]
    if let known, WorkTreeSnapshot.isCurrent(known, root: root, environment: rules.environment) { return }
    do {
      var snapshot = try layout(of: root, rules)
      let blobs = try addTexts(&snapshot, root, known: known.map(Self.contents) ?? [:])
      try index.setSnapshot(snapshot.encoded, of: root, blobs: blobs)
    } catch is Unclear {
      if known != nil { try index.removeSnapshots(of: [root]) }
    }
  }

  /// The texts of a snapshot, by the path of the file.
  private static func contents(_ encoded: Data) -> [[UInt8]: WorkTreeSnapshot.Entry] {
    encoded.withUnsafeBytes { bytes in
      var found: [[UInt8]: WorkTreeSnapshot.Entry] = [:]
      // What is read before damage is as good.
      try? WorkTreeSnapshot.visitEntries(of: bytes) { entry in
        found[entry.path] = WorkTreeSnapshot.Entry(
          name: Array(entry.name), stamp: entry.stamp, content: entry.content, isPlain: entry.isPlain)
      }
      return found
    }
  }

  // MARK: Folders

  /// The folders, files and rules without their texts.
  private func layout(of root: String, _ rules: RipgrepRules) throws -> WorkTreeSnapshot {
    let start = Self.now
    guard !RipgrepRules.areAbove([root]), let rulesOfUser = rules.ofUser() else { throw Unclear() }
    let rootBytes = Array(root.utf8)
    guard !RipgrepRules.arePipes(below: rootBytes, rulesOfUser.map(\.path), isCancelled) else {
      throw Unclear()
    }
    var snapshot = WorkTreeSnapshot(environment: rules.environment)
    snapshot.rules = rulesOfUser
    // By folder, the names of its files.
    var files: [[UInt8]: [[UInt8]]] = [[]: []]
    for path in try listed(below: [rootBytes], depth: nil) {
      let path = Array(path.dropFirst(rootBytes.count + 1))
      let (folder, name) = Self.split(path)
      files[folder, default: []].append(name)
      var above = folder
      while !above.isEmpty {
        above = Self.split(above).folder
        if files[above] != nil { break }
        files[above] = []
      }
    }
    var repository: GitRepository?
    var pending = files.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var asked = 0
    while !pending.isEmpty {
      var unclear: [[UInt8]] = []
      for path in pending {
        if isCancelled() { throw GitError.cancelled }
        let (folder, folders) = try folder(
          path, files[path] ?? [], rootBytes, start, rules, &snapshot.rules)
        snapshot.folders.append(folder)
        unclear += folders.filter { files[$0] == nil }
      }
      asked += unclear.count
      guard asked <= Self.mostFolders else { throw Unclear() }
      let left = try leftOut(unclear, rootBytes)
      pending = try unclear.filter { path in
        guard left.contains(path) else { return true }
        if Self.split(path).name.first == UInt8(ascii: ".") { return false }
        if repository == nil { repository = try? GitRepository.open(root, loadsReferences: false) }
        return try repository?.isIgnored(path) != true
      }
    }
    snapshot.folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
    return snapshot
  }

  /// A folder with the stamps of its files and rules, and the paths of the folders in it.
  private func folder(
    _ path: [UInt8], _ files: [[UInt8]], _ root: [UInt8], _ start: Int64, _ rules: RipgrepRules,
    _ outside: inout [WorkTreeSnapshot.Rule]
  ) throws(Unclear) -> (WorkTreeSnapshot.Folder, folders: [[UInt8]]) {
    let slash = UInt8(ascii: "/")
    let location = path.isEmpty ? root : root + [slash] + path
    let descriptor = open(location + [0], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unclear() }
    var info = stat()
    guard fstat(descriptor, &info) == 0, let directory = fdopendir(descriptor) else {
      close(descriptor)
      throw Unclear()
    }
    defer { closedir(directory) }
    var folder = WorkTreeSnapshot.Folder(path: path, stamp: Self.stamp(info, start))
    var folders: [[UInt8]] = []
    var isRepository = false
    FileAccess.visit(directory) { pointer, type in
      let name = FileAccess.bytes(pointer)
      if name.elementsEqual(".git".utf8) { isRepository = true }
      let isRules = RipgrepRules.names.contains(name)
      guard isRules || type == DT_DIR || type == DT_UNKNOWN else { return }
      guard fstatat(descriptor, pointer, &info, isRules ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
        // A link of rules that leads nowhere may lead somewhere later.
        if isRules { folder.stamp = .never }
        return
      }
      if isRules {
        folder.entries.append(
          WorkTreeSnapshot.Entry(name: name, stamp: Self.stamp(info, start), content: .rules))
      } else if info.st_mode & S_IFMT == S_IFDIR {
        folders.append(path.isEmpty ? name : path + [slash] + name)
      }
    }
    if isRepository { outside += rules.ofRepository(in: location) }
    for name in files.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let isKnown = (name + [0]).withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          fstatat(descriptor, $0.assumingMemoryBound(to: CChar.self), &info, AT_SYMLINK_NOFOLLOW) == 0
        } ?? false
      }
      folder.entries.append(
        WorkTreeSnapshot.Entry(
          name: name, stamp: isKnown ? Self.stamp(info, start) : .never, content: .unknown))
    }
    return (folder, folders)
  }

  /// Those of some folders that rg leaves out although it finds files in them.
  private func leftOut(_ folders: [[UInt8]], _ root: [UInt8]) throws -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    let prefix = root + [UInt8(ascii: "/")]
    for start in stride(from: 0, to: folders.count, by: Self.foldersOfCall) {
      let part = Set(folders[start..<min(folders.count, start + Self.foldersOfCall)])
      for file in try listed(below: part.map { prefix + $0 }, depth: Self.evidenceDepth) {
        var path = Array(file.dropFirst(prefix.count))
        while !path.isEmpty, !part.contains(path) { path = Self.split(path).folder }
        found.insert(path)
      }
    }
    return found
  }

  /// The files that rg searches below some folders.
  private func listed(below folders: [[UInt8]], depth: Int?) throws -> [ArraySlice<UInt8>] {
    guard !folders.isEmpty else { return [] }
    var arguments = ["--no-config", "--color=never", "--files", "--null"]
    if let depth { arguments.append("--max-depth=\(depth)") }
    var paths: [String] = []
    for folder in folders {
      let path = String(decoding: folder, as: UTF8.self)
      // Arguments are texts; a folder with another name is not asked about.
      if path.utf8.elementsEqual(folder) { paths.append(path) } else if depth == nil { throw Unclear() }
    }
    guard !paths.isEmpty else { return [] }
    let launch = ChildLaunch(
      ripgrep.program, arguments + ["--"] + paths, environment: ripgrep.environment, folder: "/",
      output: .pipe, error: .pipe)
    let result: ChildResult
    do {
      result = try ChildProgram().collect(
        launch, timeLimit: Self.listingTime, grace: .milliseconds(100), checking: .milliseconds(50),
        isCancelled: isCancelled)
    } catch {
      throw Unclear()
    }
    if result.stop == .cancelled { throw GitError.cancelled }
    // 1 is: no files. What it could not read is not known.
    guard result.stop == nil, [.exited(0), .exited(1)].contains(result.ending), result.error.isEmpty else {
      throw Unclear()
    }
    return result.output.split(separator: 0)
  }

  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return ([], path) }
    return (Array(path[..<slash]), Array(path[(slash + 1)...]))
  }

  // MARK: Times

  /// Nanoseconds since 1970.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : seconds.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
  }

  /// The stamp of metadata, unless it may change again without a change of its times.
  private static func stamp(_ info: borrowing stat, _ start: Int64) -> WorkTreeSnapshot.Stamp {
    let (modified, changed) = (info.modified, info.changed)
    let last = max(nanoseconds(modified), nanoseconds(changed))
    let isCoarse = modified.tv_nsec == 0 && changed.tv_nsec == 0
    let step = isCoarse ? clockStep.coarse : clockStep.fine
    return last < start - step ? WorkTreeSnapshot.Stamp(info) : .never
  }

  // MARK: Texts

  /// Adds the texts of a snapshot to the index.
  ///
  /// - Parameter known: Files of an earlier snapshot.
  /// - Returns: The numbers of all texts.
  private func addTexts(
    _ snapshot: inout WorkTreeSnapshot, _ root: String, known: [[UInt8]: WorkTreeSnapshot.Entry]
  ) throws -> Set<Int64> {
    let files = ClonedFiles(root)
    // The ids of files that were read, by folder and entry.
    var ids: [(folder: Int, entry: Int, id: Data, isPlain: Bool)] = []
    var blobs: Set<Int64> = []
    var batch: [Data: CodeIndex.NewBlob] = [:]
    var bytes = 0
    func flush() throws {
      try index.add(Array(batch.values))
      let numbers = try index.numbers(of: Array(Set(ids.map(\.id))))
      for (folder, entry, id, isPlain) in ids {
        guard let number = numbers[id] else { continue }
        snapshot.folders[folder].entries[entry].content = .indexed(number)
        snapshot.folders[folder].entries[entry].isPlain = isPlain
        blobs.insert(number)
      }
      (ids, batch, bytes) = ([], [:], 0)
    }
    for folder in snapshot.folders.indices {
      let path = snapshot.folders[folder].path
      let prefix = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
      for entry in snapshot.folders[folder].entries.indices {
        if isCancelled() { throw GitError.cancelled }
        let file = snapshot.folders[folder].entries[entry]
        guard file.content == .unknown, file.stamp != .never else { continue }
        if let known = known[prefix + file.name], known.stamp == file.stamp,
          case .indexed(let number) = known.content
        {
          snapshot.folders[folder].entries[entry].content = known.content
          snapshot.folders[folder].entries[entry].isPlain = known.isPlain
          blobs.insert(number)
          continue
        }
        // A file that is too long or cannot be read stays unknown.
        guard let text = ((try? files.read(prefix + file.name, limit: maximumFileSize)) ?? nil)?.bytes
        else { continue }
        let id = text.withUnsafeBytes { ObjectID(hashing: $0) }.raw
        ids.append((folder, entry, id, text.withUnsafeBytes(SearchedText.isPlain)))
        bytes += text.count
        if batch[id] == nil {
          batch[id] = text.withUnsafeBytes { CodeIndex.NewBlob(id, $0) }
        }
        if bytes >= Self.batchBytes { try flush() }
      }
    }
    try flush()
    return blobs
  }
}

extension CodeIndex.NewBlob {
  /// A blob with the terms of what is searched of it: by a search for code its text, by rg what is before the
  /// first NUL.
  init(_ id: Data, _ bytes: UnsafeRawBufferPointer) {
    let text = CodeText.with(bytes) { text, _ in TrigramTerms.distinct(in: text) }
    self.init(
      id: id, bytes: bytes.count, state: text == nil ? .binary : .text,
      terms: text ?? SearchedText.with(bytes) { TrigramTerms.distinct(in: $0) })
  }
}

/// What rg searches of a file: its bytes, or UTF-8 in place of UTF-16 with a byte order mark, up to the first
/// NUL.
enum SearchedText {
  static func with<Value>(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Value) -> Value
  {
    CodeText.withDecoded(bytes) { text in
      body(text.part(0..<(text.firstIndex(of: 0) ?? text.count)))
    }
  }

  /// Whether a file has no NUL.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    CodeText.withDecoded(bytes) { text in
      guard let base = text.baseAddress else { return true }
      return memchr(base, 0, text.count) == nil
    }
  }
}
