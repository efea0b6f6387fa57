package import ForageCore
import ForagePluginHost

extension Forage {
  /// What can be done with results: the actions of the settings, then those of the plugins that may run.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actions() throws(ForageError) -> [ResultAction] {
    let installed = installed()
    let named = setup.pluginPaths.compactMap { try? FoundPlugin(at: $0) }
    let plugins = (named + installed.plugins.plugins).filter { plugin in
      !plugin.manifest.actions.isEmpty && installed.problem(of: plugin) == nil
    }
    return try settings().actions + plugins.flatMap(\.actions)
  }
}
