import ArgumentParser
import Forage

/// `forage grep`, as help, manual and completion have it. ``GrepArguments`` reads its arguments, and
/// ``GrepRun`` runs it.
struct GrepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grep", _superCommandName: ForageCommand.name,
    abstract: "Run rg, also over many clones.",
    usage: "forage grep [<options of rg>] <pattern> [<path> ...]",
    discussion: """
      It is rg (ripgrep), with all of its options. With --all, --clone or a condition rg searches the clones of the catalogue, sorted by path; \
      those that cannot match are left out with the help of the index, which forage clones scan brings up to date. A path is then one in \
      each of the clones. --symbol, --uses and --ref print rows as rg with line numbers, and take the options of rg that choose files and lines.

      Examples:
        forage grep --all 'func \\w+Handler'
        forage grep -R apple/swift-nio -R vapor -l Sendable
        forage grep --dirty -n TODO src
        forage grep --all --symbol parse
        forage grep --all --uses parse_options -t c
        forage grep --ref v1.0 -C 2 'http' Sources

      Exit status: 0 matches; 1 none; 2 an error.
      """)

  @Flag(help: "Search every clone in the catalogue.")
  var all = false

  @Option(
    name: [.customShort("R"), .customLong("clone")],
    help: ArgumentHelp(
      "Search clones with this name, path or word (repeatable).", valueName: "clone"),
    completion: Completion.clone)
  var clones: [String] = []

  @Option(help: ArgumentHelp("Find the lines that define a name, without a pattern.", valueName: "name"))
  var symbol: String?

  @Option(help: ArgumentHelp("Find the lines of code that use a name.", valueName: "name"))
  var uses: String?

  @Option(help: ArgumentHelp("Search the files of a branch, tag or commit.", valueName: "name"))
  var ref: String?

  @Option(
    name: [.customShort("t"), .long],
    help: ArgumentHelp("Search the files of a type, as rg (repeatable).", valueName: "type"),
    completion: Completion.fileTypes)
  var type: [String] = []

  @OptionGroup(title: "Conditions on clones") var conditions: CloneConditions

  @Argument(parsing: .allUnrecognized, help: .hidden, completion: .file())
  var arguments: [String] = []
}
