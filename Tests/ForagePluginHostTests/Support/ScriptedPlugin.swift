import ForageCore
import ForagePlatform
import ForagePluginHost
import ForagePluginProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

/// A plugin that is a Python script of a test, in a folder of its own, with a host that runs it.
final class ScriptedPlugin: Sendable {
  /// Everything is in here; the plugin's own folder is `plugins/ID`.
  let directory: TemporaryDirectory
  let folder: String
  let environment: [String: String]
  /// What the host was told.
  let log = Lines()
  let host: PluginHost
  let plugin: FoundPlugin

  /// Writes and opens a plugin.
  ///
  /// - Parameters:
  ///   - script: What it does, behind `prelude`.
  ///   - providers: Its providers, in place of one for repositories.
  ///   - repo: Its abilities for repositories beside or in place of the usual ones, in JSON.
  ///   - manifest: Members of its `plugin.json` beside or in place of the usual ones.
  init(
    _ script: String, id: String = "hostile", repo: String = "{}", providers: [JSONTree] = [],
    manifest: [String: JSONTree] = [:],
    environment extra: [String: String] = [:], handshake: Duration = ScriptedPlugin.exitTimeout,
    knownSecrets: [String] = [],
    http: @escaping PluginHTTP = { _ in throw SearchError(.unavailable, "there is no network here") }
  ) throws {
    directory = try TemporaryDirectory(prefix: "forage-plugin")
    folder = directory.path("plugins/\(id)")
    let usualKind: [String: JSONTree] = ["text": .string("exact"), "needsText": .bool(false)]
    let kind = usualKind.merging(try JSONTree(parsing: repo.utf8).object ?? [:]) { $1 }
    let usual: [String: JSONTree] = [
      "forage": .integer(1), "id": .string(id), "name": .string("Hostile"), "version": .string("1"),
      "command": .array([.string("python3"), .string("-u"), .string("main.py")]),
      "files": .array([.string("main.py")]),
      providers.isEmpty ? "kinds" : "providers": providers.isEmpty
        ? .object(["repo": .object(kind)]) : .array(providers),
    ]
    let tree = JSONTree.object(usual.merging(manifest) { $1 })
    try directory.write("plugins/\(id)/plugin.json", data: Data(tree.encoded()))
    try directory.write("plugins/\(id)/main.py", Self.prelude + script)
    environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory.path, "XDG_DATA_HOME": directory.path("data"),
      "XDG_DATA_DIRS": directory.path("none"),
    ].merging(extra) { $1 }
    let log = log
    host = PluginHost(
      version: "1.0", environment: environment, handshake: handshake, http: http, log: { log.add($0) },
      knownSecrets: { knownSecrets })
    plugin = try FoundPlugin(at: folder)
  }

  /// A machine that is busy starts an interpreter late.
  static let exitTimeout = Duration.seconds(120)

  /// Its only provider.
  func provider(config: [String: JSONTree] = [:], secrets: [String: String] = [:]) -> PluginProvider {
    host.providers(of: plugin, config: config, secrets: { secrets })[0]
  }

  /// The processes that the script has told of with `tell_pid`.
  var processes: [pid_t] {
    let text = (try? String(contentsOfFile: folder + "/pids", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { pid_t($0) }
  }

  /// Waits until the script has told of so many processes.
  func waitForProcesses(_ count: Int) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while processes.count < count {
      try #require(ContinuousClock.now < end, "\(processes.count) of \(count) processes have started")
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Ends the plugin and tells which of its processes are left.
  func remains() async throws -> [pid_t] {
    await host.close()
    return try await stillRunning(processes)
  }

  /// What every script begins with.
  static let prelude = """
    import json, os, signal, subprocess, sys, time

    def tell_pid(pid):
        with open("pids", "a") as file:
            file.write("%d\\n" % pid)

    def raw(data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def send(message):
        raw(json.dumps(dict({"jsonrpc": "2.0"}, **message)).encode() + b"\\n")

    def receive():
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        return json.loads(line)

    def hello():
        request = receive()
        send({"id": request["id"], "result": {"protocol": 1, "version": "1"}})
        return request["params"]

    def item(number, **changes):
        result = {"id": str(number), "kind": "repo", "url": "https://example.org/hostile/%s" % number,
                  "title": "hostile/%s" % number}
        result.update(changes)
        return result

    def items(request, list):
        send({"method": "search/items", "params": {"id": request["id"], "items": list}})

    def done(request, count, **more):
        send({"id": request["id"], "result": dict({"count": count}, **more)})

    def answer(request, list, **more):
        items(request, list)
        done(request, len(list), **more)

    def wait_forever():
        while True:
            time.sleep(3600)

    tell_pid(os.getpid())

    """ + "\n"
}

/// Waits for the end of processes that were killed, which may take the system a moment, and tells which are
/// left.
func stillRunning(_ processes: [pid_t]) async throws -> [pid_t] {
  let end = ContinuousClock.now + .seconds(60)
  while processes.contains(where: isRunning), ContinuousClock.now < end {
    try await Task.sleep(for: .milliseconds(10))
  }
  return processes.filter(isRunning)
}

/// Whether a process runs; one that has ended and was not waited for by its parent does not.
func isRunning(_ process: pid_t) -> Bool {
  guard kill(process, 0) == 0 else { return false }
  guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
    return true
  }
  return !status.contains(") Z ")
}

/// Lines from any thread.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// What a search asks for.
func request(
  _ query: String? = "hostile", kind: ResultKind = .repo, pageSize: Int = 10, cursor: String? = nil,
  within limit: Duration = .seconds(120)
) throws -> SearchRequest {
  SearchRequest(
    kind: kind, query: try query.map { try QueryParser().parse($0).root }, pageSize: pageSize, cursor: cursor,
    deadline: .now + limit)
}

/// The error that a body throws, `nil` when it throws none.
func failure(_ body: () async throws -> Void) async -> SearchError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? SearchError
  }
}
