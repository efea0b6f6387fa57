import ForagePlatform

/// The folders in which plugins are searched, and the file of those that are trusted.
///
/// `PATH` and the current folder are never searched.
package struct PluginSearchPath: Sendable {
  /// A folder that contains plugins, each in a folder named by its id.
  package struct Entry: Hashable, Sendable {
    /// The path; the folder need not exist.
    package var folder: String
    package var origin: FoundPlugin.Origin
  }

  /// The folders in order of precedence.
  package var entries: [Entry]
  package var trustFile: String
  /// The folder of the package in which this program was built, if it was not installed.
  package var checkout: String?

  /// Determines the folders by the XDG Base Directory Specification; relative values are ignored.
  ///
  /// - Parameters:
  ///   - environment: Reads `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME`.
  ///   - executable: The path of this program, from which the installed plugins are located
  ///     (`PREFIX/bin/forage` and `PREFIX/libexec/forage/plugins`, after resolving links); `nil` for none.
  package init(environment: [String: String], executable: String? = PluginSearchPath.executable) {
    var data = environment["XDG_DATA_HOME"] ?? ""
    if !data.hasPrefix("/") { data = homeFolder(environment: environment) + "/.local/share" }
    let dirs = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let machine = dirs.split(separator: ":").filter { $0.hasPrefix("/") }
    entries =
      [Entry(folder: data + "/forage/plugins", origin: .user)]
      + machine.map { Entry(folder: "\($0)/forage/plugins", origin: .machine) }
    if let file = executable.flatMap(realPath) {
      let prefix = parentFolder(of: parentFolder(of: file))
      entries.append(Entry(folder: prefix + "/libexec/forage/plugins", origin: .installation))
      // Not that of a program of tests.
      if FileContents.lastPart(file) == "forage" {
        checkout = file.ranges(of: "/.build/").last.map { String(file[..<$0.lowerBound]) }
      }
    }
    var known: Set<String> = []
    entries.removeAll { !known.insert($0.folder).inserted }
    trustFile = data + "/forage/trust.json"
  }

  /// The path of this program; `nil` if the system does not provide it.
  package static var executable: String? {
    #if os(Linux)
      return "/proc/self/exe"
    #elseif canImport(Darwin)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size))
      return _NSGetExecutablePath(&path, &size) == 0
        ? path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } : nil
    #else
      return nil
    #endif
  }
}
