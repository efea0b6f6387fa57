// swift-tools-version: 6.2
import PackageDescription

/// The package for plugins in Swift, without external dependencies. `make install` installs it together with
/// the sources.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "forage",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ForageCore", targets: ["ForageCore"]),
    .library(name: "ForageTesting", targets: ["ForageTesting"]),
    .library(name: "ForagePluginProtocol", targets: ["ForagePluginProtocol"]),
    .library(name: "ForagePluginSDK", targets: ["ForagePluginSDK"]),
  ],
  targets: [
    .target(name: "ForageFoundation", swiftSettings: settings),
    .target(name: "ForagePlatform", swiftSettings: settings),
    .target(
      name: "ForageCore", dependencies: ["ForageFoundation", "ForagePlatform"], swiftSettings: settings),
    .target(
      name: "ForageTesting", dependencies: ["ForageCore", "ForageFoundation"], swiftSettings: settings),
    .target(
      name: "ForagePluginProtocol", dependencies: ["ForageCore", "ForageFoundation", "ForagePlatform"],
      swiftSettings: settings),
    .target(
      name: "ForagePluginSDK", dependencies: ["ForageCore", "ForagePlatform", "ForagePluginProtocol"],
      swiftSettings: settings),
  ]
)
