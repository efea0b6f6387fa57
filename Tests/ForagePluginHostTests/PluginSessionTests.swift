import ForageCore
import ForagePluginProtocol
import Foundation
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
                                           "reversed": params["secrets"]["token"][::-1], "arguments": sys.argv})])
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
      #expect(params["secrets"] == .record(["token": .text("•••")]))
      #expect(fields["reversed"] == .text("nekot-terc3s"))
      #expect(params["config"] == .record(["url": .text("https://b.example"), "size": .number(3)]))
      #expect(params["host"]?["name"] == .text("forage") && params["protocol"] == .number(1))
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
      #expect(try await script.remains() == [])
    }

    /// Wherever a plugin says a secret, also encoded, it goes no further.
    @Test func secretsGoNoFurther() async throws {
      let secret = "k3y/0123456789+abcdef"
      let script = try ScriptedPlugin(
        """
        import base64, urllib.parse
        key = hello()["secrets"]["token"]
        def wanted():
            request = receive()
            if request["params"]["text"] == ["end"]:
                sys.stderr.write("fatal: login with " + key)
                sys.stderr.flush()
                os._exit(3)
            return request
        request = wanted()
        forms = [key, base64.b64encode(key.encode()).decode(),
                 base64.urlsafe_b64encode(b"user:" + key.encode()).decode(), urllib.parse.quote(key, safe="")]
        print("noise " + key, flush=True)
        print("{'key': '" + key + "'}", flush=True)
        for form in forms:
            sys.stderr.write("x" * 4090 + form + "\\n" + form)
            sys.stderr.flush()
        items(request, [item(0, fields={"description": form, "topics": forms}) for form in forms[:1]])
        done(request, 1, next=key, notes=[{"code": "own", "message": "no more: " + key, "hint": forms[1]}])
        request = wanted()
        send({"id": request["id"], "error": {"code": 1002, "message": "login with " + key + " failed",
              "data": {"hint": "check " + forms[3]}}})
        wanted()
        """, manifest: ["secrets": .array([.string("token")])])
      let provider = script.provider(secrets: ["token": secret])
      let page = try await provider.search(try request())
      let refused = await failure { _ = try await provider.search(try request()) }
      let ended = await failure { _ = try await provider.search(try request("end")) }
      #expect(page.items.count == 1 && page.next == "•••")
      #expect(refused?.code == .unauthorized && refused?.message.contains("login with ••• failed") == true)
      #expect(ended?.message.hasSuffix("fatal: login with •••") == true, "\(ended as Any)")
      let said =
        "\(page) \(refused as Any) \(ended as Any) "
        + (script.log.all + script.host.warnings(of: "hostile")).joined(separator: "\n")
      let base64 = Data(secret.utf8).base64EncodedString().prefix(20)
      for part in [secret, "0123456789", String(base64), "k3y%2F", "bGh4"] {
        #expect(!said.contains(part), "\(part)")
      }
      #expect(try await script.remains() == [])
    }

    /// The same of letters beyond ASCII, which JSON escapes, in all that a plugin can say.
    @Test(arguments: ["pässwörd-schlüssel", "密码是非常安全的", "🔑\"ключ/от\\всего😀"])
    func lettersOfSecretsGoNoFurther(_ secret: String) async throws {
      let script = try ScriptedPlugin(
        """
        import unicodedata
        request = receive()
        key = request["params"]["secrets"]["token"]
        send({"id": request["id"], "result": {"protocol": 1, "version": "1 " + key}})
        forms = [key, unicodedata.normalize("NFD", key), json.dumps(key), json.dumps(key, ensure_ascii=False),
                 repr(key.encode())]
        def wanted():
            request = receive()
            if request["params"]["text"] == ["end"]:
                sys.stderr.buffer.write(b"fatal: " + key.encode())
                sys.stderr.flush()
                os._exit(3)
            return request
        print("noise " + key, flush=True)
        print(json.dumps("noise " + key), flush=True)
        for form in forms:
            sys.stderr.buffer.write(form.encode() + b"\\n")
        sys.stderr.flush()
        request = wanted()
        items(request, [item(0, title=key, url="https://example.org/" + key, fields={key: key, "topics": forms})])
        raw((json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"count": 1, "next": key, "notes": [
            {"code": "own", "message": key, "hint": forms[2]}]}}, ensure_ascii=False) + "\\n").encode())
        send({"id": wanted()["id"], "error": {"code": 1002, "message": forms[1], "data": {"hint": key}}})
        wanted()
        """, manifest: ["secrets": .array([.string("token")])])
      let provider = script.provider(secrets: ["token": secret])
      let page = try await provider.search(try request())
      let refused = await failure { _ = try await provider.search(try request()) }
      let ended = await failure { _ = try await provider.search(try request("end")) }
      #expect(page.items.first?.title == "•••" && page.notes.first?.message == "•••")
      #expect(refused?.message.hasSuffix("reported: •••") == true && refused?.hint == "•••")
      #expect(ended?.message.hasSuffix("fatal: •••") == true, "\(ended as Any)")
      let said =
        "\(page) \(refused as Any) \(ended as Any) "
        + (script.log.all + script.host.warnings(of: "hostile")).joined(separator: "\n")
      #expect(!said.contains(secret) && !said.contains("\\u") && !said.contains("\\x"), "\(said)")
      #expect(script.log.all.contains { $0.contains("version 1 •••") })
      #expect(try await script.remains() == [])
    }

    /// What a plugin knows of another one's secret goes no further either.
    @Test func secretsOfOthersGoNoFurther() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        sys.stderr.write("found other-s3cret-0123\\n")
        sys.stderr.flush()
        items(request, [item(0, fields={"description": "it is other-s3cret-0123"})])
        done(request, 1)
        receive()
        """, knownSecrets: ["other-s3cret-0123"])
      let page = try await script.provider().search(try request())
      #expect(page.items.first?[.description] == .text("it is •••"))
      await script.host.close()
      #expect(!script.log.all.contains { $0.contains("s3cret") }, "\(script.log.all)")
    }

    /// A value of another type than its field has costs the field, not the item.
    @Test func oddValuesAreAbsent() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        raw(json.dumps({"jsonrpc": "2.0", "method": "search/items", "params": {"id": request["id"], 
            "items": [item(0, fields={"stars": "12", "forks": True, "createdAt": "yesterday", "topics": "x",
                                      "openIssues": -5, "watchers": "BIG", "archived": 1, "language": 7,
                                      "description": "kept", "pushedAt": "2024-01-02T03:04:05Z",
                                      "labels": ["a", 1], "own": {"deep": [1, "2"]}})]}}
            ).replace('"BIG"', "1e999").encode() + b"\\n")
        done(request, 1)
        receive()
        """)
      let item = try #require(try await script.provider().search(try request()).items.first)
      for field: ResultField in [
        "stars", "forks", "createdAt", "topics", "openIssues", "watchers", "archived", "language",
      ] {
        #expect(item[field] == nil, "\(field)")
      }
      #expect(item[.description] == .text("kept") && item[.pushedAt]?.date != nil)
      #expect(item[.labels] == .list(["a"]) && item["own"] != nil)
      #expect(try await script.remains() == [])
    }

    /// A result with a member of another type ends the list, and the items before it are kept.
    @Test(arguments: ["next=7", "total='x'", "notes=9", "notes=[{'code': 'a'}]", "total={'value': 1}"])
    func anInvalidMemberIsTold(_ member: String) async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        items(request, [item(0)])
        done(request, 1, \(member))
        receive()
        """)
      let page = try await script.provider().search(try request())
      let name = member.prefix { $0 != "=" }
      #expect(page.items.count == 1 && page.next == nil)
      let message = page.failure?.message ?? ""
      #expect(message.hasPrefix("the plugin Hostile sent a result without a valid \(name)"), "\(message)")
      #expect(try await script.remains() == [])
    }

    /// What is wrong with an answer that has too much in it is told at once, wherever its id is.
    @Test(arguments: ["{'id': id, 'result': value}", "{'id': id, 'error': {'code': 1, 'data': value}}"])
    func excessIsTold(_ answer: String) async throws {
      for value in ["[0] * 100001", "json.loads('[' * 70 + ']' * 70)"] {
        let script = try ScriptedPlugin(
          """
          hello()
          request = receive()
          items(request, [item(0)])
          id, value = request["id"], \(value)
          send(\(answer))
          receive()
          """)
        let page = try await script.provider().search(try request())
        let message = page.failure?.message
        #expect(page.items.count == 1)
        #expect(message?.contains("JSON values") == true || message?.contains("nested") == true, "\(page)")
        #expect(try await script.remains() == [])
      }
    }

    @Test func excessInTheGreetingIsTold() async throws {
      let script = try ScriptedPlugin(
        """
        request = receive()
        send({"result": [0] * 100001, "id": request["id"]})
        receive()
        """)
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(error?.message.contains("JSON values") == true, "\(error as Any)")
    }

    /// Many small values in few bytes end the page at once.
    @Test(arguments: ["[0]*20000", "[{}]*13000", "[{'a': {}}]*7000", "{str(n): n for n in range(5000)}"])
    func valuesAreCounted(_ value: String) async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        value = \(value)
        for seq in range(30):
            items(request, [item(seq, fields={"topics": value, "x": value})])
        done(request, 30)
        receive()
        """)
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(error?.message.contains("JSON values") == true, "\(error as Any)")
      #expect(try await script.remains() == [])
    }

    @Test func aSettingThatItHasNot() async throws {
      let script = try ScriptedPlugin("hello()", manifest: ["config": .object(["url": .object([:])])])
      let error = await failure {
        _ = try await script.provider(config: ["ulr": .null]).search(try request())
      }
      #expect(error?.code == .configuration && error?.hint.contains("url") == true)
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
      #expect(error?.message.contains("4 times within 5 minutes") == true)
      #expect(script.processes.count == 4)
      #expect(try await script.remains() == [])
    }

    @Test func restartsAreForgotten() async {
      let restarts = PluginRestarts()
      let (start, key) = (ContinuousClock.now, PluginRestarts.Key(folder: "/p", manifest: [], config: [:]))
      let other = PluginRestarts.Key(folder: "/p", manifest: [], config: ["url": .string("ü")])
      var allowed: [Bool] = []
      for second in [0, 1, 2, 3, 299, 301] {
        let now = start + .seconds(second)
        allowed.append(await restarts.start(key, at: now))
        restarts.recordEnd(of: key, at: now)
        if allowed.last == true { restarts.giveBack(key) }
      }
      #expect(allowed == [true, true, true, true, false, true])
      #expect(await restarts.start(key, at: start + .seconds(304)))
      #expect(await restarts.start(other, at: start))
    }

    /// Many starts at a time are no more than the limit, and those that are given back make room.
    @Test(arguments: [true, false]) func startsAtOnceAreCounted(_ fails: Bool) async {
      let (restarts, events) = (PluginRestarts(), Lines())
      let key = PluginRestarts.Key(folder: "/p", manifest: [], config: [:])
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            guard await restarts.start(key) else { return }
            events.add("start")
            await Task.yield()
            events.add("end")
            if fails { restarts.recordEnd(of: key) }
            restarts.giveBack(key)
          }
        }
      }
      var (running, most) = (0, 0)
      for event in events.all {
        running += event == "start" ? 1 : -1
        most = max(most, running)
      }
      #expect(most <= 4 && events.all.count == (fails ? 8 : 80), "\(most), \(events.all.count)")
    }

    @Test func aWaitingStartIsCancelled() async {
      let restarts = PluginRestarts()
      let key = PluginRestarts.Key(folder: "/p", manifest: [], config: [:])
      for _ in 0..<4 { #expect(await restarts.start(key)) }
      let waiting = Task { await restarts.start(key) }
      waiting.cancel()
      #expect(await !waiting.value)
      restarts.giveBack(key)
      #expect(await restarts.start(key))
    }

    /// Of many searches at a time, each with a process of its own, four start a plugin that crashes, and all
    /// one that answers.
    @Test(arguments: [true, false]) func manySearchesAtATime(_ crashes: Bool) async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        if request["params"]["text"] == ["crash"]:
            os._exit(3)
        answer(request, [item(0)])
        receive()
        """)
      let restarts = PluginRestarts()
      let errors = await withTaskGroup(of: SearchError?.self) { group in
        for _ in 0..<12 {
          group.addTask {
            let host = PluginHost(
              version: "1.0", environment: script.environment, restarts: restarts,
              handshake: ScriptedPlugin.exitTimeout)
            let provider = host.providers(of: script.plugin)[0]
            let word = crashes ? "crash" : "well"
            let error = await failure { _ = try await provider.search(try request(word)) }
            await host.close()
            return error
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let codes = Dictionary(grouping: errors.compactMap { $0?.code.rawValue }, by: \.self).mapValues(\.count)
      #expect(codes == (crashes ? ["connection_lost": 4, "unavailable": 8] : [:]))
      #expect(script.processes.count == (crashes ? 4 : 12))
      #expect(try await script.remains() == [])
    }

    /// What a plugin writes after its answer is reported, also where the search has ended before it is read.
    @Test(arguments: ["done(request, 0)", "items(request, [])", "raw(b'x\\n')"])
    func moreThanTheAnswerIsReported(_ more: String) async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        done(request, 0)
        sys.stdin.buffer.read()
        \(more)
        """)
      _ = try await script.provider().search(try request())
      #expect(await script.host.endingFaults(of: "hostile") == [])
      #expect(script.host.warnings(of: "hostile").count == 1)
    }

    /// An answer to a request that the host has ended meanwhile is no fault.
    @Test func anAnswerAfterTheEndIsNoFault() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        tell_pid(0)
        sys.stdin.buffer.read()
        items(request, [item(0)])
        done(request, 1)
        """)
      let provider = script.provider()
      let search = Task { await failure { _ = try await provider.search(try request()) } }
      try await script.waitForProcesses(2)
      #expect(await script.host.endingFaults(of: "hostile") == [])
      #expect(await search.value?.code == .cancelled)
      #expect(script.host.warnings(of: "hostile") == [])
    }

    /// They are counted in all hosts of a program, and one that ends as it should is started as often as it
    /// is asked.
    @Test func restartsAreCountedAcrossHosts() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        if request["params"]["text"] == ["crash"]:
            os._exit(0)
        answer(request, [item(0)])
        receive()
        """)
      let restarts = PluginRestarts()
      func search(_ text: String) async throws -> SearchError? {
        let host = PluginHost(
          version: "1.0", environment: script.environment, restarts: restarts,
          handshake: ScriptedPlugin.exitTimeout)
        let provider = host.providers(of: script.plugin)[0]
        let error = await failure { _ = try await provider.search(try request(text)) }
        await host.close()
        return error
      }
      for _ in 0..<5 { #expect(try await search("well") == nil) }
      for _ in 0..<4 { #expect(try await search("crash")?.code == .connectionLost) }
      #expect(try await search("well")?.message.contains("4 times within 5 minutes") == true)
      #expect(script.processes.count == 9)
      #expect(try await script.remains() == [])
    }

    /// An end costs the request that is the reason for it, however many others wait or are being answered.
    @Test(arguments: [1, 2, 4]) func anEndCostsOneRequest(_ concurrency: Int) async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        waiting = []
        while True:
            waiting.append(receive())
            if any(request["params"]["text"] == ["crash"] for request in waiting):
                items(waiting[-1], [item("before")])
                os._exit(0)
            if len(waiting) == 1:
                time.sleep(0.01)
            request = waiting.pop(0)
            answer(request, [item(request["params"]["text"][0])])
        """, manifest: ["concurrency": .integer(concurrency)])
      let provider = script.provider()
      let words = ["one", "two", "crash", "three", "four"]
      let titles = await withTaskGroup(of: (String, [String]?).self) { group -> [String: [String]] in
        for word in words {
          group.addTask {
            let page = try? await provider.search(try request(word))
            let failures = page?.failure.map { [$0.code.rawValue] } ?? []
            return (word, page.map { $0.items.map(\.title) + failures })
          }
        }
        var titles: [String: [String]] = [:]
        for await (word, found) in group { titles[word] = found }
        return titles
      }
      for word in words where word != "crash" { #expect(titles[word] == ["hostile/\(word)"], "\(titles)") }
      #expect(titles["crash"] == ["hostile/before", "connection_lost"], "\(titles)")
      #expect(script.processes.count <= 4)
      #expect(try await script.remains() == [])
    }

    /// A plugin that ends after an answer takes nothing with it that it was sent meanwhile.
    @Test func anEndAfterAnAnswerCostsNothing() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        request = receive()
        answer(request, [item(0)])
        next = receive()
        os._exit(3)
        """)
      let provider = script.provider()
      for word in ["one", "two", "three"] {
        #expect(try await provider.search(try request(word)).items.count == 1, "\(word)")
      }
      #expect(script.processes.count == 3)
      #expect(try await script.remains() == [])
    }

    /// Providers with the same settings share a process, whenever they are made.
    @Test func sharing() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        while True:
            answer(receive(), [item(0)])
        """)
      for _ in 0..<2 { #expect(try await script.provider().search(try request()).items.count == 1) }
      #expect(script.processes.count == 1)
      #expect(try await script.remains() == [])
    }

    /// Ended for good.
    @Test func closing() async throws {
      let script = try ScriptedPlugin("hello()\nanswer(receive(), [item(0)])\nreceive()")
      let provider = script.provider()
      #expect(try await provider.search(try request()).items.count == 1)
      #expect(try await script.remains() == [])
      let error = await failure { _ = try await provider.search(try request()) }
      #expect(error?.code == .cancelled && script.processes.count == 1)
      // A provider that is made later starts it again.
      #expect(try await script.provider().search(try request()).items.count == 1)
      #expect(script.processes.count == 2)
      #expect(try await script.remains() == [])
    }

    /// Nothing is started for nothing, and a host without plugins has nothing to end.
    @Test func lazily() async throws {
      let script = try ScriptedPlugin("hello()")
      _ = script.provider()
      #expect(try await script.remains() == [] && script.processes == [])
    }
  }
}
