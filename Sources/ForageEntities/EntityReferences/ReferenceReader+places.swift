import ForageClones
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForagePlatform
import ForageSetup
import ForageStore

/// Files, by their paths on this disk and by what lists call them.
extension ReferenceReader {
  /// The file on this disk that a path names, with the line and the column that may follow it; `nil` for
  /// anything else, and for a path alone unless files are opened.
  func fileOnDisk(_ text: String) async throws -> ResolvedReference? {
    guard files != .none else { return nil }
    // A repository that is known is not taken for a file of this name.
    if files == .paths, text[...].slashSeparated().count == 2, let entity = entity(text), isKnown(entity.id) {
      return nil
    }
    for place in FileLocation.meanings(of: text) where place.line != nil || files.takePaths {
      let path = forage.writtenPath(place.path) ?? place.path
      if FileAccess.isFile(path) { return await file(text, path, place) }
    }
    return nil
  }

  /// A file on this disk, which somebody typed: links lead to it.
  func file(_ text: String, _ path: String, _ place: FileLocation) async -> ResolvedReference {
    await file(text, at: FileAccess.realPath(path) ?? path, place)
  }

  /// - Parameter real: The path without links.
  private func file(_ text: String, at real: String, _ place: FileLocation) async -> ResolvedReference {
    let root = CloneProbe.root(above: real)
    let clone: ResolvedReference? = if let root { try? await clone(text, at: root) } else { nil }
    let below = root.map { String(real.dropFirst($0.count + 1)) } ?? real
    var result = SearchResult(id: real, kind: .code, title: below)
    result.set(.name, String(FileAccess.name(of: real)))
    result.set(.repository, clone.map { RepositoryIdentity.spelled($0.id, as: $0.result?.url ?? "") })
    result.set(.path, below)
    result.set(.file, real)
    result.set("line", place.line?.value)
    result.set("column", place.column?.value)
    // A server without pages has none of a file.
    let isOnForge = clone?.result?[.host] != nil
    let page = clone?.entity.flatMap { isOnForge ? EntityReference(file: below, in: $0, ref: "HEAD") : nil }
    return ResolvedReference(text: text, entity: page, result: result)
  }

  /// The file that `owner/name:PATH` names, or the path of a clone in place of `owner/name`, with the line
  /// and the column that may follow; `nil` for anything else.
  func fileOfRepository(_ text: String) async throws -> ResolvedReference? {
    guard files != .none, !text.contains("://") else { return nil }
    var onForge: ResolvedReference?
    var others: [(id: String, root: String)] = []
    for colon in text.indices where text[colon] == ":" {
      let (name, places) = (text[..<colon], FileLocation.meanings(of: String(text[colon...].dropFirst())))
      guard name.contains("/"), let last = places.last, !last.path.isEmpty else { continue }
      if let found = try await fileOfRef(text, name, places) { return found }
      let path = forage.writtenPath(String(name))
      // Of three names the first one is a folder, unless it can be a host.
      let parts = name.slashSeparated()
      let named = path == nil ? entity(String(name)) : nil
      let isNamed = parts.count < 3 || canBeHost(parts[0]) || named.map { isKnown($0.id) } == true
      let repository = isNamed ? named : nil
      if let repository, repository.subject != .repository { continue }
      let roots =
        if let repository { await roots(of: repository, named: String(name)) } else { [path ?? String(name)] }
      // The first clone that has it, on disk or in its commit: lists name other clones by their paths.
      for root in roots {
        if let found = await file(text, places, in: root) { return found }
        if let found = await committed(text, places, in: [root], of: repository) { return found }
      }
      if let repository {
        others += try await self.others(than: repository, named: name, besides: roots) {
          await file(text, places, in: $0) != nil
        }
      }
      if onForge == nil, let repository { onForge = file(text, last, of: repository) }
    }
    // An id of another site may look the same.
    guard let onForge, kept(text) == nil else { return nil }
    if !others.isEmpty { throw isElsewhere(text, text.drop { $0 != ":" }, others) }
    return onForge
  }

