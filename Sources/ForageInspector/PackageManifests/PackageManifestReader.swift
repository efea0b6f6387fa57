/// Reads the version of a project and the number of its direct dependencies from a manifest.
///
/// Each name that the project needs to run, build or be developed counts once. Not counted are dependencies
/// that only dependents provide (peer, optional, extras), version constraints for dependencies named
/// elsewhere (overrides, constraints, `dependencyManagement`), indirect dependencies, and the platform itself
/// (Python).
package enum PackageManifestReader {
  /// The facts of a manifest; nil where its format does not state them or the manifest does not.
  package typealias Facts = (dependencies: Int?, version: String?)

  /// A format of manifests.
  struct Format: Sendable {
    /// The name of the file, or what it begins with if there is a suffix.
    let name: String
    var suffix = ""
    /// Whether it states the version of the whole project only, so that it is read at the root only.
    var isRootOnly = false
    /// Returns the facts; nil for bytes that are not of the format.
    let read: @Sendable ([UInt8]) -> Facts?
  }

  /// The formats, in order of precedence for a project's version.
  static let formats = [
    Format(name: "package.json", read: packageJSON), Format(name: "Cargo.toml", read: cargo),
    Format(name: "pyproject.toml", read: pyproject), Format(name: "pom.xml", read: maven),
    Format(name: "", suffix: ".csproj", read: dotnet), Format(name: "build.gradle", read: gradle),
    Format(name: "build.gradle.kts", read: gradle),
    Format(name: "VERSION", isRootOnly: true, read: versionFile),
    Format(name: "VERSION.txt", isRootOnly: true, read: versionFile),
    Format(name: "version.txt", isRootOnly: true, read: versionFile),
    Format(name: "Package.swift", read: swiftPackage), Format(name: "go.mod", read: goModule),
    Format(name: "requirements", suffix: ".txt", read: requirements),
    Format(name: "Gemfile", read: gemfile),
  ]

  /// The size limit of a manifest (4 MiB); files written by hand have a thousandth of that.
  package static let byteLimit = 4 << 20
  /// The length limit of a version in bytes.
  private static let versionLimit = 100

  /// Returns the index in ``formats`` of the format of a file; nil if it is no manifest.
  static func format(path: String) -> Int? {
    // Most paths are not manifests, so no `String` is created for them.
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    let name = path[start...]
    return formats.firstIndex {
      $0.suffix.isEmpty ? name == $0.name : name.hasSuffix($0.suffix) && name.hasPrefix($0.name)
    }
  }

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - path: the path of the file, whose last component selects the format.
  ///   - bytes: the contents; malformed text yields the part that can be read.
  /// - Returns: nil if the name is not that of a manifest, or the file is too large or malformed JSON.
  package static func read(path: String, bytes: [UInt8]) -> Facts? {
    guard bytes.count <= byteLimit, let format = format(path: path), let facts = formats[format].read(bytes)
    else { return nil }
    return (facts.dependencies, facts.version.flatMap(version))
  }

  /// Returns a version without a leading `v`; nil for text that is not a version (`${revision}`,
  /// `0.0.0-PLACEHOLDER {}`).
  static func version(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = bytes.drop { $0 <= 0x20 }
    if let first = bytes.first, first | 0x20 == UInt8(ascii: "v") { bytes.removeFirst() }
    guard let first = bytes.first, (0x30...0x39).contains(first), bytes.count <= versionLimit,
      bytes.allSatisfy({ $0 < 0x80 && (ByteCursor.isWord($0) || ".-+~!".utf8.contains($0)) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
