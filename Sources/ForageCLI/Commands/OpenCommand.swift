import ArgumentParser
import Forage

/// `forage open`: opens web pages.
struct OpenCommand: PlainCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: ForageCommand.name,
    abstract: "Open pages of repositories, issues and others in the browser.",
    discussion: """
      \(ReferenceReader.help)

      At most \(WebPages.maximum) pages are opened at once. Nothing is requested: an address is opened whether the page exists or not.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("Names, URLs, paths, or numbers of the last list.", valueName: "ref"),
    completion: Completion.reference)
  var references: [String]

  func run(in context: Context) async throws -> ExitStatus {
    try await WebPages(context).open(
      try await context.references().references(references))
    return .success
  }
}
