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
    case .bash: try context.output.result(verbatim: Self.forBash(script))
    case .zsh: try context.output.result(verbatim: Self.forZsh(script))
    default: try context.output.result(verbatim: Self.forFish(script))
    }
    return .success
  }
}

/// What the scripts of the parser leave out: the short names of commands, such as `ls`, the commands that
/// `help` takes, and the folders that `inspect` takes beside clones.
extension CompletionCommand {
  /// The arguments by which a script asks for the clones that `inspect` takes.
  private static let clones = " ---completion inspect -- positional@0 "

  private static var commands: [String] {
    ForageCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The script for bash, which offers options only after a hyphen, not between commands.
  private static func forBash(_ script: String) -> String {
    let helpOptions =
      "    non_repeating_flags=(--version)\n    repeating_options=()\n    non_repeating_options=()\n"
    let offer = "    __\(ForageCommand.name)_offer_flags_options -1\n"
    let help =
      "    [[ \"${positional_number}\" -le 1 ]] && __\(ForageCommand.name)_add_completions -W $'"
      + commands.joined(separator: "\\n") + "'\n"
    let words =
      "__\(ForageCommand.name)_add_completions -W \"$(__\(ForageCommand.name)_custom_complete\(clones)"
    return addingShortNames(to: script, variable: "subcommand", indent: "    ")
      .replacing(
        "complete -o filenames -F _\(ForageCommand.name) \(ForageCommand.name)", with: registrationForBash
      )
      .replacing(words, with: "__\(ForageCommand.name)_add_completions -d\n        " + words)
      .replacing(helpOptions + offer, with: helpOptions + offer + help)
      .replacing(
        "(\"${cur}\" = -* && \"${positional_number}\" -ge 0) || \"${positional_number}\" -eq -1",
        with: "\"${cur}\" = -* && \"${positional_number}\" -ge 0")
  }

  /// Completes words as names of files only where all of them are: of a name of a file bash shows what follows the last slash.
  private static var registrationForBash: String {
    let function = "_\(ForageCommand.name)"
    return """
      \(function)_words() {
          \(function) "$@"
          local word
          for word in "${COMPREPLY[@]}"; do
              [[ -e "${word/#\\~/${HOME}}" ]] || return 0
          done
          compopt -o filenames 2>/dev/null
          return 0
      }

      complete -F \(function)_words \(ForageCommand.name)
      """
  }

  private static func forZsh(_ script: String) -> String {
    addingShortNames(to: script, variable: "words[1]", indent: "        ", end: " && ret=0")
      .replacing(
        "{__\(ForageCommand.name)_custom_complete\(clones)",
        with: "{_files -/; __\(ForageCommand.name)_custom_complete\(clones)"
      )
      .replacing("'*:subcommands:'", with: "'1:command:(\(commands.joined(separator: " ")))'")
  }

  /// The script for bash or zsh with the short names of commands, whose functions are called by their long names.
  ///
  /// - Parameters:
  ///   - variable: What holds the name of the command.
  ///   - end: What follows the call of a function.
  private static func addingShortNames(to script: String, variable: String, indent: String, end: String = "")
    -> String
  {
    ForageCommand.configuration.subcommands.reduce(script) { script, group in
      let function = "_\(ForageCommand.name)_\(group.configuration.commandName ?? "")_"
      func call(_ function: String) -> String { "\(indent)    \(function)\(end)\n\(indent)    ;;\n" }
      let known = call("\"\(function)${\(variable)}\"")
      let short = withShortNames(group).map { command in
        "\(indent)\(command.aliases.joined(separator: "|")))\n" + call(function + command.name)
      }
      return script.replacing(known, with: known + short.joined())
    }
  }

  private static func withShortNames(_ group: any ParsableCommand.Type) -> [(name: String, aliases: [String])]
  {
    group.configuration.subcommands.compactMap { command in
      let aliases = command.configuration.aliases
      return aliases.isEmpty ? nil : (command.configuration.commandName ?? "", aliases)
    }
  }

  private static func forFish(_ script: String) -> String {
    let words = "__\(ForageCommand.name)_custom_completion\(clones)"
    let folders = "__\(ForageCommand.name)_complete_directories"
    // A value without an empty description gets that of its option.
    var script = script.replacing(/-rfka '([a-z ]+)'/) { match in
      "-rfka '" + match.1.split(separator: " ").map { $0 + "\\t" }.joined(separator: " ") + "'"
    }
    script.replace(words, with: "\(folders); \(words)")
    for (name, aliases) in ForageCommand.configuration.subcommands.flatMap(withShortNames) {
      let names = ([name] + aliases).map { "'\($0)'" }.joined(separator: " ")
      script.replace(
        "            case '\(name)'\n",
        with: "            case \(names)\n                set unparsed_tokens[1] '\(name)'\n")
    }
    let offer =
      "\ncomplete -c '\(ForageCommand.name)' -n '__\(ForageCommand.name)_should_offer_completions_for_positional "
    return script + offer + "\"\(ForageCommand.name) help\" -eq 1' -fa '\(commands.joined(separator: " "))'"
  }
}
