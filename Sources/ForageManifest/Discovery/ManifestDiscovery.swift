import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the manifests on this machine.
package struct ManifestDiscovery: Sendable {
  /// A manifest that can be used.
  package struct Found: Sendable {
    /// The manifest.
    package var manifest: Manifest
    /// Whether it came with the program, rather than being the user's own.
    package var isBundled: Bool
  }

  /// A file that cannot be used.
  package struct Broken: Hashable, Sendable {
    /// The file.
    package var path: String
    /// Why, in the order of the lines; never empty.
    package var problems: [YAMLProblem]
    /// Whether it came with the program.
    package var isBundled: Bool
  }

  /// The manifests in order of precedence, one of each id.
  package var found: [Found] = []
  /// The files that cannot be used.
  package var broken: [Broken] = []

  /// Manifests that are read of one folder: nobody searches in more places.
  private static let maximumFiles = 200
  /// The last part of the folder within each place.
  private static let userFolder = "/forage/providers.d"
  private static let sharedFolder = "/forage/providers"

  /// Looks for manifests.
  ///
  /// A place without the folder costs one look; nothing is read there. Of several manifests with one id the first counts, so that a user can put
  /// their own in place of a bundled one.
  ///
  /// - Parameters:
  ///   - configHome: `$XDG_CONFIG_HOME`: the user's own are in `forage/providers.d` below it. `nil` for none.
  ///   - bundled: Folders with the manifests that came with the program, for example `share/forage/providers` beside it.
  ///   - dataDirs: `$XDG_DATA_DIRS`: further ones are in `forage/providers` below each.
  package static func find(configHome: String?, bundled: [String] = [], dataDirs: [String] = [])
    -> ManifestDiscovery
  {
    var result = ManifestDiscovery()
    if let configHome { result.read(configHome + userFolder, isBundled: false) }
    var seen: Set<String> = []
    for folder in bundled + dataDirs.map({ $0 + sharedFolder }) where seen.insert(folder).inserted {
      result.read(folder, isBundled: true)
    }
    return result
  }

  /// Reads one file, as `--plugin PATH` and `forage plugin validate` do.
  ///
  /// - Throws: `ManifestProblems`.
  package static func manifest(at path: String) throws(ManifestProblems) -> Manifest {
    try Manifest.read(bytes(path), path: path)
  }

  private static func bytes(_ path: String) throws(ManifestProblems) -> [UInt8] {
    func problem(_ message: String, _ hint: String) -> ManifestProblems {
      ManifestProblems(path: path, [YAMLProblem(line: nil, message, hint: hint)])
    }
    // Only a regular file has a size that can be trusted, and an end.
    var found = stat()
    guard stat(path, &found) == 0 else {
      throw problem("the file cannot be read", "check that it is there, and its permissions")
    }
    guard found.st_mode & S_IFMT == S_IFREG else { throw problem("this is no file", "put a YAML file there") }
    let size = Int(found.st_size)
    guard size <= StrictYAML.maximumBytes else {
      throw problem(
        "the file has \(size) bytes, more than the \(StrictYAML.maximumBytes) that are read",
        "leave out what is not needed")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw problem("the file cannot be read", "check its permissions")
    }
    return Array(data)
  }

  private mutating func read(_ folder: String, isBundled: Bool) {
    var place = stat()
    guard stat(folder, &place) == 0, place.st_mode & S_IFMT == S_IFDIR else { return }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      broken.append(
        Broken(
          path: folder,
          problems: [YAMLProblem(line: nil, "the folder cannot be read", hint: "check its permissions")],
          isBundled: isBundled))
      return
    }
    let manifests = names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
      .sorted { $0.bytesPrecede($1) }
    for name in manifests.prefix(Self.maximumFiles) { add(folder + "/" + name, isBundled: isBundled) }
    if manifests.count > Self.maximumFiles {
      broken.append(
        Broken(
          path: folder,
          problems: [
            YAMLProblem(
              line: nil,
              "the folder has \(manifests.count) manifests, of which \(Self.maximumFiles) are read",
              hint: "take some away")
          ], isBundled: isBundled))
    }
  }

  private mutating func add(_ path: String, isBundled: Bool) {
    do throws(ManifestProblems) {
      let manifest = try Self.manifest(at: path)
      guard let other = found.first(where: { $0.manifest.id == manifest.id }) else {
        found.append(Found(manifest: manifest, isBundled: isBundled))
        return
      }
      // One's own in place of a bundled one is what the order is for; two of one's own are a mistake.
      guard other.isBundled == isBundled, !isBundled else { return }
      broken.append(
        Broken(
          path: path,
          problems: [
            YAMLProblem(
              line: nil, "\(other.manifest.path) has the id \(manifest.id) already",
              hint: "give it another id")
          ], isBundled: isBundled))
    } catch {
      broken.append(Broken(path: path, problems: error.problems, isBundled: isBundled))
    }
  }
}
