import ForageCore
import ForageFoundation
import ForageGitHub
import ForageHTTP
import ForageManifest
import ForageStore

/// The checks of GitHub servers: their tokens, whether they answer, their limits.
extension Diagnosis {
  private static let timeLimit: Duration = .seconds(5)
  /// What names a request without a token.
  private static let anonymous = "anonymous"

  /// The credential of the next request to a host.
  private struct Credential {
    var provider: String
    var host: String
    var fingerprint: String
    /// The source of the token, `nil` for none.
    var source: String?
  }

  /// The credential that something is stored for.
  private struct Owner {
    var words: String
    /// Whether the next request has this credential.
    var isCurrent: Bool
  }

  /// Every GitHub server, all asked at once, and what other processes have stored about them.
  func github(_ settings: Settings?) async -> [Check] {
    guard let settings else {
      // Without the settings it is not known which host a token is for.
      return [
        Check(
          "providers", .warning, "no server is asked, because the settings cannot be read",
          .hint("fix the settings first"))
      ]
    }
    let instances = services.instances
    let answers = await concurrently(instances) { await ask($0, settings) }
    let credentials = answers.compactMap(\.credential) + manifestCredentials(settings)
    return answers.flatMap(\.checks) + stored(credentials)
  }

  /// The credentials of the next requests of manifests.
  private func manifestCredentials(_ settings: Settings) -> [Credential] {
    let installed = services.installed()
    let ids = installed.manifests.found.map(\.manifest.id) + settings.added
    return ids.flatMap { id -> [Credential] in
      let entry = settings.entry(of: id)
      guard let manifest = installed.manifest(entry.type ?? id)?.manifest else { return [] }
      let variable = manifest.auth.flatMap { entry.secrets[$0.secret] }
      let secret = variable.flatMap { services.environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      return manifest.secretHosts(base: entry.config["url"]?.string).map { host in
        Credential(
          provider: id, host: host, fingerprint: secret?.utf8.fingerprint ?? Self.anonymous,
          source: secret == nil ? nil : variable)
      }
    }
  }

  private func ask(_ instance: GitHubInstance, _ settings: Settings) async
    -> (checks: [Check], credential: Credential?)
  {
    if settings.providers[instance.id]?.isEnabled == false {
      return ([Check(instance.id, .ok, "disabled in the settings")], nil)
    }
    do throws(SearchError) {
      let host = try instance.host.get()
      let client = try services.client(instance)
      let finder = services.tokenFinder
      let finding = await finder.find(host, variable: instance.tokenVariable)
      let credential = Credential(
        provider: instance.id, host: host.credentialHost,
        fingerprint: finding.token?.fingerprint ?? Self.anonymous,
        source: finding.token?.source)
      guard let token = finding.token else {
        let none = Check(
          "token", .ok, "none for \(host.credentialHost); public data needs none",
          .hint(
            "\(finding.placesText); for higher limits and private data \(instance.tokenHint(finder.owners))"))
        return ([none] + (await reach(instance, client, host: host.credentialHost)), credential)
      }
      let result = await TokenCheck.run(client, token: token)
      let checks = [check(result, of: token, host: host.credentialHost)]
      switch result {
      case .accepted:
        return (checks + (await reach(instance, client, host: host.credentialHost)), credential)
      // It has answered, and refuses every request with this token.
      case .refused:
        return (checks + [Check(instance.id, .ok, "answers")], credential)
      case .unknown(let error) where Self.isTransport(error):
        return (checks + [problem(instance, error)], credential)
      case .unknown:
        return (checks + (await reach(instance, client, host: host.credentialHost)), credential)
      }
    } catch {
      return ([problem(instance, error)], nil)
    }
  }

  /// Whether no answer arrived, so that another request would not get one either.
  private static func isTransport(_ error: SearchError) -> Bool {
    [.unreachable, .connectionLost, .timeout, .tls, .circuitOpen].contains(error.code)
  }

  private func check(_ result: TokenCheck, of token: GitHubToken, host: String) -> Check {
    switch result {
    case .accepted(let account):
      Check(
        "token", .ok,
        "for \(host) from \(token.source): valid, account \(account.loginText), scopes \(account.scopesText)"
      )
    case .refused(let error):
      Check("token", .problem, error.message, .error(error, isOfSearch: false))
    case .unknown(let error):
      Check(
        "token", .warning, "for \(host) from \(token.source): could not be tested: \(error.message)",
        .error(error, isOfSearch: false))
    }
  }

  private func problem(_ instance: GitHubInstance, _ error: SearchError) -> Check {
    Check(
      instance.id, error.code == .rateLimited ? .warning : .problem, error.message,
      .error(error, isOfSearch: false), isOfSettings: error.code == .configuration)
  }

  /// Asks for the limits, which counts against none.
  private func reach(_ instance: GitHubInstance, _ client: GitHubClient, host: String)
    async
    -> [Check]
  {
    do {
      let limits = try await client.limits(deadline: .now + Self.timeLimit)
      let message = limits.isEmpty ? "answers, without limits" : "answers"
      return [Check(instance.id, .ok, message)]
        + limits.map { check($0, host: host, now: services.now()) }
    } catch {
      return [
        problem(
          instance,
          error as? SearchError ?? SearchError(.other, "\(error)", hint: "check the address of the API"))
      ]
    }
  }

  private func check(_ limit: GitHubLimit, host: String, now: Date) -> Check {
    var message = "\(limit.resource) of \(host): \(limit.remaining) of \(limit.limit) requests left"
    if let reset = limit.resetAt, reset > now {
      message += ", reset at \(HumanFormat.moment(reset, now: now))"
    }
    guard limit.remaining <= 0 else { return Check("limit", .ok, message) }
    return Check("limit", .warning, message, .remedy(.waitForLimit))
  }

  /// What processes have stored for each other: exceeded limits, and failures of servers that are still in use.
  private func stored(_ credentials: [Credential]) -> [Check] {
    let folder = services.directories.cacheFolder
    let now = services.now()
    /// Scopes begin with host and credential; a host has no space.
    func owner(_ parts: [Substring]) -> Owner {
      let fingerprint = parts.count > 1 ? parts[1] : ""
      let current = credentials.first { $0.host == parts.first ?? "" && $0.fingerprint == fingerprint }
      // The token can be one that now belongs to another server.
      let source = (current ?? credentials.first { $0.fingerprint == fingerprint })?.source
      let words =
        fingerprint == Self.anonymous
        ? "without a token" : source.map { "with the token from \($0)" } ?? "with another token"
      return Owner(words: words, isCurrent: current != nil)
    }
    do throws(StoreError) {
      let budgets = try HTTPServices.storedBudgets(folder).compactMap { scope, budget in
        let parts = scope.split(separator: " ")
        return check(
          budget, resource: parts.dropFirst(2).first ?? "", parts.first ?? "", owner(parts), now: now)
      }
      let circuits = try HTTPServices.storedCircuits(folder).compactMap { scope, circuit -> Check? in
        let parts = scope.split(separator: " ")
        guard credentials.contains(where: { $0.host == parts.first ?? "" }) else { return nil }
        return check(circuit, parts.first ?? "", owner(parts))
      }
      // Of several tokens that are no longer known, the same is said once.
      var said: Set<String> = []
      return (budgets + circuits).filter { said.insert($0.name + $0.message).inserted }
    } catch {
      return [Check("cache", .warning, error.message, .hint(error.hint))]
    }
  }

  private func check(
    _ budget: RateBudget, resource: Substring, _ host: Substring, _ owner: Owner, now: Date
  ) -> Check? {
    guard let end = budget.exceededUntil(at: now) else { return nil }
    let isBlocked = budget.current(at: now).blockedUntil != nil
    var reason = isBlocked ? "the server asked for a pause" : "the limit is exceeded"
    if isBlocked, budget.strikes > 1 { reason += " (refused \(budget.strikes) times in a row)" }
    if LimitedPlugin.isPlugin(host: host) {
      return Check(
        "limit", .warning,
        "\(resource): its plugin is not asked until \(HumanFormat.moment(end, now: now)), because it reported a limit",
        .hint("wait; after a change of its files, settings or secrets it is asked again"))
    }
    let subject = resource == RateBudgets.everything ? "every request" : String(resource)
    return Check(
      "limit", .warning,
      "\(subject) to \(host), \(owner.words): no request until \(HumanFormat.moment(end, now: now)), because \(reason)",
      owner.isCurrent
        ? .remedy(.waitForLimit) : .hint("nothing is to be done: requests of now do not count there"))
  }

  /// Failures of a server.
  private func check(_ circuit: Circuit, _ host: Substring, _ owner: Owner) -> Check? {
    // An earlier version stored refused tokens without a failure.
    guard circuit.isTripped, circuit.failures > 0 else { return nil }
    return Check(
      "server", .warning,
      "\(host), \(owner.words): \(HumanFormat.plural(circuit.failures, "failure")) in a row (\(circuit.reason)); each command tries once",
      .hint("check the network connection"))
  }
}
