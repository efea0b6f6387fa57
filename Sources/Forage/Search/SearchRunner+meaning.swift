package import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore

/// What a query and options name by the folder that one stands in, or by a name without an owner.
extension SearchRunner {
  /// A qualifier `repo:` with the names of repositories for `.`, other paths of clones, and `NAME`; where only
  /// clones are searched with the ids of those that every text means.
  ///
  /// - Throws: `ForageError` for a path outside of a clone, or of the catalogue where only that may be seen.
  func naming(_ qualifier: Qualifier) throws -> Qualifier {
    let found = try qualifier.value.texts.flatMap(repositories(meantBy:)).unique
    guard let first = found.first else { return qualifier }
    return Qualifier(qualifier.name, found.count == 1 ? .text(first) : .list(found))
  }

  /// Whether nothing but clones is searched, so that a name is no forge's.
  package var searchesOnlyClones: Bool {
    choice.registry.ids == [BuiltInProvider.clonesID] && !options.onlyFavorites
  }

  /// What a text of `repo:` means: one name, or where only clones are searched the ids of all that it means.
  private func repositories(meantBy text: String) throws -> [String] {
    let path = forage.writtenPath(text)
    if let path, !canName(path) {
      throw ForageError("repo:\(text) is not a clone of the catalogue", .listCatalogue)
    }
    // Three names can be a repository with its host, too.
    let isFolder =
      text[...].slashSeparated().count > 2 && ReferencePath.isInClone(absolute(text)) && canName(text)
    if let place = path ?? (isFolder ? text : nil) {
      let clone = try clone(at: place)
      return [searchesOnlyClones ? clone.id : clone.name]
    }
    if searchesOnlyClones, let names = try? forage.cloneNames() {
      let clones = names.of(repository: text) + names.named(text)
      return clones.isEmpty ? [text] : clones.map { $0.entityID ?? $0.path }.unique
    }
    let known = repositories(named: text)
    return [known.count == 1 ? known[0] : nameNow(of: text) ?? text]
  }

  /// A path of the query, from the folder in which it was written.
  private func absolute(_ path: String) -> String {
    options.folder.map { path.hasPrefix("/") ? path : $0 + "/" + path } ?? path
  }

  /// Whether who asks may learn what is at a path.
  private func canName(_ path: String) -> Bool {
    guard options.seesOnlyCatalogue else { return true }
    let root = FileAccess.realPath(path).flatMap(CloneProbe.root)
    return root.flatMap { try? forage.cloneNames().at($0) } != nil
  }

  /// The repositories of the clones in the catalogue with a name without the owner; none where it cannot be
  /// read.
  package func repositories(named name: String) -> [String] {
    (try? forage.cloneNames())?.repositories(named: name) ?? []
  }

  /// The name of now of a repository that was renamed on its forge; `nil` for every other text.
  private func nameNow(of text: String) -> String? {
    guard text.contains("/"), let entity = EntityReference(text, defaultHost: forage.bareHost) else {
      return nil
    }
    return forage.remoteHosts.nameNow(of: entity.id).map { forage.shortName($0.name) }
  }

  /// The repository of the clone at a path or above it: its id and its name as people write it, or the path
  /// of a clone without a forge.
  private func clone(at path: String) throws -> (id: String, name: String) {
    let inspector = Inspector()
    do {
      let (root, remotes) = try inspector.location(path: absolute(path))
      let identity = CloneIdentity.of(
        remotes, at: root, inspector: inspector, hosts: forage.remoteHosts)
      return identity.map { (id: $0.id, name: forage.shortName($0.fullName)) } ?? (id: root, name: root)
    } catch  where error.code == .notFound || error.code == .notARepository {
      throw path == "."
        ? ForageError(
          "repo:. is the clone that one stands in, and this folder is in none",
          hint: "change into a clone, or write repo:owner/name")
        : ForageError(
          "repo:\(path) is a path, and there is no clone",
          hint: "name a folder of a clone, or write repo:owner/name")
    } catch {
      throw ForageError(InspectionError(error))
    }
  }

