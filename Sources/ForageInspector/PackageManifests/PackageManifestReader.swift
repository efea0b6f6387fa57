/// Reads the version of a project and the number of its direct dependencies from a manifest.
///
/// Each name that the project needs to run, build or be developed counts once. Not counted are dependencies
/// that only dependents provide (peer, optional, extras), version constraints for dependencies named
/// elsewhere (overrides, constraints, `dependencyManagement`), indirect dependencies, and the platform itself
/// (PHP, Python, Ruby).
package enum PackageManifestReader {
  /// The size limit of a manifest (4 MiB); files written by hand have a thousandth of that.
  package static let byteLimit = 4 << 20
  /// The length limit of a version in bytes.
  private static let versionLimit = 100

  /// The facts of a manifest; nil where its kind does not state them or the manifest does not.
  typealias Facts = (dependencies: Int?, version: String?)

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - path: the path of the file, whose last component selects the kind.
  ///   - bytes: the contents; malformed text yields the part that can be read.
  /// - Returns: nil if the name is not that of a manifest, or the file is too large.
  package static func read(path: String, bytes: [UInt8]) -> (dependencies: Int?, version: String?)? {
    guard bytes.count <= byteLimit, let kind = ManifestKind(path: path) else { return nil }
    let facts = facts(kind, bytes)
    return (facts.dependencies, facts.version.flatMap(version))
  }

  private static func facts(_ kind: ManifestKind, _ bytes: [UInt8]) -> Facts {
    switch kind {
    case .packageJSON, .composer, .vcpkg, .deno: json(kind, ManifestJSON.read(bytes))
    case .cargo: cargo(ManifestTOML.read(bytes))
    case .pyproject: pyproject(ManifestTOML.read(bytes))
    case .pipfile:
      (
        ManifestTOML.read(bytes).names("packages").union(ManifestTOML.read(bytes).names("dev-packages"))
          .count, nil
      )
    case .maven: maven(bytes)
    case .dotnet: dotnet(bytes)
    case .nugetPackages: nugetPackages(bytes)
    case .swift: (swiftPackages(bytes), nil)
    case .gradle: gradle(ManifestLines(bytes))
    case .goModule: (goModule(ManifestLines(bytes)), nil)
    case .requirements: (requirements(ManifestLines(bytes)), nil)
    case .setupConfig: setupConfig(ManifestLines(bytes))
    case .conan: (conan(ManifestLines(bytes)), nil)
    case .gemfile: (calls(of: ["gem"], ManifestLines(bytes)).count, nil)
    case .podfile: (calls(of: ["pod"], ManifestLines(bytes)).count, nil)
    case .gemspec: gemspec(ManifestLines(bytes))
    case .mix: mix(ManifestLines(bytes))
    case .pubspec: pubspec(ManifestLines(bytes))
    case .conda: (conda(ManifestLines(bytes)), nil)
    case .cmake: (nil, cmakeVersion(bytes))
    case .versionFile: (nil, ManifestLines(bytes).lines.first { !$0.isEmpty }.map { String($0) })
    }
  }

  /// Returns a version without a leading `v`; nil for text that is not a version (`${revision}`,
  /// `0.0.0-PLACEHOLDER {}`).
  static func version(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = bytes.drop { $0 <= 0x20 }
    if let first = bytes.first, first | 0x20 == UInt8(ascii: "v") { bytes.removeFirst() }
    guard let first = bytes.first, (0x30...0x39).contains(first), bytes.count <= versionLimit,
      bytes.allSatisfy({
        $0 < 0x80 && LineScanner.isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "!")
      })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
