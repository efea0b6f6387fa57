import ForageGit
import ForageInspector
import TestSupport
import Testing

@Suite("Manifests")
struct ManifestTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let path: String
    let dependencies: Int?
    let version: String?
    let text: String
    var testDescription: String { "\(path): \(text.prefix(40))" }

    init(_ path: String, _ dependencies: Int?, _ version: String?, _ text: String) {
      self.path = path
      self.dependencies = dependencies
      self.version = version
      self.text = text
    }

    init(_ path: String, _ dependencies: Int?, _ text: String) {
      self.init(path, dependencies, nil, text)
    }
  }

  @Test(
    "Direct dependencies and version",
    arguments: [
      Sample(
        "Package.swift", 2,
        """
        // .package(url: "a")
        /* .package(
          .package( */
        let s = ".package(", t = \"""
          .package(
          \"""
        let package = Package(dependencies: [
          .package(url: "https://a/b", from: "1.0.0"),
          .package (path: "c"),
        ], targets: [.target(dependencies: [.product(name: "x", package: "b")])])
        """),
      Sample(
        "package.json", 3, "1.2.3",
        #"{"version": "1.2.3", "dependencies": {"a": "1", "b": {}}, "devDependencies": {"b": "1", "c": "1"},"#
          + #" "peerDependencies": {"d": "1"}, "x": [1, {"dependencies": {"e": 1}}]}"#),
      Sample("web/package.json", 0, "{}"),
      Sample(
        "Cargo.toml", 6, "0.3.0",
        """
        [package]
        name = "x" # y
        version = "0.3.0"
        [dependencies]
        a = "1"
        b = { version = "1", features = ["x", "y"] }
        c.workspace = true
        [dependencies.d]
        version = "1"
        [dev-dependencies]
        a = "1"
        [target.'cfg(unix)'.build-dependencies]
        "e" = "1"
        [workspace.dependencies]
        f = '1'
        [[bin]]
        dependencies = 1
        """),
      Sample("Cargo.toml", 0, "1.5.0", "[workspace.package]\nversion = \"1.5.0\"\n"),
      Sample("Cargo.toml", 1, "[dependencies]\n= = =\na = [\n"),
      Sample(
        "pyproject.toml", 5, "1.0",
        """
        [project]
        version = "1.0"
        dependencies = [
          "A_b>=1", # one
          'c[extra]; python_version < "3"',
        ]
        [project.optional-dependencies]
        x = ["y"]
        [dependency-groups]
        dev = ["d", {include-group = "e"}, "a-B"]
        [tool.poetry.dependencies]
        python = "^3"
        f = "*"
        [tool.poetry.group.dev.dependencies]
        g = "*"
        """),
      Sample(
        "requirements-dev.txt", 3, "# a\na==1 \\\n  --hash=x\n-r b.txt\n\nb # c\n-e ./d\n--index-url x\n"),
      Sample(
        "go.mod", 3,
        """
        module a
        go 1.22
        require b v1 // indirect
        require c v1
        require (
          d v1
          e v1 // indirect
          // f v1
          g v1 // direct
        )
        replace (
          h => i v1
        )
        """),
      Sample(
        "Gemfile", 2,
        "source 'x'\ngem 'a', '1'\n# gem 'b'\ngroup :t do\n  gem(\"c\")\n  gem name\nend\ngemspec\n"),
      Sample(
        "pom.xml", 2, "2.1",
        """
        <?xml version="1.0"?><project a="<x>"><parent><version>9</version></parent>
        <!-- <dependencies><dependency/></dependencies> -->
        <version>2.1</version><dependencyManagement><dependencies><dependency/></dependencies></dependencyManagement>
        <dependencies><dependency><version>1</version></dependency><dependency/></dependencies>
        </project>
        """),
      Sample("pom.xml", 0, "<project><version>${revision}</version><a></b></c></d>"),
      Sample(
        "A.csproj", 2, "1.1",
        "<Project Sdk=\"x\"><PropertyGroup><Version>1.1</Version></PropertyGroup><ItemGroup>\n<PackageReference Include=\"A\""
          + " Version=\"1\" /><PackageReference Version='2' Include='B'><Version>3</Version></PackageReference>\n"
          + "<PackageReference Update=\"C\" /></ItemGroup></Project>"),
      Sample(
        "build.gradle.kts", 5, "1.0",
        """
        version = "1.0"
        dependencies {
          implementation("a:b:1") // c
          testImplementation(libs.junit)
          // api("x:y:1")
          api(project(":c"))
          "custom"("d:e:1")
          implementation("f:g:1") {
            exclude(group = "h")
          }
          constraints {
            implementation("i:j:1")
          }
        }
        """),
      Sample(
        "build.gradle", 2, "3",
        "version '3'\nbuildscript {\n  dependencies {\n    classpath 'a:b:1'\n  }\n}\ndependencies {\n  compile group: 'c', name: 'd'\n}\n"
      ),
      Sample("VERSION", nil, "4.5", "\nv4.5\n"),
      Sample("VERSION", nil, "not a version\n"),
    ])
  func read(_ sample: Sample) throws {
    let facts = try #require(PackageManifestReader.read(path: sample.path, bytes: Array(sample.text.utf8)))
    #expect(facts.dependencies == sample.dependencies)
    #expect(facts.version == sample.version)
    // Windows' ends of lines change nothing.
    let windows = PackageManifestReader.read(
      path: sample.path, bytes: Array(sample.text.replacing("\n", with: "\r\n").utf8))
    #expect(windows?.dependencies == sample.dependencies)
    #expect(windows?.version == sample.version)
  }

  @Test(
    "Other files, and too large ones, are no manifests",
    arguments: ["a.json", "Package.swift.txt", "", "go.sum", "requirements.in", "composer.json", "a.gemspec"])
  func others(_ path: String) {
    #expect(PackageManifestReader.read(path: path, bytes: []) == nil)
    let large = [UInt8](repeating: 0x20, count: PackageManifestReader.byteLimit + 1)
    #expect(PackageManifestReader.read(path: "package.json", bytes: large) == nil)
  }

  @Test("Malformed JSON is no manifest", arguments: ["{\"dependencies\": {\"a\": \"1\",", "]{", "[]", ""])
  func malformed(_ text: String) {
    #expect(PackageManifestReader.read(path: "package.json", bytes: Array(text.utf8)) == nil)
  }

  @Test("Any bytes are read without a trap, however deep or damaged")
  func anyBytes() {
    var random = SeededGenerator(seed: propertySeed())
    let names = [
      "package.json", "Cargo.toml", "pyproject.toml", "pom.xml", "a.csproj", "build.gradle", "VERSION",
      "Package.swift", "go.mod", "requirements.txt", "Gemfile",
    ]
    let pieces = [
      "{", "}", "[", "]", "\"", "'", ":", ",", "=", "\n", "\n", " ", "  ", "a", ".", "<", ">", "/", "</a>",
      "<a", "/>",
      "<!--", "-->", "#", "\\", "//", "/*", "*/", "(", ")", "dependencies", "[dependencies]\n", "project",
      "VERSION",
      "version", "1.0", "require ", "gem 'a'", ".package(", "\"\"\"", "'''", "- ", "{:", "é",
      "defp deps do\n", "end\n",
    ]
    for _ in 0..<40 {
      for name in names {
        let bytes = (0..<Int.random(in: 0..<40, using: &random)).flatMap { _ -> [UInt8] in
          random.chance(0.1)
            ? [UInt8.random(in: .min ... .max, using: &random)] : Array(random.pick(pieces).utf8)
        }
        let facts = PackageManifestReader.read(path: name, bytes: bytes)
        #expect(facts != nil || name == "package.json")
      }
    }
    for piece in ["[", "{\"a\":", "{a=", "<a>", "[[", "a.", "/*", "\""] {
      let deep = Array(String(repeating: piece, count: 20_000).utf8)
      for name in names {
        let facts = PackageManifestReader.read(path: name, bytes: deep)
        #expect((facts == nil) == (name == "package.json"))
      }
    }
  }

  @Test("A tree's manifests: the root's first, other people's left out, the version in the order of kinds")
  func tree() async throws {
    let repository = try await TemporaryRepository.make()
    try repository.directory.write("repo/sub/package.json", "{\"dependencies\": {\"a\": 1}}")
    try repository.directory.write("repo/node_modules/x/package.json", "{\"dependencies\": {\"a\": 1}}")
    try repository.directory.write("repo/VERSION", "9.9\n")
    try repository.directory.write("repo/sub/VERSION", "1.1\n")
    try repository.directory.write("repo/Cargo.toml", "[package]\nversion = \"1.2.0\"\n")
    try await repository.git(["add", "."])
    try await repository.git(["commit", "--quiet", "-m", "a"])
    let git = try GitRepository.open(repository.path, environment: GitEnvironment())
    let head = try #require(git.refs.head.commit)
    let listing = try git.listing(of: try git.commit(head).tree)
    var read: [String] = []
    let facts = ManifestFacts(
      listing,
      read: {
        read.append($0.path)
        return try? git.blob($0.id)
      }, isCancelled: { false })
    #expect(
      facts.dependencies.map { "\($0.manifest) \($0.count)" } == ["Cargo.toml 0", "sub/package.json 1"])
    #expect(facts.version?.name == "1.2.0")
    #expect(facts.version?.path == "Cargo.toml")
    #expect(!facts.isCut)
    #expect(read == ["Cargo.toml", "VERSION", "sub/package.json"])
    let unread = ManifestFacts(listing, read: { _ in nil }, isCancelled: { false })
    #expect(unread.unread == 3 && !unread.isCut)
  }
}
