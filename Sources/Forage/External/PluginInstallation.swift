import ForageCore
import ForageFoundation
import ForageManifest
import ForagePlatform
import ForagePluginHost
import ForageStore

/// Installs plugins and manifests of the user, and removes them. None runs, and none gets a secret, before it is trusted.
package struct PluginInstallation {
  /// How long a plugin may take to be built.
  private static let buildLimit: Duration = .seconds(1800)
  /// The most bytes of a build's output that are kept.
  private static let outputLimit = 1 << 20

  private let forage: Forage
  private let replaces: Bool
  private let allowsBuild: (_ command: [String], _ folder: String) -> Bool

  /// - Parameters:
  ///   - replaces: Whether an installed one with the same id is replaced.
  ///   - allowsBuild: Whether the user lets a command line run that builds a plugin.
  package init(
    _ forage: Forage, replaces: Bool = false,
    allowsBuild: @escaping (_ command: [String], _ folder: String) -> Bool = { _, _ in false }
  ) {
    (self.forage, self.replaces, self.allowsBuild) = (forage, replaces, allowsBuild)
  }

  package struct Installed {
    package var subject: TrustSubject
    /// The folder of the plugin, or the file of the manifest.
    package var path: String
    /// Whether the same files were installed before.
    package var isUnchanged = false
    package var commit: String?
    /// What of this installation is hidden by it, for example `manifest for gitlab.com`.
    package var hidden: [String] = []
  }

  package enum Outcome {
    case installed(Installed)
    /// Something else with the id is installed at the path already, and nothing was changed.
    case exists(id: String, path: String)
  }

  /// Installs a copy.
  ///
  /// - Throws: `ForageError` for a source without a plugin or manifest, and for the id of a built-in provider.
  package func install(_ source: PluginSource) async throws -> Outcome {
    switch source {
    case .folder(let folder): return try await install(folder: folder, named: folder)
    case .manifest(let path): return try install(manifest: path)
    case .git(let address, let revision):
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let checkout = try GitCheckout(forage)
      let commit = try await forage.reporter.waiting(for: address) {
        try await checkout.fetch(address, revision: revision, into: folder)
      }
      let outcome = try await install(folder: folder, named: address)
      guard case .installed(var installed) = outcome else { return outcome }
      installed.commit = commit
      return .installed(installed)
    }
  }

  private func install(folder: String, named name: String) async throws -> Outcome {
    guard FileManager.default.isReadableFile(atPath: folder) else {
      throw ForageError("\(name) cannot be read", hint: "check its permissions")
    }
    guard FileManager.default.fileExists(atPath: folder + "/" + PluginManifest.fileName) else {
      guard let path = PluginSource.onlyManifest(in: folder) else {
        throw ForageError(
          "\(name) has neither a \(PluginManifest.fileName) nor exactly one manifest",
          hint: "name the folder of a plugin, or a manifest")
      }
      return try install(manifest: path)
    }
    let plugin = try FoundPlugin(at: folder)
    if plugin.isUnbuilt { try await build(plugin) }
    try plugin.checkFiles()
    let places = forage.installed().places
    guard let home = places.places.first(where: { $0.origin == .user })?.folder else {
      throw ForageError("there is no folder for plugins", hint: "set HOME or XDG_DATA_HOME")
    }
    let target = home + "/" + plugin.id
    return try install(plugin.id, at: target) {
      (plugin.manifest.trustedFiles + [PluginManifest.fileName]).allSatisfy {
        let (new, old) = (plugin.folder + "/" + $0, target + "/" + $0)
        return FileManager.default.contentsEqual(atPath: new, andPath: old)
          && isProgram(new) == isProgram(old)
      }
    } copy: {
      try FolderReplacement.replace(target, with: plugin.folder, files: plugin.manifest.trustedFiles)
    } subject: {
      TrustSubject(try FoundPlugin(at: target, origin: .user))
    }
  }

  /// Runs the command line that makes the files of a plugin, in its folder, after the user has agreed.
  private func build(_ plugin: FoundPlugin) async throws {
    let words = plugin.manifest.build
    let line = words.map(\.shellQuoted).joined(separator: " ")
    guard allowsBuild(words, plugin.folder) else {
      throw ForageError(
        "\(plugin.id) has to be built before it is installed",
        hint: "run \(line) in its folder, or let this command run it, with --yes")
    }
    guard let program = programPath(words[0], environment: forage.environment) else {
      throw ForageError(
        "\(plugin.id) is built with \(words[0]), which is not in PATH", hint: "install it")
    }
    var environment = forage.environmentWithoutTokens
    if environment["FORAGE_PACKAGE"] == nil { environment["FORAGE_PACKAGE"] = forage.installed().sdkFolder }
    let launch = ChildLaunch(
      program, Array(words.dropFirst()), environment: environment, folder: plugin.folder, output: .pipe,
      error: .pipe)
    let result = try await forage.reporter.waiting(for: line) {
      try await ChildProgram.run(launch, outputLimit: Self.outputLimit, timeLimit: Self.buildLimit)
    }
    try Task.checkCancellation()
    guard result.isSuccess else {
      let output = String(decoding: result.error + result.output, as: UTF8.self)
      let lines = output.split(separator: "\n").map(String.init)
      let said = lines.first { $0.contains("error:") } ?? lines.last
      throw ForageError(
        "\(plugin.id) could not be built" + (said.map { ": " + SafeText.line($0) } ?? ""),
        hint: "run \(line) in its folder to see all of its output")
    }
  }

  private func install(manifest path: String) throws -> Outcome {
    let manifest = try Forage.manifest(at: path)
    let target = forage.paths.providersFolder + "/" + manifest.id + ".yaml"
    return try install(manifest.id, at: target) {
      FileManager.default.contentsEqual(atPath: path, andPath: target)
    } copy: {
      guard let bytes = FileManager.default.contents(atPath: path),
        PrivateFile.replace(target, with: Array(bytes))
      else { throw ForageError(unwritable: target, "the file of the manifest") }
    } subject: {
      TrustSubject(try Forage.manifest(at: target), isBundled: false, try? forage.settings())
    }
  }

  private func install(
    _ id: String, at target: String, isSame: () -> Bool, copy: () throws -> Void,
    subject: () throws -> TrustSubject
  ) throws -> Outcome {
    if BuiltInProvider.types.contains(where: { $0.name == id }) {
      throw ForageError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
    }
    guard !replaces, FileManager.default.fileExists(atPath: target) else {
      let hidden = hidden(by: id)
      try copy()
      return .installed(Installed(subject: try subject(), path: target, hidden: hidden))
    }
    guard isSame() else { return .exists(id: id, path: target) }
    return .installed(Installed(subject: try subject(), path: target, isUnchanged: true))
  }

  /// The bundled plugin or manifest that one of the user hides.
  private func hidden(by id: String) -> [String] {
    let installed = forage.installed()
    var hidden: [String] = []
    if let plugin = installed.plugins[id], plugin.origin != .user {
      hidden.append("plugin in \(plugin.folder)")
    }
    if let found = installed.manifest(id), let manifest = found.isBundled ? found.manifest : found.hidden {
      hidden.append("manifest for \(manifest.secretHosts().sorted().joined(separator: ", "))")
    }
    return hidden
  }

  private func temporaryFolder() throws -> String {
    let base = forage.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let folder = base + "/forage-" + UUID().uuidString
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ForageError(
        "no folder can be created in \(base)",
        hint: "check its permissions and free space, or set TMPDIR to another folder")
    }
    return folder
  }

  package enum Removal {
    /// With the ids of the providers that were enabled or disabled by a command, which is forgotten.
    case removed(settings: [String])
    /// It is installed for all users at the path, and nothing was changed.
    case shared(path: String)
  }

  /// Removes a plugin or manifest of the user, its trust, and whether a command has enabled or disabled it.
  ///
  /// - Throws: `ForageError` for an unknown id, and for files that cannot be deleted.
  package func remove(_ id: String) throws -> Removal {
    let installed = forage.installed()
    let ids = installed.plugins[id]?.manifest.providerIDs ?? [id]
    let plugin = installed.plugins[id].flatMap { $0.origin == .user ? $0.folder : nil }
    let manifest = installed.manifest(id).flatMap { $0.isBundled ? nil : $0.manifest.path }
    if let path = plugin ?? manifest ?? installed.brokenFolder(id) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw ForageError(
          "\(path) could not be deleted",
          hint: "check the permissions of it and of its folder, or delete it yourself")
      }
      try installed.trust.revoke(id)
    } else if let closed = installed.closedFolder {
      throw closed
    } else if try !installed.trust.revoke(id) {
      // The files may have been deleted by hand, and a later plugin with this id must not inherit the trust.
      let shared = installed.plugins[id]?.folder ?? installed.manifest(id)?.manifest.path
      guard let shared else { throw installed.noPlugin(id) }
      return .shared(path: shared)
    }
    do throws(ForageError) {
      return .removed(settings: try EnabledProviders(beside: forage.paths.configFile).set(nil, for: ids))
    } catch {
      forage.reporter.warning(error.message, error.hint)
      return .removed(settings: [])
    }
  }
}
