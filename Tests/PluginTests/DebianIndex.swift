import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

/// Package lists in a folder of their own, and what the plugin is asked about them.
struct DebianIndex {
  let folder: TemporaryDirectory

  /// Where apt would keep the list of a release.
  static let prefix = "deb.example_debian_dists_bookworm"
  static let main = prefix + "_main_binary-amd64_Packages"

  /// Writes a list, the release file beside it, and the file of installed packages.
  init(_ list: String, installed: [String] = []) throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("lists")
    try folder.write("lists/" + Self.main, list)
    try folder.write(
      "lists/" + Self.prefix + "_InRelease",
      "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nOrigin: Debian\nSuite: oldstable\nCodename: bookworm\n"
    )
    try folder.write(
      "status",
      installed.map { "Package: \($0)\nStatus: install ok installed\nVersion: 1\n" }.joined(separator: "\n")
        + "\nPackage: removed\nStatus: deinstall ok config-files\n")
  }

  /// One record of a list.
  static func record(
    _ name: String, _ version: String = "1.0-1", about description: String = "something", size: Int? = 10,
    section: String = "utils", architecture: String = "amd64", more: String = ""
  ) -> String {
    "Package: \(name)\nVersion: \(version)\n" + (size.map { "Installed-Size: \($0)\n" } ?? "")
      + "Maintainer: Team of Tests <tests@example.org>\nArchitecture: \(architecture)\n"
      + "Depends: libc6 (>= 2.34), \(name)-data\nDescription: \(description)\n\(more)Section: \(section)\n"
      + "Filename: pool/\(name).deb\n\n"
  }

  /// The line that begins a conversation.
  var hello: String {
    """
    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"host":{"name":"test","version":"1"},\
    "config":{"lists":"\(folder.path("lists"))","status":"\(folder.path("status"))"},"secrets":{}}}
    """
  }

  /// A line that asks for a page.
  ///
  /// - Parameter filters: JSON objects.
  static func search(
    _ id: Int = 1, _ words: [String] = [], filters: [String] = [], sort: String? = nil, order: String? = nil,
    limit: Int = 200, cursor: String? = nil, deadline: Int = 60_000
  ) throws -> String {
    let params = SearchParams(
      provider: "debian", kind: "package", text: words,
      filters: try filters.map { try JSONDecoder().decode(SearchFilter.self, from: Data($0.utf8)) },
      sort: sort, order: order, limit: limit, cursor: cursor, deadlineMs: deadline)
    let text = String(decoding: try JSONEncoder().encode(params), as: UTF8.self)
    return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"search\",\"params\":\(text)}"
  }

  /// Says lines to a new process, after the greeting.
  func say(_ lines: [String], _ location: SourceLocation = #_sourceLocation) async throws
    -> PluginConversation
  {
    try await PluginConversation("DebianPackages", [hello] + lines, location)
  }

  /// The names that a search finds, in order.
  func names(
    _ words: [String] = [], filters: [String] = [], sort: String? = nil, order: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let line = try Self.search(1, words, filters: filters, sort: sort, order: order)
    return try await say([line], location).items(1, location).map(\.title)
  }
}
