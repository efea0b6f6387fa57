import ForageFoundation
package import ForageGit

/// The versions and dependency counts in the manifests of a tree.
package struct ManifestFacts: Sendable {
  /// The depth in folders up to which manifests are searched; parts of a project are rarely deeper than four.
  private static let depthLimit = 5
  /// The most manifests that are read; large monorepos have some hundred.
  private static let countLimit = 500
  /// The most bytes of all manifests together (16 MiB).
  private static let byteLimit = 16 << 20

  /// The manifests that list dependencies: the root's first, then by depth and path.
  package let dependencies: [InspectionReport.Dependencies]
  /// The version in a manifest of the root: the first in the order of the formats, then by path.
  package let version: (name: String, path: String)?
  /// Whether manifests were not read: too many, too large or not valid.
  package let isCut: Bool
  /// The number of manifests that are missing or could not be read.
  package let unread: Int

  /// Reads the manifests, except those that are too deep or vendored.
  ///
  /// - Parameters:
  ///   - read: returns the bytes of a file; nil if it cannot be read.
  ///   - isCancelled: polled before each manifest; after it returns true the result is incomplete.
  package init(_ listing: TreeListing, read: (TreeFile) -> [UInt8]?, isCancelled: () -> Bool) {
    var found: [(depth: Int, format: Int, file: TreeFile)] = []
    for file in listing.files where file.kind != .symlink {
      guard let format = PackageManifestReader.format(path: file.path) else { continue }
      let depth = file.path.utf8.count { $0 == UInt8(ascii: "/") }
      guard depth <= Self.depthLimit, !PackageManifestReader.formats[format].isRootOnly || depth == 0,
        !FileTraits.of(file.path).contains(.vendored)
      else { continue }
      found.append((depth, format, file))
    }
    found.sort { ($0.depth, $0.file.path) < ($1.depth, $1.file.path) }
    var isCut = found.count > Self.countLimit
    var unread = 0
    var rest = Self.byteLimit
    var dependencies: [InspectionReport.Dependencies] = []
    var versions: [(order: Int, name: String, path: String)] = []
    for (depth, format, file) in found.prefix(Self.countLimit) {
      if isCancelled() { break }
      let size = file.size ?? 0
      guard size <= min(PackageManifestReader.byteLimit, rest) else {
        isCut = true
        continue
      }
      guard file.size != nil, let bytes = read(file) else {
        unread += 1
        continue
      }
      if FilePointer.isPointer(bytes) { continue }
      guard let facts = PackageManifestReader.read(path: file.path, bytes: bytes) else {
        isCut = true
        continue
      }
      rest -= size
      if let count = facts.dependencies { dependencies.append(.init(manifest: file.path, count: count)) }
      if depth == 0, let name = facts.version { versions.append((format, name, file.path)) }
    }
    self.dependencies = dependencies
    version = versions.min { ($0.order, $0.path) < ($1.order, $1.path) }.map { ($0.name, $0.path) }
    self.isCut = isCut
    self.unread = unread
  }
}

