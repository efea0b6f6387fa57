/// Manifests in JSON, TOML and XML.
extension PackageManifestReader {
  static func json(_ kind: ManifestKind, _ root: ManifestNode) -> Facts {
    let version = root["version"]?.text
    switch kind {
    case .packageJSON:
      return (root.names("dependencies").union(root.names("devDependencies")).count, version)
    case .composer:
      let names = root.names("require").union(root.names("require-dev"))
      // Packages have a vendor before a slash; `php`, `ext-json`, `lib-curl` and `composer-plugin-api` are
      // platform packages.
      return (names.count { $0.contains("/") }, version)
    case .vcpkg:
      let names = root["dependencies"]?.items.compactMap { $0.text ?? $0["name"]?.text } ?? []
      let stated = ["version-semver", "version-string", "version-date"].lazy.compactMap { root[$0]?.text }
        .first
      return (Set(names).count, version ?? stated)
    default:
      return (root.names("imports").count, version)
    }
  }

  static func cargo(_ root: ManifestNode) -> Facts {
    let tables = ["dependencies", "dev-dependencies", "build-dependencies"]
    var names: Set<String> = []
    for table in tables {
      names.formUnion(root.names(table))
      for target in root["target"]?.members.values ?? [:].values { names.formUnion(target.names(table)) }
    }
    names.formUnion(root.names("workspace", "dependencies"))
    return (names.count, root["package", "version"]?.text ?? root["workspace", "package", "version"]?.text)
  }

  static func pyproject(_ root: ManifestNode) -> Facts {
    var names: Set<String> = []
    func add(_ list: ManifestNode?) {
      for item in list?.items ?? [] { if let text = item.text { names.insert(requirement(text)) } }
    }
    add(root["project", "dependencies"])
    for group in root["dependency-groups"]?.members.values ?? [:].values { add(group) }
    let poetry = root["tool", "poetry"]
    names.formUnion((poetry?.names("dependencies") ?? []).map(normalised))
    names.formUnion((poetry?.names("dev-dependencies") ?? []).map(normalised))
    for group in poetry?["group"]?.members.values ?? [:].values {
      names.formUnion(group.names("dependencies").map(normalised))
    }
    if poetry != nil { names.remove("python") }
    return (names.count, root["project", "version"]?.text ?? poetry?["version"]?.text)
  }

  /// Returns the normalised name of a Python requirement such as `Foo_Bar[extra]>=1.0; marker`.
  static func requirement(_ text: String) -> String {
    let name = text.drop { $0 == " " || $0 == "\t" }.utf8.prefix {
      $0 < 0x80 && LineScanner.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    return normalised(String(Substring(name)))
  }

  private static func normalised(_ name: String) -> String {
    String(name.lowercased().map { $0 == "_" || $0 == "." ? "-" : $0 })
  }

  static func maven(_ bytes: [UInt8]) -> Facts {
    var count = 0
    var version: String?
    ManifestXML.forEach(bytes) { path, _, text in
      if path == ["project", "dependencies", "dependency"] { count += 1 }
      if path == ["project", "version"], version == nil { version = text }
    }
    return (count, version)
  }

  static func dotnet(_ bytes: [UInt8]) -> Facts {
    var names: Set<String> = []
    var version: String?
    ManifestXML.forEach(bytes) { path, attributes, text in
      if path.last == "PackageReference", let name = attribute("Include", attributes) {
        names.insert(name.lowercased())
      }
      if path.last == "Version", path.count == 3, path[1] == "PropertyGroup", version == nil {
        version = text
      }
    }
    return (names.count, version)
  }

  static func nugetPackages(_ bytes: [UInt8]) -> Facts {
    var names: Set<String> = []
    ManifestXML.forEach(bytes) { path, attributes, _ in
      if path == ["packages", "package"], let name = attribute("id", attributes) {
        names.insert(name.lowercased())
      }
    }
    return (names.count, nil)
  }

  /// Returns the value of an attribute from the attribute text of a tag.
  private static func attribute(_ name: String, _ attributes: String) -> String? {
    let parts = attributes.split(separator: "\"", omittingEmptySubsequences: false)
    for number in stride(from: 0, to: parts.count - 1, by: 2) {
      let words = parts[number].split { $0 == " " || $0 == "=" || $0 == "\n" || $0 == "\t" || $0 == "\r\n" }
      if words.last.map({ $0 == name }) == true { return String(parts[number + 1]) }
    }
    return nil
  }
}
