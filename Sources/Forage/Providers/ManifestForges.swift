package import ForageCore
import ForageHTTP
import ForageManifest

/// A forge that a manifest describes, with its token.
struct ManifestForgeUse: Sendable {
  let provider: ManifestForgeProvider
  /// The host of its entities.
  let host: String
  /// The variable that the settings name for the secret; `nil` for none.
  let variable: String?
  /// The secret, from that variable.
  let token: ForgeToken?
}

/// The variables that programs of a service's own read: of its token, and of the host that the token is for.
struct UsualSecret: Sendable {
  let secret: String
  let variable: String
  let hostVariable: String

  /// By the id of the bundled manifest.
  static let all = [
    "gitlab": UsualSecret(secret: "token", variable: "GITLAB_TOKEN", hostVariable: "GITLAB_HOST")
  ]

  func variable(of name: String) -> String? { name == secret ? variable : nil }
}

/// The forges that manifests describe.
extension Forage {
  /// The forge of a manifest that has the entities of a host, enabled or not; where its settings are wrong, one that fails with the reason.
  func manifestForge(at host: String, _ requestOptions: RequestOptions = RequestOptions())
    -> (any ForgeProvider)?
  {
    guard let settings = try? settings() else { return nil }
    var all = requestOptions
    (all.named, all.everything) = ([], true)
    let found = externalProviders(settings, all).compactMap { $0 as? any ForgeProvider }.filter {
      $0.info.hosts.contains(host)
    }
    // One that the user has set up comes before one of the installation, and one with a secret before any other.
    let own = found.filter { settings.providers[$0.info.id] != nil }
    return own.first { !settings.entry(of: $0.info.id).secrets.isEmpty } ?? own.first ?? found.first
  }

  /// The forges of manifests that are enabled, in the order of providers.
  func enabledManifestForges(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions())
    -> [ManifestForgeUse]
  {
    var enabled = requestOptions
    (enabled.named, enabled.everything) = ([], false)
    return externalProviders(settings, enabled).flatMap { provider -> [ManifestForgeUse] in
      guard let provider = provider as? ManifestForgeProvider, let host = provider.info.hosts.first else {
        return []
      }
      let entry = settings.entry(of: provider.info.id)
      let owned = provider.secretName.flatMap { entry.ownedSecrets[$0] } ?? []
      let variables = owned.isEmpty ? [provider.secretVariable] : owned.map(\.name)
      return variables.map { variable in
        let secret = variable.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
        return ManifestForgeUse(
          provider: provider, host: host, variable: variable,
          token: secret.map { ForgeToken(secret: $0, source: variable ?? "") })
      }
    }
  }

  /// The usual variable of the secret of a bundled manifest, which a program of the service's own uses, too; `nil` for another host than
  /// that of the program.
  func usualSecret(of manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource)
    -> UsualSecret?
  {
    guard case .bundled = source, let usual = UsualSecret.all[manifest.id],
      environment[usual.variable]?.isEmpty == false,
      let server = (entry.config["url"]?.string ?? manifest.base).flatMap(HTTPURL.init),
      server.scheme == "https" || server.isLoopback
    else { return nil }
    let given = environment[usual.hostVariable].flatMap { $0.isEmpty ? nil : $0 }
    let meant =
      given.map { HTTPURL($0)?.authority ?? $0.lowercased() }
      ?? manifest.base.flatMap(HTTPURL.init)?.authority
    return meant == server.authority ? usual : nil
  }

  /// The provider of a forge, enabled or not.
  ///
  /// - Throws: `ForageError` for the id of a provider that is no forge.
  func forgeProvider(called id: String, _ requestOptions: RequestOptions = RequestOptions()) throws
    -> any ForgeProvider
  {
    if let forge = forges.first(where: { $0.id == id }) { return provider(of: forge, requestOptions) }
    let settings = try settings()
    var named = requestOptions
    named.named = [id]
    let found = externalProviders(settings, named).first { $0.info.id == id }
    if let forge = found as? any ForgeProvider { return forge }
    let ids = forges.map(\.id) + enabledManifestForges(settings, requestOptions).map(\.id)
    throw ForageError(
      "no forge is called \"\(id)\"",
      hint: NearestName.hint(for: id, among: ids) ?? "there is: \(ids.joined(separator: ", "))")
  }

  /// The forges whose stars are known to be somebody's: those with a token.
  ///
  /// - Parameter id: The id of the only one that is meant; `nil` for all.
  /// - Throws: `ForageError` for the id of a provider without stars.
  package func starredForges(_ id: String?, _ settings: Settings, _ requestOptions: RequestOptions)
    async throws
    -> [any ForgeProvider]
  {
    if let id { return [try forgeProvider(called: id, requestOptions)] }
    let manifests = enabledManifestForges(settings, requestOptions)
    var known: Set<String> = []
    let others = manifests.filter {
      $0.token != nil && $0.provider.listsStars && known.insert($0.id).inserted
    }.map {
      $0.provider as any ForgeProvider
    }
    guard let main = forges.first else { return others }
    if !others.isEmpty, settings.providers[main.id]?.isEnabled == false { return others }
    if !others.isEmpty, let address = try? main.address.get(),
      await credentials.token(at: address, variable: main.tokenVariable) == nil
    {
      return others
    }
    return [provider(of: main, requestOptions)] + others
  }
}

extension ManifestForgeUse {
  var id: String { provider.info.id }
  /// The address of the API.
  var api: String { provider.address }

  /// How to set the token.
  var hint: String {
    variable.map { "set \($0)" }
      ?? "set it in config.yaml: providers: {\(id): {secrets: {\(provider.secretName ?? "token"): {env: NAME}}}}"
  }
}
