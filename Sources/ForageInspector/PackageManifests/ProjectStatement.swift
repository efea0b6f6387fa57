import ForageFoundation
import ForageGit

/// What the manifest of a project says of it.
struct ProjectStatement {
  /// What the project is, as one line.
  private(set) var description: String?
  /// Its license as an SPDX expression.
  private(set) var license: String?

  /// The manifests that have both, in order of precedence.
  private static let names = [
    "Cargo.toml", "package.json", "pyproject.toml", "composer.json", "pubspec.yaml",
  ]

  /// Reads the manifests of a tree's root, until one has a description.
  init(_ listing: TreeListing, _ repository: GitRepository) {
    let files = listing.files.filter { file in
      file.kind != .symlink && !file.path.utf8.contains(UInt8(ascii: "/"))
        && (Self.names.contains(file.path) || file.path.hasSuffix(".gemspec"))
    }
    let ranked = files.map { (Self.names.firstIndex(of: $0.path) ?? Self.names.count, $0) }
    for (_, file) in ranked.sorted(by: { ($0.0, $0.1.path) < ($1.0, $1.1.path) }) {
      guard let bytes = try? repository.blob(file.id, limit: PackageManifestReader.byteLimit) else {
        continue
      }
      read(file.path, bytes)
      if description != nil { return }
    }
  }

  /// - Parameter name: The name of a manifest.
  init(name: String, bytes: [UInt8]) { read(name, bytes) }

  private mutating func read(_ name: String, _ bytes: [UInt8]) {
    var (text, license): (String?, String?)
    if name.hasSuffix(".json") {
      let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes))
      (text, license) = (manifest?.description, manifest?.license?.expression)
    } else if name.hasSuffix(".toml") {
      let tables = [["package"], ["workspace", "package"], ["project"], ["tool", "poetry"]]
      let entries = ManifestTOML(bytes).entries
      func value(_ key: String) -> String? {
        tables.lazy.compactMap { table in entries.first { $0.path == table + [key] }?.strings.first }.first
      }
      (text, license) = (value("description"), value("license"))
    } else {
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      text =
        lines.lazy.compactMap { line in
          (name.hasSuffix(".gemspec")
            ? line.firstMatch(of: /^\s*\w+\.summary\s*=\s*["'](.+?)["'](\.freeze)?\s*$/)?.output.1
            : line.firstMatch(of: /^description:\s*["']?([^>|"'].+?)["']?\s*$/)?.output.1).map(String.init)
        }.first
    }
    let line = text.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    // One word is a name, or a place to fill in.
    if let line, line.contains(" ") { description = description ?? Paragraph.shortened(line) }
    self.license = self.license ?? license
  }

  private struct Manifest: Decodable {
    let description: String?
    let license: License?

    enum CodingKeys: CodingKey { case description, license }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      // A member of another type is not understood; the other one is.
      description = try? values.decode(String.self, forKey: .description)
      license = try? values.decode(License.self, forKey: .license)
    }
  }

  /// An expression, or a list of identifiers of which one may choose one.
  private struct License: Decodable {
    let expression: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      expression =
        try (try? value.decode(String.self)) ?? value.decode([String].self).joined(separator: " OR ")
    }
  }
}
