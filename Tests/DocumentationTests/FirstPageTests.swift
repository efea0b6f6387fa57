import Foundation
import Testing

/// The documentation of the libraries begins with a program that is compiled outside of this package.
@Suite struct FirstPageTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The libraries that `Package.swift` offers.
  private static func libraries() throws -> [String] {
    try text("Package.swift").matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
  }

  /// The sources of the package outside, by path.
  private static func sources() throws -> [String: String] {
    let folder = "Tests/Outside/Sources"
    let names = try #require(FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path))
    var found: [String: String] = [:]
    for case let name as String in names where name.hasSuffix(".swift") {
      found[name] = try text(folder + "/" + name)
    }
    return found
  }

  @Test func everyFirstPageShowsACompiledProgram() throws {
    let sources = try Self.sources()
    let libraries = try Self.libraries()
    #expect(libraries.count >= 8 && sources.count >= libraries.count)
    for library in libraries {
      let page = try Self.text("Sources/\(library)/\(library).docc/\(library).md")
      #expect(page.hasPrefix("# ``\(library)``\n"), "\(library)")
      let product = ".product(name: \"\(library)\", package: \"forage\")"
      let overview = page.components(separatedBy: "## Overview\n").last ?? ""
      let package = overview.components(separatedBy: "```")
      #expect(package.count > 2 && package[1].contains(product), "\(library) does not begin with a package")
      #expect(package.count > 2 && package[1].contains(".package(name: \"forage\", path:"))
      let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
        $0.components(separatedBy: "```\n")[0]
      }
      #expect(!blocks.isEmpty, "the first page of \(library) has no example")
      for block in blocks {
        #expect(sources.values.contains(block), "an example of \(library) is not in Tests/Outside/Sources")
        #expect(block.contains("import \(library)\n"), "an example of \(library) does not import it")
      }
    }
  }
}
