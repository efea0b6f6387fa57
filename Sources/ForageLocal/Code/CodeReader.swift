import ForageGit
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The repositories of a search, each opened at its first use; shared by threads.
final class CodeRepositories: Sendable {
  /// With this many files of a clone, comparing its work tree takes less time than unpacking the blobs.
  private static let worktreeFiles = 100

  private struct State {
    var handles: [String: Result<@Sendable () -> GitRepository, GitError>] = [:]
    var clean: [String: CleanFiles] = [:]
  }

  private let state = Mutex(State())
  private let isCancelled: @Sendable () -> Bool

  init(isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  /// A handle for this thread.
  func open(_ path: String) throws(GitError) -> GitRepository {
    let known = state.withLock { $0.handles[path] }
    if let known { return try known.get()() }
    do throws(GitError) {
      let repository = try GitRepository.open(path, loadsReferences: false)
      let reopen = repository.reopening
      state.withLock { $0.handles[path] = .success(reopen) }
      return repository
    } catch {
      state.withLock { $0.handles[path] = .failure(error) }
      throw error
    }
  }

  /// The files of a clone whose work tree copy has the bytes of the blob; none if only a few files are read.
  func clean(_ path: String, files: Int) -> CleanFiles {
    guard files >= Self.worktreeFiles else { return CleanFiles() }
    if let known = state.withLock({ $0.clean[path] }) { return known }
    let found = (try? open(path).cleanFiles(isCancelled: isCancelled)) ?? CleanFiles()
    state.withLock { $0.clean[path] = found }
    return found
  }
}

/// Reads files of clones; used by one thread.
final class CodeReader {
  /// Why a file was not read.
  enum Failure: Error {
    case missing, unreadable, tooLarge, binary
  }

  private let repositories: CodeRepositories
  private let clones: [CodeClone]
  private let limit: Int
  private var handles: [Int: GitRepository] = [:]
  /// The number of files of each clone that may be read.
  private let expected: [Int: Int]

  init(_ repositories: CodeRepositories, _ clones: [CodeClone], limit: Int, expected: [Int: Int] = [:]) {
    self.repositories = repositories
    self.clones = clones
    self.limit = limit
    self.expected = expected
  }

  /// Calls `body` with the text of a file.
  ///
  /// - Throws: `Failure`.
  func read<Value>(_ file: CodeFile, _ body: (UnsafeRawBufferPointer) -> Value) throws(Failure) -> Value {
    let clone = clones[file.clone]
    guard let id = file.blob.flatMap(ObjectID.init(raw:)) else {
      return try worktree(clone.path + "/" + file.path, body)
    }
    if let bytes = file.bytes, bytes > limit { throw .tooLarge }
    let clean = repositories.clean(clone.path, files: expected[file.clone] ?? 0)
    if let bytes = file.bytes, bytes > 0, clean.contains(path: file.path, id: id, size: bytes),
      let found = (try? FileAccess.read(clone.path + "/" + file.path, limit: bytes, follow: false)) ?? nil,
      found.count == bytes
    {
      return try Self.text(found, body)
    }
    return try blob(id, in: file.clone, body)
  }

  private func worktree<Value>(_ path: String, _ body: (UnsafeRawBufferPointer) -> Value) throws(Failure)
    -> Value
  {
    let bytes: [UInt8]?
    do throws(GitError) {
      bytes = try FileAccess.read(path, limit: limit, follow: false)
    } catch {
      throw error.code == .tooLarge ? .tooLarge : .unreadable
    }
    guard let bytes else { throw .missing }
    return try Self.text(bytes, body)
  }

  /// Calls `body` with the content of a blob.
  func blob<Value>(
    _ id: ObjectID, in clone: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    do throws(GitError) {
      let repository: GitRepository
      if let known = handles[clone] {
        repository = known
      } else {
        repository = try repositories.open(clones[clone].path)
        handles[clone] = repository
      }
      guard try repository.header(of: id).size <= limit else { throw GitError(.tooLarge, "") }
      let result = try repository.withBlob(id) { bytes -> Result<Value, Failure> in
        Result { () throws(Failure) in try Self.text(bytes, body) }
      }
      switch result {
      case .success(let value): return value
      case .failure: throw GitError(Self.binaryCode, "")
      }
    } catch {
      switch error.code {
      case .tooLarge: throw .tooLarge
      case Self.binaryCode: throw .binary
      case .missingObject: throw .missing
      default: throw .unreadable
      }
    }
  }

  private static let binaryCode = GitError.Code("binary")

  private static func text<Value>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(Failure) in try text(buffer, body) }
    }
    return try result.get()
  }

  private static func text<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(Failure) -> Value {
    guard !IndexText.isBinary(bytes) else { throw .binary }
    return body(bytes)
  }
}

extension ObjectID {
  /// The 20 bytes of the id.
  var raw: Data { withUnsafeBytes(of: self) { Data($0.prefix(Self.byteCount)) } }

  /// Creates an id from its 20 bytes.
  init?(raw: Data) {
    guard raw.count == Self.byteCount else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    let hex = raw.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    self.init(hex: String(decoding: hex, as: UTF8.self))
  }
}
