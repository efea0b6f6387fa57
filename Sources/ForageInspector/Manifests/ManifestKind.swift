/// The kinds of manifests, in the order in which a project's version is taken from them.
enum ManifestKind: Int, Sendable, CaseIterable {
  case packageJSON, cargo, pyproject, setupConfig, composer, maven, gemspec, mix, pubspec, vcpkg, deno,
    dotnet, gradle
  case cmake, versionFile
  // These state no version.
  case swift, goModule, requirements, pipfile, gemfile, podfile, conan, conda, nugetPackages

  /// The kind of the file at a path; nil if it is no manifest.
  init?(path: String) {
    // Most paths end otherwise; no `String` is made for them.
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    let name = path[start...]
    guard let kind = Self.exact(name) ?? Self.bySuffix(name) else { return nil }
    self = kind
  }

  private static func exact(_ name: Substring) -> ManifestKind? {
    switch name {
    case "package.json": .packageJSON
    case "Cargo.toml": .cargo
    case "pyproject.toml": .pyproject
    case "setup.cfg": .setupConfig
    case "composer.json": .composer
    case "pom.xml": .maven
    case "mix.exs": .mix
    case "pubspec.yaml": .pubspec
    case "vcpkg.json": .vcpkg
    case "deno.json", "deno.jsonc": .deno
    case "build.gradle", "build.gradle.kts": .gradle
    case "CMakeLists.txt": .cmake
    case "VERSION", "VERSION.txt", "version.txt": .versionFile
    case "Package.swift": .swift
    case "go.mod": .goModule
    case "Pipfile": .pipfile
    case "Gemfile", "gems.rb": .gemfile
    case "Podfile": .podfile
    case "conanfile.txt": .conan
    case "environment.yml", "environment.yaml": .conda
    case "packages.config": .nugetPackages
    default: nil
    }
  }

  private static func bySuffix(_ name: Substring) -> ManifestKind? {
    if name.hasSuffix(".gemspec") { return .gemspec }
    if name.hasSuffix(".csproj") || name.hasSuffix(".fsproj") || name.hasSuffix(".vbproj") { return .dotnet }
    if name.hasPrefix("requirements"), name.hasSuffix(".txt") { return .requirements }
    return nil
  }

  /// Whether the kind only states a version: of interest at the root alone.
  var isVersionOnly: Bool { self == .cmake || self == .versionFile }
  /// Whether the kind may state a version.
  var hasVersion: Bool { rawValue <= ManifestKind.versionFile.rawValue }
}
