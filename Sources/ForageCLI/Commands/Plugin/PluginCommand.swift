import ArgumentParser
import Forage
import ForageCore
import ForageFoundation

/// `forage plugin`: manages providers that are not built in.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Manage plugins and manifests, which add providers.",
    discussion: """
      A plugin is a program that speaks forage-plugin/1; a manifest is a YAML file that describes a JSON API. There is no sandbox: a trusted \
      plugin runs with your permissions.
      """,
    subcommands: [
      List.self, New.self, Validate.self, Trust.self, Install.self, Upgrade.self, Remove.self, Guide.self,
    ],
    defaultSubcommand: List.self, aliases: ["plugins"])
}

extension PluginCommand {
  struct Remove: Command {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove an installed plugin or manifest, and its trust.", aliases: ["rm", "uninstall"])

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      switch try PluginInstallation(context.forage).remove(id) {
      case .shared(let path):
        throw ForageError(
          "\(id) is installed for all users, in \(path)",
          hint: "disable it for yourself with: forage providers disable \(id)")
      case .removed(let settings):
        context.output.message("\(id) is removed")
        let file = EnabledProviders(beside: context.forage.paths.configFile).path
        for id in settings { context.output.message("the line of \(id) is removed from \(file)") }
        return .success
      }
    }
  }
}

extension PluginCommand {
  struct Guide: Command {
    static let configuration = CommandConfiguration(
      commandName: "guide", abstract: "Print how to write a plugin or manifest.",
      discussion: """
        Topics: guide (how to add a provider, the default), manifest (all keys of a manifest), protocol (the specification of \
        forage-plugin/1), schema (a JSON Schema of its messages).
        """)

    /// The documents, as they are installed and in a checkout.
    enum Topic: String, CaseIterable {
      case guide, manifest, `protocol`, schema

      /// The path in a checkout.
      var path: String {
        switch self {
        case .guide: "Plugins/README.md"
        case .manifest: "Plugins/MANIFESTS.md"
        case .protocol: "Sources/ForagePluginProtocol/ForagePluginProtocol.docc/Protocol.md"
        case .schema: "Plugins/forage-plugin-1.schema.json"
        }
      }
    }

    /// The folder of the documents below the installation's prefix.
    private static let folder = "/share/forage/doc/"

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("guide, manifest, protocol or schema. (default guide)", valueName: "topic"),
      completion: .list(Topic.allCases.map(\.rawValue)))
    var topic: String?

    func run(in context: Context) async throws -> ExitStatus {
      let topic = try topic.map { try OptionValue.choice(Topic.self, $0, of: "the topic") } ?? .guide
      let prefixes = context.forage.installed().prefixes
      let places =
        prefixes.prefix(1).map { $0 + Self.folder + (topic.path.split(separator: "/").last ?? "") }
        + prefixes.map { $0 + "/" + topic.path }
      let found = places.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
      guard let text = found.map({ String(decoding: $0, as: UTF8.self) }) else {
        throw ForageError(
          "\(places[0]) is missing", hint: "install the program again, with: make install")
      }
      try await context.paged { output in
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          try output.result(verbatim: String(line))
        }
      }
      return .success
    }
  }
}
