package import ForageCore
import ForageGitHub
import ForageStore

/// Marks what the account of the token has starred, as far as it is known from earlier answers; sends nothing.
package struct StarMarks: Sendable {
  private let services: Services
  private let stars: KnownStars

  package init(_ services: Services) {
    self.services = services
    stars = KnownStars(folder: services.directories.cacheFolder + "/stars")
  }

  /// Finds the tokens of this run, for a command that sends no request; asks programs only where stars are known.
  package func findAccounts() async {
    guard stars.isThere else { return }
    for instance in services.instances {
      guard let host = try? instance.host.get(), stars.hasAccounts(namedFrom: host.credentialHost + ".")
      else {
        continue
      }
      let token = await services.tokenFinder.find(host, variable: instance.tokenVariable).token
      let fingerprint = token?.fingerprint ?? ""
      services.accounts.withLock { $0[host.credentialHost] = fingerprint }
    }
  }

  /// Sets `starred` of the repositories of which it is known.
  package func mark(_ results: inout [SearchResult]) {
    guard stars.isThere else { return }
    let unknown = results.filter { $0.kind == .repo && $0[.starred] == nil }
    guard !unknown.isEmpty else { return }
    var known: [String: Bool] = [:]
    for (account, ids) in Self.byAccount(unknown.map(\.id), accounts) {
      known.merge(stars.stars(of: account, among: Set(ids))) { _, new in new }
    }
    for index in results.indices where results[index].kind == .repo && results[index][.starred] == nil {
      results[index].set(.starred, known[results[index].id])
    }
  }

  /// Records which results of a run are starred.
  ///
  /// - Parameter isEvery: Whether they list every star of the account.
  package func record(_ results: [SearchResult], isEvery: Bool) {
    let known = Dictionary(
      results.filter { $0.kind == .repo }.compactMap { item in item[.starred]?.flag.map { (item.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    if !known.isEmpty || isEvery { record(known, isEvery: isEvery) }
  }

  /// Records which repositories are starred and which are not.
  package func record(_ known: [String: Bool], isEvery: Bool = false) {
    var found = Self.byAccount(Array(known.keys), accounts)
    if isEvery {
      // An empty list names no repository, and so no host.
      for (host, fingerprint) in services.accounts.withLock({ $0 }) where !fingerprint.isEmpty {
        found[host + "." + fingerprint, default: []] += []
      }
    }
    for (account, ids) in found {
      stars.record(known.filter { ids.contains($0.key) }, of: account, isEvery: isEvery)
    }
  }

  /// The ids of each account, by its name.
  private static func byAccount(_ ids: [String], _ accounts: [String: String]) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for id in ids {
      guard let account = accounts[String(id.prefix { $0 != "/" })] else { continue }
      found[account, default: []].append(id)
    }
    return found
  }

  /// The account of the token for each host of entities: that which this run has used, else that of a variable.
  private var accounts: [String: String] {
    let finder = services.tokenFinder
    var accounts: [String: String] = [:]
    for instance in services.instances {
      guard let host = try? instance.host.get() else { continue }
      let used = services.accounts.withLock { $0[host.credentialHost] }
      let fingerprint =
        used
        ?? finder.findVariable(host, instance.tokenVariable).token?.fingerprint
      guard let fingerprint, !fingerprint.isEmpty else { continue }
      for name in host.entityHosts where accounts[name] == nil {
        accounts[name] = host.credentialHost + "." + fingerprint
      }
    }
    return accounts
  }
}
