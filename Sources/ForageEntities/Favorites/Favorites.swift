import ForageClones
package import ForageCore
package import ForageFoundation
import ForageLocal
import ForagePlatform
package import ForageSetup
package import ForageStore

package struct Favorites: Sendable {
  private let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// All, the newest first, as results.
  package func list() throws -> [SearchResult] {
    var items = spelled(try forage.store.existing()?.favorites() ?? []).map(\.result)
    let names = forage.writtenNames(of: Set(items.compactMap(\.repositoryID)))
    for index in items.indices {
      // One that was added by its name has that of its repository as it was typed.
      guard let id = items[index].repositoryID, items[index][.repository] == .text(id) else { continue }
      items[index].set(.repository, names[id] ?? id)
    }
    return items
  }

  /// The favorites with the names of repositories as they are written, as far as that is known.
  private func spelled(_ favorites: [Favorite]) -> [Favorite] {
    let known = forage.writtenNames(of: Set(favorites.map(\.id)))
    return favorites.map { favorite in
      guard let name = known[favorite.id],
        name.lowercased().hasSuffix("/" + favorite.title.lowercased())
      else { return favorite }
      var favorite = favorite
      favorite.title = String(name.suffix(favorite.title.count))
      return favorite
    }
  }

  package func ids() throws -> Set<String> { try forage.store.existing()?.favoriteIDs() ?? [] }

  /// The ids of favorites with their names as messages have them, in the spelling of the forge.
  package func names(of ids: [String]) throws -> [String: String] {
    let favorites = try forage.store.existing()?.favorites(of: ids).values.map(\.self) ?? []
    return Dictionary(
      spelled(favorites).map { ($0.id, forage.shortName($0.spelledID)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Adds one.
  ///
  /// - Returns: Whether it is new, whether more is known of it than its name, and the name as messages have
  ///   it, in the spelling of the forge.
  @discardableResult
  package func add(_ reference: ResolvedReference) throws -> (isNew: Bool, hasFacts: Bool, name: String) {
    let end = forage.reporter.waitsFor(StoreAccess.name)
    defer { end() }
    let store = try forage.store.writable()
    func favorite(_ id: String) throws -> Favorite? { try store.favorites(of: [id])[id] }
    var known = try favorite(reference.id)
    var reference = reference
    if known == nil, reference.kind == .repo, reference.result?.isReportedByForge != true {
      // The catalogue knows more of a clone than its name, and how its owner and name are written.
      let names = try forage.cloneNames()
      let clone = reference.isLocal ? names.at(reference.id) : names.clones(ofID: reference.id).first
      if reference.entity != nil, let id = clone?.entityID, id != reference.id {
        reference.entity = EntityReference(repository: id)
        known = try favorite(id)
      }
      reference.result = clone?.result(forage.remoteHosts) ?? reference.result
    }
    let favorite = spelled([Favorite(reference, known: known, now: forage.now)])[0]
    return (try store.addFavorite(favorite), favorite.facts != nil, forage.shortName(favorite.spelledID))
  }

  /// Removes one by its id; where there is none with it, the one whose id differs in its case alone.
  ///
  /// - Returns: Whether it was one.
  @discardableResult
  package func remove(_ id: String) throws -> Bool {
    let end = forage.reporter.waitsFor(StoreAccess.name)
    defer { end() }
    guard !forage.store.isMissing else { return false }
    let store = try forage.store.writable()
    if try store.removeFavorite(id) { return true }
    let others = try store.favoriteIDs().filter { $0.lowercased() == id.lowercased() }
    guard let other = others.first, others.count == 1, !id.hasPrefix("/") else { return false }
    return try store.removeFavorite(other)
  }
}

extension Favorite {
  /// What is only true of a machine or an account, and not of the entity. The path of a file is one in its
  /// repository.
  private static func omitted(_ kind: ResultKind) -> Set<ResultField> {
    kind == .code ? [.starredAt] : [.path, .starredAt]
  }

  /// A favorite for what a command line names.
  ///
  /// - Parameters:
  ///   - known: The favorite as it is in the store, where it is one already.
  ///   - now: When it is added.
  package init(_ reference: ResolvedReference, known: Favorite?, now: Date) {
    self.init(
      id: reference.id, kind: reference.kind.rawValue, title: reference.title, url: reference.url,
      addedAt: now)
    if let known { self = known }
    guard let result = reference.result else { return }
    if let updated = refreshed(by: result) {
      self = updated
    } else if known == nil {
      var result = result
      result.set("line", result.firstLine?.value)
      facts = Self.text(ResultFacts.tree(result, without: Self.omitted(result.kind)))
    }
  }

  /// The id, with the name as the title spells it: identity ignores case.
  package var spelledID: String {
    let end = title.lowercased()
    return id.hasSuffix(end) ? String(id.dropLast(end.count)) + title : id
  }

  /// The favorite as a result of a list.
  package var result: SearchResult {
    var item = SearchResult(id: id, kind: ResultKind(rawValue: kind), title: title, url: url)
    if let facts, let tree = try? JSONTree(parsing: Array(facts.utf8)) { ResultFacts.add(tree, to: &item) }
    if id.hasPrefix("/"), item.kind == .repo { item.set(.path, id) }
    addNames(to: &item)
    item.set(.favorite, true)
    item.set(.addedAt, addedAt)
    return item
  }

  /// Adds what the id itself says, for a favorite of which no more is known yet, and the names of a
  /// repository as the title spells them.
  private func addNames(to item: inout SearchResult) {
    guard let entity = EntityReference(id, defaultHost: "") else { return }
    if item[.host] == nil { item.set(.host, entity.host) }
    if entity.subject != .repository, item[.repository] == nil {
      item.set(.repository, entity.repositoryID.map { RepositoryIdentity.spelled($0, as: url ?? "") })
    }
    switch entity.subject {
    case .repository where item[.name] == nil || id.hasSuffix("/" + title.lowercased()):
      // The title has the spelling of the forge; the id has none, and a clone that of its address.
      let names = title.split(separator: "/")
      guard names.count > 1 else { return }
      item.set(.owner, names.dropLast().joined(separator: "/"))
      item.set(.name, String(names[names.count - 1]))
    case .issue(let number) where item[.number] == nil,
      .mergeRequest(let number) where item[.number] == nil:
      item.set(.number, number)
    case .commit(let sha) where item[.sha] == nil: item.set(.sha, sha)
    default: break
    }
  }

  /// The favorite with what a list or a page shows of it now, `nil` when nothing has changed.
  ///
  /// Only a forge knows how a name is written and how many stars there are: a clone changes nothing.
  package func refreshed(by result: SearchResult) -> Favorite? {
    guard result.isReportedByForge else { return nil }
    let old = facts.flatMap { try? JSONTree(parsing: Array($0.utf8)) }?.object ?? [:]
    let new = ResultFacts.tree(result, without: Self.omitted(result.kind)).object ?? [:]
    var favorite = self
    favorite.title = result.title
    favorite.url = result.url ?? url
    favorite.facts = Self.text(.object(old.merging(new) { _, new in new }))
    return favorite == self ? nil : favorite
  }

  private static func text(_ tree: JSONTree) -> String {
    String(decoding: tree.encoded(), as: UTF8.self)
  }
}
