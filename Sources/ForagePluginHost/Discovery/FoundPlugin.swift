package import ForageCore
package import ForagePlatform

/// A plugin found on this machine. It has not been started.
package struct FoundPlugin: Sendable {
  package enum Origin: String, Hashable, Sendable {
    /// The user's plugin folder.
    case user
    /// A system-wide folder from `XDG_DATA_DIRS`.
    case machine
    /// The folder installed with this program.
    case installation
    /// A path given by the user.
    case named
  }

  package var manifest: PluginManifest
  /// Its folder, without symbolic links.
  package var folder: String
  package var origin: Origin
  /// Its `plugin.json` as read.
  let manifestBytes: [UInt8]

  package var id: String { manifest.id }

  /// Opens the plugin at a path.
  ///
  /// - Parameters:
  ///   - path: Its folder or its `plugin.json`.
  ///   - origin: Its origin.
  /// - Throws: `SearchError` if it is not a valid plugin: with code `not_found` if there is nothing at the
  ///   path, `configuration` if it is another kind of file.
  package init(at path: String, origin: Origin = .named) throws(SearchError) {
    let isFile = FileContents.lastPart(path) == PluginManifest.fileName
    let named = isFile ? parentFolder(of: path) : path
    guard let folder = realPath(named) else {
      throw SearchError(
        .notFound, "\(path) does not exist",
        hint: "specify the folder of a plugin, or its \(PluginManifest.fileName)")
    }
    var status = stat()
    if stat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      throw SearchError(
        .configuration, "\(path) is neither a plugin nor a manifest",
        hint: "specify the folder of a plugin, its \(PluginManifest.fileName), or a manifest (.yaml)")
    }
    (manifest, manifestBytes) = try PluginManifest.read(folder + "/" + PluginManifest.fileName)
    self.folder = folder
    self.origin = origin
  }

  /// Its actions, with the paths of its files in their commands; those whose files are missing are left out.
  package var actions: [ResultAction] {
    manifest.actions.compactMap { action in
      var action = action
      let words = action.command.map { word -> String? in
        let name = PluginManifest.plainName(word)
        return manifest.files.contains(name) ? try? path(ofFile: name) : word
      }
      action.command = words.compactMap(\.self)
      return action.command.count == words.count ? action : nil
    }
  }

  /// The path of one of its files.
  ///
  /// - Parameter name: The path relative to the folder.
  /// - Throws: `SearchError` if the file is missing, is not a regular file, or is outside the folder.
  func path(ofFile name: String) throws(SearchError) -> String {
    guard let path = realPath(folder + "/" + name) else {
      let build = manifest.build.map(\.shellQuoted).joined(separator: " ")
      throw SearchError(
        .configuration, "the plugin \(id) is missing its file \(name)",
        hint: build.isEmpty
          ? "add the file to \(folder), or correct plugin.json there" : "build it in \(folder): \(build)")
    }
    guard path.hasPrefix(folder == "/" ? "/" : folder + "/") else {
      throw SearchError(
        .configuration, "the file \(name) of the plugin \(id) is a link to a file outside its folder",
        hint: "copy the file into \(folder)")
    }
    return path
  }

  /// Checks that its files exist, that its program and those of its actions are executable, and that `files`
  /// contains the scripts in its command lines.
  ///
  /// - Throws: `SearchError` for the first file that is missing, or is not in `files` and therefore not
  ///   covered by trust.
  package func checkFiles() throws(SearchError) {
    for name in manifest.trustedFiles { _ = try path(ofFile: name) }
    if case .file(let name) = manifest.program { _ = try program(name) }
    for word in manifest.actions.compactMap(\.command.first) {
      let name = PluginManifest.plainName(word)
      if manifest.files.contains(name) { _ = try program(name) }
    }
    let scripts = manifest.command.dropFirst() + manifest.actions.flatMap { $0.command.dropFirst() }
    for word in scripts
    where !manifest.files.contains(PluginManifest.plainName(word)) && !word.hasPrefix("/") {
      var status = stat()
      guard stat(folder + "/" + word, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      throw SearchError(
        .configuration,
        "the plugin \(id) runs \(word), which is not in its \"files\", so changes to it would not be detected",
        hint: "add it: \"files\": [\"\(PluginManifest.plainName(word))\"]")
    }
  }

  /// The path of its program.
  ///
  /// - Parameter environment: The environment whose `PATH` is searched.
  /// - Throws: `SearchError` if there is no executable program.
  package func program(environment: [String: String]) throws(SearchError) -> String {
    switch manifest.program {
    case .absolute(let path):
      guard isProgram(path) else { throw unusable(path, "is not an executable program") }
      return path
    case .file(let name): return try program(name)
    case .search(let name):
      guard let path = programPath(name, environment: environment) else {
        throw unusable(name, "is not in PATH")
      }
      return path
    }
  }

  /// The path of the program that is one of its files.
  private func program(_ name: String) throws(SearchError) -> String {
    let path = try path(ofFile: name)
    guard isProgram(path) else {
      throw SearchError(
        .configuration, "the plugin \(id) runs \(name), which is not executable",
        hint: "make it executable: chmod +x \(path)")
    }
    return path
  }

  /// Whether its files that have to be built are not all there.
  package var isUnbuilt: Bool {
    !manifest.build.isEmpty && manifest.trustedFiles.contains { realPath(folder + "/" + $0) == nil }
  }

  private func unusable(_ program: String, _ what: String) -> SearchError {
    SearchError(
      .configuration, "the plugin \(id) runs \(program), which \(what)",
      hint: "install it, or correct \(folder)/plugin.json")
  }

  /// How to start it.
  ///
  /// - Parameter environment: The environment of this program, of which the plugin receives a part.
  /// - Throws: `SearchError` if its program cannot be run.
  package func launch(environment: [String: String]) throws(SearchError) -> ChildLaunch {
    let program = try program(environment: environment)
    return ChildLaunch(
      program, Array(manifest.command.dropFirst()), environment: PluginEnvironment.filtered(environment),
      folder: folder)
  }
}
