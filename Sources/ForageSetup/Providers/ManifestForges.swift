import ForageCore
import ForageHTTP
import ForageManifest

/// Where the token of a forge of a bundled manifest can be, besides in the settings.
struct BundledForge: Sendable {
  /// The variables that programs of a service's own read: of its token, and of the host that the token is
  /// for.
  struct Variable: Sendable {
    let name: String
    let host: String
  }

  /// The secret of the manifest that it takes the place of.
  static let secret = "token"

  let variable: Variable?
  /// How the API takes what git's credential helpers know.
  ///
  /// GitLab takes each kind of token that can stand for a password as a bearer token. Gitea and Bitbucket
  /// take what clones over HTTPS.
  let helper: HelperCredential.Way

  /// By the id of the bundled manifest.
  static let all = [
    "gitlab": BundledForge(variable: Variable(name: "GITLAB_TOKEN", host: "GITLAB_HOST"), helper: .bearer),
    "codeberg": BundledForge(variable: nil, helper: .basic),
    "bitbucket": BundledForge(variable: nil, helper: .basic),
  ]

  /// The types of servers whose pages of repositories are not where git finds them, with the folder of the
  /// addresses for git.
  static let cloneFolders = ["bitbucket-server": "/scm"]
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
    // One that the user has set up comes before one of the installation, and one with a secret before any
    // other.
    let own = found.filter { settings.providers[$0.info.id] != nil }
    return own.filter { !settings.entry(of: $0.info.id).secrets.isEmpty } + own + found
  }

  /// The forges of manifests that are enabled, in the order of providers.
  func enabledManifestForges(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions())
    -> [ManifestForgeProvider]
  {
    var enabled = requestOptions
    (enabled.named, enabled.everything) = ([], false)
    return externalProviders(settings, enabled).compactMap { $0 as? ManifestForgeProvider }
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

  /// The usual variable of the secret of a bundled manifest, which a program of the service's own uses, too;
  /// `nil` for another host than that of the program.
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
}
