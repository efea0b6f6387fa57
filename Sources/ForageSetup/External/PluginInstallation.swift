import ForageCore
import ForageFoundation
import ForageManifest
import ForagePlatform
import ForagePluginHost
import ForageStore

/// Installs plugins and manifests of the user, and removes them. None runs, and none gets a secret, before it
/// is trusted.
package struct PluginInstallation {
  /// How long a plugin may take to be built.
  private static let buildLimit: Duration = .seconds(1800)
  /// The most bytes of a build's output that are kept.
  private static let outputLimit = 1 << 20

  private let forage: Forage
  private let replaces: Bool
  private let allowsReplacement: (Replacement) throws -> Bool
  private let allowsBuild: (_ command: [String], _ folder: String) -> Bool

  /// - Parameters:
  ///   - replaces: Whether an installed one is replaced in any case.
  ///   - allowsReplacement: Whether another version of an installed one takes its place.
  ///   - allowsBuild: Whether the user lets a command line run that builds a plugin.
  package init(
    _ forage: Forage, replaces: Bool = false,
    allowsReplacement: @escaping (Replacement) throws -> Bool = { _ in false },
    allowsBuild: @escaping (_ command: [String], _ folder: String) -> Bool = { _, _ in false }
  ) {
    (self.forage, self.replaces) = (forage, replaces)
    (self.allowsReplacement, self.allowsBuild) = (allowsReplacement, allowsBuild)
  }

  /// One version in place of another.
  package struct Replacement {
    /// What is there; `nil` where it cannot be read.
    package let old: TrustSubject?
    package let new: TrustSubject
    /// The commits of both, where they are known.
    package let commits: (old: String?, new: String?)
    /// The names of the files that differ, or are in one of them alone.
    package let files: [String]

    fileprivate init(
      _ old: TrustSubject?, _ new: TrustSubject, _ known: PluginOrigins.Origin?, _ commit: String?
    ) {
      (self.old, self.new, commits) = (old, new, (known?.commit, commit))
      files = old.map { $0.differingFiles(from: new) } ?? []
    }
  }

  private var origins: PluginOrigins { PluginOrigins(beside: forage.paths.configFile) }

  package struct Installed {
    package var subject: TrustSubject
    /// The folder of the plugin, or the file of the manifest.
    package var path: String
    /// Whether the same files were installed before.
    package var isUnchanged = false
    package var commit: String?
    /// The branch, tag or commit that was asked for.
    package var revision: String?
    /// The providers of this installation that it hides, for example `manifest for gitlab.com`.
    package var hidden: [String] = []
  }

  package enum Outcome {
    case installed(Installed)
    /// Something else with the id is installed at the path already, and nothing was changed.
    case exists(id: String, path: String)
  }

  /// Installs a copy.
  ///
  /// - Throws: `ForageError` for a source without a plugin or manifest, and for the id of a built-in
  ///   provider.
  package func install(_ source: PluginSource) async throws -> Outcome {
    try await install(source, expected: nil)
  }

  /// What an upgrade has to find: another plugin would take the place, the settings and the secrets of one
  /// that is installed.
  private struct Expected {
    let id: String
    let kind: ProviderSource.Kind
    /// The branch, tag or commit that the source is followed by.
    let revision: String?

    /// - Throws: `ForageError` for something else.
    func check(_ id: String, _ kind: ProviderSource.Kind, in source: String) throws(ForageError) {
      guard self.id != id || self.kind != kind else { return }
      throw ForageError(
        "\(source) has the \(kind.rawValue) \(id) now, and not the \(self.kind.rawValue) \(self.id)",
        hint:
          "to install it beside the old one, run: forage plugin install \((source + (revision.map { "#" + $0 } ?? "")).shellQuoted)"
      )
    }
  }

  private func install(_ source: PluginSource, expected: Expected?) async throws -> Outcome {
    switch source {
    case .folder(let path), .manifest(let path):
      let isFolder = source == .folder(path)
      let outcome =
        isFolder
        ? try await install(folder: path, named: path, nil, expected)
        : try install(manifest: path, named: path, nil, expected)
      return record(PluginOrigins.Origin(source: realPath(path) ?? path), of: outcome)
    case .git(let address, let revision):
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let checkout = try GitCheckout(forage)
      let commit = try await forage.reporter.waiting(for: address) {
        try await checkout.fetch(address, revision: revision, into: folder)
      }
      let origin = PluginOrigins.Origin(source: address, revision: revision, commit: commit)
      return record(origin, of: try await install(folder: folder, named: address, origin, expected))
    }
  }

  /// Installs the present version of what one was installed from.
  ///
  /// - Throws: As `install`; also for one that is not installed, or of which that is not known.
  package func upgrade(_ id: String) async throws -> Outcome {
    guard let origin = try upgradable()[id] else {
      // The error for an unknown id.
      let subject = try forage.installed().subject(id, try? forage.settings())
      if case .exempt = try forage.installed().state(of: subject), subject.isOfInstallation {
        throw ForageError(
          "\(id) is part of this installation", hint: "it is upgraded with Forage itself")
      }
      throw ForageError(
        "it is not known what \(id) was installed from",
        hint: "install it again: forage plugin install SOURCE --force, in place of \(subject.path)")
    }
    // A plugin that cannot be read is one, too.
    let kind = forage.installed().manifest(id) == nil ? ProviderSource.Kind.plugin : .manifest
    let expected = Expected(id: id, kind: kind, revision: origin.revision)
    guard origin.commit == nil else {
      return try await install(
        .git(address: origin.source, revision: origin.revision), expected: expected)
    }
    guard FileManager.default.fileExists(atPath: origin.source) else {
      throw ForageError(
        "\(id) was installed from \(origin.source), which does not exist any more",
        hint: "install it from where it is now, with --force")
    }
    return try await install(
      try PluginSource(origin.source, currentFolder: "/", bareHost: nil), expected: expected)
  }

  /// The ids of what can be upgraded, sorted.
  ///
  /// - Throws: `ForageError` for a list of them that cannot be read.
  package var upgradableIDs: [String] { get throws { try upgradable().keys.sorted() } }

  private func upgradable() throws -> [String: PluginOrigins.Origin] {
    let (known, problem) = origins.read()
    if let problem { throw problem }
    let installed = forage.installed()
    return known.filter { id, _ in
      installed.plugins[id]?.origin == .user || installed.manifest(id)?.isBundled == false
        || installed.brokenFolder(id) != nil
    }
  }

  /// Keeps what was installed from where; a list that cannot be written is told, and what was installed
  /// stays.
  private func record(_ origin: PluginOrigins.Origin, of outcome: Outcome) -> Outcome {
    guard case .installed(var installed) = outcome else { return outcome }
    var origin = origin
    // A password in an address is not kept: git's helper knows it.
    origin.source.replace(/^([a-z+]+:\/\/)[^\/@]*:[^\/@]*@/, with: { String($0.output.1) })
    origin.source.replace(/^(https?:\/\/)[^\/@]*@/, with: { String($0.output.1) })
    (installed.commit, installed.revision) = (origin.commit, origin.revision)
    do throws(ForageError) { try origins.set(origin, of: installed.subject.id) } catch {
      forage.reporter.warning(error.message, error.hint)
    }
    return .installed(installed)
  }

  private func install(
    folder: String, named name: String, _ origin: PluginOrigins.Origin?, _ expected: Expected?
  ) async throws -> Outcome {
    guard FileManager.default.isReadableFile(atPath: folder) else {
      throw ForageError("\(name) cannot be read", hint: "check its permissions")
    }
    guard FileManager.default.fileExists(atPath: folder + "/" + PluginManifest.fileName) else {
      guard let path = PluginSource.onlyManifest(in: folder) else {
        throw ForageError(
          "\(name) has neither a \(PluginManifest.fileName) nor exactly one manifest",
          hint: "name the folder of a plugin, or a manifest")
      }
      return try install(manifest: path, named: name, origin, expected)
    }
    let plugin = try FoundPlugin(at: folder)
    try expected?.check(plugin.id, .plugin, in: name)
    let searchPath = forage.installed().searchPath
    guard let home = searchPath.entries.first(where: { $0.origin == .user })?.folder else {
      throw ForageError("there is no folder for plugins", hint: "set HOME or XDG_DATA_HOME")
    }
    let target = home + "/" + plugin.id
    func installed() throws -> TrustSubject { TrustSubject(try FoundPlugin(at: target, origin: .user)) }
    func copy() throws {
      try FolderReplacement.replace(target, with: plugin.folder, files: plugin.manifest.trustedFiles)
    }
    try checkID(plugin.id)
    let isThere = FileManager.default.fileExists(atPath: target)
    if isThere, !replaces, let old = try? installed() {
      let isKnown = origins.read().content[plugin.id] == origin
      // What is built is compared by its commit, and not where somebody has changed it since.
      if plugin.isUnbuilt, origin != nil, isKnown, isIntact(target) {
        return .installed(Installed(subject: old, path: target, isUnchanged: true))
      }
      if !plugin.isUnbuilt, isSame(plugin, target) {
        // Files that need no trust may differ.
        if expected != nil || !isKnown { try copy() }
        return .installed(Installed(subject: old, path: target, isUnchanged: true))
      }
    }
    let known = origins.read().content[plugin.id]
    if isThere, !replaces,
      !(try allowsReplacement(Replacement(try? installed(), TrustSubject(plugin), known, origin?.commit)))
    {
      return .exists(id: plugin.id, path: target)
    }
    if plugin.isUnbuilt { try await build(plugin) }
    try plugin.checkFiles()
    let hidden = hidden(by: plugin.id)
    try copy()
    return .installed(Installed(subject: try installed(), path: target, hidden: hidden))
  }

  /// Whether an installed plugin has all of its files, as they were trusted.
  private func isIntact(_ folder: String) -> Bool {
    guard let plugin = try? FoundPlugin(at: folder, origin: .user), (try? plugin.checkFiles()) != nil,
      case .trusted? = try? forage.installed().trust.state(of: plugin)
    else { return false }
    return true
  }

  /// Whether the files of a plugin are those in a folder.
  private func isSame(_ plugin: FoundPlugin, _ folder: String) -> Bool {
    (plugin.manifest.trustedFiles + [PluginManifest.fileName]).allSatisfy {
      let (new, old) = (plugin.folder + "/" + $0, folder + "/" + $0)
      return FileManager.default.contentsEqual(atPath: new, andPath: old) && isProgram(new) == isProgram(old)
    }
  }

  /// Runs the command line that makes the files of a plugin, in its folder, after the user has agreed.
  private func build(_ plugin: FoundPlugin) async throws {
    let words = plugin.manifest.build
    let line = words.map(\.shellQuoted).joined(separator: " ")
    guard allowsBuild(words, plugin.folder) else {
      throw ForageError(
        "\(plugin.id) has to be built before it is installed",
        hint: "let this command run \(line), with --yes")
    }
    guard let program = programPath(words[0], environment: forage.environment) else {
      throw ForageError(
        "\(plugin.id) is built with \(words[0]), which is not in PATH", hint: "install it")
    }
    var environment = forage.environmentWithoutTokens
    if environment["FORAGE_PACKAGE"] == nil { environment["FORAGE_PACKAGE"] = forage.installed().sdkFolder }
    forage.reporter.message("building \(plugin.id) with \(line)")
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

  private func install(
    manifest path: String, named name: String, _ origin: PluginOrigins.Origin?, _ expected: Expected?
  ) throws -> Outcome {
    let manifest = try Forage.manifest(at: path)
    try expected?.check(manifest.id, .manifest, in: name)
    let target = forage.paths.providersFolder + "/" + manifest.id + ".yaml"
    let settings = try? forage.settings()
    func subject(_ manifest: Manifest) -> TrustSubject {
      TrustSubject(manifest, isBundled: false, settings)
    }
    try checkID(manifest.id)
    if FileManager.default.fileExists(atPath: target) {
      let old = try? Forage.manifest(at: target)
      if !replaces, let old, FileManager.default.contentsEqual(atPath: path, andPath: target) {
        return .installed(Installed(subject: subject(old), path: target, isUnchanged: true))
      }
      let known = origins.read().content[manifest.id]
      let replacement = Replacement(old.map(subject), subject(manifest), known, origin?.commit)
      guard try replaces || allowsReplacement(replacement) else {
        return .exists(id: manifest.id, path: target)
      }
    }
    let hidden = hidden(by: manifest.id)
    guard let bytes = FileManager.default.contents(atPath: path),
      PrivateFile.replace(target, with: Array(bytes))
    else { throw ForageError(unwritable: target, "the file of the manifest") }
    return .installed(
      Installed(subject: subject(try Forage.manifest(at: target)), path: target, hidden: hidden))
  }

  /// - Throws: `ForageError` for the id of a built-in provider.
  private func checkID(_ id: String) throws(ForageError) {
    if BuiltInProvider.types.contains(where: { $0.name == id }) {
      throw ForageError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
    }
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
      try? origins.set(nil, of: id)
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
