import Forage
import Testing

@testable import ForageCLI

/// The references in lines of standard input.
struct CloneReferencesTests {
  private static let hosts: Set = ["github.com", "codeberg.org"]

  /// Lines of lists in all formats that name one thing a line.
  @Test(
    arguments: [
      ("owner/name", ["owner/name"]), ("  github.com/owner/name \r", ["github.com/owner/name"]),
      ("owner/name\tA description\tSwift", ["owner/name"]),
      ("o/n\tText\tSwift\t3\t\thttps://codeberg.org/o/n\t\tcodeberg", ["https://codeberg.org/o/n"]),
      (
        "codeberg.org/o/n\tText\tSwift\t3\t\thttps://codeberg.org/O/n\t\tcodeberg",
        ["https://codeberg.org/O/n"]
      ),
      (
        "o/n:a b.c:2:3\tx\thttps://github.com/o/n/blob/12ab/a%20b.c\tgithub",
        ["https://github.com/o/n/blob/12ab/a%20b.c"]
      ),
      ("o/n:a.c:2:3\thttps://github.com/x/y\t\tlocal", ["o/n:a.c:2:3"]),
      (
        "0123456789abcdef\tFix\tme\t\to/n\thttps://codeberg.org/o/n/commit/0123456789abcdef\tcodeberg",
        ["https://codeberg.org/o/n/commit/0123456789abcdef"]
      ),
      ("code\to/n:a.c\tx\t\t\tlocal", ["o/n:a.c"]), ("code", ["code"]),
      ("o/n\ttext\thttps://codeberg.org/a/b\tx", ["o/n"]),
      ("o/n#3\ttext\thttps://elsewhere.example/a/b\tx", ["o/n#3"]),
      ("How to x\tme\thttps://stackoverflow.com/questions/11/how-to-x\tstackoverflow", ["How to x"]),
      ("left-pad\tPads\thttps://www.npmjs.com/package/left-pad\tnpm", ["left-pad"]),
      (#"{"id":"so:11","url":"https://stackoverflow.com/questions/11/x"}"#, ["so:11"]),
      (#"{"url":"https://elsewhere.example/a/b"}"#, ["https://elsewhere.example/a/b"]),
      ("Show HN\tme\t3\t1\t\thttps://example.org/x\thackernews", ["Show HN"]),
      ("o/n\tsee https://example.org/x/y\thttps://example.org/x/y", ["o/n"]),
      (#"{"id":"github.com/o/n","url":"https://github.com/O/N"}"#, ["https://github.com/O/N"]),
      (#"{"id":"gitlab.com/o/n"}"#, ["gitlab.com/o/n"]),
      (
        #"[{"id":"gitlab.com/o/n"},{"url":"https://github.com/a/b"}]"#,
        ["gitlab.com/o/n", "https://github.com/a/b"]
      ),
      (#"["o/n","検/索"]"#, ["o/n", "検/索"]),
      (#"{"schema":1,"items":[{"id":"gitlab.com/o/n"}],"providers":[{"id":"x"}]}"#, ["gitlab.com/o/n"]),
      (#"{"summary":{"complete":true}}"#, []), ("[]", []), ("", []), ("\t", []),
    ] as [(String, [String])])
  func lines(_ line: String, _ expected: [String]) throws {
    #expect(try CloneReferences.references(inLine: line, Self.hosts) == expected)
  }

  /// JSON that cannot be used is no name either.
  @Test(arguments: ["[", "{", #"[{"id":"github.com/o/n"}"#, #"{"stars":3}"#, #"[{"title":null}]"#, "[1]"])
  func unusableJSON(_ line: String) {
    #expect(throws: ForageError.self) { try CloneReferences.references(inLine: line, Self.hosts) }
  }
}
