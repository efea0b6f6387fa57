package import ForageCore
import ForagePlatform
package import ForagePluginHost

/// A fault of an action: something that it cannot do.
package struct ActionFault: Sendable {
  package let message: String
  /// The action that helps.
  package let hint: String
  /// Whether it is a mistake whatever is installed.
  package let isError: Bool
}

extension Forage {
  /// All actions on results: those of the settings, then those of the plugins that may run.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actions() throws(ForageError) -> [ResultAction] { actions(of: try settings()) }

  /// The same of settings that were read.
  package func actions(of settings: Settings) -> [ResultAction] {
    let installed = installed()
    let named = setup.pluginPaths.compactMap { try? FoundPlugin(at: $0) }
    let plugins = (named + installed.plugins.plugins).filter { plugin in
      !plugin.manifest.actions.isEmpty && installed.problem(of: plugin) == nil
    }
    return settings.actions + plugins.flatMap(\.actions)
  }

  /// An action whose key does not run it, and the action or the part of the program that has the key.
  package typealias KeyConflict = (action: ResultAction, owner: String)

  /// The actions without the keys that are taken, and the conflicts.
  ///
  /// - Throws: `ForageError` for settings that cannot be read.
  package func actionsWithFreeKeys() throws(ForageError) -> (
    actions: [ResultAction], conflicts: [KeyConflict]
  ) {
    Self.withFreeKeys(try actions())
  }

  /// Takes away the keys of actions that others have.
  static func withFreeKeys(_ all: [ResultAction]) -> (actions: [ResultAction], conflicts: [KeyConflict]) {
    var conflicts: [KeyConflict] = []
    var actions: [ResultAction] = []
    for var action in all {
      if let owner = owner(ofKeyOf: action, among: actions) {
        conflicts.append((action, owner))
        action.key = nil
      }
      actions.append(action)
    }
    return (actions, conflicts)
  }

  /// What has the key of an action before it; `nil` for a key that is free.
  static func owner(ofKeyOf action: ResultAction, among earlier: [ResultAction]) -> String? {
    guard let key = action.key else { return nil }
    if ResultAction.reservedKeys.contains(key) { return "a key of browse" }
    return earlier.first(where: action.isHidden).map { "the key of \($0.fullName)" }
  }

  /// What actions cannot do, whatever they run on: keys that are taken, kinds and placeholders that no result
  /// has, and programs that are missing.
  ///
  /// - Parameter plugin: The plugin of the actions, where it need not be installed.
  package func faults(of actions: [ResultAction], plugin: FoundPlugin? = nil) -> [ActionFault] {
    let installed = installed()
    let rows = installed.rows
    var faults = Self.withFreeKeys(actions).conflicts.map { action, owner in
      ActionFault(
        message:
          "the key \(action.key.map { String($0) } ?? "") of the action \(action.fullName) is \(owner)",
        hint: "give it another letter, or run it with: forage act \(action.fullName) REF", isError: false)
    }
    for action in actions {
      let own = (plugin ?? action.plugin.flatMap { installed.plugins[$0] })?.manifest
      // It also takes what others find on its hosts.
      let kinds = own.map { $0.kinds + ($0.hosts.isEmpty ? [] : ResultKind.known) }
      let fields = own?.providers.flatMap(\.info.fields).map(\.name.rawValue)
      let wrong = action.faults(
        kinds: kinds ?? ResultKind.known + rows.flatMap(\.kinds), fields: fields ?? rows.flatMap(\.fields))
      faults += wrong.map { fault in
        ActionFault(
          message: "the action \(action.fullName) \(fault.message)", hint: fault.hint, isError: true)
      }
      if let program = action.command.first, programPath(program, environment: environment) == nil {
        faults.append(
          ActionFault(
            message: "the action \(action.fullName) runs \(program), which is no executable program in PATH",
            hint: program.contains("/")
              ? "make it executable: chmod +x \(program.shellQuoted)" : "install it",
            isError: false))
      }
    }
    return faults
  }
}
