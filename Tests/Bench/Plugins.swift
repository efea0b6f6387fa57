import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport

/// The rows about plugins: what their being processes of their own costs.
enum Plugins {
  /// More than any page takes.
  private static let patience = Duration.seconds(30)

  private static func request(_ query: Query, size: Int, cursor: String? = nil) -> SearchRequest {
    SearchRequest(
      kind: .repo, query: query.root, pageSize: size, cursor: cursor, deadline: .now + patience)
  }

  // MARK: A page

  /// Prints what a page of a started plugin takes over the same provider in process, asked in turn, A B A B.
  static func page() async {
    // With so many the pages that warm up and those that count are all full.
    let (pairs, warming, size, held, goal) = (60, 5, 50, 4000, 3.0)
    let text = "archived:false"
    let title = "a page of \(size) items of \(held), \(text): a started Swift plugin against in process"
    do {
      let query = try QueryParser().parse(text)
      let own = OwnPlugin.provider(.filtering, count: held)
      let folder = try OwnPlugin.folder(.filtering, count: held)
      let (ofPlugin, ofOwn) = try await folder.withProvider { plugin in
        var times = (plugin: [Double](), own: [Double]())
        var cursors = (plugin: String?.none, own: String?.none)
        for run in 0..<warming + pairs {
          let a = try await timed(plugin, request(query, size: size, cursor: cursors.plugin))
          let b = try await timed(own, request(query, size: size, cursor: cursors.own))
          guard a.page.items.count == size, a.page.items.map(\.id) == b.page.items.map(\.id) else {
            throw BenchError("page \(run + 1) of the plugin is not that of the provider in process")
          }
          cursors = (a.page.next, b.page.next)
          guard run >= warming else { continue }
          times.plugin.append(a.milliseconds)
          times.own.append(b.milliseconds)
        }
        return times
      }
      let over = Spread(zip(ofPlugin, ofOwn).map { $0 - $1 })
      Report.lines(
        "\(title)  (\(pairs) pairs: median, lowest to highest)",
        [
          "plugin \(Report.milliseconds(Spread(ofPlugin)))"
            + "   in process \(Report.milliseconds(Spread(ofOwn)))"
            + "   over it \(Report.milliseconds(over))"
            + "   \(Report.verdict(over.median, goal: goal, digits: 0, unit: " ms"))"
        ])
    } catch {
      Report.missed(title, error)
    }
  }

  private static func timed(_ provider: any SearchProvider, _ request: SearchRequest) async throws
    -> (page: SearchPage, milliseconds: Double)
  {
    let before = ContinuousClock.now
    let page = try await provider.search(request)
    let elapsed = ContinuousClock.now - before
    if let failure = page.failure { throw failure }
    return (page, elapsed / .milliseconds(1))
  }

  // MARK: Starting

  /// Prints the time from the start of trivial plugins to their first item.
  static func starting() async {
    let (swiftGoal, pythonGoal) = (25.0, 80.0)
    let title = "a plugin's start to its first item: "
    // A program that is small, as plugins are; this one carries a server too.
    let program = URL(fileURLWithPath: Bench.program).deletingLastPathComponent()
      .appendingPathComponent("sample-plugin").path
    if FileManager.default.isExecutableFile(atPath: program) {
      await starting(title + "Swift", goal: swiftGoal, alone: program) {
        try PluginFolder(command: [program])
      }
    } else {
      Report.skip(title + "Swift", program)
    }
    if let python = interpreter() {
      await starting(title + "Python", goal: pythonGoal, alone: python) {
        try PluginFolder(command: [python, "plugin.py"], files: ["plugin.py": pythonProgram])
      }
    } else {
      Report.skip(title + "Python", "python3")
    }
  }

