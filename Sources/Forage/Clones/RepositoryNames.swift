import ForageCore
import ForageLocal
import ForageStore

/// Learns from answers which repositories have other names on their forges now, so that a clone stays one of its
/// repository after a rename or a move. A catalogue that cannot be written stays as it is.
struct RepositoryNames: Sendable {
  private let forage: Forage

  init(_ forage: Forage) { self.forage = forage }

  /// Learns from the answer of a forge about one repository.
  ///
  /// - Parameter id: The canonical id that was asked for.
  /// - Returns: Whether anything was not known.
  @discardableResult
  func learn(_ answer: SearchResult, asked id: String) -> Bool {
    guard let name = Self.name(answer, asked: id) else { return false }
    guard name.isRenamed else {
      // Under a former name there is another repository now, unless the answer is older than the new name.
      let known = (try? forage.store.existing()?.clones(ofEntity: id))?.first?.forgeID
      return known != nil && answer.forgeID != nil && known != answer.forgeID && learn([name])
    }
    return learn([name])
  }

  /// Learns from the results of a search: one with the forge's id of a clone under another name is its repository.
  /// The forge's ids of the others are kept for later.
  ///
  /// - Parameter clones: The clones of the results, by id.
  /// - Returns: Whether anything was not known.
  func learn(_ results: [SearchResult], _ clones: [String: [CloneRecord]], in store: Store) throws(StoreError)
    -> Bool
  {
    let told = results.filter { $0.kind == .repo && $0.forgeID != nil }
    guard !told.isEmpty else { return false }
    let former = try store.formerNames()
    let known = Dictionary(
      try store.clones(ofForgeIDs: told.compactMap(\.forgeID)).map { ($0.forgeID, $0) },
      uniquingKeysWith: { first, _ in first })
    var (names, ids) = ([RepositoryName](), [String: String]())
    for result in told {
      if let id = known[result.forgeID]?.entityID {
        // An index of a forge may have the former name for a while.
        if id != result.id, former[result.id] == nil {
          names += [Self.name(result, asked: id)].compactMap(\.self)
        }
      } else if let found = clones[result.id]?.first {
        if found.forgeID == nil, found.entityID == result.id { ids[result.id] = result.forgeID }
        // Another repository has the former name of this one now.
        if found.forgeID != nil, former[result.id] != nil {
          names += [Self.name(result, asked: result.id)].compactMap(\.self)
        }
      }
    }
    do throws(StoreError) {
      try store.recordForgeIDs(ids)
    } catch {
      forage.reporter.trace?("ids of clones were not recorded: " + error.message)
    }
    return learn(names)
  }

  /// The name that a repository has according to the last address that git was redirected to.
  ///
  /// - Parameters:
  ///   - addresses: The addresses.
  ///   - id: The canonical id of the repository at the address that git was given.
  /// - Returns: `nil` for the same name, and for one on another host.
  func name(at addresses: [String], asked id: String) -> RepositoryName? {
    guard let address = addresses.last, let identity = CloneIdentity(address, forage.remoteHosts),
      let host = RepositoryIdentity.components(identity.id)?.host
    else { return nil }
    return RepositoryName(formerID: id, name: "\(host)/\(identity.title)").flatMap(Self.checked)
  }

  /// Records names.
  ///
  /// - Returns: Whether anything was not known.
  @discardableResult
  func learn(_ names: [RepositoryName]) -> Bool {
    guard !names.isEmpty else { return false }
    do throws(StoreError) {
      return try forage.store.existing()?.learn(names, waits: false) ?? false
    } catch {
      forage.reporter.trace?("names of repositories were not recorded: " + error.message)
      return false
    }
  }

  /// The name of a result, with letters as its forge writes them.
  static func name(_ result: SearchResult, asked id: String) -> RepositoryName? {
    let (title, whole) = (result.title, result.id)
    let isWritten = whole.lowercased().hasSuffix("/" + title.lowercased())
    return RepositoryName(formerID: id, name: isWritten ? whole.dropLast(title.count) + title : whole)
      .flatMap(checked)
  }

  /// A name on the host of the former one.
  private static func checked(_ name: RepositoryName) -> RepositoryName? {
    func host(_ id: String) -> Substring { id.prefix { $0 != "/" } }
    return host(name.id) == host(name.formerID) ? name : nil
  }
}
