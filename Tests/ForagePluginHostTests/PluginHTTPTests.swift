import ForageCore
import ForagePluginProtocol
import Foundation
import Synchronization
import Testing

@testable import ForagePluginHost

extension RunningPlugins {
  /// Requests that plugins send to the host.
  struct PluginHTTPTests {
    private static let auth: [String: JSONTree] = [
      "hosts": .array([.string("api.example")]), "secrets": .array([.string("token"), .string("other")]),
      "auth": .object(["secret": .string("token"), "header": .string("X-Key")]),
    ]

    /// The host gets the secret, and the plugin has no more of it than its name.
    @Test func theHostSendsThem() async throws {
      let asked = Mutex<[PluginHTTPRequest]>([])
      let script = try ScriptedPlugin(
        """
        given = hello()["secrets"]
        request = receive()
        send({"id": "a", "method": "http", "params": {"id": request["id"], "url": "https://api.example/x"}})
        got = receive()
        answer(request, [item(0, title=json.dumps([given, got["id"], got["result"]["body"]]))])
        receive()
        """, manifest: Self.auth
      ) { request in
        asked.withLock { $0.append(request) }
        return HTTPResult(status: 200, body: "fine")
      }
      let provider = script.provider(secrets: ["token": "the-secret", "other": "for-the-plugin"])
      let page = try await provider.search(try request())
      #expect(page.items.map(\.title) == [#"[{"other": "•••"}, "a", "fine"]"#])
      let sent = try #require(asked.withLock { $0.first })
      #expect(sent.hosts == ["api.example"] && sent.plugin == "hostile")
      #expect(sent.secret?.value == "the-secret" && sent.secret?.auth.header == "X-Key")
      #expect(sent.secret?.auth.prefix == "" && sent.params.url == "https://api.example/x")
      #expect(try await script.remains() == [])
    }

    /// Only while a request of the host is answered, and not without end; an error has a code and no secret.
    @Test func whatIsRefused() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        def ask(params, method="http"):
            send({"id": "a", "method": method, "params": params})
            return receive().get("error", {}).get("code", 0)
        request = receive()
        here = {"id": request["id"], "url": "https://api.example/"}
        send({"id": "a", "method": "http", "params": here})
        error = receive()["error"]
        codes = [ask({"id": 99, "url": "https://api.example/"}), ask({"id": request["id"]}), ask({}, "other")]
        codes += [ask(here) for n in range(20)]
        answer(request, [item(0, title=json.dumps([error["code"], error["message"], codes[:3], codes[-2:]]))])
        receive()
        """, manifest: Self.auth
      ) { _ in throw SearchError(.unreachable, "api.example with the-secret could not be reached") }
      let provider = script.provider(secrets: ["token": "the-secret"])
      let page = try await provider.search(try request())
      let title = try #require(page.items.first?.title)
      #expect(
        title.hasPrefix(
          #"[1004, "api.example with \u2022\u2022\u2022 could not be reached", [1001, -32602, -32601]"#),
        "\(title)")
      #expect(title.hasSuffix("[1004, 1003]]"), "\(title)")
      #expect(try await script.remains() == [])
    }
  }
}
