import Forage
import ForageCore
import ForageManifest
import ForagePluginHost

/// The checks of plugins and manifests.
extension DoctorCommand {
  /// Each plugin and manifest, and why one is not used; a trusted plugin is started.
  func external(_ settings: Settings?, _ context: Context) async -> [Check] {
    let installed = context.services.installed()
    var checks = installed.rows.compactMap { row in
      row.problem.map { problem in
        Check(
          name: row.type.rawValue, verdict: row.state == "broken" ? .problem : .warning,
          message: problem.message,
          hint: problem.hint)
      }
    }
    guard let settings else { return checks }
    checks += unsetSecrets(settings, installed, context)
    let usable = installed.plugins.plugins.filter { installed.state(of: $0).problem($0) == nil }
    let providers = usable.flatMap { context.services.providers(of: $0, settings) }
    checks += await concurrently(providers) { provider in await start(provider, settings, context) }
    checks += installed.manifests.found.map { found in
      let id = found.manifest.id
      let provider = context.services.provider(of: found, id: id, settings)
      if let error = (provider as? UnusableProvider)?.error {
        guard context.services.isEnabled(id, settings) else {
          return Check(
            name: "manifest", verdict: .ok, message: "\(id) is not enabled; to use it: \(error.message)",
            hint: error.hint)
        }
        return Check(
          name: "manifest", verdict: .problem, message: "\(id): \(error.message)", hint: error.hint,
          isOfSettings: error.code == .configuration)
      }
      return Check(name: "manifest", verdict: .ok, message: "\(id) is \(use(of: id, settings, context))")
    }
    return checks
  }

  /// A warning where no bundled manifest is found.
  func bundle(_ context: Context) -> [Check] {
    context.services.installed().missingBundle.map { missing in
      [
        Check(
          name: "manifest", verdict: .warning, message: missing, hint: InstalledProviders.missingBundleHint)
      ]
    } ?? []
  }

  /// Secrets of enabled providers whose variables are not set.
  private func unsetSecrets(_ settings: Settings, _ installed: InstalledProviders, _ context: Context)
    -> [Check]
  {
    let entries = settings.providers.sorted { $0.key < $1.key }.filter { id, _ in
      let ids = installed.plugins[id]?.providerIDs ?? [id]
      return !settings.absent.contains { $0.id == id }
        && ids.contains { context.services.isEnabled($0, settings) }
    }
    return entries.flatMap { id, entry in
      entry.secrets.sorted { $0.key < $1.key }.compactMap { name, variable in
        guard context.services.environment[variable]?.isEmpty ?? true else { return nil }
        let unset = Services.unset(name, of: id, variable)
        return Check(name: "secrets", verdict: .warning, message: unset.message, hint: unset.hint)
      }
    }
  }

  private func use(of id: String, _ settings: Settings, _ context: Context) -> String {
    context.services.isEnabled(id, settings)
      ? "enabled" : "valid, and used when it is named with -p or enabled"
  }

  private func start(_ provider: any SearchProvider, _ settings: Settings, _ context: Context) async -> Check
  {
    let id = provider.descriptor.id
    if let error = (provider as? UnusableProvider)?.error {
      return Check(
        name: "plugin", verdict: .problem, message: "\(id): \(error.message)", hint: error.advice,
        isOfSettings: true)
    }
    do {
      let begin = ContinuousClock.now
      _ = try await provider.declaration(deadline: begin + SearchOptions.defaultTimeout)
      let time = HumanFormat.duration(ContinuousClock.now - begin)
      return Check(
        name: "plugin", verdict: .ok,
        message: "\(id) starts in \(time) and is \(use(of: id, settings, context))")
    } catch {
      let failure = error as? SearchError
      return Check(
        name: "plugin", verdict: .problem, message: failure?.message ?? "\(id) does not start: \(error)",
        hint: failure?.advice)
    }
  }
}
