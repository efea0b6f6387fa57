import Foundation
import TestSupport
import Testing

/// The packages that are compiled have the versions that `Package.swift` names, those that other packages
/// bring, too.
struct PackageVersionTests {
  /// What SwiftPM writes into its build folder about the packages that it resolved.
  private struct WorkspaceState: Decodable {
    struct Object: Decodable { let dependencies: [Dependency] }
    struct Dependency: Decodable {
      let packageRef: Package
      let state: State
    }
    struct Package: Decodable { let location: String }
    struct State: Decodable { let checkoutState: Checkout? }
    struct Checkout: Decodable { let version: String? }
    let object: Object
  }

  /// The version of each resolved package by its address; "none" for one that is taken from a branch or a
  /// folder.
  private func resolvedVersions() throws -> [String: String] {
    let name = "workspace-state.json"
    var folder = try benchBinary.resolvingSymlinksInPath().deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path) {
      try #require(folder.path != "/", "no folder above the tests has a \(name)")
      folder.deleteLastPathComponent()
    }
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    let state = try JSONDecoder().decode(WorkspaceState.self, from: data)
    return Dictionary(
      state.object.dependencies.map { ($0.packageRef.location, $0.state.checkoutState?.version ?? "none") },
      uniquingKeysWith: { "\($0) and \($1)" })
  }

  @Test func everyPackageHasTheVersionInPackageSwift() throws {
    let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let named = manifest.matches(of: /\.package\(url: "([^"]+)", exact: "([^"]+)"\)/).map {
      (String($0.1), String($0.2))
    }
    #expect(!named.isEmpty && named.count == manifest.matches(of: /\.package\(/).count)
    #expect(try resolvedVersions() == Dictionary(named, uniquingKeysWith: { "\($0) and \($1)" }))
  }
}
