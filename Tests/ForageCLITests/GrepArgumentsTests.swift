import Forage
import ForageCore
import Testing

@testable import ForageCLI

/// How the arguments of `forage grep` are read.
struct GrepArgumentsTests {
  private func read(_ text: String) throws -> GrepArguments {
    try GrepArguments(text.split(separator: " ").map { GrepArguments.Argument(String($0)) })
  }

  /// Ours are found anywhere among rg's options, which stay as they are.
  @Test(
    arguments: [
      // Arguments; options of rg; words; ours.
      ("x", "", "x", ""), ("--all x", "", "x", "all"), ("x --all", "", "x", "all"),
      ("-e --all x", "-e --all", "x", ""), ("-n --all -i x src", "-n -i", "x src", "all"),
      ("-R a/b -Rc --clone d --clone=e x", "", "x", "a/b c d e"), ("-lR nio x", "-l", "x", "nio"),
      ("-lRnio x", "-l", "x", "nio"), ("-C2 x", "-C2", "x", ""), ("-inC 2 x", "-inC 2", "x", ""),
      ("-A=3 -g !*.c x", "-A=3 -g !*.c", "x", ""), ("-eRx y", "-eRx", "y", ""), ("-e -R y", "-e -R", "y", ""),
      ("--dirty --language swift --stale=2y x", "", "x", "--dirty --language swift --stale 2y"),
      ("--after-context --all x", "--after-context --all", "x", ""),
      ("--nosuch --all x", "--nosuch", "x", "all"), ("-- --all -x", "", "--all -x", ""),
      ("--all -- --all", "", "--all", "all"), ("-", "", "-", ""), ("--sort --all x", "--sort --all", "x", ""),
      ("--symbol parse --ref v1 src", "", "src", "parse v1"), ("-f - --all", "-f -", "", "all"),
      ("--no-upstream -uu x", "-uu", "x", "--no-upstream"), ("-nR3 x", "-n", "x", "3"),
      ("-R=a/b -lR=c x", "-l", "x", "a/b c"),
    ])
  func places(_ text: String, _ options: String, _ words: String, _ own: String) throws {
    let arguments = try read(text)
    #expect(arguments.options.map(\.text).joined(separator: " ") == options)
    #expect(arguments.words.map(\.text).joined(separator: " ") == words)
    let found =
      (arguments.searchesAll ? ["all"] : []) + arguments.clones + arguments.conditions
      + arguments.symbols + [arguments.ref].compactMap(\.self)
    #expect(found.joined(separator: " ") == own && arguments.hasOwn == !own.isEmpty)
  }

  @Test(arguments: [
    "-R", "x --clone", "--all -lR", "--symbol", "--ref", "--clone=", "--dirty=yes", "--all=1",
  ])
  func missingValues(_ text: String) {
    #expect(throws: ForageError.self) { _ = try read(text) }
  }

  /// The patterns by which clones can be left out, or nothing where something else decides.
  @Test(
    arguments: [
      ("needle", "rust needle"), ("-e a -e b", "rust a b"), ("-F a.b", "literal a.b"),
      ("-F -P a+b", "literal a+b"),
      ("-P a", "pcre2 a"), ("-P --no-pcre2 a", "rust a"), ("-F --no-fixed-strings a", "rust a"),
      ("-ie x", "rust x"), ("-f patterns y", "rust one two"), ("-f crlf y", "rust beta"),
      ("-g !*.c x", "rust x"),
      ("-tc -Tjs x", "rust x"),
      ("-wxS -C2 -c x", "rust x"), ("-g *.c x", nil), ("-f - y", nil), ("-f nosuch y", nil), ("-v x", nil),
      ("-u x", nil), ("-nuu x", nil), ("--hidden x", nil), ("-. x", nil), ("-L x", nil),
      ("--no-ignore x", nil),
      ("--no-ignore-vcs x", nil), ("-a x", nil), ("-z x", nil), ("--pre cat x", nil), ("--null-data x", nil),
      ("--include-zero x", nil), ("--passthru x", nil), ("-E latin1 x", nil), ("--json x", nil),
      ("--stats x", nil),
      ("--files-without-match x", nil), ("--files", nil), ("--nosuch x", nil), ("-y x", nil),
      ("--engine auto x", nil),
      ("--mmap x", nil), ("--binary x", nil), ("--ignore-file f x", nil), ("--iglob a x", nil),
    ] as [(String, String?)])
  func patterns(_ text: String, _ expected: String?) throws {
    let found = try read(text).patterns([]) {
      ["patterns": "one\ntwo\n", "crlf": "beta\r\n"][$0].map { Array($0.utf8) }
    }
    #expect(found.map { "\($0.syntax) " + $0.texts.joined(separator: " ") } == expected)
  }

  /// The options of the user's configuration count, too.
  @Test func configuration() throws {
    let arguments = try read("x")
    let (hidden, sorted) = (try read("--hidden").given, try read("--sort modified").given)
    #expect(arguments.patterns(hidden) { _ in nil } == nil)
    #expect(arguments.patterns(sorted) { _ in nil } == GrepPatterns(["x"], .rust))
    #expect(arguments.sorts(sorted) && !arguments.sorts(hidden))
    #expect(!arguments.givesFiles(try read("-tc").given) && !arguments.givesFiles(sorted))
  }

  /// What stands last and needs a value lacks it; it is for rg to say so.
  @Test(arguments: [
    ("x -e", true), ("x -g", true), ("x -nC", true), ("x --type", true), ("x -e y", false), ("-- -e", false),
  ])
  func lastOptions(_ text: String, _ lacksValue: Bool) throws {
    #expect(try read(text).lacksValue == lacksValue)
  }

  /// Whether files may be named in place of their clone.
  @Test(
    arguments: [
      ("-n x", true), ("--sort path x", true), ("--sort modified x", false), ("--sortr path x", false),
      ("-tc x", false), ("-g !a x", false), ("--max-depth 2 x", false), ("-A 2 x", true),
    ])
  func files(_ text: String, _ given: Bool) throws {
    #expect(try read(text).givesFiles([]) == given)
  }

  /// Arguments that are not UTF-8 stay what they are.
  @Test func bytes() throws {
    let bytes: [UInt8] = [0x2D, 0x67, 0xE9]
    let arguments = try GrepArguments([.init(bytes), .init([0xFF]), .init("--all")])
    #expect(arguments.options.map(\.bytes) == [bytes] && arguments.words.map(\.bytes) == [[0xFF]])
    #expect(arguments.patterns([]) { _ in nil } == nil)
  }

  /// The options of every command may stand before the command.
  @Test(
    arguments: [
      (["grep", "x"], "x"), (["--color", "never", "grep", "x"], "--color=never x"),
      (["-v", "--quiet", "grep", "-v"], "-v"),
      (["search", "grep"], nil), (["--nosuch", "grep"], nil), ([], nil), (["-v"], nil),
    ] as [([String], String?)])
  func command(_ arguments: [String], _ expected: String?) {
    let run = GrepRun(arguments.map { Array($0.utf8) })
    #expect(run?.arguments.map(\.text).joined(separator: " ") == expected)
  }

  /// Letters and names of the table belong to one option each.
  @Test func table() {
    for (name, option) in RipgrepOption.all {
      #expect(name == option.name || name == option.letter.map { "-\($0)" })
      #expect(option.name.hasPrefix("--") && !option.name.contains(" "))
    }
    #expect(RipgrepOption.all.count > 180)
  }
}
