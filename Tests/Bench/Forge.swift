import Foundation
import Synchronization
import TestSupport

/// The forge that both programs ask, in a process of its own so that its cost is not theirs.
enum Forge {
  /// What the server did for one program in the runs that count.
  struct Served {
    /// Answered requests, without the first to each target: that one belongs to the run that warms up.
    var requests = 0
    /// Seconds from a request read to its answer handed over for writing, all requests together.
    var seconds = 0.0

    /// Seconds for one request.
    var mean: Double { requests == 0 ? 0 : seconds / Double(requests) }
  }

  /// What the server did for forage and for everybody else, told apart by `User-Agent`.
  struct Account {
    var forage = Served()
    var others = Served()
    /// Who has asked for what.
    var targets: Set<String> = []
  }

  /// A service that does not limit how often it is asked.
  static func github() -> FakeGitHub {
    FakeGitHub(repositories: FakeRepository.sample(count: 400, seed: 1)) { $0.limits = .absent }
  }

  /// Serves until standard input ends; tells the port, and at the end for each program how many answers there
  /// were and the mean time of one.
  static func serve(certificate: String, privateKey: String, authority: String) async throws {
    let github = github()
    let tls = TLSFiles(certificate: certificate, privateKey: privateKey, authority: authority)
    // Each answer is made once, so that the runs measure the programs and not this server.
    let answers = Mutex<[String: ScriptedResponse]>([:])
    let account = Mutex(Account())
    let server = try await LoopbackServer.start(tls: tls) { request in
      let answer = answers.withLock { answers in
        if let known = answers[request.target] { return known }
        let made = github.respond(to: request)
        answers[request.target] = made
        return made
      }
      let isForage = (request.header("user-agent") ?? "").lowercased().hasPrefix("forage")
      account.withLock { account in
        guard !account.targets.insert("\(isForage) \(request.target)").inserted else { return }
        let program = isForage ? \Account.forage : \Account.others
        account[keyPath: program].requests += 1
        account[keyPath: program].seconds += (ContinuousClock.now - request.receivedAt) / .seconds(1)
      }
      return answer
    }
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    while readLine() != nil {}
    await server.stop()
    let sums = account.withLock { $0 }
    for served in [sums.forage, sums.others] {
      FileHandle.standardOutput.write(Data("\(served.requests) \(served.mean)\n".utf8))
    }
  }

  /// A server started from this program.
  final class Running {
    let port: Int
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var account: Account?

    init(_ files: TLSFiles) throws {
      process.executableURL = URL(fileURLWithPath: Bench.program)
      process.arguments = ["--serve", files.certificate, files.privateKey, files.authority]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw BenchError("the loopback server did not start")
      }
      self.port = port
    }

    /// Ends the server, once.
    ///
    /// - Returns: What it did, also when it has been ended before.
    @discardableResult
    func stop() -> Account {
      if let account { return account }
      try? input.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let served = text.split(separator: "\n").map { line -> Served in
        let words = line.split(separator: " ")
        guard words.count == 2, let requests = Int(words[0]), let mean = Double(words[1]) else {
          return Served()
        }
        return Served(requests: requests, seconds: mean * Double(requests))
      }
      let told = served.count == 2 ? Account(forage: served[0], others: served[1]) : Account()
      account = told
      return told
    }
  }
}
