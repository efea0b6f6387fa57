import ArgumentParser
import ForageCore
import ForagePluginHost

extension PluginCommand {
  /// `forage plugin trust`.
  struct Trust: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Show what a plugin runs, and allow it to run.",
      discussion: """
        A changed plugin must be trusted again. On a terminal the command asks first, unless --yes is given; elsewhere it does not ask.
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The id of a plugin.", valueName: "id"), completion: Completion.plugin)
    var id: String
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    func run(in context: Context) async throws -> ExitStatus {
      let installed = context.installed()
      guard let plugin = installed.plugins[id] else { throw installed.noPlugin(id) }
      try PluginCommand.show(plugin, context)
      switch installed.state(of: plugin) {
      case .known(.trusted):
        context.output.message("\(id) is trusted already")
        return .success
      case .known(.bundled), .known(.named):
        context.output.message("\(id) came with this program and needs no trust")
        return .success
      case .known(.untrusted), .known(.changed): break
      case .failed(let error): throw error
      }
      guard yes || PluginCommand.agrees("Run it as you, with everything that you may do?", context) else {
        throw CommandError(
          "\(id) is not trusted", hint: "nothing of it runs; to allow it: forage plugin trust \(id)")
      }
      try installed.trust.trust(plugin)
      context.output.message("\(id) is now trusted")
      return .success
    }
  }

  /// Shows everything by which to decide about a plugin.
  static func show(_ plugin: FoundPlugin, _ context: Context) throws {
    let manifest = plugin.manifest
    var sheet = FactSheet(title: "\(plugin.id)  \(manifest.name) \(manifest.version)")
    sheet.add("Folder", plugin.folder)
    sheet.add("Runs", manifest.command.map(shellQuoted).joined(separator: " "))
    sheet.add("Program", try? plugin.program(environment: context.environment))
    sheet.add("Files", manifest.trustedFiles.joined(separator: ", "))
    sheet.add("Hosts", manifest.hosts.isEmpty ? "none" : manifest.hosts.joined(separator: ", "))
    sheet.add("Secrets", manifest.secrets.isEmpty ? "none" : manifest.secrets.joined(separator: ", "))
    sheet.add("Kinds", manifest.kinds.map(\.rawValue).joined(separator: ", "))
    try sheet.write(to: context.output)
  }

  /// A word as a shell would need it.
  private static func shellQuoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (48...57).contains(byte) || "-_./=:@+,%".utf8.contains(byte)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Asks on the terminal; where there is nobody to ask, the command itself was the answer.
  static func agrees(_ question: String, _ context: Context) -> Bool {
    guard context.input.isTerminal else { return true }
    context.output.writeMessage(question + " [y/N] ")
    let answer = context.input.readLine()?.lowercased() ?? ""
    return ["y", "yes"].contains(answer.filter { !$0.isWhitespace })
  }
}
