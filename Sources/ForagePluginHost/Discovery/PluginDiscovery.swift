package import ForageCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The plugins of this machine, and why some of them are not used.
package struct PluginDiscovery: Sendable {
  /// A plugin that is not used.
  package struct Problem: Sendable {
    /// Its folder.
    package var folder: String
    /// Why.
    package var error: SearchError
  }

  /// The plugins that can be used, by their ids.
  package var plugins: [FoundPlugin] = []
  /// Those that cannot, in the order of the places.
  package var problems: [Problem] = []

  /// The plugin with an id.
  package subscript(id: String) -> FoundPlugin? { plugins.first { $0.id == id } }

  /// Looks through the places.
  ///
  /// Of several plugins with one id the first is used. A place that is not there costs one look, and of each
  /// plugin nothing but its `plugin.json` is opened.
  package init(_ places: PluginPlaces) {
    for place in places.places {
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

  /// The names in a folder, sorted; hidden ones are left out, and a folder that cannot be listed is told of,
  /// unless it is not there.
  private mutating func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else {
      if errno != ENOENT && errno != ENOTDIR {
        problems.append(
          Problem(
            folder: folder,
            error: SearchError(
              .local, "the folder \(folder) cannot be read: \(System.message(errno))",
              hint: "check its permissions")))
      }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Opens what is in a folder, `nil` where it is no folder at all.
  private static func open(_ folder: String, name: String, origin: FoundPlugin.Origin) throws(SearchError)
    -> FoundPlugin?
  {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw SearchError(
        .configuration, "\(folder) cannot be opened: \(System.message(errno))",
        hint: "remove it, or correct it")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let plugin = try FoundPlugin(at: folder + "/" + PluginManifest.fileName, origin: origin)
    guard plugin.id == name else {
      throw SearchError(
        .configuration, "the folder \(folder) holds the plugin \(plugin.id)",
        hint: "name the folder as the plugin: \(plugin.id)")
    }
    return plugin
  }
}
