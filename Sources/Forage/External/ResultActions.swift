package import ForageCore
import ForagePlatform
import ForagePluginHost

extension Forage {
  /// What can be done with results: the actions of the settings, then those of the plugins that may run.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actions() throws(ForageError) -> [ResultAction] { actions(of: try settings()) }

  /// The same of settings that were read.
  func actions(of settings: Settings) -> [ResultAction] {
    let installed = installed()
    let named = setup.pluginPaths.compactMap { try? FoundPlugin(at: $0) }
    let plugins = (named + installed.plugins.plugins).filter { plugin in
      !plugin.manifest.actions.isEmpty && installed.problem(of: plugin) == nil
    }
    return settings.actions + plugins.flatMap(\.actions)
  }

  /// Why the key of an action does not run it: the action or the part of the program that has it.
  package typealias TakenKey = (action: ResultAction, owner: String)

  /// The actions without the keys that are taken, and these.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actionsWithFreeKeys() throws(ForageError) -> (actions: [ResultAction], taken: [TakenKey]) {
    Self.withFreeKeys(try actions())
  }

  /// Takes away the keys of actions that others have.
  static func withFreeKeys(_ all: [ResultAction]) -> (actions: [ResultAction], taken: [TakenKey]) {
    var taken: [TakenKey] = []
    var actions: [ResultAction] = []
    for var action in all {
      if let owner = owner(ofKeyOf: action, among: actions) {
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

  /// What actions cannot do, whatever they run on: keys that are taken, kinds and placeholders that no result
  /// has, and programs that are missing. Each with what to do about it.
  func faults(of actions: [ResultAction]) -> [(message: String, hint: String)] {
    let rows = installed().rows
    var faults = Self.withFreeKeys(actions).taken.map { action, owner in
      (
        message: "the key \(action.key.map(String.init) ?? "") of the action \(action.fullName) is \(owner)",
        hint: "give it another letter, or run it with: forage act \(action.fullName) REF"
      )
    }
    for action in actions {
      // What a plugin says is checked where it is read.
      if action.plugin == nil {
        let kinds = ResultKind.known + rows.flatMap(\.kinds)
        faults += action.faults(kinds: kinds, fields: rows.flatMap(\.fields)).map {
          (message: "the action \(action.fullName) \($0.message)", hint: $0.hint)
        }
      }
      if let program = action.command.first, programPath(program, environment: environment) == nil {
        faults.append(
          (
            message:
              "the action \(action.fullName) runs \(program), which is no executable program in PATH",
            hint: program.contains("/") ? "make it executable: chmod +x \(program.shellQuoted)" : "install it"
          ))
      }
    }
    return faults
  }
}
