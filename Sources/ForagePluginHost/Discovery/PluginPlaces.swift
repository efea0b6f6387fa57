#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where plugins are looked for: never in `PATH`, and never in the current folder.
package struct PluginPlaces: Sendable {
  /// A folder of plugins, each in a folder that has its id as name.
  package struct Place: Hashable, Sendable {
    /// The folder; it need not be there.
    package var folder: String
    /// Where the plugins in it come from.
    package var origin: FoundPlugin.Origin
  }

  /// The places, those that go first at the front.
  package var places: [Place]
  /// Where it is kept which plugins are trusted.
  package var trustFile: String

  /// Lists the places by the XDG Base Directory Specification; relative values of the variables do not count.
  ///
  /// - Parameters:
  ///   - environment: `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `HOME` are read.
  ///   - executable: The file of this program, beside whose folder the installed plugins are
  ///     (`PREFIX/bin/forage` and `PREFIX/libexec/forage/plugins`), links resolved here; `nil` for none.
  package init(environment: [String: String], executable: String? = PluginPlaces.executable) {
    var data = environment["XDG_DATA_HOME"] ?? ""
    if !data.hasPrefix("/") { data = Self.home(environment) + "/.local/share" }
    let dirs = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let machine = dirs.split(separator: ":").filter { $0.hasPrefix("/") }
    places =
      [Place(folder: data + "/forage/plugins", origin: .user)]
      + machine.map { Place(folder: "\($0)/forage/plugins", origin: .machine) }
    if let file = executable.flatMap(FileContents.resolved) {
      let prefix = FileContents.folder(FileContents.folder(file))
      places.append(Place(folder: prefix + "/libexec/forage/plugins", origin: .installation))
    }
    var known: Set<String> = []
    places.removeAll { !known.insert($0.folder).inserted }
    trustFile = data + "/forage/trust.json"
  }

  private static func home(_ environment: [String: String]) -> String {
    if let home = environment["HOME"], home.hasPrefix("/") { return home }
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return "" }
    return String(cString: folder)
  }

  /// The file of this program, `nil` where the system does not tell.
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
