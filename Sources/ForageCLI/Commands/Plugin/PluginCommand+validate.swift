import ArgumentParser
import ForageCore
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

    func run(in context: Context) async throws -> ExitStatus {
      let output = context.output
      let settings = try context.settings(naming: [(try? onlyManifest()) ?? path])
      // A cached answer says nothing about the provider as it is now.
      context.setCacheMode(try CacheChoice.mode(offline: false, noCache: true))
      let providers = try subject(context, settings)
      for id in providers.map(\.descriptor.id) where Context.types.contains(where: { $0.name == id }) {
        throw CommandError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
      }
      try output.result("\(SafeText.line(path)): the description is valid")
      if offline { return .success }
      var isFine = true
      for provider in providers {
        let deadline = ContinuousClock.now + TimeLimit.standard
        do {
          let declared = try await context.waiting(for: provider.descriptor.id) {
            try await provider.declaration(deadline: deadline)
          }
          if let unreachable = await unreachable(provider, declared) {
            output.problem(
              "\(declared.id) was not tested: \(unreachable.message)",
              hint: "only its description is valid; \(unreachable.hint)")
            continue
          }
        } catch let error as SearchError {
          output.problem("\(provider.descriptor.id): \(error.message)", hint: error.hint)
          isFine = false
          continue
        }
        let samples = ProviderComplianceTests.Samples(
          words: word.isEmpty ? Self.usualWords : word, qualifiers: qualifier, grace: .seconds(2))
        let report = await context.waiting(for: provider.descriptor.id) {
          await ProviderComplianceTests(provider: provider, samples: samples).run()
        }
        for line in report.description.split(separator: "\n") {
          try output.result(SafeText.line(String(line)))
        }
        isFine = isFine && report.failures.isEmpty
      }
      let warnings = Set(providers.map(\.descriptor.group)).sorted().flatMap { id in
        context.pluginHost.warnings(of: id).map { "\(id) \($0)" }
      }
      for warning in warnings {
        output.problem(
          warning, hint: "see the specification of forage-plugin/1; write a log to standard error")
      }
      return isFine && warnings.isEmpty ? .success : .usage
    }

    /// The providers at the path.
    private func subject(_ context: Context, _ settings: Settings) throws -> [any SearchProvider] {
      if FileManager.default.fileExists(atPath: path) {
        let single = try? onlyManifest()
        return try context.named(single ?? path, settings)
      }
      let installed = context.installed()
      if let plugin = installed.plugins[path] { return try context.named(plugin.folder, settings) }
      if let found = installed.manifest(path) {
        return [context.provider(of: found.manifest, id: path, settings)]
      }
      throw CommandError(
        "\"\(path)\" is no file, no folder and no installed plugin",
        hint: "name a folder with a plugin.json, or a manifest; see also: forage plugin list")
    }

    /// The manifest in a folder with one manifest and no plugin.
    private func onlyManifest() throws -> String? {
      guard !FileManager.default.fileExists(atPath: path + "/" + PluginManifest.fileName) else { return nil }
      let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".yaml") }
      return names.count == 1 ? path + "/" + names[0] : nil
    }

    /// Why the server of a provider cannot be reached, which is no fault of the provider.
    private func unreachable(_ provider: any SearchProvider, _ declared: ProviderDescriptor) async
      -> SearchError?
    {
      guard let kind = declared.kinds.keys.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
      let words = word.isEmpty ? Self.usualWords : word
      do {
        _ = try await provider.search(
          SearchRequest(
            kind: kind, query: .term(QueryTerm(words[0])), pageSize: 1,
            deadline: ContinuousClock.now + TimeLimit.standard))
        return nil
      } catch let error as SearchError {
        return [.unreachable, .offline, .tls].contains(error.code) ? error : nil
      } catch {
        return nil
      }
    }
  }
}
