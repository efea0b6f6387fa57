// swift-tools-version: 6.2
import PackageDescription

/// A package outside of Forage's: what it compiles, any program can.
///
/// `make outside` builds it; `make test` only checks that its sources need nothing but public declarations.
func forage(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "forage") }
}

let package = Package(
  name: "outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "forage", path: "../..")],
  targets: [
    // The examples of the first pages of the documentation.
    .target(
      name: "Examples",
      dependencies: forage(
        "ForageCore", "ForageGitHub", "ForageHTTP", "ForageHTTPLive", "ForagePluginProtocol", "ForageTesting")
    ),
    .executableTarget(name: "bookshelf-plugin", dependencies: forage("ForageCore", "ForagePluginSDK")),
    // The inspector alone.
    .executableTarget(name: "inspect-clone", dependencies: forage("ForageInspector")),
    // The plugin for Hacker News, from its own sources.
    .executableTarget(
      name: "hackernews-plugin",
      dependencies: forage("ForageCore", "ForageHTTP", "ForageHTTPLive", "ForagePluginSDK"),
      exclude: ["README.md", "plugin.json"]),
    // GitHub, the clones and a provider of its own.
    .executableTarget(name: "search-everywhere", dependencies: forage("Forage", "ForageCore")),
    // Clones through the same door.
    .executableTarget(name: "pull-and-grep", dependencies: forage("Forage", "ForageCore")),
  ]
)
