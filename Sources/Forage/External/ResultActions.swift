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

  /// Why the key of an action does not run it: the action or the part of the program that has it.
  package typealias TakenKey = (action: ResultAction, owner: String)

  /// The actions without the keys that are taken, and these.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actionsWithFreeKeys() throws(ForageError) -> (actions: [ResultAction], taken: [TakenKey]) {
    var taken: [TakenKey] = []
    var actions: [ResultAction] = []
    for var action in try self.actions() {
      if let owner = Self.owner(ofKeyOf: action, among: actions) {
        taken.append((action, owner))
        action.key = nil
      }
      actions.append(action)
    }
    return (actions, taken)
  }

  /// What has the key of an action before it; `nil` for a key that is free.
  static func owner(ofKeyOf action: ResultAction, among earlier: [ResultAction]) -> String? {
    guard let key = action.key else { return nil }
    if ResultAction.takenKeys.contains(key) { return "a key of browse" }
    return earlier.first(where: action.isHidden).map { "the key of \($0.fullName)" }
  }
}
