package import ForageCore
import ForagePluginHost

/// A provider with its settings and abilities.
package struct ProviderSummary: Sendable {
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  /// Whether it has a feed of any kind.
  package let hasFeed: Bool
  /// Whether it has details of entities.
  package let hasDetails: Bool
  /// The weight of its ranks.
  package let weight: Double
  package private(set) var isEnabled: Bool
  /// `built-in`, `manifest` or `plugin`.
  package let origin: String
  /// Whether it is part of the installation, so that it is used only when it is named or enabled.
  package let isBundled: Bool
  /// The problem of its settings, or why it may not run.
  package private(set) var problem: SearchError?
  /// Whether it is a plugin that may not run.
  package private(set) var isUntrusted = false
  /// The names of its own settings, under `config`.
  package private(set) var config: [String] = []
  /// The names of its secrets.
  package private(set) var secrets: [String] = []
  /// The variables from which the settings take each secret, and whether they are set.
  package private(set) var variables: [String: [(name: String, isSet: Bool)]] = [:]
  /// The actions on results that its plugin offers.
  package private(set) var actions: [ResultAction] = []
  /// The secret that a plugin does not get, because Forage adds it to its requests; `nil` for none.
  package let addedSecret: String?
  /// The file that declares its fields, secrets and hosts; `nil` for a built-in provider.
  package let path: String?
  /// The hosts that it connects to, as far as they are declared.
  package let hosts: [String]

  /// Reads the settings of a provider; nothing is started.
  package init(_ registered: ProviderRegistry.Entry, _ settings: Settings, _ forage: Forage) {
    (info, kinds) = (registered.info, registered.kinds)
    hasFeed = registered.provider is any FeedProvider && kinds.values.contains { $0.feed != nil }
    hasDetails = (registered.provider as? any DetailsProvider)?.detailedKinds.isEmpty == false
    weight = registered.preferences.weight
    let type = settings.providers[info.id]?.type ?? info.id
    let source = forage.isBuiltIn(info.id, settings) ? nil : forage.installed().source(of: type)
    origin = source?.kind.rawValue ?? "built-in"
    isBundled = source?.isBundled ?? false
    path = source?.path
    addedSecret = source?.kind == .plugin ? source?.addedSecret : nil
    if let source { (config, secrets) = source.settingNames }
    if case .plugin(let plugin) = source { actions = plugin.manifest.actions }
    isEnabled = forage.isEnabled(info.id, settings)
    hosts = source?.hosts(settings.providers[info.id]) ?? info.hosts
    problem = (registered.provider as? UnusableProvider)?.error
    if case .plugin(let plugin) = source, let refusal = forage.installed().problem(of: plugin) {
      (problem, isEnabled, isUntrusted) = (refusal, false, true)
    }
    guard !secrets.isEmpty else { return }
    let entry = settings.entry(of: forage.installed().ids.plugin(ofProvider: info.id) ?? info.id)
    for secret in secrets {
      let names = entry.ownedSecrets[secret]?.map(\.name) ?? entry.secrets[secret].map { [$0] } ?? []
      variables[secret] = names.map { ($0, forage.environment[$0]?.isEmpty == false) }
    }
  }

  /// Why it is not used.
  package var reason: String? {
    isEnabled || isUntrusted
      ? problem?.message
      : isBundled ? "used when it is named with -p or enabled" : "disabled in the settings"
  }
}
