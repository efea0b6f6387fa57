import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// What the plugin for Debian's packages does when something is wrong.
struct DebianTroubleTests {
  private static func index() throws -> DebianIndex {
    try DebianIndex(["one", "two", "three"].map { DebianIndex.record($0) }.joined())
  }

  @Test(arguments: [
    ("{", -32_700), ("not json", -32_700), ("[]", -32_600), ("42", -32_600), ("{}", -32_600),
    (#"{"jsonrpc":"2.0","id":5,"method":7}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":[1],"method":"search"}"#, -32_600),
    (String(repeating: "[", count: 100_000), -32_700), ("{\"id\":1,\u{0}}", -32_700),
  ])
  func aBadLineIsAnsweredAndTheNextOneServed(_ line: String, _ code: Int) async throws {
    let conversation = try await Self.index().say([line, DebianIndex.search(1, ["one"])])
    let errors = conversation.messages.filter { $0["error"] != nil }
    #expect(errors.map { $0["error"]?["code"]?.integer } == [code] && errors.allSatisfy { $0["id"] == .null })
    #expect(try conversation.items(1).map(\.title) == ["one"])
  }

  @Test func bytesThatAreNoTextAreAnswered() async throws {
    let index = try Self.index()
    let input =
      Data((index.hello + "\n").utf8) + [0xFF, 0xFE, 0x0A] + Data((try DebianIndex.search(1, ["one"])).utf8)
    let conversation = try await PluginConversation("DebianPackages", [], input: input)
    #expect(conversation.messages.compactMap { $0["error"]?["code"]?.integer } == [-32_700])
    // The last line has no end.
    #expect(try conversation.items(1).map(\.title) == ["one"])
  }

  @Test(arguments: [PluginProtocol.Limits.line + 1, 3 * PluginProtocol.Limits.line])
  func aLineThatIsTooLongIsAnsweredOnce(_ length: Int) async throws {
    let conversation = try await Self.index().say([
      String(repeating: " ", count: length - 2) + "{}", DebianIndex.search(1, ["one"]),
    ])
    #expect(conversation.messages.compactMap { $0["error"]?["code"]?.integer } == [-32_600])
    #expect(try conversation.items(1).map(\.title) == ["one"])
  }

  @Test func aLineWithoutAnEndIsNotKept() async throws {
    let endless = Data(repeating: UInt8(ascii: "x"), count: 40 * PluginProtocol.Limits.line)
    let conversation = try await PluginConversation("DebianPackages", [], input: endless)
    #expect(conversation.messages.compactMap { $0["error"]?["code"]?.integer } == [-32_600])
    // An interpreter with what it needs is at 15 MB; the line alone would be 40 more. Where nothing was
    // measured the peak is 0.
    #expect(conversation.process.peakKB < 40_000)
  }

  private static let requests = [
    (#""method":"dance","params":{}"#, -32_601), (#""method":"search","params":[]"#, -32_602),
    (#""method":"search","params":{"provider":"debian","kind":"repo","limit":1}"#, 1005),
    (#""method":"search","params":{"provider":"other","kind":"package","limit":1}"#, 1005),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":0}"#, -32_602),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"text":"one"}"#, -32_602),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"filters":[3]}"#, -32_602),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"sort":"stars"}"#, 1005),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"deadlineMs":0}"#, 1007),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"cursor":"x"}"#, 1006),
    (
      #""method":"search","params":{"provider":"debian","kind":"package","limit":1,"cursor":"WzEsMl0="}"#,
      1006
    ),
    (#""method":"search","params":{"provider":"debian","kind":"package","limit":1,"cursor":7}"#, 1006),
    (#""method":"initialize","params":{"protocol":2}"#, 1005),
    (#""method":"initialize","params":{"protocol":1,"config":{"lists":7}}"#, 1008),
  ]

  @Test func aRequestThatCannotBeServedIsAnsweredWithItsCode() async throws {
    let lines = Self.requests.enumerated().map { "{\"jsonrpc\":\"2.0\",\"id\":\($0 + 1),\($1.0)}" }
    let conversation = try await Self.index().say(lines + [DebianIndex.search(99, ["one"])])
    for (place, (request, code)) in Self.requests.enumerated() {
      #expect(conversation.errorCode(place + 1) == code, "\(request)")
    }
    // None of them has spoilt anything.
    #expect(try conversation.items(99).map(\.title) == ["one"])
    #expect(conversation.messages.count == lines.count + 3)
  }

  @Test func aCursorOfAnotherSearchIsRefused() async throws {
    let index = try Self.index()
    let next = try await index.say([DebianIndex.search(1, ["o"], limit: 1)]).result(1, SearchAnswer.self).next
    #expect(next != nil)
    let conversation = try await index.say([
      DebianIndex.search(1, ["one"], limit: 1, cursor: next)
    ])
    #expect(conversation.errorCode(1) == 1006)
  }

  @Test func searchingBeforeTheGreetingIsRefused() async throws {
    let conversation = try await PluginConversation("DebianPackages", [DebianIndex.search(1, ["one"])])
    #expect(conversation.errorCode(1) == -32_600)
  }

  @Test func aCancelledRequestIsAnsweredAndOthersGoOn() async throws {
    let cancel = #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}"#
    let conversation = try await Self.index().say([
      DebianIndex.search(1, ["one"]), DebianIndex.search(2, ["two"]), DebianIndex.search(3, ["three"]),
      cancel,
      #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":77}}"#, #"{"jsonrpc":"2.0","method":"$/cancel"}"#,
    ])
    #expect(conversation.errorCode(2) == 1001)
    #expect(try conversation.items(1).map(\.title) == ["one"])
    #expect(try conversation.items(3).map(\.title) == ["three"])
    #expect(conversation.messages.count { $0["id"] != nil } == 4)
  }

  @Test func theEndOfInputIsTheEnd() async throws {
    let silent = try await PluginConversation("DebianPackages", [])
    #expect(silent.messages.isEmpty && silent.process.err == "")
  }

  @Test func oddRecordsCostOnlyThemselves() async throws {
    let long = String(repeating: "long ", count: 40_000)
    let index = try DebianIndex("")
    var list = Data("Version: 1\nDescription: odd without a name\n\n".utf8)
    list += Data("Package: odd-empty\n\n\n\nPackage:\nDescription: odd\n\nGarbage\nodd\n\n".utf8)
    list += Data(
      "Package: odd-long\nVersion: \(long)\nHomepage: ftp://x y\nDescription: \(long)\n more\n\n".utf8)
    list +=
      Data("Package: odd-latin\nMaintainer: J".utf8) + [0xF6]
      + Data("rg\nDescription: odd \u{202E}\u{1B}[31m\n\n".utf8)
    list += Data(
      "Package: odd-size\nInstalled-Size: many\nDescription: \u{1F600} ODD ÄÖ\nHomepage: https://u:p@x.example/\n"
        .utf8)
    try index.folder.write("lists/" + DebianIndex.main, data: list)
    let conversation = try await index.say([DebianIndex.search(1, ["odd"]), DebianIndex.search(2, ["äö"])])
    let items = try conversation.items(1)
    #expect(items.map(\.title) == ["odd-empty", "odd-latin", "odd-long", "odd-size"])
    #expect(items.first { $0.title == "odd-latin" }?.fields?["maintainer"] == .string("Jörg"))
    #expect(items.allSatisfy { $0.fields?["sizeKB"] == nil && $0.fields?["homepage"] == nil })
    #expect(try conversation.items(2).map(\.title) == ["odd-size"])
  }

  @Test func aFullPageIsSentInLinesThatFit() async throws {
    let long = String(repeating: "\u{1F600}", count: 3000)
    let index = try DebianIndex((0..<250).map { DebianIndex.record("p\($0)", about: long) }.joined())
    let conversation = try await index.say([DebianIndex.search(1, ["p"], limit: 1000)])
    #expect(try conversation.items(1).count == PluginProtocol.Limits.items)
    #expect(conversation.messages.count > 3)
  }

  /// What apt can be told to store, packed by Python itself.
  @Test(arguments: ["gz", "xz", "bz2"])
  func packedListsAreRead(_ form: String) async throws {
    let index = try Self.index()
    let plain = index.folder.path("lists/" + DebianIndex.main)
    let packing =
      "import sys, gzip, lzma, bz2; pack = {'gz': gzip, 'xz': lzma, 'bz2': bz2}[sys.argv[1]]; "
      + "pack.open(sys.argv[2] + '.' + sys.argv[1], 'wb').write(open(sys.argv[2], 'rb').read())"
    let environment = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    let packed = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", packing, form, plain], environment: environment)
    try #require(packed.status == 0, "\(packed.err)")
    try FileManager.default.removeItem(atPath: plain)
    #expect(try await index.names(sort: "name", order: "asc") == ["one", "three", "two"])
    // Half a list is worth what it holds, and is told.
    let whole = try Data(contentsOf: URL(fileURLWithPath: plain + "." + form))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: plain + "." + form))
    try index.folder.write("lists/other_Packages", DebianIndex.record("four"))
    let conversation = try await index.say([DebianIndex.search(1, ["four"])])
    let answer = try conversation.result(1, SearchAnswer.self)
    #expect(try conversation.items(1).map(\.title) == ["four"])
    #expect(answer.notes?.first?.incomplete == true && answer.total == ResultTotal(1, .atLeast))
    #expect(conversation.process.err.contains(DebianIndex.main))
  }

  @Test func withoutListsWhatIsInstalledIsSearched() async throws {
    let index = try DebianIndex("", installed: ["tool"])
    try FileManager.default.removeItem(atPath: index.folder.path("lists"))
    let conversation = try await index.say([DebianIndex.search(1, ["tool"])])
    #expect(try conversation.items(1).map(\.title) == ["tool"])
    #expect(try conversation.result(1, SearchAnswer.self).notes?.map(\.code) == ["incomplete_results"])
    try FileManager.default.removeItem(atPath: index.folder.path("status"))
    let nothing = try await index.say([DebianIndex.search(1, ["tool"])])
    #expect(nothing.errorCode(1) == 1008)
    #expect(nothing.answer(1)?["error"]?["data"]?["hint"]?.string?.isEmpty == false)
  }

  /// The lists of this machine, where it has some.
  @Test(
    .enabled(
      if: (try? FileManager.default.contentsOfDirectory(atPath: "/var/lib/apt/lists"))?.contains {
        $0.contains("_Packages")
      } ?? false))
  func theListsOfThisMachineAreRead() async throws {
    let hello = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1}}"#
    let conversation = try await PluginConversation(
      "DebianPackages", [hello, DebianIndex.search(1, ["git"], limit: 20)])
    let items = try conversation.items(1)
    #expect(items.count <= 20 && items.allSatisfy { $0.title.contains("git") })
  }
}
