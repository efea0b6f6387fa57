import ArgumentParser
import Forage

/// `forage manual`: shows the manual page, or writes its source where results go to no terminal, for `make install`.
struct ManualCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "manual", _superCommandName: ForageCommand.name, abstract: "Show the manual page.",
    discussion: "In a pipe it writes the source of the page, for the man program.")

  /// The program that formats and shows a page from its standard input.
  private static let viewer = ["man", "-l", "-"]

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let page = try ManualPage.text(help: ForageCommand._dumpHelp(), version: Services.version)
    if context.output.isTerminal, !context.output.isCollected {
      let interruption = context.surroundings.interruption
      interruption.isPaging = true
      defer { interruption.isPaging = false }
      let ending = await context.terminalPrograms.run(
        Self.viewer, page, context.services.environmentWithoutTokens)
      if case .ended(isSuccess: true) = ending { return .success }
    }
    // The last line has its end already.
    try context.output.result(String(page.dropLast()))
    return .success
  }
}
