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
    try context.output.result(verbatim: known == .bash ? Self.forBash(script) : script)
    return .success
  }

  /// The script for bash. It treats words as names of files only where files are completed: of these bash shows what follows the last slash, and
  /// so would hide the owner of a repository.
  private static func forBash(_ script: String) -> String {
    let function = "__\(ForageCommand.name)_add_completions() {\n"
    let isOfFiles = "    [[ \"${1}\" = -[df] ]] && compopt -o filenames 2>/dev/null\n"
    return script.replacing(function, with: function + isOfFiles)
      .replacing("complete -o filenames ", with: "complete ")
  }
}
