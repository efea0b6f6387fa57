import ArgumentParser
import Forage
import ForageCore
import ForageManifest
import ForagePluginHost

extension PluginCommand {
  /// `forage plugin trust`.
  struct Trust: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Show what a plugin runs, and allow it to run.",
      discussion: """
        Shows the command line, the hosts and the secrets of the plugin, and asks. Any answer but yes is no. Without a terminal --yes is \
        required. A plugin that has changed must be trusted again. For a manifest, it allows to send your secret to its hosts.
        """)

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String
    @Flag(name: .shortAndLong, help: "Trust it without asking.")
    var yes = false

    func run(in context: Context) async throws -> ExitStatus {
      let installed = context.services.installed()
      guard let plugin = installed.plugins[id] else {
        guard let found = installed.manifest(id) else { throw installed.noPlugin(id) }
        return try trust(found, installed, context)
      }
      try PluginCommand.show(plugin, context)
      switch installed.state(of: plugin) {
      case .known(.trusted):
        context.output.message("\(id) is already trusted")
        return .success
      case .known(.bundled), .known(.named):
        context.output.message("\(id) is part of this installation and needs no trust")
        return .success
      case .known(.untrusted), .known(.changed): break
      case .failed(let error): throw error
      }
      try ask(PluginCommand.trustQuestion, context)
      try installed.trust.trust(plugin)
      context.output.message("\(id) is now trusted")
      return .success
    }

    /// Allows a manifest to send the user's secret to its hosts.
    private func trust(_ found: ManifestDiscovery.Found, _ installed: InstalledProviders, _ context: Context)
      throws -> ExitStatus
    {
      let manifest = found.manifest
      let hosts = manifest.secretHosts(base: PluginCommand.address(of: id, context))
      try PluginCommand.show(manifest, hosts: hosts, context)
      guard let auth = manifest.auth, !found.isBundled else {
        let reason = found.isBundled ? "is part of this installation" : "sends no secret"
        context.output.message("\(id) \(reason) and needs no trust")
        return .success
      }
      if try installed.trust.hosts(ofManifest: id)?.isSuperset(of: hosts) == true {
        context.output.message("\(id) is already trusted")
        return .success
      }
      try ask(PluginCommand.secretQuestion(auth, hosts), context)
      try installed.trust.setHosts(hosts, ofManifest: id)
      context.output.message("\(id) is now trusted")
      return .success
    }

    /// Asks, unless `--yes` is the answer.
    ///
    /// - Throws: `ForageError` for any answer but yes.
    private func ask(_ question: String, _ context: Context) throws {
      if yes { return }
      guard context.input.isTerminal else {
        throw ForageError(
          "\(id) is not trusted: there is no terminal to ask on",
          hint: "read the above; to trust it without a question, add --yes")
      }
      guard Question.isAgreed(question, context.output, context.input) else {
        throw ForageError("\(id) is not trusted", hint: "to trust it, answer yes")
      }
    }
  }

  /// What is asked before a plugin is trusted.
  static let trustQuestion = "Allow it to run with all your permissions?"

  /// What is asked before a secret is sent to the hosts of a manifest.
  static func secretQuestion(_ auth: Manifest.Auth, _ hosts: Set<String>) -> String {
    "Allow it to send your secret \(auth.secret) to \(hosts.sorted().joined(separator: ", "))?"
  }

  /// The address of a manifest's API in the settings, which need not be valid here.
  static func address(of id: String, _ context: Context) -> String? {
    (try? context.services.settings())?.providers[id]?.config["url"]?.string
  }

  /// Shows what matters for trusting a manifest.
  static func show(_ manifest: Manifest, hosts: Set<String>, _ context: Context) throws {
    var sheet = FactSheet(title: "\(manifest.id)  \(manifest.name)")
    sheet.add("File", manifest.path)
    sheet.add("Hosts", hosts.sorted().joined(separator: ", "))
    sheet.add("Secrets", manifest.auth?.secret ?? "none")
    sheet.add("Kinds", manifest.kind.rawValue)
    try sheet.write(to: context.output)
  }

  /// Shows what matters for trusting a plugin.
  static func show(_ plugin: FoundPlugin, _ context: Context) throws {
    let manifest = plugin.manifest
    var sheet = FactSheet(title: "\(plugin.id)  \(manifest.name) \(manifest.version)")
    sheet.add("Folder", plugin.folder)
    sheet.add("Runs", manifest.command.map(\.shellQuoted).joined(separator: " "))
    sheet.add("Program", try? plugin.program(environment: context.services.environment))
    sheet.add("Files", manifest.trustedFiles.joined(separator: ", "))
    sheet.add("Hosts", manifest.hosts.isEmpty ? "none" : manifest.hosts.joined(separator: ", "))
    sheet.add("Secrets", manifest.secrets.isEmpty ? "none" : manifest.secrets.joined(separator: ", "))
    sheet.add("Kinds", manifest.kinds.map(\.rawValue).joined(separator: ", "))
    try sheet.write(to: context.output)
  }
}
