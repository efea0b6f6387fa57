/// The kinds of manifests, in order of precedence for a project's version.
enum ManifestKind: Int, Sendable, CaseIterable {
  case packageJSON, cargo, pyproject, setupConfig, composer, maven, gemspec, mix, pubspec, vcpkg, deno,
    dotnet, gradle
  case cmake, versionFile
  // Kinds that state no version.
  case swift, goModule, requirements, pipfile, gemfile, podfile, conan, conda, nugetPackages

  /// Returns the kind of a manifest by its path; nil if it is none.
  init?(path: String) {
    // Most paths are not manifests, so no `String` is created for them.
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

  /// Whether the kind states only a version; it is read at the root only.
  var isVersionOnly: Bool { self == .cmake || self == .versionFile }
  /// Whether the kind may state a version.
  var hasVersion: Bool { rawValue <= ManifestKind.versionFile.rawValue }
}
