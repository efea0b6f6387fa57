package import ForageCore
import ForageHTTP
import ForageManifest

/// Which forge is asked: the one answer for every command. One that the settings disable is asked only where
/// the user names it by its id (`-p`).
extension Forage {
  /// Whether the settings say that a provider is not asked.
  package func isDisabled(_ id: String) -> Bool {
    let isNamed = configuration.named.get().all.contains(id)
    return !isNamed && (try? configuration.settings.get())?.providers[id]?.isEnabled == false
  }

  /// The provider of the forge that has the entities of a host: one of the settings, of the program that uses
  /// the library, or of a manifest.
  ///
  /// - Returns: `nil` where no forge has it that may be asked.
  package func forgeProvider(
    at host: String, _ requestOptions: RequestOptions = RequestOptions()
  ) -> (any ForgeProvider)? {
    func isAsked(_ id: String) -> Bool { requestOptions.named.contains(id) || !isDisabled(id) }
    if let forge = forges.first(where: { $0.hosts.contains(host) && isAsked($0.id) }) {
      return provider(of: forge, requestOptions)
    }
    return addedForges.first { $0.info.hosts.contains(host) && isAsked($0.info.id) }
      ?? manifestForges(at: host, requestOptions).first { isAsked($0.info.id) }
  }

  /// The disabled forge that has the entities of a host.
  private func disabledForge(at host: String) -> String? {
    forges.first { $0.hosts.contains(host) && isDisabled($0.id) }?.id
      ?? manifestForges(at: host, RequestOptions()).map(\.info.id).first(where: isDisabled)
  }

  /// Why the forge of a host is not asked; `nil` where the settings do not disable it, and where there is
  /// none.
  package func refusal(at host: String) -> ForageError? {
    guard forgeProvider(at: host) == nil, let disabled = disabledForge(at: host) else { return nil }
    return ForageError("\(disabled), the forge of \(host), is disabled", .enableForge(disabled))
  }

  /// Why no forge is asked for the entities of a host.
  package func noForge(at host: String) -> ForageError {
    refusal(at: host) ?? ForageError("\(host) is the host of no forge", .listProviders)
  }

  /// The provider of a forge that the user names, enabled or not.
  ///
  /// - Throws: `ForageError` for the id of a provider that is no forge.
  package func forgeProvider(called id: String, _ requestOptions: RequestOptions = RequestOptions()) throws
    -> any ForgeProvider
  {
    if let forge = forges.first(where: { $0.id == id }) { return provider(of: forge, requestOptions) }
    let settings = try settings()
    var named = requestOptions
    named.named = [id]
    let found = externalProviders(settings, named).first { $0.info.id == id }
    if let forge = found as? any ForgeProvider { return forge }
    let ids = forges.map(\.id) + enabledManifestForges(settings, requestOptions).map(\.info.id)
    throw ForageError(
      "no forge is called \"\(id)\"",
      hint: NearestName.hint(for: id, among: ids) ?? "there is: \(ids.joined(separator: ", "))")
  }

  /// Whether a provider is the forge of a host.
  package func isForge(_ id: String, at host: String) -> Bool {
    (try? forgeProvider(called: id))?.info.hosts.contains(host) ?? false
  }

  // MARK: Names without a host

  /// The forges that a name without a host may mean: the usual one, or all others in order where that is
  /// disabled.
  private func forgesOfBareNames(_ requestOptions: RequestOptions = RequestOptions()) throws
    -> [any ForgeProvider]
  {
    let settings = try settings()
    if let usual = forges.first, !isDisabled(usual.id) { return [provider(of: usual, requestOptions)] }
    let own = forges.dropFirst().filter { !isDisabled($0.id) }.map { provider(of: $0, requestOptions) }
    let others =
      own + addedForges.filter { !isDisabled($0.info.id) }
      + enabledManifestForges(settings, requestOptions)
    var ids: Set<String> = []
    return others.filter { ids.insert($0.info.id).inserted }
  }

  /// The hosts that a name without one may mean where the usual forge is disabled; `nil` where it is not.
  package var hostsOfBareNames: [String]? {
    guard let usual = forges.first, isDisabled(usual.id) else { return nil }
    return ((try? forgesOfBareNames()) ?? []).compactMap(\.info.hosts.first).unique
  }

  /// The host that a name without one means for git; `nil` where the usual forge is disabled and there are
  /// several others, or none.
  package var hostOfBareNames: String? {
    guard let others = hostsOfBareNames else { return bareHost }
    return others.count == 1 ? others[0] : nil
  }

  /// The hosts that a name with groups in it and without a host may mean: of every enabled forge whose names
  /// can have groups.
  package func hostsOfGroups() throws -> [String] {
    let added = addedForges.filter { !isDisabled($0.info.id) }.compactMap(\.info.hosts.first)
    let hosts = added + enabledManifestForges(try settings()).compactMap(\.info.hosts.first)
    return hosts.filter { !RepositoryIdentity.isTwoLevel($0) && !twoLevelHosts.contains($0) }.unique
  }

