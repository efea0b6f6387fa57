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

  /// Whose credential something was kept for, and how users know it.
  private struct Owner {
    var words: String
    /// Whether the next request has this credential.
    var isCurrent: Bool
  }

  func github(_ context: Context) async -> [Check] {
    do {
      let host = try context.githubHost()
      let finding = await context.tokenFinder.find(host)
      let token = Check(
        name: "token", verdict: .ok,
        message: finding.token.map { "for \(host.credentialHost) from \($0.source)" }
          ?? "none for \(host.credentialHost); public data needs none",
        hint: finding.token == nil ? "tried: \(finding.tried.joined(separator: ", "))" : nil)
      let answer = await reach(context, host: host.credentialHost)
      return [token] + answer + kept(context, host: host.credentialHost, token: finding.token)
    } catch let error as SearchError {
      return [Check(name: "github", verdict: .problem, message: error.message, hint: error.hint)]
    } catch {
      return [Check(name: "github", verdict: .problem, message: "\(error)")]
    }
  }

  /// Asks for the limits, which costs nothing.
  private func reach(_ context: Context, host: String) async -> [Check] {
    do {
      let limits = try await context.githubClient().limits(deadline: .now + Self.patience)
      let message = limits.isEmpty ? "answers, without limits" : "answers"
      return [Check(name: "github", verdict: .ok, message: message)]
        + limits.map { check($0, host: host, now: context.output.now) }
    } catch let error as SearchError {
      return [Check(name: "github", verdict: .warning, message: error.message, hint: error.hint)]
    } catch {
      return [Check(name: "github", verdict: .warning, message: "\(error)")]
    }
  }

  private func check(_ limit: GitHubLimit, host: String, now: Date) -> Check {
    var message = "\(limit.resource) of \(host): \(limit.remaining) of \(limit.limit) left"
    if let reset = limit.resetAt, reset > now { message += ", anew at \(Humane.moment(reset, now: now))" }
    guard limit.remaining <= 0 else { return Check(name: "limit", verdict: .ok, message: message) }
    return Check(
      name: "limit", verdict: .warning, message: message,
      hint: "a search with a --timeout that is long enough waits for it")
  }

  /// What processes have told each other: limits that are spent, and servers that are left alone.
  private func kept(_ context: Context, host: String, token: GitHubToken?) -> [Check] {
    let folder = context.directories.cacheFolder
    let now = context.output.now
    /// Scopes begin with host and credential; a host has no space.
    func owner(_ parts: [Substring]) -> Owner {
      let fingerprint = parts.count > 1 ? parts[1] : ""
      let current = token.map { CredentialFingerprint.of($0.secret) } ?? "anonymous"
      let words =
        fingerprint == "anonymous"
        ? "without a token"
        : fingerprint == current ? "with the token from \(token?.source ?? "")" : "with another token"
      return Owner(words: words, isCurrent: parts.first.map { $0 == host } ?? false && fingerprint == current)
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
        "\(resource) of \(host), \(owner.words): nothing is sent until \(Humane.moment(end, now: now)), because \(reason)",
      hint: owner.isCurrent ? "a search with a --timeout that is long enough waits for it" : nil)
  }

  private func check(
    _ circuit: ForageHTTP.Circuit, _ host: Substring, _ owner: Owner, now: Date
  ) -> Check? {
    guard circuit.isTripped else { return nil }
    let probe = "with: forage search QUERY -p github"
    let isRefused = circuit.reason == ForageHTTP.Circuit.unauthorized
    var message = "\(host), \(owner.words): "
    if isRefused {
      message += "it was refused, and is not sent again"
    } else if circuit.isProbed(at: now) {
      message += "another process is trying it now"
    } else if circuit.isOpen(at: now), let end = circuit.openUntil {
      message += "not asked until \(Humane.moment(end, now: now))"
    } else {
      message += "the next request tries it again"
    }
    if !isRefused {
      message += ", after \(Humane.plural(circuit.failures, "failure")) in a row: \(circuit.reason)"
    }
    let hint =
      isRefused
      ? "set another token, or try this one once \(probe)" : "check the network, or try it once \(probe)"
    return Check(
      name: "circuit", verdict: owner.isCurrent ? .warning : .ok, message: message,
      hint: owner.isCurrent ? hint : nil)
  }
}
