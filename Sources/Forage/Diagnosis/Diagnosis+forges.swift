import ForageCore
import ForageFoundation
import ForageHTTP
import ForagePlatform

/// The checks of forges: their tokens, whether they answer, their limits.
extension Diagnosis {
  private static let timeLimit: Duration = .seconds(5)

  /// The ids of the forges that are asked.
  func names(_ settings: Settings?) -> String {
    guard let settings else { return "servers" }
    let usual = forage.forges.map(\.id).filter { id in
      settings.problem(of: id) == nil && !forage.isDisabled(id)
    }
    let ids = usual + forage.manifestCredentials(settings).map(\.id).filter { !usual.contains($0) }
    return ids.isEmpty ? "servers" : ids.joined(separator: ", ")
  }

  /// Every forge, all asked at once.
  func forges(_ settings: Settings?) async -> [Check] {
    guard let settings else {
      // Without the settings it is not known which host a token is for.
      return [
        Check(
          "providers", .warning, "no server is asked, because the settings cannot be read",
          "fix the settings first")
      ]
    }
    // What is wrong with the settings of one has been told.
    let servers = forage.forges.filter { settings.problem(of: $0.id) == nil }
    async let usual = concurrently(servers) { forge in
      if forage.isDisabled(forge.id) {
        return [Check(forge.id, .ok, "disabled in the settings")]
      }
      if case .failure(let error) = forge.address { return [problem(forge.id, error)] }
      return await concurrently(forage.credentials(of: forge), ask).flatMap(\.self)
    }.flatMap(\.self)
    let others = await concurrently(forage.manifestCredentials(settings), ask).flatMap(\.self)
    return await usual + others
  }

  /// Whether a forge takes its token, and answers.
  private func ask(_ credential: ForgeCredential) async -> [Check] {
    let (id, host, provider) = (credential.id, credential.host, credential.provider())
    if let error = (provider as? UnusableProvider)?.error { return [problem(id, error)] }
    let (finding, result) = await credential.tested()
    let faults = finding.faults.map { fault in
      forage.reporter.leaveOut(fault.text)
      return Check("token", .warning, fault.text, credential.advice(fault))
    }
    return await RequestOwner.$tested.withValue(credential.variable) {
      guard let token = finding.token, let result else {
        let places = finding.placesText.isEmpty ? "" : finding.placesText + "; "
        let none = Check(
          "token", .ok, "none for \(host); public data needs none",
          "\(places)for higher limits and private data \(credential.advice(nil))")
        return faults + [none] + (await reach(id, provider, host: host))
      }
      return faults + (await checks(of: token, result, provider, id, host: host))
    }
  }

  /// What the test of a token found, and whether the forge answers.
  private func checks(
    of token: ForgeToken, _ result: TokenCheck, _ provider: any ForgeProvider, _ id: String, host: String
  ) async -> [Check] {
    let checks = [check(result, of: token, host: host)]
    switch result {
    case .accepted:
      let reach = await reach(id, provider, host: host)
      // After the limits, because it counts against one.
      let restrictions = (try? await provider.restrictions(deadline: .now + Self.timeLimit)) ?? []
      return checks
        + restrictions.map {
          Check("token", .warning, "for \(host) from \(token.source): \($0.message)", $0.hint)
        } + reach
    // It has answered, and refuses every request with this token.
    case .refused: return checks + [Check(id, .ok, "answers")]
    case .unknown(let error) where Self.isTransport(error): return checks + [problem(id, error)]
    case .unknown: return checks + (await reach(id, provider, host: host))
    }
  }

  /// Whether no answer arrived, so that another request would not get one either.
  private static func isTransport(_ error: SearchError) -> Bool {
    [.unreachable, .connectionLost, .timeout, .tls, .circuitOpen].contains(error.code)
  }

  private func check(_ result: TokenCheck, of token: ForgeToken, host: String) -> Check {
    switch result {
    case .accepted(let account):
      Check(
        "token", .ok,
        "for \(host) from \(token.source): valid, account \(account.loginText)"
          + (account.scopesText.map { ", scopes " + $0 } ?? ""))
    case .refused(let error):
      Check("token", .problem, error.message, hint(error))
    case .unknown(let error):
      Check(
        "token", .warning, "for \(host) from \(token.source): could not be tested: \(error.message)",
        hint(error))
    }
  }

  private func problem(_ id: String, _ error: SearchError) -> Check {
    Check(
      id, error.code == .rateLimited ? .warning : .problem, error.message,
      hint(error), isOfSettings: error.code == .configuration)
  }

  /// Asks for the limits, which counts against none.
  private func reach(_ id: String, _ provider: any ForgeProvider, host: String)
    async
    -> [Check]
  {
    do {
      let limits = try await provider.limits(deadline: .now + Self.timeLimit)
      let message = limits.isEmpty ? "answers, without limits" : "answers"
      return [Check(id, .ok, message)]
        + limits.map { check($0, host: host, now: forage.now) }
    } catch {
      return [
        problem(
          id,
          error as? SearchError ?? SearchError(.other, "\(error)", hint: "check the address of the API"))
      ]
    }
  }

  private func check(_ limit: RequestLimit, host: String, now: Date) -> Check {
    var message = "\(limit.resource) of \(host): \(limit.remaining) of \(limit.limit) requests left"
    if let reset = limit.resetAt, reset > now {
      message += ", reset at \(HumanFormat.moment(reset, now: now))"
    }
    guard limit.remaining <= 0 else { return Check("limit", .ok, message) }
    return Check("limit", .warning, message, hint(.waitForLimit))
  }
}
