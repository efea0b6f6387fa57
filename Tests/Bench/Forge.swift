import Foundation
import Synchronization
import TestSupport

/// The forge that both programs ask, in a process of its own so that its cost is not theirs.
enum Forge {
  /// Serves until standard input ends; tells the port, and at the end how long answers took.
  static func serve(certificate: String, privateKey: String, authority: String) async throws {
    let github = FakeGitHub(repositories: FakeRepository.sample(count: 400, seed: 1))
    let tls = TLSFiles(certificate: certificate, privateKey: privateKey, authority: authority)
    // Each answer is made once, so that the runs measure the programs and not this server.
    let answers = Mutex<[String: ScriptedResponse]>([:])
    let server = try await LoopbackServer.start(tls: tls) { request in
      answers.withLock { answers in
        if let known = answers[request.target] { return known }
        let made = github.respond(to: request)
        answers[request.target] = made
        return made
      }
    }
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    while readLine() != nil {}
    await server.stop()
  }

  /// A server started from this program.
  final class Running {
    let port: Int
    private let process = Process()
    private let input = Pipe()

    init(_ files: TLSFiles) throws {
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
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

    func stop() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }
}
