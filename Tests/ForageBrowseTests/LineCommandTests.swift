import ForageBrowse
import Testing

struct LineCommandTests {
  @Test(
    arguments: [
      ("", LineCommand.nothing), ("  ", .nothing), ("/", .nothing), ("http client", .search("http client")),
      (" http  client ", .search("http  client")), ("3", .open(3)), ("0", .open(0)), ("s 3", .mark(.star, 3)),
      ("f 12", .mark(.favorite, 12)), ("o 3", .page(3)), ("e 3", .edit(3)), ("edit 12", .edit(12)),
      ("i 3", .facts(3)), ("c 3", .clone(3, folder: nil)),
      ("c 3 /tmp/my clone", .clone(3, folder: "/tmp/my clone")), ("more", .more), ("feed", .feed),
      ("random", .random), ("refresh", .refresh), ("help", .help), ("?", .help), ("quit", .quit),
      ("q", .quit),
      ("open 1", .page(1)), ("star 2", .mark(.star, 2)), ("favorite 1", .mark(.favorite, 1)),
      ("/q", .search("q")), ("q 3", .search("q 3")), ("star wars", .search("star wars")),
      ("open", .search("open")), ("edit", .search("edit")), ("e x", .search("e x")),
      // A word that is a command is searched for with a slash before it.
      ("/more", .search("more")), ("/ more", .search("more")), ("/3", .search("3")),
      // What only looks like a command is searched for.
      ("more light", .search("more light")), ("s three", .search("s three")), ("s", .search("s")),
      ("quit smoking", .search("quit smoking")), ("3 4", .search("3 4")), ("3d", .search("3d")),
      ("-3", .search("-3")), ("kind issue", .kind("issue")), ("kind words", .search("kind words")),
      ("sort stars", .sort("stars")), ("sort relevance", .sort(nil)),
      ("sort algorithms", .search("sort algorithms")), ("providers", .providers([])),
      ("providers github local", .providers(["github", "local"])),
      ("providers of food", .search("providers of food")),
      ("99999999999999999999", .search("99999999999999999999")),
    ])
  func lines(_ line: String, _ command: LineCommand) {
    #expect(
      LineCommand(line, kinds: ["repo", "issue"], providers: ["github", "local"]) == command, "\(line)")
  }
}
