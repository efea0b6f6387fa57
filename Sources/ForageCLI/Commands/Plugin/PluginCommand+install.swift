import ArgumentParser
import Forage
import ForageCore
import ForageManifest
import ForagePluginHost

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PluginCommand {
  /// `forage plugin install`.
  struct Install: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Install a plugin or manifest (folder, file or git repository).",
      discussion: """
        A repository is fetched with the git program at one commit: ADDRESS#REVISION. A copy is installed. A plugin does not run, and a \
        manifest does not send your secret, before you trust it: on a terminal the command asks, elsewhere --trust or --yes is required.
        """)

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("A folder with a plugin.json, a manifest, or an address.", valueName: "source"),
      completion: .file())
    var source: String
    @Flag(
      name: [.customLong("trust"), .customLong("yes"), .customShort("y")],
      help: "Trust the plugin or manifest without asking.")
    var trust = false
    @Flag(help: "Replace an installed plugin or manifest.")
    var force = false

    func run(in context: Context) async throws -> ExitStatus {
      switch try PluginSource(source, currentFolder: FileManager.default.currentDirectoryPath) {
      case .folder(let folder): return try install(folder: folder, context)
      case .manifest(let path): return try install(manifest: path, context)
      case .git(let address, let revision):
        let temporary = try Self.temporaryFolder(context)
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        _ = try context.services.settings()
        let git = GitProgram(environment: context.services.environmentWithoutTokens) { [context] in
          context.services.trace($0)
        }
        let checkout = try await context.services.waiting(for: address) {
          try await GitCheckout.fetch(address, revision: revision, into: temporary, git)
        }
        context.output.message("\(address) is at commit \(checkout.commit)")
        return try install(folder: checkout.folder, context)
      }
    }

    private func install(folder: String, _ context: Context) throws -> ExitStatus {
      guard FileManager.default.fileExists(atPath: folder + "/" + PluginManifest.fileName) else {
        guard let path = Self.onlyManifest(in: folder) else {
          throw ForageError(
            "\(source) has neither a \(PluginManifest.fileName) nor exactly one manifest",
            hint: "write a plugin with: forage plugin new NAME --kind python")
        }
        return try install(manifest: path, context)
      }
      let plugin = try FoundPlugin(at: folder)
      try plugin.checkFiles()
      let places = context.services.installed().places
      guard let home = places.places.first(where: { $0.origin == .user })?.folder else {
        throw ForageError("there is no folder for plugins", hint: "set HOME or XDG_DATA_HOME")
      }
      let target = home + "/" + plugin.id
      let isThere = try isInstalled(plugin.id, at: target) {
        (plugin.manifest.trustedFiles + [PluginManifest.fileName]).allSatisfy {
          FileManager.default.contentsEqual(atPath: plugin.folder + "/" + $0, andPath: target + "/" + $0)
        }
      }
      if !isThere {
        tellHidden(plugin.id, context)
        try FolderReplacement.replace(target, with: plugin.folder)
      }
      let installed = try FoundPlugin(at: target, origin: .user)
      try PluginCommand.show(installed, context)
      let trusts = context.services.installed().trust
      // The same files may have been trusted before.
      let isKnown = try trusts.state(of: installed) == .trusted
      guard isKnown || trust || Question.isAgreed(PluginCommand.trustQuestion, context.output, context.input)
      else {
        context.output.problem(
          "\(plugin.id) is installed and not trusted, so it cannot run",
          hint: "read the above, then: forage plugin trust \(plugin.id)")
        return .success
      }
      if !isKnown { try trusts.trust(installed) }
      context.output.message("\(plugin.id) is installed and trusted")
      return .success
    }

    private func install(manifest path: String, _ context: Context) throws -> ExitStatus {
      let manifest = try Services.manifest(at: path)
      let target = context.services.directories.providersFolder + "/" + manifest.id + ".yaml"
      let isThere = try isInstalled(manifest.id, at: target) {
        FileManager.default.contentsEqual(atPath: path, andPath: target)
      }
      if !isThere { try copy(path, to: target, of: manifest, context) }
      let installed = try Services.manifest(at: target)
      let hosts = manifest.secretHosts(base: PluginCommand.address(of: manifest.id, context))
      try PluginCommand.show(installed, hosts: hosts, context)
      context.output.message("\(manifest.id) is installed as \(target)")
      guard let auth = manifest.auth else { return .success }
      let trusts = context.services.pluginHost.trust
      let isKnown = try trusts.hosts(ofManifest: manifest.id)?.isSuperset(of: hosts) == true
      let isTrusted =
        isKnown || trust
        || Question.isAgreed(PluginCommand.secretQuestion(auth, hosts), context.output, context.input)
      if !isKnown { try trusts.setHosts(isTrusted ? hosts : [], ofManifest: manifest.id) }
      if !isTrusted {
        context.output.problem(
          "\(manifest.id) is installed, and your secret \(auth.secret) is not sent before you confirm its hosts",
          hint: "read the above, then: forage plugin trust \(manifest.id)")
      } else if let variable = (try? context.services.settings())?.providers[manifest.id]?.secrets[
        auth.secret]
      {
        let isSet = context.services.environment[variable]?.isEmpty == false
        context.output.message(
          "its secret \(auth.secret) is bound to the variable \(variable)\(isSet ? "" : ", which is not set")"
        )
      } else if auth.isRequired {
        context.output.message(
          "it needs a secret; add to the settings: providers: {\(manifest.id): {secrets: {\(auth.secret): {env: NAME}}}}"
        )
      }
      return .success
    }

    private func copy(_ path: String, to target: String, of manifest: Manifest, _ context: Context) throws {
      tellHidden(manifest.id, context)
      do {
        try FileManager.default.createDirectory(
          atPath: context.services.directories.providersFolder, withIntermediateDirectories: true)
        // Written beside it and renamed: there is always the old manifest or the new one.
        try Data(contentsOf: URL(fileURLWithPath: path)).write(
          to: URL(fileURLWithPath: target), options: .atomic)
      } catch {
        throw ForageError("\(target) could not be written", hint: "check the permissions and the free space")
      }
    }

    /// Reports which bundled plugin or manifest the new one hides.
    private func tellHidden(_ id: String, _ context: Context) {
      let installed = context.services.installed()
      let hint = "to use the bundled one again, run: forage plugin remove \(id)"
      if let plugin = installed.plugins[id], plugin.origin != .user {
        context.output.problem("\(id) hides the bundled plugin in \(plugin.folder)", hint: hint)
      }
      if let found = installed.manifest(id), let hidden = found.isBundled ? found.manifest : found.hidden {
        let hosts = hidden.secretHosts().sorted().joined(separator: ", ")
        context.output.problem("\(id) hides the bundled manifest for \(hosts)", hint: hint)
      }
    }

    /// Whether what was to be installed is installed already, so that only its trust is left to do.
    ///
    /// - Parameter isSame: Whether what is installed is what was to be installed.
    /// - Throws: `ForageError` for the id of a built-in provider, and for that of an installed one without `--force`, or
    ///   `--trust` where it is the same.
    private func isInstalled(_ id: String, at target: String, isSame: () -> Bool) throws -> Bool {
      if Services.types.contains(where: { $0.name == id }) {
        throw ForageError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
      }
      guard !force, FileManager.default.fileExists(atPath: target) else { return false }
      let isSame = isSame()
      guard isSame, trust else {
        throw ForageError(
          "\(id) is already installed in \(target)",
          hint: isSame
            ? "it is the same; to trust it, run: forage plugin trust \(id)" : "replace it with --force")
      }
      return true
    }

    private static func onlyManifest(in folder: String) -> String? {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let manifests = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
      return manifests.count == 1 ? folder + "/" + manifests[0] : nil
    }

    private static func temporaryFolder(_ context: Context) throws -> String {
      let base = context.services.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
      let folder = base + "/forage-" + UUID().uuidString
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      } catch {
        throw ForageError(
          "no folder can be created in \(base)", hint: "check its permissions and free space")
      }
      return folder
    }
  }
}
