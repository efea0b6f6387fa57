import ForageFoundation
import ForageGit
import ForagePlatform
import ForagePluginHost
package import Subprocess
package import SystemPackage

/// A program of the system: the one way in which programs are found, started and ended.
package struct InstalledProgram: Sendable {
  /// What ends with the program.
  package enum Group: Sendable {
    /// It stays in the group of this process, in the foreground of the terminal.
    case shared
    /// A process group of its own, so that its children end with it.
    case own
    /// A session of its own, so that nothing of it can ask on the terminal.
    case session
  }

  package let path: String

  /// Finds a program: the name itself where it is a path, else the first in `PATH`; `nil` where there is none.
  ///
  /// - Parameter environment: The child's own: swift-subprocess 1.0.2 stops the whole process when it looks for a
  ///   program that is not there.
  package init?(_ name: String, environment: [String: String]) {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let found = (name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }).first { path in
      FileAccess.isFile(path) && FileManager.default.isExecutableFile(atPath: path)
    }
    guard let found else { return nil }
    path = found
  }

  /// The absolute path of this program, for settings of other programs; `nil` if the system does not provide it.
  ///
  /// - Parameter name: A program of this name in `PATH` is preferred where it leads here: its path stays when this one is updated.
  package static func ownPath(_ name: String, environment: [String: String]) -> String? {
    guard let file = PluginPlaces.executable.flatMap(realPath) else { return nil }
    guard let found = Self(name, environment: environment)?.path, found.hasPrefix("/"),
      realPath(found) == file
    else { return file }
    return found
  }

  /// Runs the program and waits until it ends.
  ///
  /// - Parameters:
  ///   - environment: All variables that it gets.
  ///   - folder: Where it works; `nil` for the folder of this process.
  ///   - grace: The time between the signal to end, after a cancellation, and the one that it cannot ignore.
  ///   - limit: How long it may take; then it is ended.
  /// - Throws: `SubprocessError` where it cannot be started, and `CancellationError`.
  package func run<Input: InputProtocol, Output: OutputProtocol, Failure: ErrorOutputProtocol>(
    _ arguments: [String], environment: [String: String], folder: String? = nil, group: Group = .own,
    grace: Duration = .milliseconds(100), limit: Duration? = nil, input: Input, output: Output, error: Failure
  ) async throws -> ExecutionResult<Void, Output, Failure> {
    var options = PlatformOptions()
    switch group {
    case .shared: break
    case .own: options.processGroupID = 0
    case .session: options.createSession = true
    }
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: group != .shared, allowedDurationToNextStep: grace)
    ]
    let (path, variables) = (path, Self.environment(environment))
    let task = Task { [options] in
      try await Subprocess.run(
        .path(FilePath(path)), arguments: Arguments(arguments), environment: variables,
        workingDirectory: folder.map { FilePath($0) }, platformOptions: options, input: input, output: output,
        error: error)
    }
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        task.cancel()
      }
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The environment of a child with just these variables.
  private static func environment(_ variables: [String: String]) -> Environment {
    // The library refuses names that begin with a digit, with the whole environment.
    let valid = variables.filter { !($0.key.first?.isNumber ?? true) && !$0.key.contains("=") }
    let keyed = valid.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
    return .custom(Dictionary(keyed, uniquingKeysWith: { first, _ in first }))
  }
}

extension FileDescriptor {
  /// A pipe whose ends no child inherits: a child that had the end for writing would wait for itself to close it.
  package static func childPipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
    let pipe = try FileDescriptor.pipe()
    for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    return pipe
  }
}
