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
        /* .package( /* */ .package( */
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
      Sample("package.json", 1, #"{"dependencies": {"a": "1","#),
      Sample("package.json", 0, "]{\"dependencies\": 1"),
      Sample("web/package.json", 0, "{}"),
      Sample(
        "deno.jsonc", 2, "1.0.0",
        "{// a\n\"version\": \"1.0.0\", \"imports\": {\"a\": \"b\", /* */ \"c\": \"d\",},}"),
      Sample(
        "composer.json", 2, "2.0",
        #"{"version":"v2.0","require":{"php":">=8","ext-json":"*","a/b":"1"},"require-dev":{"c/d":"1"}}"#),
      Sample(
        "vcpkg.json", 2, "3.1", #"{"version-string": "3.1", "dependencies": ["a", {"name": "b"}, "a"]}"#),
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
        "setup.cfg", 2, "0.1",
        "[metadata]\nversion = 0.1\n[options]\ninstall_requires =\n  a>=1\n  # b\n  b\nx = y\n  z\n[options.extras_require]\nt = u\n"
      ),
      Sample("setup.cfg", 1, "[metadata]\nversion = attr: a.b\n[options]\ninstall_requires = a\n"),
      Sample(
        "requirements-dev.txt", 3, "# a\na==1 \\\n  --hash=x\n-r b.txt\n\nb # c\n-e ./d\n--index-url x\n"),
      Sample(
        "Pipfile", 2,
        "[packages]\na = \"*\"\n[dev-packages]\nb = {version = \"1\"}\na = \"*\"\n[requires]\nc = \"3\"\n"),
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
        "a.gemspec", 3, "1.4.0",
        "Gem::Specification.new do |s|\n  s.version = \"1.4.0\"\n  s.add_dependency 'a', '1'\n  s.add_runtime_dependency(\"b\")\n"
          + "  s.add_development_dependency 'c'\n  # s.add_dependency 'd'\n  s.required_ruby_version = '3'\nend\n"
      ),
      Sample("b.gemspec", 0, "s.version = A::VERSION\n"),
      Sample("Podfile", 2, "target 'A' do\n  pod 'B', '1'\n  pod 'C/D'\nend\n"),
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
      Sample("packages.config", 1, "<packages><package id=\"A\" version=\"1\" /></packages>"),
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
      Sample(
        "mix.exs", 2, "0.9.0",
        "def project do\n    [\n      version: \"0.9.0\",\n    ]\nend\n  defp deps do\n    [\n      {:a, \"~> 1\"},\n      # {:x, 1}\n"
          + "      {:b, git: \"u\"}\n    ]\n  end\n  {:c, 1}\n"),
      Sample(
        "pubspec.yaml", 3, "1.0.0+2",
        "version: 1.0.0+2\nenvironment:\n  sdk: x\ndependencies:\n  a: ^1\n  b:\n    git: u\n# c\ndev_dependencies:\n    d: any\n"
      ),
      Sample("conanfile.txt", 2, "[requires]\na/1.0\n# x\n[tool_requires]\nb/2\n[generators]\nc\n"),
      Sample(
        "environment.yml", 4,
        "name: a\nchannels:\n  - x\ndependencies:\n  - python=3\n  - b\n  - pip:\n    - c\n    - d\n"),
      Sample(
        "CMakeLists.txt", nil, "1.2.3",
        "cmake_minimum_required(VERSION 3.20)\n# project(x VERSION 9)\nproject(a\n  VERSION 1.2.3 LANGUAGES C)\n"
      ),
      Sample("CMakeLists.txt", nil, "project(a)\nset(VERSION 1)\n"),
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
    arguments: ["a.json", "Package.swift.txt", "", "go.sum", "requirements.in"])
  func others(_ path: String) {
    #expect(PackageManifestReader.read(path: path, bytes: []) == nil)
    let large = [UInt8](repeating: 0x20, count: PackageManifestReader.byteLimit + 1)
    #expect(PackageManifestReader.read(path: "package.json", bytes: large) == nil)
  }

  @Test("Any bytes are read without a trap, however deep or damaged")
  func anyBytes() {
    var random = SeededGenerator(seed: propertySeed())
    let names = [
      "package.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "composer.json", "pom.xml", "a.gemspec",
      "mix.exs",
      "pubspec.yaml", "vcpkg.json", "deno.json", "a.csproj", "build.gradle", "CMakeLists.txt", "VERSION",
      "Package.swift", "go.mod", "requirements.txt", "Pipfile", "Gemfile", "Podfile", "conanfile.txt",
      "environment.yml", "packages.config",
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
        #expect(PackageManifestReader.read(path: name, bytes: bytes) != nil)
      }
    }
    for piece in ["[", "{\"a\":", "{a=", "<a>", "[[", "a.", "/*", "\""] {
      let deep = Array(String(repeating: piece, count: 20_000).utf8)
      for name in names { #expect(PackageManifestReader.read(path: name, bytes: deep) != nil) }
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
