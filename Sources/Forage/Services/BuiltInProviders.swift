package import ForageCore
import ForageGitHub
import ForageLocal

/// A built-in provider, with its further instances.
package struct BuiltInProvider: Sendable {
  /// Its type in the settings, whose name is its id.
  package let type: ProviderType
  /// Its abilities as far as they are known without settings.
  package let descriptor: ProviderDescriptor
  /// Makes the provider, and behind it the further instances in the order of the settings.
  let make: @Sendable (Services, Settings, Asking) -> [any SearchProvider]

  /// The id of the provider of the clones on this machine.
  package static let clonesID = LocalProvider.id

  /// All of them, in order of precedence.
  package static let all = [
    BuiltInProvider(
      type: ProviderType(name: GitHubInstance.mainID) { address throws(SearchError) in
        guard let address else { return GitHubHost.dotCom }
        return try GitHubHost(base: address, setting: "url").credentialHost
      },
      descriptor: GitHubProvider.descriptor(id: GitHubInstance.mainID, name: "", host: nil)
    ) { services, settings, asking in
      services.instances.map { instance in
        services.provider(instance, settings, isNamed: asking.named.contains(instance.id), asking)
      }
    },
    BuiltInProvider(
      type: ProviderType(name: LocalProvider.id), descriptor: LocalProvider { nil }.descriptor
    ) { services, settings, _ in
      let code = CodeSettings(index: services.codeIndex, maximumFileSize: settings.maximumFileSize)
      return [LocalProvider(code: code) { [store = services.store] in try store.existing() }]
    },
  ]
}
