package import ForageCore
import ForageHTTP
package import ForageSetup
import ForageStore

/// Marks what the account of the token has starred, as far as it is known from earlier answers; sends
/// nothing.
package struct StarMarks: Sendable {
  private let forage: Forage
  private let stars: KnownStars

  package init(_ forage: Forage) {
    self.forage = forage
    stars = KnownStars(folder: forage.paths.starsFolder)
  }

  /// Finds the tokens of this run, for a command that sends no request; asks programs only where stars are
  /// known.
  package func findAccounts() async {
    guard stars.isThere else { return }
    for credential in forage.knownCredentials
    where !forage.isDisabled(credential.id) && stars.hasAccounts(namedFrom: credential.host + ".") {
      _ = await forage.token(of: credential)
    }
  }

  /// Sets `starred` of the repositories of which it is known.
  package func mark(_ results: inout [SearchResult]) {
    let unknown = results.filter { $0.kind == .repo && $0[.starred] == nil }
    guard !unknown.isEmpty else { return }
    var known: [String: Bool] = [:]
    for (account, ids) in Self.byAccount(unknown.map(\.id), accounts()) {
      known.merge(stars.stars(of: account, among: Set(ids))) { _, new in new }
    }
    for index in results.indices where results[index].kind == .repo && results[index][.starred] == nil {
      results[index].set(.starred, known[results[index].id])
    }
  }

  /// The ids that the accounts of this run have starred, as far as they are known.
  package func starred() -> [String] {
    Set(accounts().values).sorted().flatMap { stars.starred(by: $0) }
  }

  /// Records which repositories are starred and which are not.
  ///
  /// - Parameter providers: The ids of the forges of which they are every star of the account.
  package func record(_ known: [String: Bool], everyOf providers: [String] = []) {
    var found = Self.byAccount(Array(known.keys), accounts())
    // An empty list names no repository, and so no host.
    let whole = providers.isEmpty ? [] : Set(accounts(of: providers).values)
    for account in whole { found[account, default: []] += [] }
    for (account, ids) in found {
      stars.record(known.filter { ids.contains($0.key) }, of: account, isEvery: whole.contains(account))
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

  /// The account of the token for each host of entities: that which this run has used, else that of a
  /// variable.
  ///
  /// - Parameter providers: The ids of the forges that are meant; `nil` for all.
  private func accounts(of providers: [String]? = nil) -> [String: String] {
    let usedNow = forage.credentials.accounts.withLock { $0 }
    var accounts: [String: String] = [:]
    // Which of several accounts has given a star is not known.
    for credential in forage.knownCredentials
    where !credential.isOneOfSeveral && providers?.contains(credential.id) != false {
      let fingerprint = usedNow[credential.host] ?? credential.fingerprintInVariables ?? ""
      guard !fingerprint.isEmpty else { continue }
      for name in credential.entityHosts where accounts[name] == nil {
        accounts[name] = credential.host + "." + fingerprint
      }
    }
    return accounts
  }
}
