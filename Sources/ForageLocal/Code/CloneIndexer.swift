import ForageFoundation
import ForageGit
import ForageInspector
import ForagePlatform
import ForageStore

/// Brings the code index up to date for one clone.
struct CloneIndexer: Sendable {
  /// The text of one transaction in bytes: half a second of work, after which another process can write.
  private static let batchBytes = 4 << 20
  /// The most changes of a tree for which only these are compared.
  private static let changeLimit = 200

  let index: CodeIndex
  let repositories: CodeRepositories
  /// Longer files are not searched.
  let maximumFileSize: Int
  /// How much may be done; `nil` for everything.
  var budget: Budget?
  /// Whether the index can be read. All updates of a search without one are postponed.
  var hasIndex = true
  var isCancelled: @Sendable () -> Bool
  /// Receives the number of texts that are about to be indexed.
  var announce: @Sendable (Int) -> Void = { _ in }
  /// Receives the number of bytes of each text that was indexed.
  var progress: @Sendable (Int) -> Void = { _ in }

  /// How much a search indexes on the spot.
  struct Budget: Sendable {
    var files: Int
    var end: ContinuousClock.Instant
  }

  enum Outcome {
    /// The index has the tree.
    case indexed(CodeIndex.Tree)
    /// `HEAD` has no commit.
    case empty
    /// The budget ended the update: all files of the tree, and the tree as it would be stored.
    case postponed([CodeFile], CodeIndex.Tree)
  }

  /// Updates a clone.
  ///
  /// - Parameters:
  ///   - clone: The number of the clone in the search, for its files.
  ///   - known: The stored tree; `nil` if there is none.
  /// - Throws: `GitError` if the clone cannot be read, `StoreError` if the index cannot be written.
  func update(_ path: String, clone: Int, known: CodeIndex.Tree?) throws -> Outcome {
    guard let head = try CloneHead.read(path, repositories) else {
      if known != nil { try? index.remove([path]) }
      return .empty
    }
    var tree = CodeIndex.Tree(
      path: path, tree: head.commit.tree.raw, stamp: head.stamp, commit: head.commit.id.hex,
      branch: head.branch, committedAt: Int(head.commit.committedAt))
    tree.isPublished = head.repository.isPublished(head.commit.id, isCancelled: isCancelled)
    if var known, known.tree == tree.tree, known.missing == 0 || budget != nil {
      (known.stamp, known.commit, known.branch) = (tree.stamp, tree.commit, tree.branch)
      (known.committedAt, known.isPublished) = (tree.committedAt, tree.isPublished)
      // An index that cannot be written is still right.
      do throws(StoreError) { try index.touch(known) } catch { if budget == nil { throw error } }
      return .indexed(known)
    }
    guard hasIndex else { return try replace(tree, head, clone: clone, writes: false) }
    do {
      // Missing objects of an unchanged tree may be there by now.
      if let known, known.tree != tree.tree, let outcome = try change(tree, head, known) { return outcome }
      return try replace(tree, head, clone: clone)
    } catch let error as StoreError {
      guard budget != nil else { throw error }
      // A search needs no index.
      return try replace(tree, head, clone: clone, writes: false)
    }
  }

  /// Indexes what differs from the stored tree; `nil` if that is too much, or if objects are missing.
  private func change(_ tree: CodeIndex.Tree, _ head: CloneHead, _ known: CodeIndex.Tree) throws -> Outcome? {
    guard let old = ObjectID(raw: known.tree),
      let changes = try? FileChanges(in: head.repository).between(
        old, head.commit.tree, limit: Self.changeLimit, isCancelled: isCancelled)
    else { return nil }
    let texts = changes.filter { $0.old != $0.new }.map { file in
      (path: String(decoding: file.path, as: UTF8.self), old: file.old, new: file.new)
    }
    guard !texts.contains(where: { FileAccess.name(of: $0.path) == AttributeFiles.name }),
      try index.convertedFiles(of: [known.number]).isEmpty
    else { return nil }
    let added = texts.compactMap { file in file.new.map { (path: file.path, id: $0) } }
    guard try add(added.map(\.id), head.repository) else { return nil }
    let folders = Set(added.flatMap { FileClassifier.folders(above: $0.path) })
    var classifier = FileClassifier(head.repository, tree: head.commit.tree, folders: folders)
    let stamps = head.repository.fileStamps()
    let files = added.map { file in
      let (language, flags) = classifier.classify(file.path, size: nil) {
        try? head.repository.blob(file.id, limit: LanguageClassifier.prefixLimit)
      }
      return CodeIndex.File(
        blob: file.id.raw, path: file.path, language: language, flags: flags,
        stamp: stamps.stamp(of: file.path, id: file.id)?.value)
    }
    let isStored = try index.set(
      tree, added: files, removed: texts.compactMap { file in file.old.map { ($0.raw, file.path) } },
      previous: known.tree)
    guard isStored else { return nil }
    return try stored(tree)
  }

