import ArgumentParser
import Forage

extension PluginCommand {
  /// `forage plugin remove`.
  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove an installed plugin or manifest, and its trust.", aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      switch try PluginInstallation(context.services).remove(id) {
      case .shared(let path):
        throw ForageError(
          "\(id) is installed for all users, in \(path)",
          hint: "disable it for yourself with: forage providers disable \(id)")
      case .removed(let settings):
        context.output.message("\(id) is removed")
        for id in settings {
          context.output.message(
            "the line of \(id) is removed from \(context.services.directories.configFile)")
        }
        return .success
      }
    }
  }
}
