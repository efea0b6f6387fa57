import ForageCore
import ForageFoundation
import ForagePlatform
package import ForageYAML

/// Finds the manifests on this machine.
package struct ManifestDiscovery: Sendable {
  package struct Found: Sendable {
    package var manifest: Manifest
    /// Whether it is bundled with the program.
    package var isBundled: Bool
    /// The bundled manifest with the same id, which this one hides.
    package var hidden: Manifest?
  }

  package struct Broken: Hashable, Sendable {
    package var path: String
    /// The problems in the order of their lines; never empty.
    package var problems: [YAMLProblem]
    /// Whether it is bundled with the program.
    package var isBundled: Bool
  }

  /// The manifests in order of precedence, one per id.
  package var found: [Found] = []
  /// The files that cannot be used.
  package var broken: [Broken] = []
  /// The folders that were searched for bundled manifests; they need not exist.
  package private(set) var bundledFolders: [String] = []

  private static let maximumFiles = 200
  /// The folder of the user's manifests, below the configuration directory.
  private static let userFolder = "/forage/providers.d"

  /// Whether a file is a manifest, by its name.
  package static func isManifest(_ path: String) -> Bool { path.hasSuffix(".yaml") || path.hasSuffix(".yml") }

  /// Searches for manifests.
  ///
  /// A missing folder is skipped. If several manifests have the same id, the first one is used, so that a
  /// user's manifest can replace a bundled one.
  ///
  /// - Parameters:
  ///   - configHome: `$XDG_CONFIG_HOME`, whose folder `forage/providers.d` contains the user's manifests;
  ///     `nil` for none.
  ///   - bundled: Folders with bundled manifests, for example `share/forage/providers` next to the program.
  package static func find(configHome: String?, bundled: [String] = []) -> ManifestDiscovery {
    var result = ManifestDiscovery(bundledFolders: bundled)
    if let configHome { result.read(configHome + userFolder, isBundled: false) }
    var seen: Set<String> = []
    for folder in result.bundledFolders where seen.insert(folder).inserted {
      result.read(folder, isBundled: true)
    }
    return result
  }

  /// Reads one file, for `--plugin PATH` and `forage plugin validate`.
  ///
  /// - Throws: `ManifestProblems`.
  package static func manifest(at path: String) throws(ManifestProblems) -> Manifest {
    try Manifest.read(bytes(path), path: path)
  }

  private static func bytes(_ path: String) throws(ManifestProblems) -> [UInt8] {
    func problem(_ message: String, _ hint: String) -> ManifestProblems {
      ManifestProblems(path: path, problems: [YAMLProblem(line: nil, message, hint: hint)])
    }
    // Only a regular file has a reliable size and an end.
    var found = stat()
    guard stat(path, &found) == 0 else {
      throw problem("the file cannot be read", "check that it exists, and its permissions")
    }
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw problem("this is not a regular file", "name a YAML file")
    }
    let size = Int(found.st_size)
    guard size <= StrictYAML.maximumBytes else {
      throw problem(
        "the file has \(size) bytes, more than the maximum of \(StrictYAML.maximumBytes)",
        "remove what is not needed")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw problem("the file cannot be read", "check its permissions")
    }
    return Array(data)
  }

  private mutating func read(_ folder: String, isBundled: Bool) {
    var place = stat()
    guard stat(folder, &place) == 0, place.st_mode & S_IFMT == S_IFDIR else {
      if let link = brokenLink(in: folder) {
        report(
          folder, isBundled, "\(link) is a link that leads nowhere",
          hint: "create what it names, or remove it")
      }
      return
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return report(folder, isBundled, "the folder cannot be read", hint: "check its permissions")
    }
    let manifests = names.filter { Self.isManifest($0) && !$0.hasPrefix(".") }
      .sorted { $0.bytesPrecede($1) }
    for name in manifests.prefix(Self.maximumFiles) { add(folder + "/" + name, isBundled: isBundled) }
    if manifests.count > Self.maximumFiles {
      report(
        folder, isBundled,
        "the folder has \(manifests.count) manifests, but only \(Self.maximumFiles) are read",
        hint: "move some to another folder")
    }
  }

  private mutating func report(_ path: String, _ isBundled: Bool, _ message: String, hint: String) {
    let problem = YAMLProblem(line: nil, message, hint: hint)
    broken.append(Broken(path: path, problems: [problem], isBundled: isBundled))
  }

  private mutating func add(_ path: String, isBundled: Bool) {
    do throws(ManifestProblems) {
      let manifest = try Self.manifest(at: path)
      guard let index = found.firstIndex(where: { $0.manifest.id == manifest.id }) else {
        found.append(Found(manifest: manifest, isBundled: isBundled))
        return
      }
      let other = found[index]
      if isBundled, !other.isBundled, other.hidden == nil { found[index].hidden = manifest }
      // A user's manifest may replace a bundled one; two of the user's own with the same id are a mistake.
      guard other.isBundled == isBundled, !isBundled else { return }
      report(
        path, isBundled, "\(other.manifest.path) already has the id \(manifest.id)", hint: "use another id")
    } catch {
      broken.append(Broken(path: path, problems: error.problems, isBundled: isBundled))
    }
  }
}
