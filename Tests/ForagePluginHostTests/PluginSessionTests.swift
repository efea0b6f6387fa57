import ForageCore
import ForagePluginProtocol
import Testing

@testable import ForagePluginHost

extension RunningPlugins {
  /// What a plugin is given, and how often it is started.
  struct PluginSessionTests {
    /// It sees what it was given and nothing else: in its environment, its command line and all that it is
    /// told.
    @Test func nothingElseIsSeen() async throws {
      let script = try ScriptedPlugin(
        """
        params = hello()
        environ = open("/proc/self/environ").read() if os.path.exists("/proc/self/environ") else str(dict(os.environ))
        sys.stderr.write("my token is s3cret-token, yes s3cret-token\\n")
        print("s3cret-token")
        answer(receive(), [item(0, fields={"params": params, "environ": environ, "names": sorted(os.environ),
                                           "arguments": sys.argv})])
        receive()
        """,
        manifest: [
          "secrets": .array([.string("token"), .string("unbound")]),
          "config": .object([
            "url": .object(["default": .string("https://a.example")]),
            "size": .object(["default": .integer(3)]),
            "none": .object([:]),
          ]),
        ],
        environment: [
          "GITHUB_TOKEN": "environment-secret", "SSH_AUTH_SOCK": "/run/environment-secret", "LC_TIME": "C",
          "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": "/run/user/1", "HTTPS_PROXY": "http://proxy.example:3128",
          "no_proxy": "localhost", "SSL_CERT_FILE": "/etc/ssl/cert.pem", "LD_PRELOAD": "",
          "PYTHONPATH": "/tmp",
        ])
      let provider = script.provider(
        config: ["url": .string("https://b.example")],
        secrets: ["token": "s3cret-token", "other": "other-secret"])
      let fields = try #require(try await provider.search(try request()).items.first).fields
      let params = try #require(fields["params"])
      #expect(params["secrets"] == .record(["token": .text("s3cret-token")]))
      #expect(params["config"] == .record(["url": .text("https://b.example"), "size": .number(3)]))
      #expect(params["host"]?["name"] == .text("forage") && params["protocol"] == .items([.number(1)]))
      let given: Set = [
        "HOME", "HTTPS_PROXY", "LANG", "LC_TIME", "PATH", "SSL_CERT_FILE", "XDG_DATA_DIRS", "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR", "no_proxy",
      ]
      // The interpreter may set variables of the C library itself.
      #expect(Set(try #require(fields["names"]).texts).subtracting(["LC_CTYPE"]) == given)
      let environ = try #require(fields["environ"]?.text)
      #expect(!environ.contains("secret") && !environ.contains("s3cret"))
      #expect(
        !"\(String(describing: fields["arguments"]))".contains("s3cret")
          && !"\(params)".contains("other-secret"))
      #expect(script.log.all.contains("Hostile: my token is •••, yes •••"))
      #expect(!(script.log.all + script.host.warnings(of: "hostile")).contains { $0.contains("s3cret") })
      #expect(await script.remains() == [])
    }

    @Test func aSettingThatItHasNot() async throws {
      let script = try ScriptedPlugin("hello()", manifest: ["config": .object(["url": .object([:])])])
      let error = await failure {
        _ = try await script.provider(config: ["ulr": .null]).search(try request())
      }
      #expect(error?.code == .configuration && error?.hint == "did you mean url?")
      #expect(script.processes == [])
    }

    // MARK: Starting again

    /// One that ended is started again by the next search, three times.
    @Test func restarts() async throws {
      let script = try ScriptedPlugin("hello()\nreceive()\nsys.exit(7)")
      let provider = script.provider()
      for _ in 0..<4 {
        #expect(await failure { _ = try await provider.search(try request()) }?.code == .connectionLost)
      }
      let error = await failure { _ = try await provider.search(try request()) }
      #expect(
        error?.message == "the plugin Hostile exited 4 times within 5 minutes and is not started again")
      #expect(script.processes.count == 4)
      #expect(await script.remains() == [])
    }

    @Test func restartsAreForgotten() {
      var limit = RestartLimit()
      let start = ContinuousClock.now
      let allowed = [0, 1, 2, 3, 299, 301].map { limit.allows(start + .seconds($0)) }
      #expect(allowed == [true, true, true, true, false, true])
    }

    /// Ended for good.
    @Test func closing() async throws {
      let script = try ScriptedPlugin("hello()\nanswer(receive(), [item(0)])\nreceive()")
      let provider = script.provider()
      #expect(try await provider.search(try request()).items.count == 1)
      #expect(await script.remains() == [])
      let error = await failure { _ = try await provider.search(try request()) }
      #expect(error?.code == .cancelled && script.processes.count == 1)
    }

    /// Nothing is started for nothing, and a host without plugins has nothing to end.
    @Test func lazily() async throws {
      let script = try ScriptedPlugin("hello()")
      _ = script.provider()
      #expect(await script.remains() == [] && script.processes == [])
    }
  }
}
