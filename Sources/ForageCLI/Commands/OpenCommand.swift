import ArgumentParser
import Forage

/// `forage open`: opens web pages.
struct OpenCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: ForageCommand.name,
    abstract: "Open pages in the browser, and files of clones in the editor.",
    discussion: """
      \(ReferenceReader.help)

      At most \(WebPages.maximum) pages are opened at once. Nothing is requested: an address is opened whether the page exists or not. \
      A file of a clone without a page is opened at its line in the editor of VISUAL, else of EDITOR.
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

extension ReferenceReader {
  /// The forms of a REF, for the help of commands.
  static let help =
    "REF is owner/name, owner/name#12, owner/name@COMMIT or @login, each with a host in front or not; '#12' in a clone; "
    + forms

  /// The forms of a REF that can only be a repository.
  static let helpForRepositories = "REF is owner/name with a host in front or not; " + forms

  private static let forms = """
    a clone or web URL; the path of a clone; the id of a result; or a number or range of the last list on this terminal (3, 5-7). \
    owner/name is a repository; write ./owner/name for the folder.
    """
}
