import ForageCore
package import ForageGit

/// Why a request cannot be answered.
package struct GrepProblem: Error {
  /// What is wrong, without a full stop.
  package var message: String
  /// What to do about it.
  package var hint: String
}

extension LocalProvider {
  /// The clones of a request, what is searched in each, and what is wrong with paths that are in no clone.
  ///
  /// - Throws: `GrepProblem` where there is nothing to search.
  func scope(
    of request: GrepRequest, _ code: CodeSettings
  ) throws -> (clones: [CodeClone], places: [GrepPlace], problems: [GrepProblem]) {
    if let glob = request.globs.first(where: GrepGlobs.isOpen) {
      throw GrepProblem(
        message: "the glob '\(glob)' has a bracket or brace that is not closed",
        hint: "write \\ before a character that stands for itself")
    }
    let current = code.currentFolder() ?? "/"
    func all(_ clones: [CodeClone]) -> [GrepPlace] {
      clones.indices.map { GrepPlace(clone: $0, folders: [[]]) }
    }
    switch request.scope {
    case .all:
      let clones = try codeClones(code, around: [current])
      guard !clones.isEmpty else {
        throw GrepProblem(
          message: "there are no clones in the catalogue",
          hint: "add the folders that contain them: forage clones add DIR; to search any folder, use rg")
      }
      return (clones, all(clones), [])
    case .clones(let names):
      var clones = try codeClones(code, around: [current])
      var chosen: Set<Int> = []
      for name in names {
        let found = Self.clones(clones, named: name)
        guard !found.isEmpty else {
          throw GrepProblem(
            message: "no clone is named \(name)", hint: "see which there are: forage clones list")
        }
        chosen.formUnion(found)
      }
      // Of clones that are chosen by name the work tree is searched as it is.
      for clone in chosen { clones[clone].isCurrent = true }
      return (clones, chosen.sorted().map { GrepPlace(clone: $0, folders: [[]]) }, [])
    case .wholeClones(let folders):
      let clones = try codeClones(code, around: folders)
      let places = try folders.flatMap { folder in
        guard let clone = clones.firstIndex(where: { $0.path == CloneProbe.root(above: folder) }) else {
          throw Self.noClone(at: folder)
        }
        let modules = clones.indices.filter { $0 != clone && clones[$0].base == clones[clone].path }
        return ([clone] + modules).map { GrepPlace(clone: $0, folders: [[]]) }
      }
      return (clones, places, [])
    case .paths(let paths):
      var clones = try codeClones(code, around: paths)
      var places: [GrepPlace] = []
      var problems: [GrepProblem] = []
      func add(_ clone: Int, _ folder: [UInt8]) {
        // What is in a folder of a clone can be in a submodule.
        for module in clones.indices
        where clones[module].superproject != nil && clones[clone].superproject == nil {
          if clones[module].base == clones[clone].path { add(module, folder) }
        }
        if let place = places.firstIndex(where: { $0.clone == clone }) {
          places[place].folders.insert(folder)
        } else {
          let base = Self.path(of: current, in: clones[clone].base) ?? []
          places.append(GrepPlace(clone: clone, folders: [folder], base: base))
        }
      }
      for path in paths {
        let root = CloneProbe.root(above: path)
        if let clone = clones.firstIndex(where: { $0.path == root }),
          let folder = Self.path(of: path, in: clones[clone].base)
        {
          add(clone, folder)
          continue
        }
        // A folder of clones.
        let inside = clones.indices.filter { FileAccess.isInside(clones[$0].path, path) }
        if inside.isEmpty { problems.append(Self.noClone(at: path)) }
        for clone in inside {
          clones[clone].isCurrent = true
          add(clone, [])
        }
      }
      if places.isEmpty, let first = problems.first { throw first }
      return (clones, places, problems)
    }
  }

  private static func noClone(at path: String) -> GrepProblem {
    GrepProblem(
      message: "\(path) is in no clone",
      hint: "to search every clone of the catalogue, use --all; to search any folder, use rg")
  }

  /// The path of a folder or file in a clone, without a slash at its end; `nil` if it is not in the clone.
  private static func path(of path: String, in clone: String) -> [UInt8]? {
    guard FileAccess.isInside(path, clone) else { return nil }
    return Array(path.utf8.dropFirst(clone == "/" ? 1 : clone.utf8.count + 1))
  }

  /// The clones that a name means: a glob or a text with a slash is `owner/name`, `host/owner/name` or a path; any
  /// other word is a name or, where no clone has it, a part of a name, an owner or a path.
  static func clones(_ clones: [CodeClone], named text: String) -> [Int] {
    let wanted = text.lowercased()
    func names(_ clone: CodeClone) -> [String] {
      let title = clone.owner.map { $0 + "/" + clone.name }
      return [clone.name, title, clone.entityID, clone.path].compactMap { $0?.lowercased() }
    }
    let exact = clones.indices.filter { names(clones[$0]).contains(wanted) }
    guard exact.isEmpty else { return exact }
    if wanted.utf8.contains(where: { "*?[".utf8.contains($0) }) {
      let glob = Glob(Array(wanted.utf8)[...])
      return clones.indices.filter { place in
        names(clones[place]).contains { name in
          Array(name.utf8).withUnsafeBytes { glob.matches($0) }
        }
      }
    }
    return clones.indices.filter { place in names(clones[place]).contains { $0.contains(wanted) } }
  }
}

extension GitRepository {
  /// The object that a name means: as for git first the one with this whole id, then a branch, a tag, a branch of the remote `origin`, or
  /// what `git rev-parse` knows.
  ///
  /// - Returns: `nil` if there is none.
  package func object(meantBy name: String) -> ObjectID? {
    if name == "HEAD" { return refs.head.commit }
    if let id = ObjectID(hex: name), (try? header(of: id)) != nil { return id }
    let prefixes = ["refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/", ""]
    return prefixes.lazy.compactMap { self.refs.reference(shownAs: $0 + name)?.target }.first
      ?? object(named: name)
  }

  /// The commit that a name means; `nil` if there is none.
  func commit(named name: String) -> Commit? {
    guard let id = object(meantBy: name), let object = try? peel(id), object.kind == .commit else {
      return nil
    }
    return try? commit(object.id)
  }
}
