import ForageClones
import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// Reads what a command line names things by; every command that takes a REF uses it.
///
/// A REF is, in this order:
/// 1. A number or a range of numbers of the last list printed on this terminal (`3`, `5-7`).
/// 2. `PATH:LINE` and `PATH:LINE:COLUMN` of a file on this disk, and, for `forage open` and `show`, any file.
/// 3. `owner/name:PATH` and `host/owner/name:PATH`, a file of a repository as lists name it, with the line
///    and the column that may follow: of a clone the file on this disk.
/// 4. A path that is written as one: `/…`, `./…`, `../…`, `~/…`, `.`, `..`, `~`, `file://…`.
/// 5. A single name, or three or more names with slashes, that exists on disk in a clone
///    (`src/google/codesearch`). A folder in no clone is not meant where a clone of the catalogue has the
///    name.
/// 6. `#12`, an issue of the clone that one stands in, and `!12`, a merge request.
/// 7. `owner/name`, `owner/name#12`, `owner/name@COMMIT`, `@login`, each with a host in front or not, a clone
///    or web URL, the id of a result. `owner/name` is a repository also where a folder of this name exists;
///    `./owner/name` is the folder.
/// 8. The id of a favorite or of a result of the last list that is on no forge.
/// 9. The name of the only clone in the catalogue that has it.
/// 10. Any other path that exists.
/// 11. The whole id of a commit of a clone in the catalogue.
/// 12. The id of a result of a plugin or manifest, which is asked for it.
/// 13. What the last list prints of a user, a topic, a commit or another result: its name, or the first
///     digits of its id.
/// 14. For `forage open`, any address of the web.
package struct ReferenceReader {
  let forage: Forage
  let givenHost: String?
  let lastList: (@Sendable () -> LastList?)?
  /// The arguments that the command takes, for the hint about a text that names nothing.
  package var expected: String

  /// Which files on this disk a command takes.
  package enum Files: Sendable {
    /// None: who asks may see clones only.
    case none
    /// Those that are written with a line or with their repository, as lists print them.
    case places
    /// Any; the path of one means the file, and not the clone that it is in.
    case paths
    /// The same; an address of the web need not name anything either.
    case every

    /// Whether a path alone means a file.
    var takePaths: Bool { self == .paths || self == .every }
  }

  /// The files that are named.
  package var files = Files.none

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - defaultHost: The host of `owner/name`, `nil` for that of the built-in provider.
  ///   - lastList: The list that numbers refer to, `nil` where there is none yet; without it numbers name
  ///     nothing.
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
  var defaultHost: String { givenHost ?? forage.bareHost }
  var twoLevelHosts: Set<String> { forage.twoLevelHosts }

  /// The things that arguments name, each once, in their order; places in one file are several things.
  ///
  /// - Parameter onDisk: Whether what is on this disk is wanted, so that clones of one repository are several
  ///   things.
  /// - Throws: `ForageError` for an argument that names nothing and for a number outside the last list.
  package func references(_ texts: [String], onDisk: Bool = false) async throws -> [ResolvedReference] {
    var found: [ResolvedReference] = []
    var places: Set<FileLocation> = []
    for text in texts {
      for reference in try await all(text) {
        let code = reference.kind == .code ? reference.result : nil
        let path = onDisk ? code?[.file]?.text ?? reference.path : nil
        let place = FileLocation(path: path ?? reference.id, line: code?.firstLine, column: code?.firstColumn)
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

  /// The paths that arguments of a command for clones mean: a number is the clone of that result, and what is
  /// no path in a clone or above clones is the clone that ``CloneNames`` says, or the clones where it is a
  /// glob.
  ///
  /// - Returns: The paths, an error for each result without a clone, and whether one argument means several.
  /// - Throws: `ForageError` for a number outside the last list, and for a name that several clones have.
  package func paths(_ arguments: [String]) async throws
    -> (found: [String], missing: [ForageError], hasGroup: Bool)
  {
    var (paths, missing, hasGroup) = ([String](), [ForageError](), false)
    for argument in arguments {
      if let path = forage.writtenPath(argument) {
        paths.append(path)
        continue
      }
      let numbers = try ListNumbers(argument)
      if numbers == nil {
        guard !ReferencePath.isInClone(argument), let meaning = try named(argument), meaning.group != .folder,
          try await InspectTargets.clones(below: argument, forage) == nil
        else {
          paths.append(argument)
          continue
        }
        if meaning.group == .glob {
          paths += meaning.clones.map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
          hasGroup = true
          continue
        }
        guard let first = try CloneNames.one(of: meaning.clones, named: argument) else { continue }
        paths.append(first.path)
        if meaning.clones.count > 1 {
          let others = meaning.clones.dropFirst().map(\.path).joined(separator: ", ")
          forage.reporter.messageOnce("\(argument) is also cloned in \(others)")
        }
        continue
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
    return (paths, missing, hasGroup)
  }

  /// The clones of the catalogue that a text names, which is no path of a clone.
  ///
  /// A store that cannot be read keeps no path from being read.
  private func named(_ text: String) throws(StoreError) -> CloneNames.Meaning? {
    let names = ReferencePath.exists(text) ? try? forage.cloneNames() : try forage.cloneNames()
    // An address of no clone has a better message where it is used as a path.
    return try? names?.meaning(of: text, in: nil)
  }

  /// The clones of a repository; none where the store cannot be read.
  func clones(of repository: String) -> [CloneRecord] {
    (try? forage.cloneNames())?.of(repository: repository) ?? []
  }

  /// The clone that a result is in, or one of its repository.
  package func clonePath(of reference: ResolvedReference) async -> String? {
    if let file = reference.result?[.file]?.text, let found = try? await clone(file, at: file).path {
      return found
    }
    // Of several clones of a repository the one that was named or listed.
    if let path = reference.path, FileAccess.isDirectory(path) { return path }
    return reference.result?[.clone]?.text ?? clones(of: reference.id).first?.path ?? reference.path
      ?? reference.result?[.repository]?.text.flatMap { $0.hasPrefix("/") ? $0 : clones(of: $0).first?.path }
  }

  /// Whether the catalogue has a clone at a path.
  package func isCatalogued(_ path: String) -> Bool {
    (try? forage.cloneNames().at(path)) != nil
  }

  // MARK: The ways to name something

  /// Reads one way; `nil` where a text is not written so.
  private typealias Reading = (String) async throws -> ResolvedReference?

  /// The ways behind numbers, in the order of the list above.
  private var readings: [Reading] {
    [
      fileOnDisk, fileOfRepository, writtenPath, issueOfClone, folderInClone, idWithSlash, onForge,
      keptResult, cloneByName, existingPath, commitOfClone, resultOfProvider, printedName, webAddress,
    ]
  }

  private func all(_ argument: String) async throws -> [ResolvedReference] {
    let text = argument.trimmingWhitespace()
    if let numbers = try ListNumbers(text) { return try await results(numbers) }
    for read in readings {
      guard var reference = try await read(text) else { continue }
      reference.page = reference.entity.flatMap(page)
      return [reference]
    }
    throw try namesNothing(text)
  }

  /// The page of an entity, with the name of its repository as its forge or the remote of its clone writes
  /// it; `nil` where that is the usual page of the id.
  private func page(of entity: EntityReference) -> String? {
    let name = entity.repositoryID.map { forage.writtenName(of: $0) }
    let written = name.flatMap { EntityReference(repository: $0, subject: entity.subject) } ?? entity
    return forage.page(of: written) ?? (written.id == entity.id ? nil : written.webAddress)
  }

  private func writtenPath(_ text: String) async throws -> ResolvedReference? {
    guard let path = forage.writtenPath(text) else { return nil }
    if let file = await committed(text, at: path) { return file }
    return try await clone(text, at: path)
  }

  private func folderInClone(_ text: String) async throws -> ResolvedReference? {
    let parts = text[...].slashSeparated()
    guard ReferencePath.exists(text), parts.count != 2 else { return nil }
    if ReferencePath.isInClone(text) { return try await clone(text, at: text) }
    guard parts.count > 2, !canBeHost(parts[0]) else { return nil }
    if let clone = try namedClone(text) { return clone }
    return try await clone(text, at: text)
  }

  private func keptResult(_ text: String) -> ResolvedReference? {
    kept(text).map { resolved($0, text: text) }
  }

  /// A result of a plugin or manifest whose id has a slash, as a DOI has: it reads as an address for ssh.
  private func idWithSlash(_ text: String) async throws -> ResolvedReference? {
    guard text.contains("/"), forage.remoteHosts.resolved(text) == text, try provider(ofID: text) != nil
    else { return nil }
    return if let kept = keptResult(text) { kept } else { try await resultOfProvider(text) }
  }

  private func existingPath(_ text: String) async throws -> ResolvedReference? {
    ReferencePath.exists(text) ? try await clone(text, at: text) : nil
  }

  private func cloneByName(_ text: String) throws -> ResolvedReference? {
    // A name has no slash; a store that cannot be read keeps nothing else from being read.
    text.contains("/") ? nil : try namedClone(text)
  }

  private func namedClone(_ text: String) throws -> ResolvedReference? {
    guard let meaning = try named(text), meaning.group == nil else { return nil }
    return try CloneNames.one(of: meaning.clones, named: text).map {
      resolved($0.result(forage.remoteHosts), text: text)
    }
  }

  /// - Throws: `ForageError` where the list has several of the name.
  private func printedName(_ text: String) throws -> ResolvedReference? {
    let isCommit = text.count >= Self.shortestCommit && text.allSatisfy(\.isHexDigit)
    let found = (lastList?()?.items ?? []).enumerated().filter { _, item in
      ExactText(item.title) == ExactText(text)
        // The title of a topic is its name as people write it.
        || item.kind == .topic && item.id.split(separator: "/").last == text[...]
        || isCommit && item.kind == .commit && item.id.split(separator: "@").last?.hasPrefix(text) == true
    }
    guard found.count < 2 else {
      throw ForageError(
        "\(text) is the name of \(found.count) results of the last list",
        hint: "write the number of one: \(found.map { String($0.offset + 1) }.joined(separator: ", "))")
    }
    return found.first.map { resolved($0.element, text: text) }
  }

  /// The fewest digits by which a commit is named.
  private static let shortestCommit = 7

  private func webAddress(_ text: String) -> ResolvedReference? {
    files == .every && ReferencePath.isWebAddress(text) ? ResolvedReference(text: text) : nil
  }

  /// - Throws: `StoreError` where the store cannot be read.
  func checkStore() throws(StoreError) { _ = try forage.store.existing()?.hasClones() }

  /// The error for a text that names nothing.
  ///
  /// - Throws: `StoreError` where the store cannot be read, which may have it.
  func namesNothing(_ text: String) throws(StoreError) -> ForageError {
    try checkStore()
    return ForageError("\"\(text)\" names no repository, path or result", hint: "write " + expected)
  }

  /// The favorite, or the result of the last list, with an id.
  func kept(_ id: String) -> SearchResult? {
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

  /// The issue or commit that a notification is about, by its id or its page; `nil` for another result, and
  /// for what cannot be shown.
  private func subject(of result: SearchResult) -> EntityReference? {
    guard result.kind == .notification else { return nil }
    func entity(_ text: String) -> EntityReference? {
      EntityReference(text, defaultHost: defaultHost, twoLevelHosts: twoLevelHosts)
    }
    if let issue = entity(result.id), issue.kind == .issue, issue.id == result.id { return issue }
    return result.url.flatMap(entity).flatMap { $0.kind == .commit ? $0 : nil }
  }

  func resolved(_ result: SearchResult, text: String) -> ResolvedReference {
    if let subject = subject(of: result) {
      var reference = ResolvedReference(text: text, entity: subject)
      reference.page = result.url
      return reference
    }
    let entity =
      result.id.hasPrefix("/")
      ? nil : EntityReference(result.id, defaultHost: defaultHost, twoLevelHosts: twoLevelHosts)
    // The id of a repository can read as that of another thing.
    let isForge = entity.map { $0.id == result.id && $0.kind == result.kind } ?? false
    return ResolvedReference(
      text: text, entity: isForge ? entity : nil, path: result.kind == .repo ? result[.path]?.text : nil,
      result: result)
  }

  /// The clone at a path or above it.
  func clone(_ text: String, at path: String) async throws -> ResolvedReference {
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