  /// The host that a name without one means: the usual one, or that of the only other forge where that is
  /// disabled.
  package var bareHost: String {
    if let known = configuration.bareHost.withLock({ $0 }) { return known }
    let others = hostsOfBareNames ?? []
    let host = others.count == 1 ? others[0] : forges.first?.hosts.first ?? BuiltInProvider.usualHost
    configuration.bareHost.withLock { $0 = host }
    return host
  }

  /// The id of a repository, of something in it or of an account, without the host that a name without one
  /// means.
  package func shortName(_ id: String) -> String { RepositoryIdentity.shortName(id, bareHost: bareHost) }

  /// The forge of an account that is named without one.
  ///
  /// - Throws: `ForageError` where several may be meant, and where every one is disabled.
  package func usualForge(_ requestOptions: RequestOptions = RequestOptions()) throws -> any ForgeProvider {
    let forges = try forgesOfBareNames(requestOptions)
    guard let first = forges.first else { throw ForageError("every forge is disabled", .enableProvider) }
    guard forges.count == 1 else {
      throw ForageError(
        "\(self.forges[0].id) is disabled, and which forge is meant is not known",
        hint: "add -p \(HumanFormat.alternatives(forges.map(\.info.id).sorted()))")
    }
    return first
  }

  // MARK: Stars

  /// Whether a forge has stars; only one that a manifest describes may have none.
  private func hasStars(_ forge: any ForgeProvider) -> Bool {
    (forge as? ManifestForgeProvider)?.hasStars ?? true
  }

  /// The hosts on which stars can be given: of the forges of the settings, of the program that uses the
  /// library, and of manifests that are enabled.
  private var starHosts: [String] {
    let own = forges.filter { !isDisabled($0.id) }.flatMap(\.hosts)
    let added = addedForges.filter { !isDisabled($0.info.id) && hasStars($0) }.flatMap(\.info.hosts)
    let manifests = (try? settings()).map { enabledManifestForges($0) } ?? []
    return (own + added + manifests.filter { hasStars($0) }.flatMap(\.info.hosts)).unique
  }

  /// Why nothing can be starred on a host whose forge has no stars, or that is none of a forge.
  private func noStars(on host: String) -> ForageError {
    let (message, hosts) = ("nothing can be starred on \(host)", starHosts)
    if !hosts.isEmpty {
      return ForageError(message, hint: "stars can be given on \(hosts.joined(separator: ", "))")
    }
    let disabled = forges.first { isDisabled($0.id) }?.id
    return ForageError(message, disabled.map(Remedy.enableForge) ?? .listProviders)
  }

  /// The forge of a host, on which repositories can be starred.
  ///
  /// - Throws: `ForageError` where no forge of the host may be asked, and where it has no stars.
  package func starForge(at host: String) throws(ForageError) -> any ForgeProvider {
    guard let forge = forgeProvider(at: host) else { throw refusal(at: host) ?? noStars(on: host) }
    guard hasStars(forge) else { throw noStars(on: host) }
    return forge
  }

  /// The forge that the user names for its stars; without an id, the usual one.
  ///
  /// - Throws: `ForageError` as ``forgeProvider(called:_:)`` and ``usualForge(_:)``, and where it has no
  ///   stars.
  package func starForge(called id: String?, _ requestOptions: RequestOptions) throws -> any ForgeProvider {
    let forge = try id.map { try forgeProvider(called: $0, requestOptions) } ?? usualForge(requestOptions)
    guard hasStars(forge) else { throw noStars(on: forge.info.hosts.first ?? forge.info.id) }
    return forge
  }

  /// The forges whose stars are known to be somebody's: those with a token; without any token, the usual one.
  ///
  /// - Parameter id: The id of the only one that is meant; `nil` for all.
  /// - Throws: `ForageError` as ``starForge(called:_:)``.
  package func starredForges(
    _ id: String?, _ settings: Settings, _ requestOptions: RequestOptions
  ) async throws -> [any ForgeProvider] {
    if let id { return [try starForge(called: id, requestOptions)] }
    var found: [any ForgeProvider] = []
    let all =
      forges.flatMap { credentials(of: $0, requestOptions) } + manifestCredentials(settings, requestOptions)
    for credential in all where !isDisabled(credential.id) {
      let forge = credential.provider()
      guard hasStars(forge), !found.contains(where: { $0.info.id == credential.id }),
        await token(of: credential) != nil
      else { continue }
      found.append(forge)
    }
    return found.isEmpty ? [try starForge(called: nil, requestOptions)] : found
  }
}

extension Configuration {
  /// The types of servers without groups in groups.
  private static let twoLevelTypes: Set<String> = ["codeberg", "forgejo", "gitea"]

  /// The hosts of servers of these types.
  var twoLevelServers: [String] {
    ((try? settings.get())?.providers ?? [:]).compactMap { id, entry in
      guard Self.twoLevelTypes.contains(entry.type ?? id) else { return nil }
      return entry.config["url"]?.string.flatMap(HTTPURL.init)?.authority
    }
  }
}

extension [String] {
  /// The strings, each once, in their order.
  package var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
