import ForageCore
import ForageFoundation
import ForageHTTP

/// The checks of forges: their tokens, whether they answer, their limits.
extension Diagnosis {
  private static let timeLimit: Duration = .seconds(5)

  /// Every forge, all asked at once.
  func forges(_ settings: Settings?) async -> [Check] {
    guard let settings else {
      // Without the settings it is not known which host a token is for.
      return [
        Check(
          "providers", .warning, "no server is asked, because the settings cannot be read",
          .hint("fix the settings first"))
      ]
    }
    // What is wrong with the settings of one has been told.
    let forges = forage.forges.filter { settings.problem(of: $0.id) == nil }
    let each = forges.flatMap { forge in forge.variables.map { (forge: forge, variable: $0) } }
    async let usual = concurrently(each) { each in
      await RequestOwner.$tested.withValue(each.variable) { await ask(each.forge, each.variable, settings) }
    }.flatMap(\.self)
    let others = await concurrently(forage.enabledManifestForges(settings)) { forge in
      await ask(forge)
    }.flatMap(\.self)
    return await usual + others
  }

  private func ask(_ forge: ManifestForgeUse) async -> [Check] {
    var finding = await forage.finding(of: forge)
    let result = await forage.check(&finding, of: forge)
    let faults = finding.faults.map { Check("token", .warning, $0.text, .hint(forge.hint)) }
    guard let token = finding.token, let result else {
      let places = finding.placesText.isEmpty ? "" : finding.placesText + "; "
      let none = Check(
        "token", .ok, "none for \(forge.host); public data needs none",
        .hint("\(places)for higher limits and private data \(forge.hint)"))
      return faults + [none] + (await reach(forge.id, forge.provider, host: forge.host))
    }
    return await checks(of: token, result, forge.provider, forge.id, host: forge.host)
  }

  /// - Parameter variable: The variable of its token; `nil` for the usual sources.
  private func ask(_ forge: Forge, _ variable: String?, _ settings: Settings) async -> [Check] {
    if settings.providers[forge.id]?.isEnabled == false {
      return [Check(forge.id, .ok, "disabled in the settings")]
    }
    do throws(SearchError) {
      let address = try forge.address.get()
      let provider = try forge.make(self.forage, RequestOptions())
      let finder = forage.credentials.finder
      let finding = await finder.find(address, variable: variable)
      let faults = finding.faults.map { fault in
        forage.reporter.leaveOut(fault.text)
        return Check(
          "token", .warning, fault.text,
          .hint(finder.advice(on: fault, for: address, variable: variable)))
      }
      guard let token = finding.token else {
        let none = Check(
          "token", .ok, "none for \(address.host); public data needs none",
          .hint(
            "\(finding.placesText); for higher limits and private data \(finder.hint(for: address, variable: variable))"
          ))
        return faults + [none] + (await reach(forge.id, provider, host: address.host))
      }
      let result = await TokenCheck.run(provider, token: token)
      return faults + (await checks(of: token, result, provider, forge.id, host: address.host))
    } catch {
      return [problem(forge.id, error)]
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
          Check("token", .warning, "for \(host) from \(token.source): \($0.message)", .hint($0.hint))
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
      Check("token", .problem, error.message, .error(error, isOfSearch: false))
    case .unknown(let error):
      Check(
        "token", .warning, "for \(host) from \(token.source): could not be tested: \(error.message)",
        .error(error, isOfSearch: false))
    }
  }

  private func problem(_ id: String, _ error: SearchError) -> Check {
    Check(
      id, error.code == .rateLimited ? .warning : .problem, error.message,
      .error(error, isOfSearch: false), isOfSettings: error.code == .configuration)
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
    return Check("limit", .warning, message, .remedy(.waitForLimit))
  }
}
