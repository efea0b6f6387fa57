import ForageCore
import ForageHTTP

/// The token for a forge and one account of it.
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
  /// The tokens of each server, once for each account that the settings name for it, in the order of the providers; all are tested at once.
  package func hostTokens(_ settings: Settings) async -> [HostToken] {
    let finder = credentials.finder
    var groups: [(address: ForgeAddress, variable: String?, forges: [Forge])] = []
    for forge in forges {
      guard let address = try? forge.address.get() else { continue }
      for variable in forge.variables {
        let known = groups.firstIndex { $0.address.host == address.host && $0.variable == variable }
        if let known {
          groups[known].forges.append(forge)
        } else {
          groups.append((address, variable, [forge]))
        }
      }
    }
    let usual = await concurrently(groups) { [self] group in
      let variable = group.variable
      var finding = await finder.find(group.address, variable: variable)
      credentials.warn(of: finding, at: group.address, variable: variable)
      for variable in group.forges.compactMap(\.withheldVariable)
      where environment[variable]?.isEmpty == false && !finding.withheld.contains(variable) {
        finding.withheld.append(variable)
      }
      let enabled = group.forges.first { settings.providers[$0.id]?.isEnabled != false }
      var check: TokenCheck?
      if let token = finding.token, let enabled {
        check = await RequestOwner.$tested.withValue(variable) {
          await .run(provider(of: enabled), token: token)
        }
      }
      return HostToken(
        host: group.address.host, api: group.address.api.text, providers: group.forges.map(\.id),
        finding: finding, check: check,
        hint: finder.hint(for: group.address, variable: variable)
          + usualHostOnly(group.address))
    }
    return await usual
      + concurrently(enabledManifestForges(settings)) { forge in
        var finding = await self.finding(of: forge)
        let check = await self.check(&finding, of: forge)
        return HostToken(
          host: forge.host, api: forge.api, providers: [forge.id],
          finding: finding, check: check, hint: forge.hint)
      }
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