  /// Indexes a whole tree.
  ///
  /// - Parameter writes: Whether the index is written; otherwise the update is postponed.
  private func replace(
    _ tree: CodeIndex.Tree, _ head: CloneHead, clone: Int, writes: Bool = true
  ) throws -> Outcome {
    let listing = try head.repository.listing(
      of: head.commit.tree, skipsDamage: true, isCancelled: isCancelled)
    var tree = tree
    // Each of them stands for its files, which are not known.
    tree.missing = listing.lostFolders
    let files = listing.files.filter(\.kind.isFile)
    let isComplete = try writes && add(files.lazy.map(\.id), head.repository)
    let conversion = ConvertedFiles(head, listing)
    let converted = try isComplete ? conversion.map { try addConverted(files, $0) } ?? [:] : [:]
    let described = try descriptions(of: files, head, readsTexts: isComplete)
    let stamps = head.repository.fileStamps()
    guard isComplete else {
      let postponed = zip(files, described).map { file, described in
        CodeFile(
          clone: clone, path: file.path, language: described.language, flags: described.flags,
          id: conversion?.contains(file.path) == true ? nil : file.id, number: nil, bytes: file.size,
          stamp: stamps.stamp(of: file.path, id: file.id))
      }
      return .postponed(postponed, tree)
    }
    let added = zip(files, described).lazy.map { file, described in
      if let form = converted[file.path] {
        return CodeIndex.File(
          blob: form.id.raw, path: file.path, language: described.language,
          flags: described.flags | CodeFile.converted, stamp: form.stamp.value)
      }
      return CodeIndex.File(
        blob: file.id.raw, path: file.path, language: described.language, flags: described.flags,
        stamp: stamps.stamp(of: file.path, id: file.id)?.value)
    }
    _ = try index.set(tree, added: added, removed: nil, previous: nil)
    return try stored(tree)
  }

  /// Adds the texts of files that are converted, as they are on disk.
  ///
  /// - Returns: Their ids and stamps, by path.
  private func addConverted(
    _ files: [TreeFile], _ converted: ConvertedFiles
  ) throws -> [String: (id: ObjectID, stamp: FileStamp)] {
    var found: [String: (id: ObjectID, stamp: FileStamp)] = [:]
    for file in files {
      if isCancelled() { throw GitError.cancelled }
      guard let form = converted.form(of: file.path, limit: maximumFileSize) else { continue }
      found[file.path] = (form.id, form.stamp)
      if try index.known([form.id.raw]).isEmpty {
        try index.add([form.bytes.withUnsafeBytes { CodeIndex.NewBlob(form.id.raw, $0) }])
      }
    }
    return found
  }

  /// The languages and the flags of all files of a tree.
  ///
  /// - Parameter readsTexts: Whether files are read where names do not tell the language.
  private func descriptions(of files: [TreeFile], _ head: CloneHead, readsTexts: Bool) throws -> [(
    language: String?, flags: Int
  )] {
    let folders = Set(
      files.lazy.filter { FileAccess.name(of: $0.path) == AttributeFiles.name }.map {
        String($0.path.dropLast(AttributeFiles.name.utf8.count).dropLast())
      })
    var classifier = FileClassifier(head.repository, tree: head.commit.tree, folders: folders)
    return try files.map { file in
      if isCancelled() { throw GitError.cancelled }
      return classifier.classify(file.path, size: file.size) {
        guard readsTexts, let size = file.size, size <= maximumFileSize else { return nil }
        return try? head.repository.blob(file.id, limit: LanguageClassifier.prefixLimit)
      }
    }
  }

  /// The tree as it is stored now, with its counts.
  private func stored(_ tree: CodeIndex.Tree) throws -> Outcome {
    guard let stored = try index.tree(path: tree.path) else { throw GitError.cancelled }
    return .indexed(stored)
  }

  /// Adds the blobs that the index does not have.
  ///
  /// - Returns: False if the budget did not suffice for all.
  private func add(_ blobs: some Sequence<ObjectID>, _ repository: GitRepository) throws -> Bool {
    let new = try new(blobs)
    if let budget, new.count > budget.files { return false }
    announce(new.count)
    var (batch, bytes) = ([CodeIndex.NewBlob](), 0)
    for id in new {
      if isCancelled() { throw GitError.cancelled }
      if let budget, ContinuousClock.now > budget.end {
        try index.add(batch)
        return false
      }
      guard let blob = read(id, repository) else { continue }
      batch.append(blob)
      let size = blob.state == .text ? blob.bytes : 0
      bytes += size
      progress(size)
      if bytes >= Self.batchBytes || batch.count >= Self.batchCount {
        try index.add(batch)
        (batch, bytes) = ([], 0)
      }
    }
    if !batch.isEmpty { try index.add(batch) }
    return true
  }

  /// The blobs that the index does not have. It is asked for some at a time: a clone can have any number.
  private func new(_ blobs: some Sequence<ObjectID>) throws -> [ObjectID] {
    var (new, asked, unique) = ([ObjectID](), [ObjectID](), Set<ObjectID>())
    func ask() throws {
      let known = try index.known(asked.map(\.raw))
      new += asked.filter { !known.contains($0.raw) }
      asked.removeAll(keepingCapacity: true)
    }
    for blob in blobs where unique.insert(blob).inserted {
      asked.append(blob)
      if asked.count == Self.batchCount { try ask() }
    }
    try ask()
    return new
  }

  /// The most blobs of one transaction.
  private static let batchCount = 4096

  /// A blob for the index; `nil` if it is missing or damaged.
  private func read(_ id: ObjectID, _ repository: GitRepository) -> CodeIndex.NewBlob? {
    guard let (kind, size) = try? repository.header(of: id), kind == .blob else { return nil }
    guard size <= maximumFileSize else {
      return CodeIndex.NewBlob(id: id.raw, bytes: size, state: .tooLarge)
    }
    return try? repository.withBlob(id) { CodeIndex.NewBlob(id.raw, $0) }
  }
}
