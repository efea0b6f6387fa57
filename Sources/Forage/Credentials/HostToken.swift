import ForageCore
import ForageGitHub
import ForageHTTP

/// The token for a GitHub server and one account of it.
package struct HostToken: Sendable {
  package let host: String
  /// The address of the server's API.
  package let api: String
  /// The ids of the providers that use it.
  package let providers: [String]
  package let finding: TokenFinder.Finding
  /// The test of the token; `nil` without a token, and when every provider is disabled.
  package let check: TokenCheck?
  /// How to provide a token.
  package let hint: String
}

extension Services {
  /// The tokens of each server, once for each account that the settings name for it, in the order of the providers; all are tested at once.
  package func hostTokens(_ settings: Settings) async -> [HostToken] {
    let finder = tokenFinder
    var groups: [(host: GitHubHost, instances: [GitHubInstance])] = []
    for instance in instances {
      guard let host = try? instance.host.get() else { continue }
      let known = groups.firstIndex {
        $0.host.credentialHost == host.credentialHost
          && $0.instances.first?.tokenVariable == instance.tokenVariable
      }
      if let known {
        groups[known].instances.append(instance)
      } else {
        groups.append((host, [instance]))
      }
    }
    return await concurrently(groups) { group in
      var finding = await finder.find(group.host, variable: group.instances.first?.tokenVariable)
      for variable in group.instances.compactMap(\.withheldVariable)
      where environment[variable]?.isEmpty == false && !finding.withheld.contains(variable) {
        finding.withheld.append(variable)
      }
      let enabled = group.instances.first { settings.providers[$0.id]?.isEnabled != false }
      var check: TokenCheck?
      if let token = finding.token, let enabled {
        do throws(SearchError) {
          check = await .run(try client(enabled), token: token)
        } catch {
          check = .unknown(error)
        }
      }
      return HostToken(
        host: group.host.credentialHost, api: group.host.api.text, providers: group.instances.map(\.id),
        finding: finding, check: check,
        hint: (group.instances.first?.tokenHint(finder.owners) ?? "") + dotComOnly(group.host))
    }
  }

  /// Says which variables for github.com are set, where another host has no token; empty where none is.
  private func dotComOnly(_ host: GitHubHost) -> String {
    let names = ["GH_TOKEN", "GITHUB_TOKEN"].filter { environment[$0]?.isEmpty == false }
    guard host.credentialHost != GitHubHost.dotCom, !names.isEmpty else { return "" }
    return "; \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") for github.com only"
  }
}
