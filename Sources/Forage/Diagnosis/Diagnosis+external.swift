import ForageCore
import ForageManifest
import ForagePluginHost

/// The checks of plugins and manifests.
extension Diagnosis {
  /// Each plugin and manifest, and why one is not used; a trusted plugin is started.
  func external(_ settings: Settings?) async -> [Check] {
    let installed = services.installed()
    var checks = installed.rows.compactMap { row in
      row.problem.map { problem in
        Check(
          row.type.rawValue, row.state == "broken" ? .problem : .warning, problem.message,
          .error(problem, isOfSearch: true))
      }
    }
    guard let settings else { return checks }
    checks += unsetSecrets(settings, installed)
    let usable = installed.plugins.plugins.filter { installed.state(of: $0).problem($0) == nil }
    let providers = usable.flatMap { services.providers(of: $0, settings) }
    checks += await concurrently(providers) { provider in await start(provider, settings) }
    checks += installed.manifests.found.map { found in
      let id = found.manifest.id
      let provider = services.provider(of: found, id: id, settings)
      if let error = (provider as? UnusableProvider)?.error {
        guard services.isEnabled(id, settings) else {
          return Check(
            "manifest", .ok, "\(id) is not enabled; to use it: \(error.message)",
            .error(error, isOfSearch: true))
        }
        return Check(
          "manifest", .problem, "\(id): \(error.message)", .error(error, isOfSearch: true),
          isOfSettings: error.code == .configuration)
      }
      return Check("manifest", .ok, "\(id) is \(use(of: id, settings))")
    }
    return checks
  }

  /// A warning where no bundled manifest is found.
  func bundle() -> [Check] {
    services.installed().missingBundle.map { missing in
      [Check("manifest", .warning, missing, .remedy(.installManifest))]
    } ?? []
  }

  /// Secrets of enabled providers whose variables are not set.
  private func unsetSecrets(_ settings: Settings, _ installed: InstalledProviders)
    -> [Check]
  {
    let entries = settings.providers.sorted { $0.key < $1.key }.filter { id, _ in
      let ids = installed.plugins[id]?.providerIDs ?? [id]
      return !settings.absent.contains { $0.id == id }
        && ids.contains { services.isEnabled($0, settings) }
    }
    return entries.flatMap { id, entry in
      entry.secrets.sorted { $0.key < $1.key }.compactMap { name, variable in
        guard services.environment[variable]?.isEmpty ?? true else { return nil }
        let unset = Services.unset(name, of: id, variable)
        return Check("secrets", .warning, unset.message, .hint(unset.hint))
      }
    }
  }

  private func use(of id: String, _ settings: Settings) -> String {
    services.isEnabled(id, settings)
      ? "enabled" : "valid, and used when it is named or enabled"
  }

  private func start(_ provider: any SearchProvider, _ settings: Settings) async -> Check {
    let id = provider.descriptor.id
    if let error = (provider as? UnusableProvider)?.error {
      return Check(
        "plugin", .problem, "\(id): \(error.message)", .error(error, isOfSearch: true),
        isOfSettings: true)
    }
    do {
      let begin = ContinuousClock.now
      _ = try await provider.declaration(deadline: begin + SearchOptions.defaultTimeout)
      let time = HumanFormat.duration(ContinuousClock.now - begin)
      return Check(
        "plugin", .ok, "\(id) starts in \(time) and is \(use(of: id, settings))")
    } catch {
      let failure = error as? SearchError
      return Check(
        "plugin", .problem, failure?.message ?? "\(id) does not start: \(error)",
        failure.map { .error($0, isOfSearch: true) })
    }
  }
}
