import ArgumentParser
import Forage
import ForageCore

/// `forage shell-init`: the function `fcd` for a shell.
struct ShellInitCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "shell-init", _superCommandName: ForageCommand.name,
    abstract: "Print a function that jumps to a clone.",
    discussion: """
      The function fcd changes to the clone that you pick; it takes the words and options of forage pick.

      bash: source <(forage shell-init bash)                 in ~/.bashrc
      zsh:  source <(forage shell-init zsh --key ctrl-g)     in ~/.zshrc
      fish: forage shell-init fish | source                  in ~/.config/fish/config.fish
      """)

  private enum Shell: String, CaseIterable { case bash, zsh, fish }

  @Argument(
    help: ArgumentHelp("The shell: bash, zsh or fish.", valueName: "shell"),
    completion: .list(Shell.allCases.map(\.rawValue)))
  var shell: String?

  @Option(help: ArgumentHelp("Bind fcd to a key (ctrl-LETTER or alt-LETTER).", valueName: "key"))
  var key: String?

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ExitStatus {
    guard let shell else {
      throw ForageError("shell-init needs the name of a shell", hint: "for example: forage shell-init bash")
    }
    guard let known = Shell(rawValue: shell) else {
      throw ForageError(
        "there is no function for \"\(shell)\"",
        hint: NearestName.hint(for: shell, among: Shell.allCases.map(\.rawValue))
          ?? "choose bash, zsh or fish")
    }
    let key = try key.map(Self.key)
    try context.output.result(verbatim: Self.script(known, key))
    return .success
  }

  /// A key with a modifier.
  private struct Key {
    var isControl: Bool
    var letter: String
  }

  /// Keys with Ctrl that end a line or a program, and those with which bash puts the line aside.
  private static let neededKeys = Set("acdehijkmyz")

  private static func key(_ text: String) throws -> Key {
    let parts = text.lowercased().split(separator: "-")
    guard parts.count == 2, ["ctrl", "alt"].contains(parts[0]), let letter = parts[1].first,
      parts[1].count == 1,
      letter.isASCII, letter.isLetter
    else {
      throw ForageError(
        "--key takes ctrl-LETTER or alt-LETTER, not \"\(text)\"", hint: "for example: --key ctrl-g")
    }
    let isControl = parts[0] == "ctrl"
    guard !isControl || !neededKeys.contains(letter) else {
      throw ForageError(
        "the shell needs \(text.lowercased()) itself", hint: "choose another key, for example: --key ctrl-g")
    }
    return Key(isControl: isControl, letter: String(letter))
  }

  private static func script(_ shell: Shell, _ key: Key?) -> String {
    switch shell {
    case .bash: posix + (key.map(bash) ?? "")
    case .zsh: posix + (key.map(zsh) ?? "")
    case .fish: fish + (key.map(fish) ?? "")
    }
  }

  /// The function for bash and zsh. What is no folder is the address of a repository without a clone.
  private static let posix = """
    fcd() {
      local picked
      picked="$(command forage pick "$@")" || return
      if [ -d "$picked" ]; then cd -- "$picked"; else printf '%s\\n' "$picked"; fi
    }
    """

  private static let fish = """
    function fcd
      set -l picked (command forage pick $argv); or return
      if test -d "$picked"; cd -- "$picked"; else; printf '%s\\n' "$picked"; end
    end
    """

  /// The line that was typed is put aside and comes back.
  private static func bash(_ key: Key) -> String {
    let name = key.isControl ? "\\C-\(key.letter)" : "\\e\(key.letter)"
    // In the modes of vi it goes to the one of emacs and back, whose keys put the line aside.
    return #"""

      bind -m emacs-standard '"\#(name)": "\C-e \C-a\C-k fcd\C-m\C-y\C-h"'
      bind -m emacs-standard '"\C-z": vi-editing-mode'
      for _forage_map in vi-insert vi-command; do
        bind -m $_forage_map '"\C-z": emacs-editing-mode'
        bind -m $_forage_map '"\#(name)": "\C-z\#(name)\C-z"'
      done
      unset _forage_map
      """#
  }

  private static func zsh(_ key: Key) -> String {
    let name = key.isControl ? "^\(key.letter.uppercased())" : "\\e\(key.letter)"
    return """

      _forage_fcd() {
        zle push-line
        BUFFER=' fcd'
        zle accept-line
      }
      zle -N _forage_fcd
      for _forage_map in emacs viins vicmd; do bindkey -M $_forage_map '\(name)' _forage_fcd; done
      unset _forage_map
      """
  }

  private static func fish(_ key: Key) -> String {
    let name = key.isControl ? "\\c\(key.letter)" : "\\e\(key.letter)"
    return """

      for mode in default insert
        bind -M $mode \(name) 'fcd; commandline -f repaint'
      end
      """
  }
}
