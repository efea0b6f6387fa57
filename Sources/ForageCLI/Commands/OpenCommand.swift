import ArgumentParser
import Forage

/// `forage open`: opens web pages, and files in the editor.
struct OpenCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: ForageCommand.name,
    abstract: "Open pages in the browser, and files in the editor.",
    discussion: """
      \(ReferenceReader.help)

      At most \(Browser.maximumPages) pages are opened at once. Nothing is requested: an address is opened whether the page exists or not. \
      A web address is opened as it is. A path of a file, also with a line (PATH:LINE), is that file here. \
      A file of a clone is opened at its line in the editor of VISUAL, else of EDITOR, unless there is a page of the commit in which it was found.

      Exit status: 0 all opened, or their addresses printed where no browser can be started, 1 none has a page or a file, 2 usage, or the editor or the browser failed, 3 some have neither.
      """)

  @Flag(help: "Open the file or the clone in the editor.")
  var editor = false

  @Argument(help: .references, completion: Completion.place)
  var references: [String]

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    var reader = try context.references()
    reader.files = .every
    let named = try await reader.references(references, onDisk: editor)
    return editor ? try await context.edit(named, reader) : try await context.openPages(of: named)
  }
}

extension ReferenceReader {
  /// The forms of a REF, for the help of commands.
  static let help = named + forms("a number or range of the last list on this terminal (3, 5-7)")

  /// The forms of a REF of a command that takes one.
  static let helpForOne = named + forms("a number of the last list on this terminal")

  /// The forms of a REF that can only be a repository.
  static let helpForRepositories =
    "REF is owner/name with a host in front or not; "
    + forms("a number or range of the last list on this terminal (3, 5-7)")

  private static let named =
    "REF is owner/name, owner/name#12, owner/name!12 (merge request), owner/name@COMMIT or @login, each with a host in front or not; '#12' and '!12' in a clone; "
    + "for open and show also a file as lists print it: owner/name:PATH and PATH:LINE, or any PATH of a file; "

  private static func forms(_ numbers: String) -> String {
    """
    a clone or web URL; the path or the name of a clone; the id of a result; or \(numbers). \
    owner/name is a repository; write ./owner/name for the folder.
    """
  }
}
