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
    let script = Self.withFurtherOptions(ForageCommand.completionScript(for: known))
    try context.output.result(
      verbatim: known == .bash ? Self.forBash(script) : known == .zsh ? Self.forZsh(script) : script)
    return .success
  }

  /// The script with the options of `search` that the parser does not know: each stands, in the form of every
  /// shell, behind an option of the parser whose value is free, too.
  private static func withFurtherOptions(_ script: String) -> String {
    let (model, further) = (SearchQualifier.created, SearchQualifier.further)
    func zsh(_ option: SearchQualifier) -> String {
      "'*--\(option.name)[\(option.help.replacing(":", with: "\\:"))]:\(option.valueName):'"
    }
    func fish(_ option: SearchQualifier) -> String { "-l '\(option.name)' -d '\(option.help)' -rfka ''" }
    func words(_ form: (SearchQualifier) -> String) -> String { further.map { " " + form($0) }.joined() }
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap {
      line in
      guard let form = [zsh, fish].first(where: { line.hasSuffix($0(model)) }) else { return [line] }
      return [line] + further.map { line.dropLast(form(model).count) + form($0) }
    }
    return lines.joined(separator: "\n")
      .replacing(" --\(model.name) ", with: " --\(model.name)" + words { "--" + $0.name } + " ")
      .replacing(" '\(model.name)=+' ", with: " '\(model.name)=+'" + words { "'\($0.name)=+'" } + " ")
  }

  /// The script for zsh. Arguments of which it knows no words get an action that does nothing: with their
  /// names as a message, an option would be listed and not completed.
  private static func forZsh(_ script: String) -> String {
    script.replacing(/(\n *'\*?:[^:']+:)'/) { $0.output.1 + ":'" }
      .replacing("else\n    compdef _forage forage\nfi", with: registration)
  }

  /// A script that is read before `compinit` registers its function before the first prompt behind that.
  private static let registration = """
    elif (( ${+functions[compdef]} )); then
        compdef _forage forage
    else
        __forage_register() {
            (( ${+functions[compdef]} )) || return 0
            compdef _forage forage
            add-zsh-hook -d precmd __forage_register
        }
        autoload -Uz add-zsh-hook
        add-zsh-hook precmd __forage_register
    fi
    """

  /// The script for bash. It treats words as names of files only where files are completed: of these bash
  /// shows what follows the last slash, and so would hide the owner of a repository. With `set -o posix` no
  /// name of a function has a hyphen.
  private static func forBash(_ script: String) -> String {
    let function = "__\(ForageCommand.name)_add_completions() {\n"
    let isOfFiles = "    [[ \"${1}\" = -[df] ]] && compopt -o filenames 2>/dev/null\n"
    return script.replacing(function, with: function + isOfFiles)
      .replacing("complete -o filenames ", with: "complete ")
      .replacing("complete -F _forage forage", with: wholeWords)
      .replacing("_${subcommand}\"", with: "_${subcommand//-/_}\"")
      .replacing(/\n_forage_[a-z_\-]+\(\) {\n/) { $0.output.replacing("-", with: "_") }
  }

  /// Bash begins a word at each `@`, where names of saved searches and accounts begin. Its list of such signs
  /// is that of all programs, so the words are put together for this one.
  private static let wholeWords = #"""
    __forage_whole_words() {
        local line="${COMP_LINE}" word blanks
        local -a whole=()
        local -i index last=-1 current=0
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            blanks="${line%%[![:space:]]*}"
            line="${line#"${blanks}"}"
            if [[ "${last}" -lt 0 || -n "${blanks}" || ( "${word}" != @* && "${whole[last]}" != *@ ) ]]; then
                last=$((last + 1))
                whole[last]=
            fi
            whole[last]+="${word}"
            line="${line#"${word}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && current="${last}"
        done
        local -a COMP_WORDS=("${whole[@]}")
        local -i COMP_CWORD="${current}"
        _forage "${1}" "${COMP_WORDS[COMP_CWORD]}" "${3}"
        # Bash replaces what begins at the last @.
        local word="${COMP_WORDS[COMP_CWORD]}"
        if [[ "${word}" = ?*@* && "${COMP_WORDBREAKS}" = *@* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${word%@*}"}")
        fi
    }

    complete -F __forage_whole_words forage
    """#
}
