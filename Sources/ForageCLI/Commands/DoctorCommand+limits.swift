import ForageCore
import ForageGitHub
import ForageHTTP
import ForageStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the forge says of its limits, and what is kept of those that are spent.
extension DoctorCommand {
  /// How long the forge may take to answer.
  private static let patience: Duration = .seconds(5)

  /// A credential that the next request to a host has.
  private struct Credential {
    var provider: String
    var host: String
    var fingerprint: String
    /// Where the token came from, `nil` for none.
    var source: String?
  }

  /// Whose credential something was kept for, and how users know it.
  private struct Owner {
    var words: String
    /// The provider whose next request has this credential, `nil` for none.
    var provider: String?

    var isCurrent: Bool { provider != nil }
  }

  /// Every GitHub, all asked at once, and what processes have told each other.
  func github(_ settings: Settings?, _ context: Context) async -> [Check] {
    guard let settings else {
      // Without the settings nobody knows which host a token is for.
      return [
        Check(
          name: "providers", verdict: .warning,
          message: "no server is asked, because the settings cannot be read", hint: "mend the settings first")
      ]
    }
    let instances = GitHubInstance.all(settings, environment: context.environment)
    let answers = await concurrently(instances) { await ask($0, settings, context) }
    return answers.flatMap(\.checks) + kept(context, answers.compactMap(\.credential))
  }

  private func ask(_ instance: GitHubInstance, _ settings: Settings, _ context: Context) async
    -> (checks: [Check], credential: Credential?)
  {
    if settings.providers[instance.id]?.isEnabled == false {
      return (
        [Check(name: instance.id, verdict: .ok, message: "disabled in the settings, so not asked")], nil
      )
    }
    do throws(SearchError) {
      let host = try instance.host.get()
      let client = try context.client(instance, settings)
      let finding = await context.tokenFinder(settings).finder.find(host, variable: instance.tokenVariable)
      let token = Check(
        name: "token", verdict: .ok,
        message: finding.token.map { "for \(host.credentialHost) from \($0.source)" }
          ?? "none for \(host.credentialHost); public data needs none",
        hint: finding.token == nil ? "tried: \(finding.tried.joined(separator: ", "))" : nil)
      let answer = await reach(instance, client, host: host.credentialHost, now: context.output.now)
      let fingerprint = finding.token.map { CredentialFingerprint.of($0.secret) } ?? Self.anonymous
      return (
        [token] + answer,
        Credential(
          provider: instance.id, host: host.credentialHost, fingerprint: fingerprint,
          source: finding.token?.source)
      )
    } catch {
      return ([Check(name: instance.id, verdict: .problem, message: error.message, hint: error.hint)], nil)
    }
  }

  /// What stands for a request without a token.
  private static let anonymous = "anonymous"

  /// Asks for the limits, which costs nothing.
  private func reach(_ instance: GitHubInstance, _ client: GitHubClient, host: String, now: Date) async
    -> [Check]
  {
    do {
      let limits = try await client.limits(deadline: .now + Self.patience)
      let message = limits.isEmpty ? "answers, without limits" : "answers"
      return [Check(name: instance.id, verdict: .ok, message: message)]
        + limits.map { check($0, host: host, now: now) }
    } catch let error as SearchError {
      return [Check(name: instance.id, verdict: .warning, message: error.message, hint: error.hint)]
    } catch {
      return [Check(name: instance.id, verdict: .warning, message: "\(error)")]
    }
  }

  private func check(_ limit: GitHubLimit, host: String, now: Date) -> Check {
    var message = "\(limit.resource) of \(host): \(limit.remaining) of \(limit.limit) left"
    if let reset = limit.resetAt, reset > now { message += ", anew at \(HumanFormat.moment(reset, now: now))" }
    guard limit.remaining <= 0 else { return Check(name: "limit", verdict: .ok, message: message) }
    return Check(
      name: "limit", verdict: .warning, message: message,
      hint: "a search with a --timeout that is long enough waits for it")
  }

  /// What processes have told each other: limits that are spent, and servers that are left alone.
  private func kept(_ context: Context, _ credentials: [Credential]) -> [Check] {
    let folder = context.directories.cacheFolder
    let now = context.output.now
    /// Scopes begin with host and credential; a host has no space.
    func owner(_ parts: [Substring]) -> Owner {
      let fingerprint = parts.count > 1 ? parts[1] : ""
      let current = credentials.first { $0.host == parts.first ?? "" && $0.fingerprint == fingerprint }
      let words =
        fingerprint == Self.anonymous
        ? "without a token" : current?.source.map { "with the token from \($0)" } ?? "with another token"
      return Owner(words: words, provider: current?.provider)
    }
    do throws(StoreError) {
      let budgets = try NetworkServices.keptBudgets(folder).compactMap { scope, budget in
        let parts = scope.split(separator: " ")
        return check(
          budget, resource: parts.dropFirst(2).first ?? "", parts.first ?? "", owner(parts), now: now)
      }
      let circuits = try NetworkServices.keptCircuits(folder).compactMap { scope, circuit in
        let parts = scope.split(separator: " ")
        return check(circuit, parts.first ?? "", owner(parts), now: now)
      }
      return budgets + circuits
    } catch {
      return [Check(name: "cache", verdict: .warning, message: error.message, hint: error.hint)]
    }
  }

  private func check(
    _ budget: ForageHTTP.RateBudget, resource: Substring, _ host: Substring, _ owner: Owner, now: Date
  ) -> Check? {
    guard let end = budget.spentUntil(at: now) else { return nil }
    let isBlocked = budget.current(at: now).blockedUntil != nil
    var reason = isBlocked ? "the server wants a pause" : "the limit is spent"
    if isBlocked, budget.strikes > 1 { reason += " (refused \(budget.strikes) times in a row)" }
    return Check(
      name: "limit", verdict: owner.isCurrent ? .warning : .ok,
      message:
        "\(resource == RateBudgets.everything ? "everything" : resource) of \(host), \(owner.words): nothing is sent until \(HumanFormat.moment(end, now: now)), because \(reason)",
      hint: owner.isCurrent ? "a search with a --timeout that is long enough waits for it" : nil)
  }

  private func check(
    _ circuit: ForageHTTP.Circuit, _ host: Substring, _ owner: Owner, now: Date
  ) -> Check? {
    guard circuit.isTripped else { return nil }
    let probe = "with: forage search QUERY -p \(owner.provider ?? "ID")"
    let isRefused = circuit.reason == ForageHTTP.Circuit.unauthorized
    var message = "\(host), \(owner.words): "
    if isRefused {
      message += "it was refused, and is not sent again"
    } else if circuit.isProbed(at: now) {
      message += "another process is trying it now"
    } else if circuit.isOpen(at: now), let end = circuit.openUntil {
      message += "not asked until \(HumanFormat.moment(end, now: now))"
    } else {
      message += "the next request tries it again"
    }
    if !isRefused {
      message += ", after \(HumanFormat.plural(circuit.failures, "failure")) in a row: \(circuit.reason)"
    }
    let hint =
      isRefused
      ? "set another token, or try this one once \(probe)" : "check the network, or try it once \(probe)"
    return Check(
      name: "circuit", verdict: owner.isCurrent ? .warning : .ok, message: message,
      hint: owner.isCurrent ? hint : nil)
  }
}
