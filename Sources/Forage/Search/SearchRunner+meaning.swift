package import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForagePlatform
import ForageStore

/// What a query and options name by the folder that one stands in, or by a name without an owner.
extension SearchRunner {
  /// A qualifier `repo:` as forges are asked for it: with the names of repositories for `.`, other paths of
  /// clones, and `NAME`.
  ///
  /// - Throws: `ForageError` for a path outside of a clone, or of the catalogue where only that may be seen.
  func naming(_ qualifier: Qualifier) throws -> Qualifier {
    let texts = qualifier.value.texts
    let found = try texts.map(repository(meantBy:)).unique
    guard let first = found.first, found != texts else { return qualifier }
    var named = Qualifier(qualifier.name, found.count == 1 ? .text(first) : .list(found))
    named.written = qualifier.value
    return named
  }

  /// Whether nothing but clones is searched, so that a name is no forge's.
  package var searchesOnlyClones: Bool {
    choice.registry.ids == [BuiltInProvider.clonesID] && !options.onlyFavorites
  }

  /// The name that a text of `repo:` means; of a folder above clones, which is no repository, its path.
  private func repository(meantBy text: String) throws -> String {
    let path = forage.writtenPath(text)
    if let path, let folder = folderOfClones(path) { return folder }
    if let path, !canName(path) {
      throw ForageError("repo:\(text) is not a clone of the catalogue", .listCatalogue)
    }
    // Three names can be a repository with its host, too.
    let isFolder =
      text[...].slashSeparated().count > 2 && ReferencePath.isInClone(absolute(text)) && canName(text)
    if let place = path ?? (isFolder ? text : nil) { return try clone(at: place).name }
    let known = repositories(named: text)
    return known.count == 1 ? known[0] : nameNow(of: text) ?? text
  }

  /// The folder at a path where it stands for the clones below it, and clones are searched; `nil` for any
  /// other path.
  private func folderOfClones(_ path: String) -> String? {
    guard choice.registry[BuiltInProvider.clonesID] != nil else { return nil }
    let meaning = try? cloneNames().meaning(of: path, in: nil)
    return meaning?.group == .folder ? FileAccess.realPath(absolute(path)) : nil
  }

  /// The names of clones, for paths from the folder in which the query was written.
  private func cloneNames() throws -> CloneNames { try forage.cloneNames(from: options.folder) }

  /// A query with the clones of the catalogue that each `repo:` means.
  func findingClones(_ query: QueryExpression) -> QueryExpression {
    guard query.qualifiers.contains(where: { $0.name == "repo" }), let names = try? cloneNames() else {
      return query
    }
    return query.replacingQualifiers { qualifier in
      var qualifier = qualifier
      if qualifier.name == "repo" {
        let texts = (qualifier.written ?? qualifier.value).texts
        qualifier.clones = Set(texts.flatMap { clones(meantBy: $0, names) }.map { ExactText($0.path) })
      }
      return .qualifier(qualifier)
    }
  }

  /// The clones of the catalogue that a text of `repo:` means: by what was written, or else by the name of
  /// the repository, as where one stands in a clone that the catalogue does not have.
  private func clones(meantBy text: String, _ names: CloneNames) -> [CloneRecord] {
    func found(_ text: String) -> [CloneRecord] {
      // A folder in a clone can have the name of a repository. A query is kept for longer than a list, so
      // that a number is a name.
      let isPath = forage.writtenPath(text) != nil
      return (try? names.meaning(of: text, in: nil, takesFoldersWithin: isPath))?.clones ?? names.named(text)
    }
    let written = found(text)
    guard written.isEmpty, let name = try? repository(meantBy: text), name != text else { return written }
    return found(name)
  }

  /// Whether the catalogue has clones that a text of `repo:` means.
  package func hasClones(named text: String) -> Bool {
    (try? cloneNames()).map { !clones(meantBy: text, $0).isEmpty } ?? false
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
  /// - Parameters:
  ///   - isLocal: Whether only clones were searched, so that names are those of clones.
  ///   - decidesAll: Whether only those count because of which nothing can be found.
  package func unknownNames(in query: Query?, isLocal: Bool, decidesAll: Bool = false) -> [String] {
    let root = query?.root
    let conditions =
      decidesAll
      ? root?.conjuncts ?? [] : (root?.leaves ?? []).filter { !$0.isNegated }.map(\.expression)
    var found: [String] = []
    for case .qualifier(let qualifier) in conditions {
      let texts = qualifier.value.texts
      switch qualifier.name {
      case "repo" where isLocal:
        let unknown = hasClone(qualifier) && texts.count == 1 ? [] : texts.filter { !hasClone(named: $0) }
        guard !decidesAll || unknown.count == texts.count else { continue }
        found += unknown.map { "no clone is named \($0)" }
      case "language":
        guard case .text(let text) = qualifier.value, LanguageTable.shared.languageName(text) == nil
        else { continue }
        let names = LanguageTable.shared.languageNames
        let meant = NearestName.hint(for: text, among: names) { $0.lowercased() }
        found.append("\(text) is not a known language" + (meant.map { "; " + $0 } ?? ""))
      default: break
      }
    }
    return found
  }

  /// Whether there is a clone that `repo:` means: in the catalogue, or the one that one stands in.
  func hasClone(_ repo: Qualifier) -> Bool {
    repo.clones?.isEmpty == false || repo.value.texts.contains(where: hasClone(named:))
  }

  private func hasClone(named text: String) -> Bool {
    if hasClones(named: text) { return true }
    let here = try? clone(at: ".")
    return [here?.id, here?.name].contains { $0?.lowercased() == text.lowercased() }
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
