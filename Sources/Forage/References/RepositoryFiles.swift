import ForageCore
import ForageGit
import ForageGitHub
import ForageStore

/// Names a file or a folder of a repository.
package struct RepositoryFileRequest: Sendable {
  /// `owner/name` or `host/owner/name`; `nil` where `path` names the clone.
  package var repo: String?
  /// The folder of a clone.
  package var path: String?
  /// The path in the repository; `.` is its root.
  package var file: String
  /// A branch, tag or commit; `nil` for the work tree.
  package var ref: String?

  package init(repo: String?, path: String?, file: String, ref: String?) {
    (self.repo, self.path, self.file, self.ref) = (repo, path, file, ref)
  }
}

/// A file or a folder of a repository.
package enum RepositoryFile: Sendable {
  case text(String)
  /// The names in a folder; those of folders end with `/`.
  case folder([String])
}

/// Reads files of repositories: of clones in the catalogue, and of repositories on the GitHub servers of the settings.
package struct RepositoryFiles: Sendable {
  private let services: Services

  package init(_ services: Services) { self.services = services }

  /// The largest file that is read (8 MiB): what is larger is no text that anybody reads by lines.
  private static let sizeLimit = 8 << 20
  /// The bytes of a file that are searched for a zero byte, as git does to tell binary files.
  private static let binaryProbe = 8_000

  /// A file or folder.
  ///
  /// - Parameter timeout: How long a forge may take to answer.
  /// - Throws: `ForageError` where there is none, where it is outside the catalogue and the forges, and for a file that is no text.
  package func content(
    _ request: RepositoryFileRequest, within timeout: Duration = SearchOptions.defaultTimeout
  ) async throws(ForageError) -> RepositoryFile {
    if let root = try clone(request) {
      do throws(GitError) {
        return try await BlockingGit.run { _ throws(GitError) in try Self.content(request, in: root) }
      } catch {
        throw ForageError(error.message, hint: error.hint.isEmpty ? "see the tool clones" : error.hint)
      }
    }
    return try await remote(request, timeout)
  }

  /// The folder of the clone in the catalogue that a request names; `nil` where its repository has none.
  private func clone(_ request: RepositoryFileRequest) throws(ForageError) -> String? {
    let clones: [CloneRecord]
    do throws(StoreError) {
      clones = try services.store.existing()?.clones() ?? []
    } catch {
      throw ForageError(error.message, hint: error.hint)
    }
    if let path = request.path {
      let real = FileAccess.realPath(path)
      guard let real, let found = clones.first(where: { FileAccess.realPath($0.path) == real }) else {
        throw ForageError(
          "\(path) is not a clone of the catalogue",
          hint: "see the tool clones")
      }
      return found.path
    }
    return clones.first { $0.isClone(of: request.repo ?? "") }?.path
  }

  // MARK: - Clones

  private static func content(_ request: RepositoryFileRequest, in root: String) throws(GitError)
    -> RepositoryFile
  {
    if let ref = request.ref { return try committed(request, ref, in: root) }
    let repository = try GitRepository.open(root, loadsReferences: false)
    return repository.worktree == nil
      ? try committed(request, "HEAD", in: root) : try onDisk(request, in: root)
  }

  /// The file in the work tree; what links point to must be inside it, too.
  private static func onDisk(_ request: RepositoryFileRequest, in root: String) throws(GitError)
    -> RepositoryFile
  {
    guard let realRoot = FileAccess.realPath(root),
      let real = FileAccess.realPath(request.file == "." ? root : root + "/" + request.file)
    else { throw missing(request) }
    let below = real == realRoot ? "" : String(real.dropFirst(realRoot.count + 1))
    guard real == realRoot || real.hasPrefix(realRoot + "/"),
      !below[...].slashSeparated().contains(where: { $0.lowercased() == ".git" })
    else {
      throw GitError(
        .permission, "\(request.file) is a link that leaves the repository",
        hint: "read the file that it names elsewhere")
    }
    if FileAccess.isDirectory(real) {
      let names = FileAccess.names(in: real).filter { $0.lowercased() != ".git" }
      return .folder(names.map { FileAccess.isDirectory(real + "/" + $0) ? $0 + "/" : $0 })
    }
    guard let bytes = try FileAccess.read(real, limit: sizeLimit, follow: false) else {
      throw missing(request)
    }
    return .text(try text(bytes, request))
  }

  /// The file in a commit.
  private static func committed(_ request: RepositoryFileRequest, _ ref: String, in root: String)
    throws(GitError)
    -> RepositoryFile
  {
    let repository = try GitRepository.open(root)
    guard let id = repository.object(named: ref) else {
      throw GitError(
        .notFound, "there is no \(ref) in \(root)", hint: "name a branch, a tag or a commit by its whole id")
    }
    let tree = try repository.tree(of: try repository.peel(id).id)
    var current = tree
    if request.file != "." {
      guard let entry = try repository.entry(at: request.file, in: tree) else { throw missing(request) }
      guard entry.kind == .directory else {
        guard entry.kind != .submodule else {
          throw GitError(.notFound, "\(request.file) is a submodule", hint: "read its own repository")
        }
        guard try repository.header(of: entry.id).size <= sizeLimit else {
          throw GitError(
            .tooLarge, "\(request.file) has more than \(sizeLimit) bytes",
            hint: "search in it with search_code")
        }
        return .text(try text(try repository.blob(entry.id, limit: sizeLimit), request))
      }
      current = entry.id
    }
    return .folder(try repository.tree(current).map { $0.kind == .directory ? $0.name + "/" : $0.name })
  }

  private static func missing(_ request: RepositoryFileRequest) -> GitError {
    GitError(
      .notFound, "there is no file \(request.file)", hint: "list a folder by reading it, the root as .")
  }

  private static func text(_ bytes: [UInt8], _ request: RepositoryFileRequest) throws(GitError) -> String {
    guard !bytes.prefix(binaryProbe).contains(0) else {
      throw GitError(
        .other, "\(request.file) is a binary file of \(bytes.count) bytes", hint: "only text can be read")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Forges

  private func remote(_ request: RepositoryFileRequest, _ timeout: Duration) async throws(ForageError)
    -> RepositoryFile
  {
    let name = request.repo ?? ""
    do {
      let forges = services.instances
      let main = try? forges.first?.host.get().entityHosts.first
      guard
        let entity = EntityReference(
          name, defaultHost: main ?? GitHubHost.dotCom, twoLevelHosts: services.twoLevelHosts),
        entity.subject == .repository,
        let forge = forges.first(where: { (try? $0.host.get())?.entityHosts.contains(entity.host) == true })
      else {
        throw ForageError(
          "\(name) is no clone of the catalogue, and on no forge of the settings",
          hint: "write owner/name, or add the forge to the settings")
      }
      let contents = try await services.client(forge).contents(
        owner: entity.owner, name: entity.name, path: request.file == "." ? "" : request.file,
        ref: request.ref, deadline: .now + timeout)
      switch contents {
      case .folder(let names): return .folder(names)
      case .file(let bytes): return .text(try Self.text(bytes, request))
      }
    } catch let error as ForageError {
      throw error
    } catch let error as SearchError {
      throw ForageError(error.message, hint: services.reporter.advice(error))
    } catch let error as GitError {
      throw ForageError(error.message, hint: error.hint)
    } catch {
      throw ForageError("the request was cancelled", hint: "ask again")
    }
  }
}

extension GitRepository {
  /// The object that a branch, a tag, another reference or a whole id names, in git's order; `nil` where there is none.
  fileprivate func object(named name: String) -> ObjectID? {
    if let id = ObjectID(hex: name), (try? header(of: id)) != nil { return id }
    if name == "HEAD" { return refs.head.commit }
    for prefix in ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] {
      if let found = refs[name: ReferenceName(prefix + name)] { return found.target }
    }
    return nil
  }
}
