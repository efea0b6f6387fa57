import ForageCore
import ForageLocal
import ForageManifest
import ForagePluginHost
import ForageStore

/// What this machine knows that can be offered; what cannot be read is left out.
package struct CompletionSource {
  private let services: Services
  private let settings: Settings

  package init(_ environment: [String: String]?) {
    services = Services(environment: environment ?? ForageServices().environment, reporter: Reporter())
    settings = (try? services.settings()) ?? Settings()
  }

  /// The ids of the GitHubs.
  package var forges: [String] { services.instances.map(\.id) }

  package var providers: [String] {
    (forges + Services.types.map(\.name) + services.installed().ids.providers + settings.added).unique
  }

  package var plugins: [String] { services.installed().rows.map(\.id).unique }

  private var descriptors: [ProviderDescriptor] {
    BuiltInProvider.all.map(\.descriptor)
      + services.installed().manifests.found.map { $0.manifest.descriptor() }
      + services.installed().plugins.plugins.flatMap { $0.manifest.providers.map(\.descriptor) }
  }

  package var kinds: [String] {
    let known = descriptors.flatMap { $0.kinds.keys.map(\.rawValue) }
    return Set(known + [ResultKind.pullRequest.rawValue]).sorted()
  }

  package var sorts: [String] {
    Set(
      descriptors.flatMap { $0.kinds.values.flatMap { $0.sorts + ($0.feed?.sorts ?? []) } }
    ).sorted()
  }

  private var store: Store? { try? services.store.existing() }

  package var cloneFolders: [String] { ((try? store?.cloneFolders()) ?? []).map(\.path) }

  package var favorites: [String] {
    ((try? store?.favorites()) ?? []).map { short($0.name) }
  }

  package var references: [String] { (favorites + clones).unique }

  /// The repositories of the clones, and each name that only one clone has.
  package var clones: [String] {
    let clones = (try? store?.clones()) ?? []
    let names = clones.byName.values.filter { $0.count == 1 }.flatMap { $0.map(\.name) }.sorted()
    return (clones.compactMap(\.entityName).map(short) + names).unique
  }

  /// The id without the host that plain names mean.
  private func short(_ id: String) -> String {
    let hosts = services.plainHosts.map { $0 + "/" }
    return hosts.first(where: id.hasPrefix).map { String(id.dropFirst($0.count)) } ?? id
  }
}

extension [String] {
  /// The strings, each once, in their order.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
