import ArgumentParser
import Forage

/// The program, whose commands are its subcommands.
struct ForageCommand: ParsableCommand {
  static let name = "forage"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Search GitHub and your local clones in one merged list.",
    discussion: """
      Examples:
        forage search "http client language:swift"
        forage search json parser --language rust -L 50 --format json
        forage grep 'func \\w+Handler'
        forage browse http client
        forage show apple/swift-nio
        forage star apple/swift-nio
        forage clone apple/swift-nio
        forage feed --sample 5
        forage inspect .
        forage clones add ~/src
      """,
    version: Forage.version,
    subcommands: [
      SearchCommand.self, GrepCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self,
      InspectCommand.self, CloneCommand.self, ClonesCommand.self, ProvidersCommand.self, FeedCommand.self,
      StarCommand.self,
      UnstarCommand.self, StarsCommand.self, FavoriteCommand.self, PluginCommand.self, AuthCommand.self,
      MCPCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ])

  /// The commands without subcommands. Their configurations name this command, so that the parser does not look in them for options of the
  /// program itself.
  static let leaves: [any Command.Type] = [
    SearchCommand.self, GrepCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self,
    InspectCommand.self, CloneCommand.self, FeedCommand.self, StarCommand.self, UnstarCommand.self,
    StarsCommand.self,
    MCPCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
  ]
}
