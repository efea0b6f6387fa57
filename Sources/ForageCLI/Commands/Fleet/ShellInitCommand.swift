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
      fcd - goes back.

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

  var readsCatalogue: Bool { false }

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
    case .bash: posix("fcd") + (key.map(bash) ?? "")
    case .zsh: posix("\\fcd") + (key.map(zsh) ?? "")
    case .fish: fish + (key.map(fish) ?? "")
    }
  }

  /// The function for bash and zsh.
  ///
  /// `name` is that of the function after the word `function`. There bash expands no alias and takes no
  /// backslash, zsh expands global aliases. `name()` would be expanded, and be an error at each start. zsh
  /// reads the whole text before `unalias` runs, so that `unalias` alone is no help.
  ///
  /// A backslash before a word keeps an alias away, `builtin` and `command` a function. The `x` keeps
  /// newlines at the end of a path, which `$(…)` removes. Whether the folder is there is asked before,
  /// since `cd` with `cdspell` of bash goes to one with a name like it.
  private static func posix(_ name: String) -> String {
    #"""
    # Goes to the clone that is picked with "forage pick"; "fcd -" goes back. It calls the builtin cd, so that
    # the folder changes whatever cd is here. An alias fcd from before would hide it.
    \builtin unalias \fcd 2>/dev/null || \builtin true
    function \#(name) {
      if [[ $# -eq 1 && "$1" == "-" ]]; then \builtin \cd -; return; fi
      \builtin local picked
      picked="$(\command \forage \pick "$@" && \builtin printf x)" || return
      picked=${picked%$'\n'x}
      if [[ "$picked" != /* ]]; then
        \builtin printf '%s\n' "$picked"
      elif [[ -d "$picked" ]]; then
        \builtin \cd -- "$picked"
      else
        \builtin printf 'fcd: there is no folder %q\n' "$picked" >&2
        return 1
      fi
    }
    """#
  }

  /// The function for fish, where an alias is a function.
  ///
  /// The history of folders is what the function `cd` of fish adds to the builtin one. Without `IFS` the
  /// output is not split at newlines.
  private static let fish = #"""
    # Goes to the clone that is picked with "forage pick"; "fcd -" goes back. It calls the builtin cd, so that
    # the folder changes whatever cd is here, and keeps the history of folders for "cd -", prevd and cdh.
    function fcd
      if test "$argv" = -
        if test "$__fish_cd_direction" = next; nextd; else; prevd; end
        return
      end
      set -l IFS
      set -l picked (command forage pick $argv); or return
      if not string match -q -- '/*' "$picked"
        builtin printf '%s\n' "$picked"
        return
      else if not test -d "$picked"
        builtin printf 'fcd: there is no folder %s\n' (string escape -- "$picked") >&2
        return 1
      end
      set -l previous "$PWD"
      builtin cd -- "$picked"; or return
      test "$PWD" = "$previous"; and return
      set -q dirprev; or set -g dirprev
      set -q dirprev[25]; and set -e dirprev[1]
      set -a dirprev "$previous"
      set -e dirnext
      set -q __fish_cd_direction; or set -g __fish_cd_direction
      set __fish_cd_direction prev
      return 0
    end
    """#

  /// The line that was typed is put aside and comes back.
  ///
  /// `bind` warns where no line is edited, as in a command over ssh that reads ~/.bashrc. It is not called
  /// with `builtin`, since ble.sh has a function of that name.
  private static func bash(_ key: Key) -> String {
    let name = key.isControl ? "\\C-\(key.letter)" : "\\e\(key.letter)"
    // In the modes of vi it goes to the one of emacs and back, whose keys put the line aside.
    return #"""

      if [[ $- == *i* && ( -o emacs || -o vi ) ]]; then
        \bind -m emacs-standard '"\#(name)": "\C-e \C-a\C-k fcd\C-m\C-y\C-h"'
        \bind -m emacs-standard '"\C-z": vi-editing-mode'
        \bind -m vi-insert '"\C-z": emacs-editing-mode'
        \bind -m vi-insert '"\#(name)": "\C-z\#(name)\C-z"'
        \bind -m vi-command '"\C-z": emacs-editing-mode'
        \bind -m vi-command '"\#(name)": "\C-z\#(name)\C-z"'
      fi
      """#
  }

  private static func zsh(_ key: Key) -> String {
    let name = key.isControl ? "^\(key.letter.uppercased())" : "\\e\(key.letter)"
    return #"""

      function _forage_fcd {
        \builtin zle push-line
        BUFFER=' fcd'
        \builtin zle accept-line
      }
      \builtin zle -N _forage_fcd
      \builtin bindkey -M emacs '\#(name)' _forage_fcd
      \builtin bindkey -M viins '\#(name)' _forage_fcd
      \builtin bindkey -M vicmd '\#(name)' _forage_fcd
      """#
  }

  private static func fish(_ key: Key) -> String {
    let name = key.isControl ? "\\c\(key.letter)" : "\\e\(key.letter)"
    return #"""

      bind -M default \#(name) 'fcd; commandline -f repaint'
      bind -M insert \#(name) 'fcd; commandline -f repaint'
      """#
  }
}