/// Reads the version of a project and the number of its direct dependencies from a manifest.
///
/// Each name that the project needs to run, build or be developed counts once. Not counted are dependencies
/// that only dependents provide (peer, optional, extras), version constraints for dependencies named
/// elsewhere (overrides, constraints, `dependencyManagement`), indirect dependencies, and the platform itself
/// (Python).
package enum PackageManifestReader {
  /// The facts of a manifest; nil where its format does not state them or the manifest does not.
  package typealias Facts = (dependencies: Int?, version: String?)

  /// A format of manifests.
  struct Format: Sendable {
    /// The name of the file, or what it begins with if there is a suffix.
    let name: String
    var suffix = ""
    /// Whether it states the version of the whole project only, so that it is read at the root only.
    var isRootOnly = false
    /// Returns the facts; nil for bytes that are not of the format.
    let read: @Sendable ([UInt8]) -> Facts?
  }

  /// The formats, in order of precedence for a project's version.
  static let formats = [
    Format(name: "package.json", read: packageJSON), Format(name: "Cargo.toml", read: cargo),
    Format(name: "pyproject.toml", read: pyproject), Format(name: "pom.xml", read: maven),
    Format(name: "", suffix: ".csproj", read: dotnet), Format(name: "build.gradle", read: gradle),
    Format(name: "build.gradle.kts", read: gradle),
    Format(name: "VERSION", isRootOnly: true, read: versionFile),
    Format(name: "VERSION.txt", isRootOnly: true, read: versionFile),
    Format(name: "version.txt", isRootOnly: true, read: versionFile),
    Format(name: "Package.swift", read: swiftPackage), Format(name: "go.mod", read: goModule),
    Format(name: "requirements", suffix: ".txt", read: requirements),
    Format(name: "Gemfile", read: gemfile),
  ]

  /// The size limit of a manifest (4 MiB); files written by hand have a thousandth of that.
  package static let byteLimit = 4 << 20
  /// The length limit of a version in bytes.
  private static let versionLimit = 100

  /// Returns the index in ``formats`` of the format of a file; nil if it is no manifest.
  static func format(path: String) -> Int? {
    // Most paths are not manifests, so no `String` is created for them.
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    let name = path[start...]
    return formats.firstIndex {
      $0.suffix.isEmpty ? name == $0.name : name.hasSuffix($0.suffix) && name.hasPrefix($0.name)
    }
  }

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - path: the path of the file, whose last component selects the format.
  ///   - bytes: the contents; malformed text yields the part that can be read.
  /// - Returns: nil if the name is not that of a manifest, or the file is too large or malformed JSON.
  package static func read(path: String, bytes: [UInt8]) -> Facts? {
    guard bytes.count <= byteLimit, let format = format(path: path), let facts = formats[format].read(bytes)
    else { return nil }
    return (facts.dependencies, facts.version.flatMap(version))
  }

  /// Returns a version without a leading `v`; nil for text that is not a version (`${revision}`,
  /// `0.0.0-PLACEHOLDER {}`).
  static func version(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes = bytes.drop { $0 <= 0x20 }
    if let first = bytes.first, first | 0x20 == UInt8(ascii: "v") { bytes.removeFirst() }
    guard let first = bytes.first, (0x30...0x39).contains(first), bytes.count <= versionLimit,
      bytes.allSatisfy({ $0 < 0x80 && (ByteCursor.isWord($0) || ".-+~!".utf8.contains($0)) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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

/// Manifests that are read line by line, and programs, which are not executed.
extension PackageManifestReader {
  static func goModule(_ bytes: [UInt8]) -> Facts? {
    var names: Set<Substring> = []
    var isInBlock = false
    for line in lines(bytes) {
      let parts = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
      var words = parts[0].split { $0 == " " || $0 == "\t" }[...]
      if words.first == ")" { isInBlock = false }
      if !isInBlock, words.popFirst() != "require" { continue }
      if words.first == "(" {
        isInBlock = true
      } else if let name = words.first, parts.count < 2 || !trimmed(parts[1]).hasPrefix("indirect") {
        names.insert(name)
      }
    }
    return (names.count, nil)
  }

  static func requirements(_ bytes: [UInt8]) -> Facts? {
    var count = 0
    var continues = false
    for line in lines(bytes) where !line.hasPrefix("#") {
      let isOption = line.hasPrefix("-") && !line.hasPrefix("-e ") && !line.hasPrefix("--editable")
      if !continues, !isOption { count += 1 }
      continues = line.hasSuffix("\\")
    }
    return (count, nil)
  }

  /// Counts the distinct first arguments of the calls of `gem` that begin a line (`gem "rails"`).
  static func gemfile(_ bytes: [UInt8]) -> Facts? {
    var names: Set<String> = []
    for line in lines(bytes) where line.hasPrefix("gem ") || line.hasPrefix("gem(") {
      if let name = quoted(line.dropFirst(4)) { names.insert(name) }
    }
    return (names.count, nil)
  }

  static func gradle(_ bytes: [UInt8]) -> Facts? {
    var count = 0
    var version: String?
    var depth = 0
    var blockDepth: Int?
    for line in lines(bytes) where !line.hasPrefix("//") && !line.hasPrefix("*") && !line.hasPrefix("/*") {
      if let inside = blockDepth {
        if depth == inside, isGradleDependency(line) { count += 1 }
      } else if line.hasPrefix("dependencies"), trimmed(line.dropFirst("dependencies".count)).hasPrefix("{") {
        blockDepth = depth + 1
        // A block on one line: `dependencies { implementation "a" }`.
        if let block = line.split(separator: "{", maxSplits: 1).last, isGradleDependency(trimmed(block)) {
          count += 1
        }
      } else if depth == 0, version == nil, line.hasPrefix("version") {
        version = quoted(line.dropFirst("version".count).drop { $0 == " " || $0 == "=" })
      }
      depth = max(0, depth + line.count { $0 == "{" } - line.count { $0 == "}" })
      if let inside = blockDepth, depth < inside { blockDepth = nil }
    }
    return (count, version)
  }

  /// Whether a line adds to a configuration: `implementation("a:b:1")`, `testImplementation libs.junit`.
  private static func isGradleDependency(_ line: Substring) -> Bool {
    var cursor = ByteCursor(Array(line.utf8))
    // In Kotlin the name of a custom configuration is a string.
    let isQuoted = cursor.take("\"")
    let name = cursor.text { ByteCursor.isWord($0) }
    if isQuoted, !cursor.take("\"") { return false }
    guard !["", "constraints", "def", "val"].contains(name) else { return false }
    guard let next = cursor.peek, next == UInt8(ascii: "(") || next == 0x20 else { return false }
    cursor.skip { $0 == 0x20 || $0 == UInt8(ascii: "(") }
    if cursor.takeQuote() != nil || cursor.stands("group:") || cursor.stands("projects.") { return true }
    return [
      "libs.", "project(", "project ", "platform(", "enforcedPlatform(", "kotlin(", "files(", "fileTree(",
      "npm(",
    ]
    .contains { line.contains($0) }
  }

  /// Counts the calls of `.package(` in a `Package.swift` outside comments and strings.
  static func swiftPackage(_ bytes: [UInt8]) -> Facts? {
    var cursor = ByteCursor(bytes)
    var count = 0
    while cursor.peek != nil {
      if cursor.stands("//") {
        cursor.skipLine()
      } else if cursor.stands("/*") {
        cursor.skip(past: "*/")
      } else if cursor.stands("\"\"\"") {
        cursor.skip(3)
        cursor.skip(past: "\"\"\"")
      } else if cursor.take("\"") {
        _ = cursor.string(UInt8(ascii: "\""))
      } else if cursor.stands(".package") {
        cursor.skip(".package".utf8.count)
        cursor.skipBlanks()
        if cursor.take("(") { count += 1 }
      } else {
        cursor.skip()
      }
    }
    return (count, nil)
  }

  static func versionFile(_ bytes: [UInt8]) -> Facts? {
    (nil, lines(bytes).first.map(String.init))
  }

  // MARK: Lines

  /// Returns the lines of a text that are not blank, without leading and trailing white space.
  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(trimmed).filter {
      !$0.isEmpty
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Returns the text of the string that a text begins with, after blanks; nil if there is none.
  private static func quoted(_ text: Substring) -> String? {
    var cursor = ByteCursor(Array(text.utf8))
    cursor.skipBlanks()
    return cursor.takeQuote().map { cursor.string($0) }
  }
}
