import Foundation
import TestSupport
import Testing

/// A plugin that says its secret wherever it can, also encoded: nothing shows or stores it.
@Suite struct SpokenSecretTests {
  private static let secret = "Tok/en+0123 456789=xyzXYZ"

  /// A plugin that says its secret in the way, and in the place, that the two words of the query name.
  private static let plugin = #"""
    import base64, json, sys, urllib.parse

    def send(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    WAYS = {
        "plain": lambda text: text, "percent": urllib.parse.quote,
        "base": lambda text: base64.b64encode(text.encode()).decode(),
        "basic": lambda text: base64.b64encode(b"user:" + text.encode()).decode(),
    }
    secret = ""
    for line in sys.stdin:
        call = json.loads(line)
        if "id" not in call:
            continue
        if call["method"] == "initialize":
            secret = call["params"]["secrets"]["token"]
            send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
            continue
        way, place = call["params"]["text"]
        said = "login with " + WAYS[way](secret) + " failed"
        result = {"count": 0}
        if place == "items":
            send({"method": "search/items", "params": {"id": call["id"], "items": [
                {"id": said, "kind": "repo", "title": said, "url": "https://acme.example/a?key=" + urllib.parse.quote(said),
                 "fields": {"description": said}}]}})
            result = {"count": 1, "next": said}
        elif place == "noise":
            print(said, flush=True)
        elif place == "notes":
            result.update(notes=[{"code": "own", "message": said, "hint": said, "incomplete": True}])
        elif place == "log":
            # The line is cut in the middle of the secret.
            print("x" * 4080 + said, file=sys.stderr, flush=True)
        if place == "words":
            print(said, file=sys.stderr, flush=True)
            sys.exit(3)
        if place == "error":
            send({"id": call["id"], "error": {"code": 1004, "message": said, "data": {"hint": said}}})
        else:
            send({"id": call["id"], "result": result})
    """#

  /// What must not be seen of the secret.
  private static let forms = [
    secret, String(secret.prefix(9)), String(secret.suffix(9)), "Tok/en%2B0123", "Tok%2Fen%2B0123",
    Data(secret.utf8).base64EncodedString(),
    String(Data(("user:" + secret).utf8).base64EncodedString().dropFirst(8)),
  ]

  @Test(arguments: ["plain", "percent", "base", "basic"])
  func nothingShowsIt(_ way: String) async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "ACME_TOKEN": Self.secret])
    let folder = try program.writePlugin(
      "acme", Self.plugin, adding: #""hosts": ["acme.example"], "secrets": ["token"]"#)
    try program.home.writeConfig(
      "forage/config.yaml", "providers:\n  acme: {secrets: {token: {env: ACME_TOKEN}}}\n")
    func check(_ text: String, _ what: String) {
      for form in Self.forms {
        #expect(!text.contains(form), "\(what): \(form) in \(text.prefix(2000))")
      }
    }
    for place in ["items", "noise", "notes", "error", "words", "log"] {
      for options in [["-v", "--format", "json"], ["--format", "tsv"]] {
        let result = try await program.run(
          ["search", way, place, "-p", "acme", "--plugin", folder, "--yes"] + options)
        check(result.out + result.err, "\(way) \(place)")
        if place == "items" { #expect(result.status == 0 && result.out.contains("•••"), "\(result.out)") }
      }
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: program.home.home.path) {
      let bytes = FileManager.default.contents(atPath: program.home.home.path + "/" + name) ?? Data()
      check(String(decoding: bytes, as: UTF8.self), name)
    }
  }
}
