// swift-tools-version: 6.2
import PackageDescription

// The folder of the package with the SDK; FORAGE_PACKAGE names another one.
let forage = Context.environment["FORAGE_PACKAGE"] ?? "{{sdk}}"

let package = Package(
  name: "{{id}}",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "forage", path: forage)],
  targets: [
    .executableTarget(
      name: "{{id}}",
      dependencies: [
        .product(name: "ForageCore", package: "forage"),
        .product(name: "ForagePluginSDK", package: "forage"),
      ])
  ]
)
