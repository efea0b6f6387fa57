import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
package import ForagePlatform
package import ForageSetup
package import ForageStore

/// Which clones of the catalogue a text means: the one answer for every command.
///
/// A text means, in this order:
/// 1. The clones of results of the last list: `3`, `5-7`.
/// 2. A path that is written as one (`/…`, `./…`, `~/…`, `.`): the clone that it is or is in, and of a
///    folder above clones all of them.
/// 3. A glob that fits the whole of a name, id or path: `*/one`, `owner/*`.
/// 4. The clone that this path in the current folder is.
/// 5. The repository at a web or clone address, and `host/owner/name`, also by a name that it had on its
///    forge.
/// 6. `owner/name` on the host that names without one mean; where no clone is of that one, on any other host.
/// 7. A single name: the clones of repositories with this name, then those in folders with this name.
/// 8. Any other path with a slash that exists, as in 2.
///
/// Case is ignored. Clones are in the order of preference: one that stands for its repository comes first
/// (``CloneRecord/precedes(_:)``).
package struct CloneNames: Sendable {
  /// What the disk tells of a path.
  struct Disk: Sendable {
    /// The path without links; `nil` where there is nothing.
    var realPath: @Sendable (String) -> String?
    /// The root of the clone that a path is in.
    var root: @Sendable (String) -> String?

    static let live = seen(from: nil)

    /// - Parameter folder: The one in which relative paths begin; `nil` for the current folder.
    static func seen(from folder: String?) -> Disk {
      Disk(
        realPath: { path in FileAccess.realPath(folder.map { FileAccess.join($0, path) } ?? path) },
        root: { CloneProbe.root(above: $0) })
    }
  }

  package enum Group: Sendable {
    /// A folder above them.
    case folder
    /// It is a condition on names, and several of them must all hold, as for words.
    case glob
  }

  /// The clones that a text means.
  package struct Meaning: Sendable {
    package var clones: [CloneRecord]
    /// The glob or folder that means several of them; `nil` where they were named one by one.
    package var group: Group?
    /// Whether they have a name that clones of other repositories can have, too.
    package var isByName = false
  }

  /// The catalogue, the best clones first.
  package let clones: [CloneRecord]
  /// The host of `owner/name`.
  private let bareHost: String
  private let twoLevelHosts: Set<String>
  /// What reads addresses.
  private let hosts: RemoteHosts
  private let home: String?
  private let disk: Disk

  init(
    _ clones: [CloneRecord], bareHost: String = BuiltInProvider.usualHost, twoLevelHosts: Set<String> = [],
    hosts: RemoteHosts = RemoteHosts(), home: String? = nil, disk: Disk = .live
  ) {
    self.clones = clones.sorted { $0.precedes($1) }
    (self.bareHost, self.twoLevelHosts, self.hosts) = (bareHost, twoLevelHosts, hosts)
    (self.home, self.disk) = (home, disk)
  }

  /// The clones that a text means.
  ///
  /// - Parameters:
  ///   - list: The last list, for numbers; `nil` where there is none.
  ///   - takesFoldersWithin: Whether a folder within a clone stands for it.
  /// - Returns: `nil` where it names nothing, so that it can be a part of a name.
  /// - Throws: ``ForageError`` for a number that no clone has, and for a path or an address of none.
  package func meaning(
    of text: String, in list: @autoclosure () -> LastList?, takesFoldersWithin: Bool = true
  ) throws(ForageError) -> Meaning? {
    let numbers: ListNumbers?
    do { numbers = try ListNumbers(text) } catch {
      throw ForageError(describing: error) ?? Self.unknown(text)
    }
    if let numbers { return Meaning(clones: try clones(numbers, list())) }
    if let path = ReferencePath.written(text, home: home) {
      guard let found = at(path, takesFoldersWithin) else { throw noClone(text, at: path) }
      return found
    }
    if let found = matching(glob: text), !found.isEmpty { return Meaning(clones: found, group: .glob) }
    var found = disk.realPath(text) == nil ? [] : at(text).map { [$0] } ?? []
    if found.isEmpty { found = of(repository: text) }
    if found.isEmpty { found = named(text) }
    if !found.isEmpty { return Meaning(clones: found, isByName: true) }
    if text.contains("://") { throw Self.unknown(text) }
    // A folder in a clone can have any name.
    return text.contains("/") ? at(text, takesFoldersWithin) : nil
  }

  /// The clones of a repository.
  ///
  /// - Parameter text: `owner/name`, `host/owner/name`, a web or clone address, or the id of a result in it.
  package func of(repository text: String) -> [CloneRecord] {
    guard text.contains("/") || text.contains(":") else { return [] }
    let address = hosts.resolved(text)
    let entity = EntityReference(address, defaultHost: bareHost, twoLevelHosts: twoLevelHosts)
    let found = clones(
      ofIDs: [entity?.repositoryID, RepositoryIdentity.canonical(address)].compactMap(\.self))
    guard found.isEmpty, !text.contains("://") else { return found }
    return ending(in: text)
  }

  /// The clones of a repository by its id, also by a former one.
  package func clones(ofID id: String) -> [CloneRecord] { clones(ofIDs: [id]) }

  private func clones(ofIDs ids: [String]) -> [CloneRecord] {
    let ids = ids.map { hosts.nameNow(of: $0)?.id ?? $0 }
    // Where an owner or a name differs from another in its case alone, the case counts.
    let exact = clones.filter { clone in clone.entityID.map(ids.contains) ?? false }
    guard exact.isEmpty else { return exact }
    let folded = ids.map { $0.lowercased() }
    return clones.filter { clone in clone.entityID.map { folded.contains($0.lowercased()) } ?? false }
  }

  /// The clones with a name at the end of their repository's id, or of the path of one on no forge, also of a
  /// former id: a host, a folder of it, or a folder on this disk stands before the name.
  package func ending(in name: String) -> [CloneRecord] {
    let end = "/" + name.lowercased()
    return clones.filter { clone in
      [clone.entityID ?? clone.path, clone.addressID].compactMap(\.self).contains {
        ("/" + $0).lowercased().hasSuffix(end)
      }
    }
  }

  /// The clones with a name without the owner: those of repositories with it, or else those of repositories
  /// that had it, or else those in folders with it.
  package func named(_ name: String) -> [CloneRecord] {
    guard !name.isEmpty, !name.contains("/") else { return [] }
    let name = name.lowercased()
    var found = clones.filter { $0.name.lowercased() == name }
    if found.isEmpty {
      let ids = hosts.idsNow(ofFormer: name)
      found = ids.isEmpty ? [] : clones.filter { $0.entityID.map(ids.contains) ?? false }
    }
    return found.isEmpty ? clones.filter { FileAccess.name(of: $0.path).lowercased() == name } : found
  }

  /// The repositories of the clones with a name without the owner, as `repo:` takes them, each once: names,
  /// and the paths of clones without a forge.
  package func repositories(named name: String) -> [String] {
    var found: [String] = []
    for clone in named(name) {
      let repository =
        clone.entityName.map { RepositoryIdentity.shortName($0, bareHost: bareHost) } ?? clone.path
      if !found.contains(where: { $0.lowercased() == repository.lowercased() }) { found.append(repository) }
    }
    return found
  }

  /// The id of the one repository whose clones have a name, of a clone on no forge its path; `nil` for none.
  ///
  /// - Throws: ``ForageError`` where clones of several repositories have it.
  package func repository(named name: String) throws(ForageError) -> String? {
    try Self.one(of: named(name), named: name).map { $0.entityID ?? $0.path }
  }

  /// The paths of the clones that a glob fits; `nil` for a text that is no glob.
  package func paths(matching glob: String) -> Set<ExactText>? {
    matching(glob: glob).map { Set($0.map { ExactText($0.path) }) }
  }

  /// The clone at a path; `nil` for a folder within one, and for one that the catalogue does not have.
  package func at(_ path: String) -> CloneRecord? {
    let real = disk.realPath(path) ?? path
    return clones.first { $0.path.utf8.elementsEqual(real.utf8) }
  }

  /// The one of some clones that a name means.
  ///
  /// - Returns: The one that stands for the repository of all; `nil` for none.
  /// - Throws: ``ForageError`` where they are of several repositories.
  package static func one(of clones: [CloneRecord], named name: String) throws(ForageError) -> CloneRecord? {
    guard let first = clones.first else { return nil }
    guard clones.contains(where: { $0.entityID == nil || $0.entityID != first.entityID }), clones.count > 1
    else { return first }
    throw ForageError(
      "\(name) names \(clones.count) clones: " + clones.map(\.path).joined(separator: ", "),
      hint: "write \(name.contains("/") ? "host/" : "")owner/name, or the path of one")
  }

  // MARK: The rules

  private func clones(_ numbers: ListNumbers, _ list: LastList?) throws(ForageError) -> [CloneRecord] {
    guard let list, numbers.range.upperBound <= list.last else {
      throw ForageError("the last list of this terminal has no \(numbers.text)", .listCatalogue)
    }
    var found: [CloneRecord] = []
    for number in numbers.range {
      let item = list[number]
      // Of a commit or a file it is the clone of its repository.
      let place = item[.clone]?.text ?? item[.path]?.text.flatMap { $0.hasPrefix("/") ? $0 : nil }
      let names = [item.id, item.repositoryID]
      let meant = clones.filter { clone in
        place.map { ExactText($0) == ExactText(clone.path) } ?? names.contains(clone.entityID ?? clone.path)
      }
      guard !meant.isEmpty else {
        throw ForageError("\(number), \(item.title), is not cloned", .clone(String(number)))
      }
      found += meant
    }
    return found
  }

  /// The clone that a path is or is in, or those below it; `nil` for none.
  private func at(_ path: String, _ takesFoldersWithin: Bool) -> Meaning? {
    guard let real = disk.realPath(path) else { return nil }
    if let clone = at(real) { return Meaning(clones: [clone]) }
    // A clone that the catalogue does not have does not stand for those in it.
    if let root = disk.root(real) {
      return takesFoldersWithin && root != real ? at(root).map { Meaning(clones: [$0]) } : nil
    }
    let below = clones.filter { FileAccess.isInside($0.path, real) }
    return below.isEmpty ? nil : Meaning(clones: below, group: .folder)
  }

  /// The clones with a name, id or path that a glob fits the whole of; `nil` for a text that is no glob.
  func matching(glob text: String) -> [CloneRecord]? {
    guard text.contains(where: { "*?[".contains($0) }) else { return nil }
    let glob = Glob(Array(text.lowercased().utf8)[...])
    return clones.filter { clone in
      var names = [clone.path, String(FileAccess.name(of: clone.path))]
      for id in [clone.entityID, clone.addressID].compactMap(\.self) {
        names += [id, String(id.drop { $0 != "/" }.dropFirst()), String(FileAccess.name(of: id))]
      }
      return names.map { $0.lowercased() }.contains { name in
        Array(name.utf8).withUnsafeBytes { glob.matches($0) }
      }
    }
  }

  private func noClone(_ text: String, at path: String) -> ForageError {
    let real = disk.realPath(path)
    let outer = real.flatMap { real in disk.root(real).flatMap { $0 == real ? nil : $0 } }
    let message = "\(text) is no clone of the catalogue"
    guard real != nil else { return ForageError(message, hint: "check the path") }
    guard let outer else { return ForageError(message, .addClone(text)) }
    return ForageError(message, hint: "it lies in the clone \(outer.shellQuoted)")
  }

  static func unknown(_ name: String) -> ForageError {
    ForageError("\(name) is no clone of the catalogue", .listCatalogue)
  }
}

extension Forage {
  /// The names of the clones that the catalogue has now.
  ///
  /// - Parameters:
  ///   - withIgnored: Whether those that are ignored are among them.
  ///   - folder: The folder in which relative paths begin; `nil` for the current one.
  /// - Throws: `StoreError` where the store cannot be read.
  package func cloneNames(
    withIgnored: Bool = false, from folder: String? = nil
  ) throws(StoreError) -> CloneNames {
    let store = try store.existing()
    return CloneNames(
      try (withIgnored ? store?.allClones() : store?.clones()) ?? [], bareHost: bareHost,
      twoLevelHosts: twoLevelHosts,
      hosts: remoteHosts, home: paths.home, disk: .seen(from: folder))
  }
}
