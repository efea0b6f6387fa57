import ForageFoundation
import ForageGit
import ForageInspector
import Synchronization

/// The repositories of a search, each opened at its first use; shared by threads.
final class CodeRepositories: Sendable {
  /// How many roots are kept open: a process has often no more than 256 descriptors.
  private static let openRoots = 32

  private let handles = Mutex<[String: Result<@Sendable () -> GitRepository, GitError>]>([:])
  private let roots = Mutex<[String: ClonedFiles]>([:])

  /// A handle for this thread.
  func open(_ path: String) throws(GitError) -> GitRepository {
    let known = handles.withLock { $0[path] }
    if let known { return try known.get()() }
    do throws(GitError) {
      let repository = try GitRepository.open(path, loadsReferences: false)
      let reopen = repository.reopening
      handles.withLock { $0[path] = .success(reopen) }
      return repository
    } catch {
      handles.withLock { $0[path] = .failure(error) }
      throw error
    }
  }

  /// The files on disk of the clone that a root is of; `nil` for a bare one, whose folder has files of git.
  func files(in root: String) -> ClonedFiles? {
    if let known = roots.withLock({ $0[root] }) { return known }
    guard CloneProbe.hasWorktree(root) else { return nil }
    let files = ClonedFiles(root)
    roots.withLock {
      if $0.count >= Self.openRoots { $0.removeAll() }
      $0[root] = files
    }
    return files
  }

  /// Whether a path of a clone is a regular file on disk.
  func isOnDisk(_ path: [UInt8], in clone: CodeClone) -> Bool {
    files(in: clone.base)?.isFile(path) ?? false
  }
}

/// Reads files of clones; used by one thread.
final class CodeReader {
  /// Why a file was not read.
  enum Failure: Error {
    case missing, unreadable, tooLarge, binary, pointer
  }

  private let repositories: CodeRepositories
  private let clones: [CodeClone]
  private let limit: Int
  private var handles: [Int: GitRepository] = [:]
  /// The files of the clone that was read last.
  private var files: (root: String, files: ClonedFiles?)?
  /// The size of the file that was read last, in bytes; set before its text is delivered.
  private(set) var size = 0
  /// The encoding of the file that was read last, unless its own bytes are the text; set before that is
  /// delivered.
  private(set) var encoding: CodeText.Encoding?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limit: The size above which files are not read, in bytes.
  init(_ repositories: CodeRepositories, _ clones: [CodeClone], limit: Int) {
    self.repositories = repositories
    self.clones = clones
    self.limit = limit
  }

  /// Calls `body` with the text of files with the same content as `CodeText` has it, from the first clone
  /// that has it: a partial clone lacks some.
  ///
  /// - Throws: `Failure`, as for the first file.
  func read<Value>(_ files: [CodeFile], _ body: (UnsafeRawBufferPointer) -> Value) throws(Failure) -> Value {
    do throws(Failure) {
      return try read(files[0], body)
    } catch {
      guard error == .missing || error == .unreadable else { throw error }
      var asked: Set<Int> = [files[0].clone]
      for file in files.dropFirst() where asked.insert(file.clone).inserted {
        if let value = try? read(file, body) { return value }
      }
      throw error
    }
  }

  private func read<Value>(_ file: CodeFile, _ body: (UnsafeRawBufferPointer) -> Value) throws(Failure)
    -> Value
  {
    let clone = clones[file.clone]
    guard let id = file.id else {
      return try worktree(file.nameBytes, in: clone.base, body)
    }
    if let bytes = file.bytes, bytes > limit { throw .tooLarge }
    // Hashing a file takes less time than opening the repository and unpacking the blob.
    if let bytes = file.bytes,
      let found = (try? files(in: clone.base)?.read(Array(file.path.utf8), limit: bytes)) ?? nil,
      found.bytes.count == bytes,
      found.stamp == file.stamp || found.bytes.withUnsafeBytes({ ObjectID(hashing: $0) }) == id
    {
      return try text(found.bytes, body)
    }
    return try blob(id, in: file.clone, body)
  }

  private func files(in root: String) -> ClonedFiles? {
    if let files, files.root == root { return files.files }
    let found = repositories.files(in: root)
    files = (root, found)
    return found
  }

  private func worktree<Value>(
    _ path: [UInt8], in root: String, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    let bytes: [UInt8]?
    do throws(GitError) {
      bytes = try files(in: root)?.read(path, limit: limit)?.bytes
    } catch {
      throw error.code == .tooLarge ? .tooLarge : .unreadable
    }
    guard let bytes else { throw .missing }
    return try text(bytes, body)
  }

  /// Calls `body` with the text of a blob.
  func blob<Value>(
    _ id: ObjectID, in clone: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    let result: Result<Value, Failure>
    do throws(GitError) {
      let repository: GitRepository
      if let known = handles[clone] {
        repository = known
      } else {
        repository = try repositories.open(clones[clone].path)
        handles[clone] = repository
      }
      if try repository.header(of: id).size > limit {
        result = .failure(.tooLarge)
      } else {
        result = try repository.withBlob(id) { bytes in
          Result { () throws(Failure) in try text(bytes, body) }
        }
      }
    } catch {
      switch error.code {
      case .tooLarge: throw .tooLarge
      case .missingObject: throw .missing
      default: throw .unreadable
      }
    }
    return try result.get()
  }

  private func text<Value>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(Failure) in try text(buffer, body) }
    }
    return try result.get()
  }

  private func text<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    size = bytes.count
    let value = CodeText.with(bytes) { text, encoding in
      self.encoding = encoding
      return body(text)
    }
    guard let value else { throw FilePointer.isPointer(bytes) ? .pointer : .binary }
    return value
  }
}

extension ObjectID {
  /// The 20 bytes of the id.
  var raw: Data { withUnsafeBytes(of: self) { Data($0.prefix(Self.byteCount)) } }

  /// Creates an id from its 20 bytes.
  init?(raw: Data) {
    guard raw.count == Self.byteCount else { return nil }
    self = raw.withUnsafeBytes { ObjectID($0) }
  }
}
