// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The folder of the package with the SDK: FORAGE_PACKAGE, which `forage plugin install` sets, or what is in
// the file .forage-package, which is this machine's own.
let file = try? String(contentsOfFile: Context.packageDirectory + "/.forage-package", encoding: .utf8)
let named = file?.trimmingCharacters(in: .whitespacesAndNewlines)
let forage = Context.environment["FORAGE_PACKAGE"] ?? named ?? "../forage"

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
