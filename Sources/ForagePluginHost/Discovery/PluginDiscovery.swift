package import ForageCore
import ForageFoundation
import ForagePlatform

/// The plugins on this machine, and the problems of unusable ones.
package struct PluginDiscovery: Sendable {
  package struct Problem: Sendable {
    package var folder: String
    package var error: SearchError
  }

  /// The usable plugins, sorted by id.
  package var plugins: [FoundPlugin] = []
  /// The problems, in the order of the folders.
  package var problems: [Problem] = []

  package subscript(id: String) -> FoundPlugin? { plugins.first { $0.id == id } }

  /// Searches the folders.
  ///
  /// Of several plugins with the same id the first is used. Only the `plugin.json` of each plugin is read.
  package init(_ searchPath: PluginSearchPath) {
    for place in searchPath.entries {
      for name in names(in: place.folder) {
        let folder = place.folder + "/" + name
        do throws(SearchError) {
          guard let plugin = try Self.open(folder, name: name, origin: place.origin) else { continue }
          if let first = self[plugin.id] {
            throw SearchError(
              .configuration, "the plugin \(plugin.id) in \(folder) is hidden by the one in \(first.folder)",
              hint: "remove one of them")
          }
          plugins.append(plugin)
        } catch {
          problems.append(Problem(folder: folder, error: error))
        }
      }
    }
    plugins.sort { $0.id < $1.id }
  }

  /// The visible names in a folder, sorted. A problem is recorded if the folder exists but cannot be listed.
  private mutating func names(in folder: String) -> [String] {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: folder) {
      return names.filter { !$0.hasPrefix(".") }.sorted()
    }
    var status = stat()
    if stat(folder, &status) == 0 ? status.st_mode & S_IFMT == S_IFDIR : errno == EACCES {
      let error = SearchError(
        .local, "the folder \(folder) cannot be read", hint: "check its permissions")
      problems.append(Problem(folder: folder, error: error))
    }
    return []
  }

  /// Opens the plugin in a folder; `nil` if the path is not a folder.
  private static func open(_ folder: String, name: String, origin: FoundPlugin.Origin) throws(SearchError)
    -> FoundPlugin?
  {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw SearchError(
        .configuration, "\(folder) cannot be opened: \(errorText(errno))",
        hint: "remove it, or correct it")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let plugin = try FoundPlugin(at: folder + "/" + PluginManifest.fileName, origin: origin)
    guard plugin.id == name else {
      let isTaken = stat(folder.dropLast(name.count) + plugin.id, &status) == 0
      throw SearchError(
        .configuration, "the folder \(folder) contains the plugin \(plugin.id)",
        hint: isTaken
          ? "remove it: the folder \(plugin.id) is there, too"
          : "rename the folder to the plugin's id: \(plugin.id)")
    }
    return plugin
  }
}
