import ForageCore
import ForagePlatform

/// The token for a host and one account of it.
package struct HostToken: Sendable {
  package let host: String
  /// The address of the forge's API.
  package let api: String
  /// The ids of the providers that use it.
  package let providers: [String]
  package let finding: TokenFinder.Finding
  /// The test of the token; `nil` without a token, and when every provider is disabled.
  package let check: TokenCheck?
  /// How to provide a token.
  package let hint: String
}

extension Forage {
  /// The tokens of each server, once for each account that the settings name for it, in the order of the
  /// providers; all are tested at once.
  package func hostTokens(_ settings: Settings) async -> [HostToken] {
    var groups: [[ForgeCredential]] = []
    for credential in forges.flatMap({ credentials(of: $0) }) + manifestCredentials(settings) {
      let known = groups.firstIndex {
        ($0[0].host, $0[0].api) == (credential.host, credential.api) && $0[0].variable == credential.variable
      }
      if let known { groups[known].append(credential) } else { groups.append([credential]) }
    }
    return await concurrently(groups) { [self] group in
      let enabled = group.first { !isDisabled($0.id) }
      var (finding, check) = (await group[0].find(), TokenCheck?.none)
      if let enabled { (finding, check) = await enabled.tested() }
      for other in group {
        for name in await other.find().withheld where !finding.withheld.contains(name) {
          finding.withheld.append(name)
        }
      }
      for fault in finding.faults { reporter.warnOnce(fault.text, hint: group[0].advice(fault)) }
      return HostToken(
        host: group[0].host, api: group[0].api, providers: group.map(\.id), finding: finding, check: check,
        hint: group[0].advice(nil))
    }
  }
}
