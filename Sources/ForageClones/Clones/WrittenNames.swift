import ForageCore
import ForageLocal
package import ForageSetup
import ForageStore

extension Forage {
  /// Repositories with owner and name as their forges wrote them in earlier answers, else as the remotes of
  /// their clones do, by id: identity ignores case.
  ///
  /// - Returns: None of which neither is known, nor of a host where the case is part of the name.
  package func writtenNames(of ids: Set<String>) -> [String: String] {
    let ids = ids.filter { id in
      RepositoryIdentity.components(id).map { RepositoryIdentity.ignoresCase($0.host) } ?? false
    }
    guard !ids.isEmpty else { return [:] }
    let told = knownRepositories.facts(of: ids).mapValues(\.name)
    let rest = ids.subtracting(told.keys)
    let clones = rest.isEmpty ? [:] : (try? store.existing()?.clones(ofEntities: rest.sorted())) ?? [:]
    return told.merging(clones.compactMapValues { $0.first?.entityName }) { told, _ in told }
      .filter { id, name in name.lowercased() == id }
  }

  /// A repository with owner and name as they are written; its id where that is not known. Of a host where
  /// the case is part of the name it is that of its clone, where one repository alone has it in any case.
  package func writtenName(of id: String) -> String {
    if let name = writtenNames(of: [id])[id] { return name }
    guard let host = RepositoryIdentity.components(id)?.host, !RepositoryIdentity.ignoresCase(host) else {
      return id
    }
    let ids = (try? store.existing()?.entities(inAnyCase: id)) ?? []
    return ids.count == 1 ? ids[0] : id
  }
}
