package import ForageCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plugin on this machine, of which nothing has run.
package struct FoundPlugin: Sendable {
  /// Where a plugin comes from.
  package enum Origin: String, Hashable, Sendable {
    /// The user's own folder.
    case user
    /// A folder of the machine that `XDG_DATA_DIRS` names.
    case machine
    /// The folder that was installed with this program.
    case installation
    /// A path that the user has named.
    case named
  }

  /// What it says of itself.
  package var manifest: PluginManifest
  /// Its folder, without symbolic links.
  package var folder: String
  /// Where it comes from.
  package var origin: Origin
  /// The digest of its `plugin.json` as it was read.
  let manifestDigest: String

  /// What names it.
  package var id: String { manifest.id }

  /// Opens the plugin at a path.
  ///
  /// - Parameters:
  ///   - path: Its folder or its `plugin.json`.
  ///   - origin: Where it comes from.
  /// - Throws: `SearchError` that says what is wrong with it.
  package init(at path: String, origin: Origin = .named) throws(SearchError) {
    let isFile = FileContents.lastPart(path) == PluginManifest.fileName
    let named = isFile ? FileContents.folder(path) : path
    guard let folder = FileContents.resolved(named) else {
      throw SearchError(
        .notFound, "\(path) is not there",
        hint: "name the folder of a plugin, or its \(PluginManifest.fileName)")
    }
    let (manifest, bytes) = try PluginManifest.read(folder + "/" + PluginManifest.fileName)
    self.manifest = manifest
    self.folder = folder
    self.origin = origin
    manifestDigest = SHA256.digest(bytes)
  }

  /// The path of one of its files.
  ///
  /// - Parameter name: The file relative to the folder.
  /// - Throws: `SearchError` where it is not there, is no regular file, or lies outside the folder.
  func path(ofFile name: String) throws(SearchError) -> String {
    guard let path = FileContents.resolved(folder + "/" + name) else {
      throw SearchError(
        .configuration, "the plugin \(id) lacks its file \(name)",
        hint: "install it again, or correct its plugin.json")
    }
    guard path.hasPrefix(folder == "/" ? "/" : folder + "/") else {
      throw SearchError(
        .configuration, "the file \(name) of the plugin \(id) is a link out of its folder",
        hint: "put a copy of it into \(folder)")
    }
    return path
  }

  /// Looks whether its files are there, and whether it names those that its command line runs.
  ///
  /// - Throws: `SearchError` for the first that is missing, or not named and so not covered by trust.
  package func checkFiles() throws(SearchError) {
    for name in manifest.trustedFiles { _ = try path(ofFile: name) }
    for word in manifest.command.dropFirst() where !manifest.files.contains(word) && !word.hasPrefix("/") {
      var status = stat()
      guard stat(folder + "/" + word, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      throw SearchError(
        .configuration,
        "the plugin \(id) runs \(word), which its \"files\" do not name, so that no change of it would be noticed",
        hint: "add it: \"files\": [\"\(word)\"]")
    }
  }

  /// The file of its program.
  ///
  /// - Parameter environment: The environment whose `PATH` is looked through.
  /// - Throws: `SearchError` where there is none that can be run.
  package func program(environment: [String: String]) throws(SearchError) -> String {
    switch manifest.program {
    case .absolute(let path):
      guard Self.isProgram(path) else { throw unusable(path, "is no program that can be run") }
      return path
    case .file(let name):
      let path = try path(ofFile: name)
      guard Self.isProgram(path) else { throw unusable(name, "cannot be run") }
      return path
    case .search(let name):
      let places = (environment["PATH"] ?? Self.standardPath).split(separator: ":")
      // An empty or relative entry would run whatever lies in the current folder.
      let candidates = places.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      guard let path = candidates.first(where: Self.isProgram) else {
        throw unusable(name, "is in no folder of PATH")
      }
      return path
    }
  }

  /// Where programs are when nothing says so.
  private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  private func unusable(_ program: String, _ what: String) -> SearchError {
    SearchError(
      .configuration, "the plugin \(id) runs \(program), which \(what)",
      hint: "install it, or correct \(folder)/plugin.json")
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// How it is started.
  ///
  /// - Parameter environment: The environment of this program, of which it gets to see a part.
  /// - Throws: `SearchError` where its program cannot be run.
  package func launch(environment: [String: String]) throws(SearchError) -> PluginLaunch {
    let program = try program(environment: environment)
    return PluginLaunch(
      program: program, arguments: [program] + manifest.command.dropFirst(), folder: folder,
      environment: PluginEnvironment.filtered(environment))
  }
}
