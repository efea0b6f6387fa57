import ForageCore
import ForageHTTP
import ForageManifest

/// A forge that a manifest describes, with its token.
struct ManifestForgeUse: Sendable {
  let provider: ManifestForgeProvider
  /// The host of its entities.
  let host: String
  /// The variable that the settings name for the secret; `nil` for none.
  let variable: String?
  /// The secret, from that variable; one of git's credential helpers is known only when they are asked.
  let token: ForgeToken?
}

/// Where the token of a forge of a bundled manifest can be, besides in the settings.
struct BundledForge: Sendable {
  /// The variables that programs of a service's own read: of its token, and of the host that the token is for.
  struct Variable: Sendable {
    let name: String
    let host: String
  }

  /// The secret of the manifest that it takes the place of.
  static let secret = "token"

  let variable: Variable?
  /// How the API takes what git's credential helpers know.
  ///
  /// GitLab takes each kind of token that can stand for a password as a bearer token. Gitea and Bitbucket take what clones over HTTPS.
  let helper: HelperCredential.Way

  /// By the id of the bundled manifest.
  static let all = [
    "gitlab": BundledForge(variable: Variable(name: "GITLAB_TOKEN", host: "GITLAB_HOST"), helper: .bearer),
    "codeberg": BundledForge(variable: nil, helper: .basic),
    "bitbucket": BundledForge(variable: nil, helper: .basic),
  ]
}

/// The forges that manifests describe.
extension Forage {
  /// The forges of manifests that have the entities of a host, enabled or not, in the order in which they are
  /// meant; one whose settings are wrong fails with the reason.
  func manifestForges(at host: String, _ requestOptions: RequestOptions) -> [any ForgeProvider] {
    guard let settings = try? settings() else { return [] }
    return forges(at: host, among: manifestForges(settings, requestOptions), settings)
  }

  /// The forge of a host besides those of the settings, for the addresses of its pages.
  func forgeWithPages(at host: String) -> (any ForgeProvider)? {
    guard let settings = try? settings() else { return nil }
    let known = configuration.forgesWithPages.withLock { $0 }
    let forges = known ?? addedForges + manifestForges(settings)
    if known == nil { configuration.forgesWithPages.withLock { $0 = forges } }
    return self.forges(at: host, among: forges, settings).first
  }

  /// The forges of all manifests, enabled or not.
  private func manifestForges(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions())
    -> [any ForgeProvider]
  {
    var all = requestOptions
    (all.named, all.everything) = ([], true)
    return externalProviders(settings, all).compactMap { $0 as? any ForgeProvider }
  }

  private func forges(
    at host: String, among forges: [any ForgeProvider], _ settings: Settings
  ) -> [any ForgeProvider] {
    let found = forges.filter { $0.info.hosts.contains(host) }
    // One that the user has set up comes before one of the installation, and one with a secret before any other.
    let own = found.filter { settings.providers[$0.info.id] != nil }
    return own.filter { !settings.entry(of: $0.info.id).secrets.isEmpty } + own + found
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

  /// The server of a bundled manifest whose token can be elsewhere than in the settings.
  private func server(of manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource) -> HTTPURL?
  {
    guard case .bundled = source,
      let server = (entry.config["url"]?.string ?? manifest.base).flatMap(HTTPURL.init),
      server.scheme == "https" || server.isLoopback
    else { return nil }
    return server
  }

  /// The usual variable of the secret of a bundled manifest, which a program of the service's own uses, too; `nil` for another host than
  /// that of the program.
  func usualVariable(of manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource)
    -> String?
  {
    guard let usual = BundledForge.all[manifest.id]?.variable, environment[usual.name]?.isEmpty == false,
      let server = server(of: manifest, entry, source)
    else { return nil }
    let given = environment[usual.host].flatMap { $0.isEmpty ? nil : $0 }
    let meant =
      given.map { HTTPURL($0)?.authority ?? $0.lowercased() }
      ?? manifest.base.flatMap(HTTPURL.init)?.authority
    return meant == server.authority ? usual.name : nil
  }

  /// Git's credential helpers for the server of a bundled manifest, where the settings name no secret.
  func helper(of manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource)
    -> HelperCredential?
  {
    guard let way = BundledForge.all[manifest.id]?.helper, entry.secrets.isEmpty,
      let server = server(of: manifest, entry, source)
    else { return nil }
    let host = entry.config["url"] == nil ? manifest.site ?? server.authority : server.authority
    return HelperCredential(way) { [credentials] in
      let finding = await credentials.helperToken(server.scheme, host)
      return finding.token.map { (finding.user ?? "", $0.secret) }
    } refuse: { [credentials] in
      await credentials.finder.refuse(host)
    }
  }

  /// The token of a forge: the settings' or, where they name none, that of git's credential helpers.
  func finding(of forge: ManifestForgeUse) async -> TokenFinder.Finding {
    if forge.token == nil, forge.provider.asksHelpers, let server = HTTPURL(forge.api) {
      return await credentials.helperToken(server.scheme, forge.host)
    }
    var finding = TokenFinder.Finding()
    (finding.token, finding.tried) = (forge.token, [forge.variable].compactMap(\.self))
    return finding
  }

  /// Tests the token of a forge; what git's credential helpers know and the forge refuses is no token.
  func check(_ finding: inout TokenFinder.Finding, of forge: ManifestForgeUse) async -> TokenCheck? {
    guard let token = finding.token else { return nil }
    let result = await RequestOwner.$tested.withValue(forge.variable) {
      await TokenCheck.run(forge.provider, token: token)
    }
    if forge.token == nil {
      finding = await self.finding(of: forge)
      if finding.token == nil { return nil }
    }
    return result
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