  /// Prints the time from the start of one plugin to its first item, and beside it what its program takes
  /// from start to end when there is nothing to read.
  private static func starting(
    _ title: String, goal: Double, alone program: String, _ make: () throws -> PluginFolder
  ) async {
    do {
      let folder = try make()
      let command = Command(
        executable: program, arguments: folder.command.dropFirst().map(folder.directory.path),
        environment: ProcessInfo.processInfo.environment)
      var (times, alone) = ([Double](), [Double]())
      for _ in 0...Report.runs {
        times.append(
          try await folder.withProvider { provider in
            let (page, milliseconds) = try await timed(provider, request(Sample.query, size: 1))
            guard page.items.count == 1 else { throw BenchError("the plugin sent no item") }
            return milliseconds
          })
        alone.append(try command.run().wall * 1000)
      }
      Report.single(
        title, milliseconds: Array(times.dropFirst()), goal: goal,
        notes: [
          "its program alone, from start to end without input: "
            + Report.milliseconds(Spread(Array(alone.dropFirst())))
        ])
    } catch {
      Report.missed(title, error)
    }
  }

  /// The interpreter itself: what `PATH` has under its name may be a script that looks for it.
  private static func interpreter() -> String? {
    guard let python = Bench.peer("python3") else { return nil }
    let command = Command(
      executable: python, arguments: ["-c", "import sys; print(sys.executable)"],
      environment: ProcessInfo.processInfo.environment)
    let path = (try? command.captured())?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return path.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
  }

  /// A plugin with one item.
  private static let pythonProgram = """
    import json
    import sys


    def send(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


    for line in sys.stdin:
        request = json.loads(line)
        id = request.get("id")
        if request["method"] == "initialize":
            send({"id": id, "result": {"protocol": 1, "version": "1"}})
        elif request["method"] == "search":
            item = {"id": "1", "kind": "repo", "title": "one", "url": "https://sample.example/owner/one"}
            send({"method": "search/items", "params": {"id": id, "items": [item]}})
            send({"id": id, "result": {"count": 1}})

    """

  // MARK: Many items

  /// Prints how many items a second come through a plugin, and how many the codec alone takes.
  static func manyItems() async {
    let (count, size, runs) = (100_000, PluginProtocol.Limits.items, 9)
    let title = "\(count) items through a Swift plugin in pages of \(size)"
    do {
      let items = (0..<count).map(Sample.repository)
      let folder = try OwnPlugin.folder(.slicing, count: count)
      let reader = ItemReader(ProviderInfo(id: PluginFolder.id))
      var (through, encoding, decoding) = ([Double](), [Double](), [Double]())
      var bytes = 0
      try await folder.withProvider { plugin in
        for _ in 0...runs {
          through.append(
            try await elapsed {
              var (received, cursor) = (0, String?.none)
              repeat {
                let page = try await timed(plugin, request(Sample.query, size: size, cursor: cursor)).page
                received += page.items.count
                cursor = page.next
              } while cursor != nil
              guard received == count else { throw BenchError("\(received) items came of \(count)") }
            })
          // The same bytes, in the same run.
          var pages: [[UInt8]] = []
          encoding.append(
            try await elapsed {
              for start in stride(from: 0, to: count, by: size) {
                pages.append(
                  try Codec.encode(items[start..<min(count, start + size)], provider: PluginFolder.id))
              }
            })
          bytes = pages.reduce(0) { $0 + $1.count }
          decoding.append(
            try await elapsed {
              let decoded = try pages.reduce(0) { try $0 + Codec.decode($1, reader) }
              guard decoded == count else { throw BenchError("\(decoded) items are decoded of \(count)") }
            })
        }
      }
      func rate(_ times: [Double]) -> Double {
        Double(count) / Spread(Array(times.dropFirst())).median * 1000
      }
      func figures(_ times: [Double]) -> String {
        Report.milliseconds(Spread(Array(times.dropFirst())))
          + ", \(Report.number(rate(times), 0)) items a second"
      }
      let megabytes = Report.number(Double(bytes) * 1e-6, 1)
      Report.lines(
        "\(title)  (\(runs) runs: median, lowest to highest)",
        [
          figures(through),
          "the limit, the codec alone on the same \(megabytes) MB: decoding \(figures(decoding));"
            + " encoding \(figures(encoding))",
        ])
    } catch {
      Report.missed(title, error)
    }
  }

  private static func elapsed(_ body: () async throws -> Void) async throws -> Double {
    let before = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - before) / .milliseconds(1)
  }
}
