package import ForageCore
package import ForageHTTP
import ForageManifest

/// One token of a forge: where it can be, and what is found there. A forge has one, or one for each variable
/// that its settings name for the repositories of some owners.
package struct ForgeCredential: Sendable {
  package typealias Finding = TokenFinder.Finding

  /// The id of the forge.
  package let id: String
  /// The host that the token is for.
  package let host: String
  /// The address of the API.
  let api: String
  /// The hosts of the forge's entities.
  package let entityHosts: [String]
  /// The variable that the settings name; `nil` for the usual sources.
  package let variable: String?
  /// Whether the settings name several for this forge.
  package let isOneOfSeveral: Bool
  /// Makes the provider of the forge; where its settings are wrong, one that fails with the reason.
  package let provider: @Sendable () -> any ForgeProvider
  /// What variables hold, without asking a program.
  let inVariables: @Sendable () -> Finding
  /// Finds the token; programs that may know it are asked once in a run.
  let find: @Sendable () async -> Finding
  /// What to do about a source that is at fault; without one, how to provide a token.
  package let advice: @Sendable (TokenFinder.Skipped?) -> String

  /// What stands for the token that variables hold; `nil` where they hold none.
  package var fingerprintInVariables: String? { inVariables().token?.fingerprint }

  /// Finds the token and tests it. What git's credential helpers know and the forge refuses is none.
  ///
  /// - Returns: No test without a token.
  package func tested() async -> (finding: Finding, check: TokenCheck?) {
    let finding = await find()
    guard let token = finding.token else { return (finding, nil) }
    let check = await RequestOwner.$tested.withValue(variable) {
      await TokenCheck.run(provider(), token: token)
    }
    let accepted = await find()
    return (accepted, accepted.token == nil ? nil : check)
  }
}

extension Forage {
  /// The token of a forge; what is wrong with its sources is reported once.
  package func token(of credential: ForgeCredential) async -> ForgeToken? {
    let finding = await credential.find()
    for fault in finding.faults { reporter.warnOnce(fault.text, hint: credential.advice(fault)) }
    return finding.token
  }

  /// The tokens of a GitHub server; none where its address cannot be used.
  package func credentials(of forge: Forge, _ requestOptions: RequestOptions = RequestOptions())
    -> [ForgeCredential]
  {
    guard let address = try? forge.address.get() else { return [] }
    let (credentials, finder) = (credentials, credentials.finder)
    let withheld = forge.withheldVariable.flatMap { environment[$0]?.isEmpty == false ? $0 : nil }
    return forge.variables.map { variable in
      ForgeCredential(
        id: forge.id, host: address.host, api: address.api.text, entityHosts: address.entityHosts,
        variable: variable, isOneOfSeveral: !forge.ownedTokens.isEmpty,
        provider: { self.provider(of: forge, requestOptions) },
        inVariables: { finder.findVariable(address, variable) },
        find: {
          var finding = await credentials.finding(at: address, variable: variable)
          if let withheld, !finding.withheld.contains(withheld) { finding.withheld.append(withheld) }
          return finding
        },
        advice: { fault in
          if let fault { return finder.advice(on: fault, for: address, variable: variable) }
          return finder.hint(for: address, variable: variable) + self.usualHostOnly(address)
        })
    }
  }

  /// The tokens of a forge that a manifest describes.
  private func credentials(of forge: ManifestForgeProvider, _ settings: Settings) -> [ForgeCredential] {
    let id = forge.info.id
    guard let host = forge.info.hosts.first else { return [] }
    let name = forge.secretName ?? "token"
    let owned = settings.entry(of: id).ownedSecrets[name] ?? []
    return (owned.isEmpty ? [forge.secretVariable] : owned.map(\.name)).map { variable in
      var known = TokenFinder.Finding()
      known.tried = [variable].compactMap(\.self)
      if let variable, let secret = HeaderToken.usable(environment[variable]) {
        known.token = ForgeToken(secret: secret, source: variable)
      } else if let variable, environment[variable]?.contains(where: { !$0.isWhitespace }) == true {
        known.skipped.append(.init(source: variable, reason: HeaderToken.fault, isFault: true))
      }
      let server = known.token == nil && forge.asksHelpers ? HTTPURL(forge.address) : nil
      let hint =
        variable.map { "set \($0)" }
        ?? "set it in config.yaml: providers: {\(id): {secrets: {\(name): {env: NAME}}}}"
      return ForgeCredential(
        id: id, host: host, api: forge.address, entityHosts: [host], variable: variable,
        isOneOfSeveral: !owned.isEmpty, provider: { forge },
        inVariables: { [known] in known },
        find: { [credentials, known] in
          guard let server else { return known }
          return await credentials.helperToken(server.scheme, host)
        },
        advice: { fault in fault.map { HeaderToken.advice($0.source) } ?? hint })
    }
  }

  /// The tokens of the forges of manifests that are enabled.
  package func manifestCredentials(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions())
    -> [ForgeCredential]
  {
    enabledManifestForges(settings, requestOptions).flatMap { credentials(of: $0, settings) }
  }

  /// The tokens of the forges; the manifests are read only where one of theirs can be known.
  package var knownCredentials: [ForgeCredential] {
    let servers = forges.flatMap { credentials(of: $0) }
    let hosts = Set(servers.map(\.host))
    let usedNow = credentials.accounts.withLock { Set($0.keys) }
    guard let settings = try? settings(),
      settings.providers.values.contains(where: { !$0.secrets.isEmpty }) || !usedNow.isSubset(of: hosts)
        || BundledForge.all.values.contains(where: {
          $0.variable.map { environment[$0.name]?.isEmpty == false } ?? false
        })
    else { return servers }
    // Which of several has given a star is not known.
    let others = Dictionary(grouping: manifestCredentials(settings), by: \.host)
    return servers + others.values.filter { $0.count == 1 }.flatMap(\.self)
  }

  /// Says which variables for the usual host are set, where another host has no token; empty where none is.
  private func usualHostOnly(_ address: ForgeAddress) -> String {
    let usual = BuiltInProvider.usualHost
    let names = TokenFinder.tokenVariables.filter {
      TokenFinder.isMeant($0, for: usual) && environment[$0]?.isEmpty == false
    }
    guard address.host != usual, !names.isEmpty else { return "" }
    return "; \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") for \(usual) only"
  }
}
