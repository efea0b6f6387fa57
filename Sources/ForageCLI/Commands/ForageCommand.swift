import ArgumentParser
import Forage

/// The program, whose commands are its subcommands.
struct ForageCommand: ParsableCommand {
  static let name = "forage"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Search repositories on GitHub and your clones in one list.",
    discussion: """
      search --kind finds issues, code, commits and users; --provider asks other sources.

      Examples:
        forage search http client language:swift
        forage search json parser --language rust --sort stars -L 50
        forage search --next
        forage search logger --archived false --json id,stars
        forage search parser --favorites --offline
        forage grep -C 2 'func \\w+Handler'
        forage show 3
        forage open apple/swift-nio
        forage clone apple/swift-nio
        forage inspect .
        forage clones add ~/src

      Every command takes --help, --verbose, --quiet and --color. See: forage manual
      """,
    version: Forage.version,
    subcommands: [
      SearchCommand.self, SearchesCommand.self, GrepCommand.self, BrowseCommand.self, ShowCommand.self,
      OpenCommand.self, ActCommand.self,
      InspectCommand.self, CloneCommand.self, ClonesCommand.self, ProvidersCommand.self, FeedCommand.self,
      StarCommand.self, UnstarCommand.self, StarsCommand.self, FavoriteCommand.self,
      NotificationCommand.self, PickCommand.self,
      ShellInitCommand.self, PluginCommand.self,
      AuthCommand.self, MCPCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ])
}
