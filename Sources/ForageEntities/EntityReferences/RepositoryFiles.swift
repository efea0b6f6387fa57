import ForageClones
package import ForageCore
import ForageGit
import ForageLocal
package import ForageSetup
import ForageStore

/// Names a file or a folder of a repository.
package struct RepositoryFileRequest: Sendable {
  /// `owner/name` or `host/owner/name`; `nil` where `path` names the clone.
  package var repo: String?
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

  /// The definitions of a file, as values of ``ResultField/symbols``; `nil` for a folder, and for a kind of
  /// file of which none are known.
  ///
  /// - Parameter path: The path or name, by which the language is told.
  package func symbols(path: String) -> [FieldValue]? {
    guard case .text(let text) = self else { return nil }
    let outline = FileOutline(path: path, text: text)
    return outline.isKnown ? outline.symbols : nil
  }
}

/// The content that was read, and its source.
package struct RepositoryAnswer: Sendable {
  /// The file or the folder, or why there is none.
  package var file: Result<RepositoryFile, ForageError>
  /// The outcome of the request to the clones or the forge.
  package var outcome: ProviderOutcome
}

/// Reads files of repositories: of clones in the catalogue, and of repositories on the forges of the
/// settings.
package struct RepositoryFiles: Sendable {
  private let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// The largest file that is read.
  private static let sizeLimit = ResolvedReference.fileLimit

  /// Reads a file or folder: of a clone, or of its forge where no clone has the repository or the commit.
  ///
  /// - Parameter timeout: How long a forge may take to answer.
  /// - Throws: `ForageError` for what is outside the catalogue and the forges.
  package func content(
    _ request: RepositoryFileRequest, within timeout: Duration = SearchOptions.defaultTimeout
  ) async throws(ForageError) -> RepositoryAnswer {
    let clones = try self.clones(repo: request.repo, path: request.path)
    // A clone that is gone does not keep the forge from being asked.
    let roots = clones.map(\.path).filter { request.path != nil || FileAccess.isDirectory($0) }
    // A clone of `owner/name` may be of another host than that of plain names.
    let name = clones.first?.entityID ?? request.repo ?? ""
    do throws(GitError) {
      let found = try await BlockingGit.run { _ throws(GitError) in try Self.content(request, in: roots) }
      if let found { return RepositoryAnswer(file: .success(found), outcome: .local()) }
    } catch {
      let failure = ForageError(unreadable: error)
      return RepositoryAnswer(
        file: .failure(failure),
        outcome: error.code == .notFound ? .local() : .local(.failed, error.message))
    }
    guard let root = roots.first, let ref = request.ref else {
      let (forge, entity) = try await self.forge(of: name)
      return await remote(request, at: forge, entity, timeout)
    }
    let missing = await Self.missingRef(ref, in: root)
    // What the forge has may not be fetched yet; of what git computes it knows nothing.
    guard request.path == nil, !ref.contains(where: { "~^:".contains($0) }), !ref.contains("@{"),
      let (forge, entity) = try? await self.forge(of: name)
    else { return RepositoryAnswer(file: .failure(missing), outcome: .local()) }
    return await remote(request, at: forge, entity, timeout, missing: missing)
  }

  /// The clones in the catalogue that a request names.
  ///
  /// - Parameters:
  ///   - repo: `owner/name` or `host/owner/name`, where no path is given.
  ///   - path: The folder of one.
  /// - Throws: `ForageError` for a path that is no clone, and where clones of several repositories may be
  ///   meant.
  func clones(repo: String?, path: String?) throws(ForageError) -> [CloneRecord] {
    let names: CloneNames
    do throws(StoreError) {
      names = try forage.cloneNames()
    } catch {
      throw ForageError(error.message, hint: error.hint)
    }
    if let path {
      guard let found = names.at(path) else {
        throw ForageError("\(path) is not a clone of the catalogue", .listCatalogue)
      }
      return [found]
    }
    let found = names.of(repository: repo ?? "")
    _ = try CloneNames.one(of: found, named: repo ?? "")
    // Of several clones the one that this process stands in, whose work tree a search of code reads, too.
    guard found.count > 1, let here = FileAccess.realPath(".").map({ $0 + "/" }) else { return found }
    return found.filter { here.hasPrefix($0.path + "/") } + found.filter { !here.hasPrefix($0.path + "/") }
  }

  // MARK: - Clones

  /// The file in the work tree of the first clone, or in the first one that has the ref. A clone without a
  /// work tree of its own has that of its current commit.
  ///
  /// - Returns: `nil` where no clone has the ref.
  private static func content(_ request: RepositoryFileRequest, in roots: [String]) throws(GitError)
    -> RepositoryFile?
  {
    for root in roots {
      if let ref = request.ref {
        let repository = try GitRepository.open(root)
        guard let id = repository.object(meantBy: ref) else { continue }
        return try committed(request, id, in: repository)
      }
      let repository = try GitRepository.open(root, loadsReferences: false)
      if let files = repository.clonedFiles() {
        return try onDisk(request, in: files)
      }
      let other = try GitRepository.open(root)
      guard let head = other.refs.head.commit else { throw missing(request) }
      return try committed(request, head, in: other)
    }
    return nil
  }

  /// The file in the work tree.
  private static func onDisk(
    _ request: RepositoryFileRequest, in files: ClonedFiles
  ) throws(GitError) -> RepositoryFile {
    let path = request.file == "." ? [] : Array(request.file.utf8)
    switch files.entry(path)?.kind {
    case .directory:
      let slash = UInt8(ascii: "/")
      let prefix = path.isEmpty ? [] : path + [slash]
      return .folder(
        files.names(in: path).map { name in
          let isFolder = files.entry(prefix + name)?.kind == .directory
          return String(decoding: isFolder ? name + [slash] : name, as: UTF8.self)
        })
    case .file:
      do throws(GitError) {
        guard let bytes = try files.read(path, limit: sizeLimit)?.bytes else { throw missing(request) }
        return .text(try text(bytes, request))
      } catch {
        throw error.code == .tooLarge ? tooLarge(request) : error
      }
    case .symlink, .other, nil:
      // What is at the path, or on the way to it.
      for end in path.indices.filter({ path[$0] == UInt8(ascii: "/") }) + [path.endIndex] {
        guard let target = files.linkTarget(Array(path[..<end])) else { continue }
        throw link(
          String(decoding: path[..<end], as: UTF8.self), to: String(decoding: target, as: UTF8.self)
        ) { isOnDisk(Array($0.utf8), in: files) }
      }
      throw missing(request)
    }
  }

  /// Whether there is something at a path, or a link on the way to it.
  private static func isOnDisk(_ path: [UInt8], in files: ClonedFiles) -> Bool {
    files.entry(path) != nil
      || path.indices.contains {
        path[$0] == UInt8(ascii: "/") && files.linkTarget(Array(path[..<$0])) != nil
      }
  }

  private static func committed(
    _ request: RepositoryFileRequest, _ id: ObjectID, in repository: GitRepository
  ) throws(GitError) -> RepositoryFile {
    let (object, kind) = try repository.peel(id)
    guard kind != .blob else {
      throw GitError(
        .notFound, "\(request.ref ?? "") names a file, not a commit or folder",
        hint: "name a branch, a tag or a commit as ref, and the path of the file as file")
    }
    let tree = kind == .tree ? object : try repository.tree(of: object)
    var current = tree
    if request.file != "." {
      guard let (path, entry) = try found(at: request.file, in: tree, of: repository) else {
        throw missing(request)
      }
      switch entry.kind {
      case .submodule: throw submodule(path, at: entry.id.description)
      case .symlink:
        let target = String(decoding: try repository.blob(entry.id, limit: linkLimit), as: UTF8.self)
        throw link(path, to: target) { place in
          guard let found = try? found(at: place, in: tree, of: repository) else { return false }
          return found.path == place || found.entry.kind == .symlink
        }
      case .directory, .file, .executable: guard path == request.file else { throw missing(request) }
      }
      guard entry.kind == .directory else {
        guard try repository.header(of: entry.id).size <= sizeLimit else { throw tooLarge(request) }
        return .text(try text(try repository.blob(entry.id, limit: sizeLimit), request))
      }
      current = entry.id
    }
    return .folder(try repository.tree(current).map { $0.kind == .directory ? $0.name + "/" : $0.name })
  }

  private static func tooLarge(_ request: RepositoryFileRequest) -> GitError {
    GitError(
      .tooLarge, "\(request.file) has more than \(sizeLimit) bytes", hint: "search in it with search_code")
  }

  /// The target of a link is shown up to this length, which no path exceeds.
  private static let linkLimit = 4096

  /// What is at a path of a tree, or last on the way to it.
  private static func found(at path: String, in tree: ObjectID, of repository: GitRepository) throws(GitError)
    -> (path: String, entry: TreeEntry)?
  {
    var path = path
    while true {
      if let entry = try repository.entry(at: path, in: tree) { return (path, entry) }
      guard let slash = path.lastIndex(of: "/") else { return nil }
      path = String(path[..<slash])
    }
  }

  private static func submodule(_ path: String, at commit: String) -> GitError {
    GitError(
      .notFound, "\(path) is a submodule at \(commit)",
      hint: "read its own repository, which .gitmodules names, with this commit as ref")
  }

  /// - Parameter isThere: Whether there is something at a path.
  private static func link(
    _ path: String, to target: String, isThere: (String) -> Bool = { _ in true }
  ) -> GitError {
    var parts = path.split(separator: "/").dropLast()
    var leaves = target.hasPrefix("/")
    for part in target.split(separator: "/") where part != "." {
      if part != ".." { parts.append(part) } else if parts.popLast() == nil { leaves = true }
    }
    let place = parts.joined(separator: "/")
    if !leaves, !place.isEmpty, !isThere(place) {
      return GitError(
        .notFound, "\(path) is a link to \(target), which is not there",
        hint: "list a folder by reading it, the root as .")
    }
    return GitError(
      .notFound, "\(path) is a link to \(target)",
      hint: leaves
        ? "that is outside of the repository and cannot be read" : "read \(place.isEmpty ? "." : place)")
  }

  /// Why a clone does not have a ref, with the nearest name that it has.
  static func missingRef(_ ref: String, in root: String) async -> ForageError {
    let names = try? await BlockingGit.run { _ throws(GitError) in
      let repository = try GitRepository.open(root)
      return repository.refs.all.compactMap { reference in
        ["refs/heads/", "refs/tags/", "refs/remotes/origin/"].lazy.compactMap(reference.name.text(after:))
          .first
      }
    }
    return ForageError(
      "there is no ref \(ref) in \(root)",
      hint: NearestName.hint(for: ref, among: Set(names ?? []))
        ?? "name a branch, a tag or a commit")
  }

  private static func missing(_ request: RepositoryFileRequest) -> GitError {
    GitError(
      .notFound, "there is no file \(request.file)", hint: "list a folder by reading it, the root as .")
  }

  private static func text(_ bytes: [UInt8], _ request: RepositoryFileRequest) throws(GitError) -> String {
    guard let text = CodeText.string(bytes) else {
      throw GitError(
        .other, "\(request.file) is a binary file of \(bytes.count) bytes", hint: "only text can be read")
    }
    return text
  }

  // MARK: - Forges

  /// The forge of the settings that has a repository.
  ///
  /// - Throws: `ForageError` where there is none, and where several may be meant.
  private func forge(of name: String) async throws(ForageError) -> (any ForgeProvider, EntityReference) {
    let entity = try await ReferenceReader(forage).entityOfForges(name)
    let found = entity.flatMap { forage.forgeProvider(at: $0.host) }
    if let entity, entity.subject == .repository, let refusal = forage.refusal(at: entity.host) {
      throw refusal
    }
    guard let entity, entity.subject == .repository, let forge = found else {
      throw ForageError(
        "\(name) is no clone of the catalogue, and on no forge of the settings",
        hint: "write owner/name, or add the forge to the settings")
    }
    return (forge, entity)
  }

  /// - Parameter missing: Why the clones of the repository do not have it.
  private func remote(
    _ request: RepositoryFileRequest, at forge: any ForgeProvider, _ entity: EntityReference,
    _ timeout: Duration, missing: ForageError? = nil
  ) async -> RepositoryAnswer {
    var outcome = ProviderOutcome(id: forge.info.id, name: forge.info.name, kind: .repo, state: .ok)
    do {
      let contents = try await RequestOwner.$current.withValue(entity.owner) {
        try await forge.contents(
          at: request.file == "." ? "" : request.file, in: entity, ref: request.ref, deadline: .now + timeout)
      }
      switch contents {
      case .file(let bytes):
        return RepositoryAnswer(file: .success(.text(try Self.text(bytes, request))), outcome: outcome)
      case .folder(let names, let hasMore):
        if hasMore {
          outcome.state = .partial
          outcome.error = SearchError(
            .unavailable, "only the first \(names.count) entries of the folder were read", hint: "clone it")
        }
        return RepositoryAnswer(file: .success(.folder(names)), outcome: outcome)
      case .submodule(let commit): throw Self.submodule(request.file, at: commit)
      case .link(let target): throw Self.link(request.file, to: target)
      }
    } catch let error as SearchError {
      if error.code != .notFound { (outcome.state, outcome.error) = (error.state, error) }
      var failure = ForageError(error.message, hint: forage.reporter.hint(error))
      if let missing {
        failure.message =
          "\(missing.message), and "
          + (error.code == .notFound ? "\(forge.info.name) has no \(request.file) at it" : error.message)
        if error.code == .notFound { failure.hint = missing.hint }
      }
      return RepositoryAnswer(file: .failure(failure), outcome: outcome)
    } catch {
      let failure =
        ForageError(describing: error) ?? ForageError("the request was cancelled", hint: "ask again")
      return RepositoryAnswer(file: .failure(failure), outcome: outcome)
    }
  }
}