  /// The clones of other repositories with the name of this one that a place in it may mean: where it has no
  /// clone all of them, else those that have the file.
  private func others(
    than repository: EntityReference, named name: Substring, besides roots: [String],
    have: (String) async -> Bool
  ) async throws -> [(id: String, root: String)] {
    // A name with its host is of that one alone.
    guard name.slashSeparated().count < 3 else { return [] }
    let clones = try sameNames(as: repository)
    if roots.isEmpty { return clones }
    var found: [(id: String, root: String)] = []
    for clone in clones {
      if await have(clone.root) { found.append(clone) }
    }
    return found
  }

  /// The error for a place that is in clones of other repositories: the name and the path of a private file
  /// are not for another forge.
  ///
  /// - Parameter rest: What follows the name of the repository in the text.
  private func isElsewhere(
    _ text: String, _ rest: Substring, _ clones: [(id: String, root: String)]
  ) -> ForageError {
    let names = clones.map { $0.id == $0.root ? "the clone \($0.root)" : "a clone of \($0.id)" }
    let place = clones[0].id + rest
    return ForageError(
      "\(text) is in \(HumanFormat.alternatives(Set(names).sorted()))",
      hint: clones[0].id == clones[0].root ? "write its path: \(place)" : "write the host, too: \(place)")
  }

  /// The first of the places that is a file in a clone; `nil` where none is.
  func file(_ text: String, _ places: [FileLocation], in root: String) async -> ResolvedReference? {
    // The files in the folder of a bare clone are git's, and those of a folder that is no clone any more are
    // others.
    guard let root = FileAccess.realPath(root), CloneProbe.isClone(root),
      FileAccess.entry(root + "/.git", follow: false) != nil
    else { return nil }
    let files = ClonedFiles(root)
    guard let place = places.first(where: { files.isFile(Array($0.path.utf8)) }) else { return nil }
    return await file(text, at: root + "/" + place.path, place)
  }

  /// A file of a repository on a forge, as it is in a commit; `nil` for a path that cannot be one.
  func file(
    _ text: String, _ place: FileLocation, of repository: EntityReference, at ref: String = "HEAD"
  ) -> ResolvedReference? {
    guard let file = EntityReference(file: place.path, in: repository, ref: ref) else { return nil }
    let name = forage.writtenName(of: repository.id)
    let page = EntityReference(repository: name, subject: file.subject) ?? file
    var result = SearchResult(
      id: file.id, kind: .code, title: place.path, url: forage.page(of: page) ?? page.webAddress)
    result.set(.repository, name)
    result.set(.path, place.path)
    result.set("line", place.line?.value)
    return ResolvedReference(text: text, entity: file, result: result)
  }

  /// The first of the places that is a file in the current commit of a clone, which need not be in its work
  /// tree; `nil` where none is.
  ///
  /// - Parameter repository: The repository on a forge; `nil` where the clones are named by their paths.
  func committed(
    _ text: String, _ places: [FileLocation], in roots: [String], of repository: EntityReference?
  ) async -> ResolvedReference? {
    let found = await CommittedFile.read(
      places.map(\.path), at: "HEAD", of: roots.filter(CloneProbe.isClone),
      limit: ResolvedReference.fileLimit)
    return found.flatMap { committed(text, places, $0, at: "HEAD", of: repository) }
  }

