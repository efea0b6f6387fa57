/// Reads what a manifest says of its project: how many dependencies it names directly, and its version.
///
/// What counts as a dependency: each name once that the project needs to run, build or be developed. What only others
/// may have to bring (peer, optional, extras), what is only a version for something named elsewhere (overrides,
/// constraints, `dependencyManagement`), indirect ones and the platform itself (PHP, Python, Ruby) do not count.
package enum ManifestReader {
  /// Larger manifests are not read (4 MiB): written by hand they have a thousandth of that.
  package static let byteLimit = 4 << 20
  /// Longer versions are none, in bytes.
  private static let versionLimit = 100

  /// What a manifest says; a part is nil if manifests of its kind do not say that or this one does not.
  typealias Facts = (dependencies: Int?, version: String?)

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - path: its name tells its kind; folders do not matter.
  ///   - bytes: damaged text gives what is there.
  /// - Returns: nil if no manifests have that name, or there are too many bytes.
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

  /// A version without a leading `v`; nil for what is none (`${revision}`, `0.0.0-PLACEHOLDER {}`).
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