  /// Which names in a query that found nothing are those of no clone and of no language, each with what may
  /// be meant.
  ///
  /// - Parameter isLocal: Whether only clones were searched, so that names are those of clones.
  package func unknownNames(in query: Query?, isLocal: Bool) -> [String] {
    var found: [String] = []
    for leaf in query?.root.leaves ?? [] where !leaf.isNegated {
      guard case .qualifier(let qualifier) = leaf.expression, case .text(let text) = qualifier.value
      else { continue }
      switch qualifier.name {
      case "repo" where isLocal && !isClone(text):
        let known = repositories(named: text)
        found.append(
          known.isEmpty
            ? "no clone is named \(text)"
            : "repo: takes the owner, too: \(known.joined(separator: ", "))")
      case "language" where LanguageTable.shared.languageName(text) == nil:
        let names = LanguageTable.shared.languageNames
        let meant = NearestName.hint(for: text, among: names) { $0.lowercased() }
        found.append("\(text) is not a known language" + (meant.map { "; " + $0 } ?? ""))
      default: break
      }
    }
    return found
  }

  /// Whether a name is that of a clone in the catalogue, on whatever host, or of the one that one stands in.
  func isClone(_ name: String) -> Bool {
    guard let names = try? forage.cloneNames() else { return false }
    let here = try? clone(at: ".")
    if [here?.id, here?.name].contains(where: { $0?.lowercased() == name.lowercased() }) { return true }
    if names.at(name) != nil { return true }
    let isNamed = names.clones.contains { clone in
      clone.owner.map { ($0 + "/" + clone.name).lowercased() == name.lowercased() } ?? false
    }
    // Without an owner it names a clone without one.
    return name.contains("/")
      ? isNamed || !names.of(repository: name).isEmpty : names.named(name).contains { $0.entityID == nil }
  }
}

/// What a query for code may not mean.
extension SearchRunner {
  /// Says what of a query for code is understood otherwise than it may be meant.
  func warnOfCode(_ query: Query) {
    warnOfPaths(query)
    if query.root.positiveTerms.contains(where: \.matchesNoLine) {
      forage.reporter.warning(
        "files are searched line by line, so that a regular expression with \\n matches nothing",
        "search for what one line has, or for several words")
    }
  }

  /// Examples of conditions on paths that take `*` and `?`, by their names.
  private static let patterns = [
    "path": "path:src/*.c", "filename": "filename:test_*", "extension": "extension:h*",
  ]

  /// Says how to write a condition on paths that is written as a regular expression, or `path:` as a path
  /// from the current folder or on this disk: it is the path in a repository.
  private func warnOfPaths(_ query: Query) {
    for qualifier in query.root.qualifiers {
      guard let example = Self.patterns[qualifier.name], case .text(let text) = qualifier.value else {
        continue
      }
      if text.hasPrefix("/"), text.hasSuffix("/"), text.contains(where: { "^$+|()[]{}\\".contains($0) }) {
        forage.reporter.warning(
          "\(qualifier.name):\(text) is compared as text, not as a regular expression",
          "use * and ?, for example \(example)")
      }
      guard qualifier.name == "path", let path = forage.writtenPath(text), canName(path),
        let real = FileAccess.realPath(path), let root = CloneProbe.root(above: real)
      else { continue }
      let below = String(real.dropFirst(root.count + 1))
      let condition = below.isEmpty ? "" : " \(QueryExpression.qualifier(Qualifier("path", .text(below))))"
      let isHere = FileAccess.realPath(".").flatMap { CloneProbe.root(above: $0) } == root
      forage.reporter.warning(
        "path: is a part of the path in a repository, and not \(text) on this disk",
        isHere
          ? "write repo:.\(condition)" : "name the clone, and the path in it: repo:owner/name\(condition)")
    }
  }
}
