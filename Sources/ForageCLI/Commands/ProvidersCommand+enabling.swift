import ArgumentParser
import Forage
import ForageCore

extension ProvidersCommand {
  /// `forage providers enable`.
  struct Enable: Command {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Include a provider in searches that name none.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a provider.", valueName: "id"), completion: Completion.provider)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      try ProvidersCommand.set(enabled: true, id, context)
    }
  }

  /// `forage providers disable`.
  struct Disable: Command {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Exclude a provider from searches that name none.")

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a provider.", valueName: "id"), completion: Completion.provider)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      try ProvidersCommand.set(enabled: false, id, context)
    }
  }

  /// Writes into the settings whether a provider is enabled.
  private static func set(enabled: Bool, _ id: String, _ context: Context) throws -> ExitStatus {
    let registry = try context.services.registry(try context.services.settings(), Asking(everything: true))
    let found = context.services.installed()
    guard registry[id] != nil else {
      let unknown = ProviderChoice.unknown(id, registry, found.ids)
      guard found.ids.plugins[id] == nil, let missing = found.missingBundle else { throw unknown }
      throw ForageError("\(unknown.message): \(missing)", hint: Remedy.installManifest.advice)
    }
    let installed = found.ids
    let path = context.services.directories.configFile
    let editor = SettingsEditor(path: path) { text in
      try Settings.parse(text, path: path, types: Services.types) { installed }
    }
    let word = enabled ? "enabled" : "disabled"
    let hasChanged = try editor.set(enabled: enabled, for: id)
    context.output.message("\(id) is \(hasChanged ? "now" : "already") \(word)")
    if enabled, let problem = (registry[id]?.provider as? UnusableProvider)?.error {
      context.output.problem("\(id): " + problem.message, hint: problem.advice)
    }
    return .success
  }
}
