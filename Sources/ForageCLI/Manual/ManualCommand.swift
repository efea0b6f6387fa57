import ArgumentParser
import Forage

/// `forage manual`: writes the manual page, for `make install`; not shown in help.
struct ManualCommand: PlainCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual page.", shouldDisplay: false)

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    let page = try ManualPage.text(help: ForageCommand._dumpHelp(), version: Services.version)
    // The last line has its end already.
    try context.output.result(String(page.dropLast()))
    return .success
  }
}
