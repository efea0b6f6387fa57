import ArgumentParser
import Forage
import ForageCore

/// `forage completion`: writes the completion script of a shell.
struct CompletionCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "completion", _superCommandName: ForageCommand.name,
    abstract: "Print the completion script for a shell.",
    discussion: """
      bash: source <(forage completion bash)
      zsh: forage completion zsh > ~/.zfunc/_forage, with ~/.zfunc in $fpath before compinit
      fish: forage completion fish > ~/.config/fish/completions/forage.fish
      """)

  private static let shells = ["bash", "zsh", "fish"]

  @OptionGroup var common: CommonOptions

  @Argument(
    help: ArgumentHelp("The shell: bash, zsh or fish.", valueName: "shell"), completion: .list(Self.shells))
  var shell: String?

  func run(in context: Context) async throws -> ExitStatus {
    guard let shell else {
      throw ForageError(
        "completion needs the name of a shell", hint: "for example: forage completion bash")
    }
    guard Self.shells.contains(shell), let known = CompletionShell(rawValue: shell) else {
      throw ForageError(
        "there is no completion for \"\(shell)\"",
        hint: NearestName.hint(for: shell, among: Self.shells) ?? "choose bash, zsh or fish")
    }
    let script = ForageCommand.completionScript(for: known)
    switch known {
    case .bash: try context.output.result(Self.knowingAliases(script))
    case .fish: try context.output.result(Self.describingOptionsAlone(script))
    default: try context.output.result(script)
    }
    return .success
  }

  /// The script for fish with an empty description for each value of an option: without one fish repeats that of the option.
  private static func describingOptionsAlone(_ script: String) -> String {
    script.replacing(/-rfka '([a-z ]+)'/) { match in
      "-rfka '" + match.1.split(separator: " ").map { $0 + "\\t" }.joined(separator: " ") + "'"
    }
  }

  /// The script for bash with the short names of commands, such as `ls`, which the parser leaves out there.
  private static func knowingAliases(_ script: String) -> String {
    ForageCommand.configuration.subcommands.reduce(script) { script, group in
      let function = "_\(ForageCommand.name)_\(group.configuration.commandName ?? "")_"
      let known = "        \"\(function)${subcommand}\"\n        ;;\n"
      let short = group.configuration.subcommands.compactMap { command -> String? in
        let aliases = command.configuration.aliases
        guard let name = command.configuration.commandName, !aliases.isEmpty else { return nil }
        return "    \(aliases.joined(separator: "|")))\n        \(function)\(name)\n        ;;\n"
      }
      return script.replacing(known, with: known + short.joined())
    }
  }
}
