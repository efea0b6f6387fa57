import ArgumentParser
import Forage
import ForageCore

/// The options that choose providers and kinds of results.
struct ProviderOptions: ParsableArguments {
  /// The known kinds of results, for help and messages.
  static let knownKinds = ResultKind.known.flatMap { kind in
    [kind.rawValue] + (kind == .issue ? [ResultKind.pullRequest.rawValue] : [])
  }

  @Option(
    name: .letter("k"),
    help: ArgumentHelp(
      "Find these kinds (\(ProviderOptions.knownKinds.joined(separator: ", "))). (default repo; all for feed)",
      valueName: "kind"), completion: Completion.kinds)
  var kind: [String] = []

  @Option(name: .letter("p"), help: .providers, completion: Completion.providers)
  var provider: [String] = []
}

/// The options that add providers for one run: rarely needed, so that they stand with the last options of a command.
struct PluginOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Ask a plugin or manifest by path (repeatable).", valueName: "path"),
    completion: .file())
  var plugin: [String] = []

  @Flag(name: .shortAndLong, help: "Allow --plugin to get your secrets without asking.")
  var yes = false

  /// Chooses the plugins beside those of the user.
  func configure(_ setup: inout ForageSetup) { (setup.pluginPaths, setup.assumesYes) = (plugin, yes) }
}
