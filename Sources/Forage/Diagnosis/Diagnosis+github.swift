import ForageCore
import ForageFoundation
import ForageGitHub

/// The checks of GitHub servers: their tokens, whether they answer, their limits.
extension Diagnosis {
  private static let timeLimit: Duration = .seconds(5)

  /// Every GitHub server, all asked at once.
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
    return await concurrently(instances) { await ask($0, settings) }.flatMap(\.self)
  }

  private func ask(_ instance: GitHubInstance, _ settings: Settings) async -> [Check] {
    if settings.providers[instance.id]?.isEnabled == false {
      return [Check(instance.id, .ok, "disabled in the settings")]
    }
    do throws(SearchError) {
      let host = try instance.host.get()
      let client = try services.client(instance)
      let finder = services.tokenFinder
      let finding = await finder.find(host, variable: instance.tokenVariable)
      guard let token = finding.token else {
        let none = Check(
          "token", .ok, "none for \(host.credentialHost); public data needs none",
          .hint(
            "\(finding.placesText); for higher limits and private data \(instance.tokenHint(finder.owners))"))
        return [none] + (await reach(instance, client, host: host.credentialHost))
      }
      let result = await TokenCheck.run(client, token: token)
      let checks = [check(result, of: token, host: host.credentialHost)]
      switch result {
      case .accepted:
        return checks + (await reach(instance, client, host: host.credentialHost))
      // It has answered, and refuses every request with this token.
      case .refused:
        return checks + [Check(instance.id, .ok, "answers")]
      case .unknown(let error) where Self.isTransport(error):
        return checks + [problem(instance, error)]
      case .unknown:
        return checks + (await reach(instance, client, host: host.credentialHost))
      }
    } catch {
      return [problem(instance, error)]
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
}
