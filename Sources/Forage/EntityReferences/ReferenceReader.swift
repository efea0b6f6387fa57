import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForagePlatform
package import ForageStore

/// Reads what a command line names things by; every command that takes a REF uses it.
///
/// A REF is, in this order:
/// 1. A number or a range of numbers of the last list printed on this terminal (`3`, `5-7`).
/// 2. `PATH:LINE` and `PATH:LINE:COLUMN` of a file on this disk, and, for `forage open`, any file.
/// 3. `owner/name:PATH` and `host/owner/name:PATH`, a file of a repository as lists name it, with the line and the
///    column that may follow: of a clone the file on this disk.
/// 4. A path that is written as one: `/…`, `./…`, `../…`, `~/…`, `.`, `..`, `~`, `file://…`.
/// 5. A single name, or three or more names with slashes, that exists on disk in a clone (`src/google/codesearch`).
/// 6. `#12`, an issue of the clone that one stands in, and `!12`, a merge request.
/// 7. `owner/name`, `owner/name#12`, `owner/name@COMMIT`, `@login`, each with a host in front or not, a clone or web URL, the id of a result.
///    `owner/name` is a repository also where a folder of this name exists; `./owner/name` is the folder.
/// 8. The id of a favorite or of a result of the last list that is on no forge.
/// 9. Any other path that exists.
/// 10. The name of the only clone in the catalogue that has it.
/// 11. The whole id of a commit of a clone in the catalogue.
/// 12. For `forage open`, any address of the web.
package struct ReferenceReader {
  private let forage: Forage
  private let givenHost: String?
  private let lastList: (@Sendable () -> LastList?)?
  /// What the command takes, for the hint about a text that names nothing.
  package var expected: String

  /// Which files on this disk a command takes.
  package enum Files: Sendable {
    /// None: who asks may see clones only.
    case none
    /// Those that are written with a line or with their repository, as lists print them.
    case places
    /// Any; the path of one means the file, and not the clone that it is in. An address of the web need not name anything either.
    case every
  }

  /// The files that are named.
  package var files = Files.none

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - defaultHost: The host of `owner/name`, `nil` for that of the built-in provider.
  ///   - lastList: The list that numbers refer to, `nil` where there is none yet; without it numbers name nothing.
  package init(
    _ forage: Forage, defaultHost: String? = nil, lastList: (@Sendable () -> LastList?)? = nil
  ) {
    self.forage = forage
    self.lastList = lastList
    givenHost = defaultHost
    expected =
      "owner/name, host/owner/name, owner/name#12, @login, a URL, "
      + (lastList == nil
        ? "or a path that begins with / or ."
        : "a path that begins with / or ., or a number of the last list")
  }

  // From the settings, which are not read for a path.
  private var defaultHost: String { givenHost ?? forage.bareHost }
  private var twoLevelHosts: Set<String> { forage.twoLevelHosts }

  /// The things that arguments name, each once, in their order; places in one file are several things.
  ///
  /// - Parameter onDisk: Whether what is on this disk is wanted, so that clones of one repository are several things.
  /// - Throws: `ForageError` for an argument that names nothing and for a number outside the last list.
  package func references(_ texts: [String], onDisk: Bool = false) async throws -> [ResolvedReference] {
    var found: [ResolvedReference] = []
    var places: Set<FilePlace> = []
    for text in texts {
      for reference in try await all(text) {
        let code = reference.kind == .code ? reference.result : nil
        let path = onDisk ? code?[.file]?.text ?? reference.path : nil
        let place = FilePlace(path: path ?? reference.id, line: code?.firstLine, column: code?.firstColumn)
        if places.insert(place).inserted { found.append(reference) }
      }
    }
    return found
  }

  /// The one thing that an argument names.
  ///
  /// - Throws: As ``references(_:onDisk:)``; also for a range of several numbers.
  package func reference(_ text: String) async throws -> ResolvedReference {
    let found = try await all(text)
    guard let first = found.first, found.count == 1 else {
      throw ForageError(
        "\(text) names \(found.count) results, and this command takes one",
        hint: "name one of them by its number")
    }
    return first
  }

  /// The paths that arguments of a command for clones mean: a number is the clone of that result, and a name that is no path here is the
  /// clone of that repository in the catalogue.
  ///
  /// - Returns: The paths, and an error for each result without a clone.
  /// - Throws: `ForageError` for a number outside the last list, and for a name that several clones have.
  package func paths(_ arguments: [String]) async throws -> (found: [String], missing: [ForageError]) {
    var (paths, missing) = ([String](), [ForageError]())
    for argument in arguments {
      if ReferencePath.written(argument, home: nil) != nil {
        paths.append(ReferencePath.written(argument, home: forage.environment["HOME"]) ?? argument)
        continue
      }
      let numbers = try ListNumbers(argument)
      if numbers == nil, ReferencePath.exists(argument) || !argument.contains("/") {
        paths.append(ReferencePath.exists(argument) ? argument : try clone(named: argument)?.path ?? argument)
        continue
      }
      if numbers == nil {
        let clones = clones(of: argument).map(\.path)
        if clones.isEmpty {
          paths.append(argument)
          continue
        }
        if clones.count > 1 {
          let others = clones.dropFirst().joined(separator: ", ")
          forage.reporter.messageOnce("\(argument) is also cloned in \(others)")
        }
      }
      for reference in try await all(argument) {
        if let path = await clonePath(of: reference) {
          paths.append(path)
        } else {
          missing.append(
            ForageError("\(reference.title) has no clone on this machine", .clone(reference.text)))
        }
      }
    }
    return (paths, missing)
  }

  /// The clone in the catalogue with a name, without the owner; `nil` where there is none.
  ///
  /// - Throws: `ForageError` where several clones have it; `StoreError` where the store cannot be read.
  private func clone(named name: String) throws -> CloneRecord? {
    // A name has no slash; a store that cannot be read keeps nothing else from being read.
    guard !name.contains("/") else { return nil }
    let clones = (try forage.store.existing()?.clones() ?? []).byName[name.lowercased()] ?? []
    guard clones.count > 1 else { return clones.first }
    throw ForageError(
      "\(name) names \(clones.count) clones: " + clones.map(\.path).joined(separator: ", "),
      hint: "write owner/name, or the path of one")
  }

  /// The clones in the catalogue of the repository that a text names, the one that stands for it first.
  private func clones(of text: String) -> [CloneRecord] {
    guard let entity = entity(text) else { return [] }
    return (try? forage.store.existing()?.clones(ofEntity: entity.repositoryID ?? entity.id)) ?? []
  }

  /// The entity that a text names; an address for ssh may have a name of ssh's configuration in it.
  private func entity(_ text: String) -> EntityReference? {
    EntityReference(
      forage.remoteHosts.resolved(text), defaultHost: defaultHost, twoLevelHosts: twoLevelHosts)
  }

  private func clonePath(of text: String) -> String? { clones(of: text).first?.path }

  /// The clone that a result is in, or one of its repository.
  package func clonePath(of reference: ResolvedReference) async -> String? {
    if let file = reference.result?[.file]?.text, let found = try? await clone(file, at: file).path {
      return found
    }
    // Of several clones of a repository the one that was named or listed.
    if let path = reference.path, FileAccess.isDirectory(path) { return path }
    return clonePath(of: reference.id) ?? reference.path
      ?? reference.result?[.repository]?.text.flatMap { $0.hasPrefix("/") ? $0 : clonePath(of: $0) }
  }

  /// Whether the catalogue has a clone at a path.
  package func isCatalogued(_ path: String) -> Bool {
    ((try? forage.store.existing()?.clones()) ?? []).contains { $0.path == path }
  }

  private func all(_ argument: String) async throws -> [ResolvedReference] {
    let text = argument.trimmingWhitespace()
    if let numbers = try ListNumbers(text) { return try await results(numbers) }
    var reference = try await one(text)
    reference.page = reference.entity.flatMap(forage.page)
    return [reference]
  }

  private func one(_ text: String) async throws -> ResolvedReference {
    if let file = try await file(text) { return file }
    if let place = try await place(text) { return place }
    if let path = ReferencePath.written(text, home: forage.environment["HOME"]) {
      if let file = await committed(text, at: path) { return file }
      return try await clone(text, at: path)
    }
    if let number = Self.issueNumber(text) { return try await issue(number, text) }
    let parts = text[...].slashSeparated()
    let isNamed = ReferencePath.exists(text)
    let isHost = canBeHost(parts.first ?? "")
    if isNamed, parts.count != 2, ReferencePath.isInClone(text) || !isHost || parts.count == 1 {
      return try await clone(text, at: text)
    }
    if let entity = entity(text) {
      // A place in a file is no repository with a colon in its name.
      if (entity.owner + entity.name).contains(":"), !isKnown(entity.repositoryID ?? entity.id) {
        throw try namesNothing(text)
      }
      // Three names and no host: the first is taken for one only where an entity with this id is known.
      if parts.count < 3 || isHost || isKnown(entity.repositoryID ?? entity.id) {
        if isNamed, parts.count == 2 { await noteFolder(text, entity) }
        return ResolvedReference(text: text, entity: entity)
      }
      if !isNamed, let host = try hostOfGroups(text), let entity = self.entity("\(host)/\(text)") {
        return ResolvedReference(text: text, entity: entity)
      }
      try checkStore()
      throw ForageError(
        "there is no folder \(text) here, and \(parts[0]) is not the name of a host",
        hint: "write owner/name, host/owner/name, or a path that exists")
    }
    if let result = kept(text) { return resolved(result, text: text) }
    if isNamed { return try await clone(text, at: text) }
    if let clone = try clone(named: text) { return resolved(clone.result(forage.remoteHosts), text: text) }
    if let commit = try await commit(text) { return ResolvedReference(text: text, entity: commit) }
    if files == .every, ReferencePath.isWebAddress(text) { return ResolvedReference(text: text) }
    throw try namesNothing(text)
  }

  /// - Throws: `StoreError` where the store cannot be read.
  private func checkStore() throws(StoreError) { _ = try forage.store.existing()?.hasClones() }

  /// The host of a name with groups in it and without one: that of the command, or that of the only other forge.
  ///
  /// - Throws: `ForageError` where several forges may be meant.
  private func hostOfGroups(_ text: String) throws -> String? {
    if let givenHost, !RepositoryIdentity.isTwoLevel(givenHost), !twoLevelHosts.contains(givenHost) {
      return givenHost
    }
    // What a command opens may be a file that is not there.
    guard files != .every || text.contains(where: { "#!@".contains($0) }) else { return nil }
    let hosts = forage.enabledManifestForges(try forage.settings()).map(\.host).filter {
      !RepositoryIdentity.isTwoLevel($0)
    }
    guard Set(hosts).count > 1 else { return hosts.first }
    throw ForageError(
      "\(text) may be on \(HumanFormat.alternatives(Array(Set(hosts)).sorted()))", hint: "write HOST/\(text)")
  }

  /// The error for a text that names nothing.
  ///
  /// - Throws: `StoreError` where the store cannot be read, which may have it.
  private func namesNothing(_ text: String) throws(StoreError) -> ForageError {
    try checkStore()
    return ForageError("\"\(text)\" names no repository, path or result", hint: "write " + expected)
  }

  /// The file on this disk that a path names, with the line and the column that may follow it; `nil` for anything else, and for a path alone
  /// unless files are opened.
  private func file(_ text: String) async throws -> ResolvedReference? {
    guard files != .none else { return nil }
    for place in FilePlace.meanings(of: text) where place.line != nil || files == .every {
      let path = ReferencePath.written(place.path, home: forage.environment["HOME"]) ?? place.path
      if FileAccess.isFile(path) { return await file(text, path, place) }
    }
    return nil
  }

  /// A file on this disk.
  private func file(_ text: String, _ path: String, _ place: FilePlace) async -> ResolvedReference {
    let real = FileAccess.realPath(path) ?? path
    let root = CloneProbe.root(above: real)
    let clone: ResolvedReference? = if let root { try? await clone(text, at: root) } else { nil }
    let below = root.map { String(real.dropFirst($0.count + 1)) } ?? real
    var result = SearchResult(id: real, kind: .code, title: below)
    result.set(.name, String(FileAccess.name(of: real)))
    result.set(.repository, clone?.id)
    result.set(.path, below)
    result.set(.file, real)
    result.set("line", place.line?.value)
    result.set("column", place.column?.value)
    // A server without pages has none of a file.
    let isOnForge = clone?.result?[.host] != nil
    let page = clone?.entity.flatMap { isOnForge ? EntityReference(file: below, in: $0, ref: "HEAD") : nil }
    return ResolvedReference(text: text, entity: page, result: result)
  }

  /// The file that `owner/name:PATH` names, or the path of a clone in place of `owner/name`, with the line and the column that may follow;
  /// `nil` for anything else.
  private func place(_ text: String) async throws -> ResolvedReference? {
    guard files != .none, !text.contains("://") else { return nil }
    var onForge: ResolvedReference?
    var others: [(id: String, root: String)] = []
    for colon in text.indices where text[colon] == ":" {
      let (name, places) = (text[..<colon], FilePlace.meanings(of: String(text[colon...].dropFirst())))
      guard name.contains("/"), let last = places.last, !last.path.isEmpty else { continue }
      let path = ReferencePath.written(String(name), home: forage.environment["HOME"])
      // Of three names the first one is a folder, unless it can be a host.
      let parts = name.slashSeparated()
      let named = path == nil ? entity(String(name)) : nil
      let isNamed = parts.count < 3 || canBeHost(parts[0]) || named.map { isKnown($0.id) } == true
      let repository = isNamed ? named : nil
      if let repository, repository.subject != .repository { continue }
      let roots =
        if let repository { await roots(of: repository, named: String(name)) } else { [path ?? String(name)] }
      for root in roots {
        if let found = await file(text, places, in: root) { return found }
      }
      if let found = await committed(text, places, in: roots, of: repository) { return found }
      if parts.count < 3, let repository {
        // Where no clone is one of this host, a clone of another one is meant also by a file that is not on disk.
        for clone in try sameNames(as: repository) {
          if roots.isEmpty {
            others.append(clone)
          } else if await file(text, places, in: clone.root) != nil {
            others.append(clone)
          }
        }
      }
      if onForge == nil, let repository { onForge = file(text, last, of: repository) }
    }
    // An id of another site may look the same.
    guard let onForge, kept(text) == nil else { return nil }
    if let other = others.first {
      // The name and the path of a private file are not for another forge.
      throw ForageError(
        "\(text) is in a clone of \(HumanFormat.alternatives(Set(others.map(\.id)).sorted()))",
        hint: "write the host, too: \(other.id)\(text.drop { $0 != ":" })")
    }
    return onForge
  }

  /// The first of the places that is a file in a clone; `nil` where none is.
  private func file(_ text: String, _ places: [FilePlace], in root: String) async -> ResolvedReference? {
    // The files in the folder of a bare clone are git's.
    if CloneProbe.isClone(root), FileAccess.entry(root + "/.git", follow: false) == nil { return nil }
    let files = ClonedFiles(root)
    guard let place = places.first(where: { files.isFile(Array($0.path.utf8)) }) else { return nil }
    return await file(text, root + "/" + place.path, place)
  }

  /// A file of a repository on a forge, as it is in its current state; `nil` for a path that cannot be one.
  private func file(
    _ text: String, _ place: FilePlace, of repository: EntityReference
  ) -> ResolvedReference? {
    guard let file = EntityReference(file: place.path, in: repository, ref: "HEAD") else { return nil }
    var result = SearchResult(
      id: file.id, kind: .code, title: place.path, url: forage.page(of: file) ?? file.webAddress)
    result.set(.repository, repository.id)
    result.set(.path, place.path)
    result.set("line", place.line?.value)
    return ResolvedReference(text: text, entity: file, result: result)
  }

  /// The first of the places that is a file in the current commit of a clone, which need not be in its work
  /// tree; `nil` where none is.
  ///
  /// - Parameter repository: The repository on a forge; `nil` where the clones are named by their paths.
  private func committed(
    _ text: String, _ places: [FilePlace], in roots: [String], of repository: EntityReference?
  ) async -> ResolvedReference? {
    let found = await CommittedFile.read(
      places.map(\.path), at: "HEAD", of: roots.filter(CloneProbe.isClone),
      limit: ResolvedReference.fileLimit)
    guard let found, let place = places.first(where: { $0.path == found.path }) else { return nil }
    if let repository {
      var reference = file(text, place, of: repository)
      reference?.path = found.clone
      return reference
    }
    let root = FileAccess.realPath(found.clone) ?? found.clone
    var result = SearchResult(id: root + "/" + place.path, kind: .code, title: place.path)
    result.set(.repository, root)
    result.set(.path, place.path)
    result.set("line", place.line?.value)
    return ResolvedReference(text: text, path: root, result: result)
  }

  /// The file that the id of a result names: of a clone on no forge the path, also of a file that is in no
  /// work tree.
  private func committed(_ text: String, at path: String) async -> ResolvedReference? {
    guard files != .none, !ReferencePath.exists(path), let root = CloneProbe.root(above: path),
      (try? forage.store.existing()?.clones())?.contains(where: { $0.path == root && $0.entityID == nil })
        == true
    else { return nil }
    let place = FilePlace(path: String(path.dropFirst(root.count + 1)))
    return await committed(text, [place], in: [root], of: nil)
  }

  /// The clones of a repository, also the one that one stands in where it is not in the catalogue.
  private func roots(of repository: EntityReference, named name: String) async -> [String] {
    let known = clones(of: repository.id).map(\.path)
    guard known.isEmpty, ReferencePath.isInClone("."), let here = try? await clone(name, at: "."),
      here.id == repository.id
    else { return known }
    return [here.path].compactMap(\.self)
  }

  /// The clones in the catalogue of repositories on other hosts with the owner and the name of this one.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  private func sameNames(as repository: EntityReference) throws -> [(id: String, root: String)] {
    let title = repository.title.lowercased()
    return (try forage.store.existing()?.clones() ?? []).compactMap { clone in
      guard let id = clone.entityID, id != repository.id,
        id.drop(while: { $0 != "/" }).dropFirst().lowercased() == title
      else { return nil }
      return (id, clone.path)
    }
  }

  /// The commit with a whole id in a clone in the catalogue, first in the one that one stands in; `nil` where no clone of a forge has it.
  private func commit(_ text: String) async throws -> EntityReference? {
    guard [40, 64].contains(text.utf8.count), let id = ObjectID(hex: text.lowercased()) else { return nil }
    let here = FileAccess.realPath(".").flatMap(CloneProbe.root)
    let clones = ((try? forage.store.existing()?.clones()) ?? []).filter { $0.entityID != nil }
    let ordered = clones.filter { $0.path == here } + clones.filter { $0.path != here }
    let found = try await BlockingGit.run { _ throws(GitError) in
      ordered.first { clone in
        let repository = try? GitRepository.open(clone.path, loadsReferences: false)
        return (try? repository?.header(of: id))?.kind == .commit
      }
    }
    return found?.entityID.flatMap { entity("\($0)@\(text)") }
  }

  /// The number of `#12` and `!12`, `nil` for any other text.
  private static func issueNumber(_ text: String) -> Int? {
    guard text.hasPrefix("#") || text.hasPrefix("!"),
      text.dropFirst().utf8.allSatisfy({ (48...57).contains($0) })
    else {
      return nil
    }
    return Int(text.dropFirst()).flatMap { $0 > 0 ? $0 : nil }
  }

  /// An issue of the repository whose clone one stands in.
  private func issue(_ number: Int, _ text: String) async throws -> ResolvedReference {
    let hint = "write owner/name\(text)"
    guard ReferencePath.isInClone(".") else {
      throw ForageError("\(text) names an issue inside a clone only", hint: hint)
    }
    let clone = try await clone(text, at: ".")
    let name = clone.title + text
    guard let host = clone.entity?.host,
      let issue = EntityReference("\(host)/\(name)", defaultHost: host, twoLevelHosts: twoLevelHosts)
    else { throw ForageError("this clone has no remote on a forge, so \(text) names nothing", hint: hint) }
    return ResolvedReference(text: name, entity: issue)
  }

  /// Says how to name the clone at a path that reads as `owner/name`, unless it is a clone of that repository.
  private func noteFolder(_ text: String, _ entity: EntityReference) async {
    guard ReferencePath.isInClone(text), let found = try? await clone(text, at: text), found.id != entity.id
    else { return }
    forage.reporter.warning(
      "\(text) is read as the repository \(entity.id)", "to name the folder, write ./\(text)")
  }

  /// Whether a name can be that of a host: it has a dot or a port, or the settings name it.
  private func canBeHost(_ name: Substring) -> Bool {
    name.contains(".") || name.contains(":") || name.contains("@") || name == "localhost"
      || name == defaultHost
      || twoLevelHosts.contains(String(name))
  }

  /// Whether there is a clone or a favorite with an id.
  private func isKnown(_ id: String) -> Bool {
    guard let store = try? forage.store.existing() else { return false }
    return (try? store.favoriteIDs().contains(id)) == true
      || (try? store.clones(ofEntity: id).isEmpty) == false
  }

  /// The favorite, or the result of the last list, with an id.
  private func kept(_ id: String) -> SearchResult? {
    guard !id.isEmpty else { return nil }
    if let favorite = (try? forage.store.existing()?.favorites())?.first(where: { $0.id == id }) {
      return favorite.result
    }
    return lastList?()?.items.first { $0.id == id }
  }

  /// The results of the last list with numbers.
  private func results(_ numbers: ListNumbers) async throws -> [ResolvedReference] {
    guard let list = lastList?() else {
      // Without a list a number may be the name of a folder.
      if ReferencePath.exists(numbers.text) { return [try await clone(numbers.text, at: numbers.text)] }
      if lastList == nil { throw try namesNothing(numbers.text) }
      let isIssue = numbers.range.count == 1 && ReferencePath.isInClone(".")
      throw ForageError(
        "this terminal has no last list for the number \(numbers.text)",
        isIssue ? .nameIssue(numbers.text) : .printList)
    }
    let known = 1...list.last
    guard
      let wrong = [numbers.range.lowerBound, numbers.range.upperBound].first(where: { !known.contains($0) })
    else {
      if let reminder = list.reminder {
        forage.reporter.messageOnce("numbers refer to the list: \(reminder)")
      }
      return try numbers.range.map { number in
        if let root = list.replacedRoot(of: number) {
          throw ForageError(
            "\(root) was replaced by another folder after the list was printed, so \(number) names no file",
            hint: "search again")
        }
        return resolved(list[number], text: String(number))
      }
    }
    let isOne = list.last == 1
    throw ForageError(
      "the last list on this terminal (forage \(list.command)) has only "
        + (isOne ? "the number 1" : "the numbers 1 to \(list.last)")
        + ", and not \(wrong)",
      hint: isOne
        ? "write 1, or print another list first"
        : "write a number from 1 to \(list.last)")
  }

  private func resolved(_ result: SearchResult, text: String) -> ResolvedReference {
    let entity =
      result.id.hasPrefix("/")
      ? nil : EntityReference(result.id, defaultHost: defaultHost, twoLevelHosts: twoLevelHosts)
    let isForge = entity.map { $0.id == result.id } ?? false
    return ResolvedReference(
      text: text, entity: isForge ? entity : nil, path: result.kind == .repo ? result[.path]?.text : nil,
      result: result)
  }

  /// The clone at a path or above it.
  private func clone(_ text: String, at path: String) async throws -> ResolvedReference {
    let (root, identity): (String, CloneIdentity?)
    do throws(GitError) {
      (root, identity) = try await BlockingGit.run {
        [hosts = forage.remoteHosts] isCancelled throws(GitError) in
        let inspector = Inspector()
        let (root, remotes) = try inspector.location(path: path)
        return (root, CloneIdentity.of(remotes, at: root, inspector: inspector, hosts: hosts))
      }
    } catch {
      throw ForageError(InspectionError(error))
    }
    guard let identity else {
      var result = SearchResult(id: root, kind: .repo, title: String(FileAccess.name(of: root)))
      result.set(.name, result.title)
      result.set(.path, root)
      return ResolvedReference(text: text, entity: nil, path: root, result: result)
    }
    return resolved(identity.result(path: root, forage.remoteHosts), text: text)
  }
}

extension FilePlace {
  /// What a text can mean by `PATH`, `PATH:LINE` and `PATH:LINE:COLUMN`, the longest path first: names of files may have colons. Of tools
  /// that write 0 for no line or column it is the first.
  static func meanings(of text: String) -> [FilePlace] {
    var (places, numbers, path) = ([FilePlace(path: text)], [LineNumber](), text[...])
    while numbers.count < 2, let colon = path.lastIndex(of: ":") {
      let digits = path[colon...].dropFirst()
      guard digits.utf8.count < 10, let number = Offset(digits) else { break }
      numbers.insert(LineNumber(nearest: number.value), at: 0)
      path = path[..<colon]
      places.append(
        FilePlace(path: String(path), line: numbers[0], column: numbers.count > 1 ? numbers[1] : nil))
    }
    return places
  }
}

extension [CloneRecord] {
  /// The clones by their names in lower case, without the owner.
  package var byName: [String: [CloneRecord]] { Dictionary(grouping: self) { $0.name.lowercased() } }
}