  /// The file that `owner/name@REF:PATH` names, as lists of a search with `ref:` do, in a clone that has the
  /// branch, tag or commit; `nil` where none has.
  ///
  /// - Throws: `ForageError` where clones of other repositories are meant.
  private func fileOfRef(_ text: String, _ name: Substring, _ places: [FileLocation]) async throws
    -> ResolvedReference?
  {
    for mark in name.indices where name[mark] == "@" {
      let (repository, ref) = (String(name[..<mark]), String(name[mark...].dropFirst()))
      guard repository.contains("/"), !ref.isEmpty else { continue }
      let path = forage.writtenPath(repository)
      let entity = path == nil ? entity(repository).flatMap { $0.subject == .repository ? $0 : nil } : nil
      let roots =
        if let entity { await roots(of: entity, named: repository) } else { [path].compactMap(\.self) }
      func read(_ roots: [String]) async -> CommittedFile? {
        await CommittedFile.read(
          places.map(\.path), at: ref, of: roots.filter(CloneProbe.isClone),
          limit: ResolvedReference.fileLimit)
      }
      if let found = await read(roots),
        var reference = committed(text, places, found, at: found.commit, of: entity)
      {
        reference.result?.set(.ref, ref)
        return reference
      }
      // A folder and an id of another site may look the same.
      guard let entity, !ReferencePath.exists(String(name)), kept(text) == nil else { continue }
      let others = try await others(than: entity, named: repository[...], besides: roots) {
        await read([$0]) != nil
      }
      if !others.isEmpty { throw isElsewhere(text, text[mark...], others) }
    }
    return nil
  }

  private func committed(
    _ text: String, _ places: [FileLocation], _ found: CommittedFile, at ref: String,
    of repository: EntityReference?
  ) -> ResolvedReference? {
    guard let place = places.first(where: { $0.path == found.path }) else { return nil }
    if let repository {
      var reference = file(text, place, of: repository, at: ref)
      reference?.path = found.clone
      return reference
    }
    let root = FileAccess.realPath(found.clone) ?? found.clone
    var result = SearchResult(id: root + "/" + place.path, kind: .code, title: place.path)
    result.set(.repository, root)
    result.set(.path, place.path)
    if ref != "HEAD" { result.set(.commit, found.commit) }
    result.set("line", place.line?.value)
    return ResolvedReference(text: text, path: root, result: result)
  }

  /// The file that the id of a result names: of a clone on no forge the path, also of a file that is in no
  /// work tree.
  func committed(_ text: String, at path: String) async -> ResolvedReference? {
    guard files != .none, !ReferencePath.exists(path), let root = CloneProbe.root(above: path),
      let clone = try? forage.cloneNames().at(root), clone.entityID == nil
    else { return nil }
    let place = FileLocation(path: String(path.dropFirst(root.count + 1)))
    return await committed(text, [place], in: [root], of: nil)
  }

  /// The clones of a repository, also the one that one stands in where it is not in the catalogue.
  func roots(of repository: EntityReference, named name: String) async -> [String] {
    let known = clones(of: repository.id).map(\.path)
    guard known.isEmpty, ReferencePath.isInClone("."), let here = try? await clone(name, at: "."),
      here.id == repository.id
    else { return known }
    return [here.path].compactMap(\.self)
  }

  /// The clones of other repositories that the owner and the name of this one mean, too, with their ids: on
  /// another host, in a group, or in a folder on this disk.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func sameNames(as repository: EntityReference) throws(StoreError) -> [(id: String, root: String)] {
    try forage.cloneNames().ending(in: repository.title).compactMap { clone in
      clone.entityID == repository.id ? nil : (clone.entityID ?? clone.path, clone.path)
    }
  }
}

extension FileLocation {
  /// What a text can mean by `PATH`, `PATH:LINE` and `PATH:LINE:COLUMN`, the longest path first: names of
  /// files may have colons. Of tools that write 0 for no line or column it is the first.
  static func meanings(of text: String) -> [FileLocation] {
    var (places, numbers, path) = ([FileLocation(path: text)], [LineNumber](), text[...])
    while numbers.count < 2, let colon = path.lastIndex(of: ":") {
      let digits = path[colon...].dropFirst()
      guard digits.utf8.count < 10, let number = Offset(digits) else { break }
      numbers.insert(LineNumber(nearest: number.value), at: 0)
      path = path[..<colon]
      places.append(
        FileLocation(path: String(path), line: numbers[0], column: numbers.count > 1 ? numbers[1] : nil))
    }
    return places
  }
}
