import ArgumentParser
import Forage
import ForageCore
import ForageHTTP
import ForageManifest
import ForagePluginHost
import ForageTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PluginCommand {
  /// `forage plugin validate`.
  struct Validate: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check a plugin or manifest against the contract for providers.",
      discussion: """
        The description is read strictly, then the provider is run against the compliance suite, which sends it a few dozen requests. The plugin \
        is started for this, trusted or not. With --word and --qualifier more can be checked. Exit status: 0 it complies, or its server cannot \
        be reached and its description is valid; 2 it does not comply.
        """)

    /// Words that most catalogues of code have results for.
    private static let usualWords = ["http", "json", "test", "a"]

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp(
        "A plugin's folder, a manifest, or an installed id.", valueName: "path"),
      completion: .file())
    var path: String
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Search for a word with many results (repeatable, best first).", valueName: "word"))
    var word: [String] = []
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Use a qualifier that some of these results meet (repeatable).", valueName: "name:value")
    )
    var qualifier: [String] = []
    @Flag(help: "Read the description only; start and request nothing.")
    var offline = false
    @Flag(name: .shortAndLong, help: "Allow it to get your secrets without asking.")
    var yes = false

    func serviceOptions() -> Services.Options {
      var options = Services.Options()
      options.pluginPaths = [PluginSource.onlyManifest(in: path) ?? path]
      // Nothing is sent without a search.
      options.assumesYes = yes || offline
      return options
    }

    func run(in context: Context) async throws -> ExitStatus {
      let output = context.output
      let settings = try context.services.settings()
      let path = path
      let make: @Sendable () throws -> [any SearchProvider] = {
        try Self.subject(path, context, settings)
      }
      let providers = try make()
      for id in providers.map(\.descriptor.id) where Services.types.contains(where: { $0.name == id }) {
        throw ForageError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
      }
      try output.result("\(SafeText.line(path)): the description is valid")
      if offline { return .success }
      var isFine = true
      for provider in providers {
        if let error = (provider as? UnusableProvider)?.error {
          output.problem("\(provider.descriptor.id): \(error.message)", hint: error.advice)
          isFine = false
          continue
        }
        let deadline = ContinuousClock.now + SearchOptions.defaultTimeout
        do {
          let declared = try await context.services.waiting(for: provider.descriptor.id) {
            try await provider.declaration(deadline: deadline)
          }
          if let unreachable = await unreachable(provider, declared, output) {
            output.problem(
              "\(declared.id) was not tested: \(unreachable.message)",
              hint: "only its description is valid; \(unreachable.hintOutsideSearch)")
            continue
          }
        } catch let error as SearchError {
          output.problem("\(provider.descriptor.id): \(error.message)", hint: error.advice)
          isFine = false
          continue
        }
        let samples = ProviderComplianceTests.Samples(
          words: word.isEmpty ? Self.usualWords : word, qualifiers: qualifier, grace: .seconds(2))
        let report = await context.services.waiting(for: provider.descriptor.id) {
          await ProviderComplianceTests(provider: provider, samples: samples) {
            // As after a restart of the program: another process, another memory.
            guard let other = try make().first(where: { $0.descriptor.id == provider.descriptor.id }) else {
              throw SearchError(
                .configuration, "the description no longer has \(provider.descriptor.id)",
                hint: "do not change it during the check")
            }
            return other
          }.run()
        }
        // A live API may have odd rows, and they are left out; the report decides whether they are too many.
        for fault in (provider as? ManifestProvider)?.warnings.messages ?? [] {
          output.message("\(provider.descriptor.id) \(fault)")
        }
        for line in report.description.split(separator: "\n") {
          try output.result(SafeText.line(String(line)))
        }
        isFine = isFine && report.failures.isEmpty
      }
      let warnings = await warnings(context)
      for warning in warnings { output.problem(warning.message, hint: warning.hint) }
      return isFine && warnings.allSatisfy(\.isNote) ? .success : .usage
    }

    /// What the plugin did wrong without being stopped, each message once; it is ended for this.
    ///
    /// A note is no reason to fail.
    private func warnings(_ context: Context) async -> [(message: String, hint: String, isNote: Bool)] {
      let installed = context.services.installed().plugins
      guard let id = ((try? FoundPlugin(at: path)) ?? installed[path])?.id else { return [] }
      let host = context.services.pluginHost
      let endings = await context.services.waiting(for: id) { await host.endingFaults(of: id) }
      var known: Set<String> = []
      let told = host.warnings(of: id).map { warning in
        let isNote = PluginHost.isNote(warning)
        let hint =
          isNote
          ? "send the field in the form that the protocol gives, or leave it out; see: forage plugin guide protocol"
          : !warning.hasPrefix("wrote ")
            ? "correct it in the plugin; see: forage plugin guide protocol"
            : "write only messages to standard output, and a log to standard error; see: forage plugin guide protocol"
        return (warning, hint, isNote)
      }
      let ended = endings.map {
        ($0, "exit at the end of standard input, after ending all child processes", false)
      }
      return (told + ended).filter { known.insert($0.0).inserted }.map { ("\(id) \($0.0)", $0.1, $0.2) }
    }

    /// The providers at the path.
    private static func subject(_ path: String, _ context: Context, _ settings: Settings) throws
      -> [any SearchProvider]
    {
      // A cached answer says nothing about the provider as it is now.
      let asking = Asking(cache: .bypass)
      if FileManager.default.fileExists(atPath: path) {
        return try context.services.named(
          PluginSource.onlyManifest(in: path) ?? path, settings, asking)
      }
      let installed = context.services.installed()
      if let plugin = installed.plugins[path] {
        return try context.services.named(plugin.folder, settings, asking)
      }
      if let found = installed.manifest(path) {
        let source = found.isBundled ? Services.ManifestSource.bundled : .named
        return [context.services.provider(of: found.manifest, id: path, settings, source: source, asking)]
      }
      throw ForageError(
        "\"\(path)\" is no file, no folder and no installed plugin",
        hint: "name a folder with a plugin.json, or a manifest; see also: forage plugin list")
    }

    /// Why the server of a provider cannot be reached, which is no fault of the provider.
    private func unreachable(_ provider: any SearchProvider, _ declared: ProviderDescriptor, _ output: Output)
      async -> SearchError?
    {
      guard let kind = declared.kinds.keys.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
      let words = word.isEmpty ? Self.usualWords : word
      do {
        _ = try await provider.search(
          SearchRequest(
            kind: kind, query: .term(QueryTerm(words[0])), pageSize: 1,
            deadline: ContinuousClock.now + SearchOptions.defaultTimeout))
        return nil
      } catch let error as SearchError {
        // The report counts what failed; only the hint says why.
        if error.code == .timeout, !(provider is ManifestProvider) {
          output.problem("\(declared.id): \(error.message)", hint: error.advice)
        }
        return [.unreachable, .offline, .tls].contains(error.code) ? error : nil
      } catch {
        return nil
      }
    }
  }
}
