import ForageFoundation

/// Manifests in JSON, TOML and XML.
extension PackageManifestReader {
  static func packageJSON(_ bytes: [UInt8]) -> Facts? {
    struct Anything: Decodable {
      init(from decoder: any Decoder) {}
    }
    struct Manifest: Decodable {
      let version: String?
      let dependencies: [String: Anything]?
      let devDependencies: [String: Anything]?
    }
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)) else { return nil }
    let names = [manifest.dependencies, manifest.devDependencies].flatMap { $0.map { Array($0.keys) } ?? [] }
    return (Set(names).count, manifest.version)
  }

  static func cargo(_ bytes: [UInt8]) -> Facts? {
    let tables: Set<String> = ["dependencies", "dev-dependencies", "build-dependencies"]
    var names: Set<String> = []
    var versions: [[String]: String] = [:]
    for (path, strings) in ManifestTOML(bytes).entries {
      let skipped = path.first == "target" ? 2 : path.first == "workspace" ? 1 : 0
      let rest = Array(path.dropFirst(skipped))
      if rest.count > 1, tables.contains(rest[0]) { names.insert(rest[1]) }
      if rest == ["package", "version"] { versions[path] = strings.first }
    }
    return (names.count, versions[["package", "version"]] ?? versions[["workspace", "package", "version"]])
  }

  static func pyproject(_ bytes: [UInt8]) -> Facts? {
    var names: Set<String> = []
    var versions: [String: String] = [:]
    for (path, strings) in ManifestTOML(bytes).entries {
      if path == ["project", "dependencies"] || path.first == "dependency-groups" {
        names.formUnion(strings.map(requirement))
      } else if path == ["project", "version"] || path == ["tool", "poetry", "version"] {
        versions[path[0]] = strings.first
      } else if path.starts(with: ["tool", "poetry"]) {
        let rest = Array(path.dropFirst(path.dropFirst(2).first == "group" ? 4 : 2))
        if rest.count > 1, rest[0] == "dependencies" || rest[0] == "dev-dependencies", rest[1] != "python" {
          names.insert(requirement(rest[1]))
        }
      }
    }
    return (names.count, versions["project"] ?? versions["tool"])
  }

  /// Returns the normalised name of a Python requirement such as `Foo_Bar[extra]>=1.0; marker`.
  private static func requirement(_ text: String) -> String {
    let name = text.drop { $0 == " " || $0 == "\t" }.prefix {
      $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.".contains($0)
    }
    return String(name.lowercased().map { $0 == "_" || $0 == "." ? "-" : $0 })
  }

  static func maven(_ bytes: [UInt8]) -> Facts? {
    var count = 0
    var version: String?
    ManifestXML.forEach(bytes) { path, _, text in
      if path == ["project", "dependencies", "dependency"] { count += 1 }
      if path == ["project", "version"], version == nil { version = text }
    }
    return (count, version)
  }

  static func dotnet(_ bytes: [UInt8]) -> Facts? {
    var names: Set<String> = []
    var version: String?
    ManifestXML.forEach(bytes) { path, attributes, text in
      if path.last == "PackageReference", let name = attributes["Include"] { names.insert(name.lowercased()) }
      if path.count == 3, path[1] == "PropertyGroup", path[2] == "Version", version == nil { version = text }
    }
    return (names.count, version)
  }
}
