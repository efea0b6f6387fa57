// swift-tools-version: 6.2
import PackageDescription

/// The language mode and upcoming features that every target of this package shares.
///
/// `FORAGE_STRICT=1` makes warnings errors, for continuous integration: a newer compiler must not break a
/// user's build. `FORAGE_TESTABLE=1` lets the tests use what is internal in a release build, too: `make`
/// builds programs and tests at once.
let settings: [SwiftSetting] =
  (Context.environment["FORAGE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])
  + (Context.environment["FORAGE_TESTABLE"] == nil ? [] : [.unsafeFlags(["-enable-testing"])]) + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]

/// The tests themselves are not worth the time that optimising takes.
let testSettings =
  settings + [
    .unsafeFlags(["-Onone"], .when(configuration: .release)),
    // Swift Testing is compiled from its interface, and with it modules that programs import, too. These are kept
    // apart, so that the code of a program does not depend on whether tests were compiled before it.
    .unsafeFlags(["-module-cache-path", Context.packageDirectory + "/.build/test-modules"]),
  ]

/// How `make` links the programs that it installs or measures; the tests are linked as usual, so no test
/// target depends on these programs.
let programLink: [LinkerSetting] =
  Context.environment["FORAGE_LINK"].map { [.unsafeFlags($0.split(separator: " ").map(String.init))] } ?? []

/// The commit that `forage --version` prints; `make` names it.
let commit = Context.environment["FORAGE_COMMIT"] ?? ""

let package = Package(
  name: "forage",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ForageCore", targets: ["ForageCore"]),
    .library(name: "ForageHTTP", targets: ["ForageHTTP"]),
    .library(name: "ForageHTTPLive", targets: ["ForageHTTPLive"]),
    .library(name: "ForageGitHub", targets: ["ForageGitHub"]),
    .library(name: "ForageInspector", targets: ["ForageInspector"]),
    .library(name: "ForagePluginProtocol", targets: ["ForagePluginProtocol"]),
    .library(name: "ForagePluginSDK", targets: ["ForagePluginSDK"]),
    .library(name: "ForageTesting", targets: ["ForageTesting"]),
    .library(name: "Forage", targets: ["Forage"]),
    .executable(name: "forage", targets: ["ForageProgram"]),
    .executable(name: "forage-plugin-hackernews", targets: ["forage-plugin-hackernews"]),
  ],
  // Exact versions of all packages that are compiled, also of those that others bring, so that every build of
  // a commit compiles the same sources. The comment above each says what it is for and, where it is behind,
  // why; `make deps` prints that beside the newest release.
  dependencies: [
    // Arguments, help and completions.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // SQLite: favorites, clones, code index.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // YAML: settings and manifests.
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    .target(name: "CForageBuild", cSettings: [.define("FORAGE_COMMIT", to: "\"\(commit)\"")]),
    .target(name: "ForageFoundation", swiftSettings: settings),
    .target(name: "ForagePlatform", swiftSettings: settings),
    .target(
      name: "ForageCore", dependencies: ["ForageFoundation", "ForagePlatform"], swiftSettings: settings),
    .target(
      name: "ForageHTTP", dependencies: ["ForageCore", "ForageFoundation", "ForagePlatform"],
      swiftSettings: settings),
    .target(name: "CCurl"),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "ForageHTTPLive",
      dependencies: [
        "CCurl", "CZlib", "ForageCore", "ForageFoundation", "ForageHTTP", "ForagePlatform",
      ],
      swiftSettings: settings),
    .target(
      name: "ForagePluginProtocol", dependencies: ["ForageCore", "ForageFoundation", "ForagePlatform"],
      swiftSettings: settings),
    .target(
      name: "ForagePluginSDK", dependencies: ["ForageCore", "ForagePlatform", "ForagePluginProtocol"],
      swiftSettings: settings),
    .target(
      name: "ForagePluginHost",
      dependencies: [
        "ForageCore", "ForageFoundation", "ForagePlatform", "ForagePluginProtocol", "ForageYAML",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "ForageGitHub", dependencies: ["ForageCore", "ForageFoundation", "ForageHTTP", "ForagePlatform"],
      swiftSettings: settings),
    .target(
      name: "ForageYAML", dependencies: ["ForageCore", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    .target(
      name: "ForageManifest",
      dependencies: [
        "ForageCore", "ForageFoundation", "ForageHTTP", "ForagePlatform", "ForageYAML",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .systemLibrary(
      name: "CLibGit2", pkgConfig: "libgit2", providers: [.apt(["libgit2-dev"]), .brew(["libgit2"])]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    // Not with `.strictMemorySafety()`: about 900 expressions pass on memory of libgit2 or of the system, and
    // would get a mark and no check more. Commits and trees are read through `CheckedBytes`.
    .target(name: "ForageGit", dependencies: ["CLibGit2", "ForagePlatform"], swiftSettings: settings),
    .target(
      name: "ForageInspector",
      dependencies: ["CPCRE2", "ForageFoundation", "ForageGit", "ForagePlatform"],
      swiftSettings: settings),
    .target(
      name: "ForageStore",
      dependencies: [
        "ForageCore", "ForageFoundation", "ForagePlatform",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "ForageLocal",
      dependencies: [
        "CPCRE2", "ForageCore", "ForageFoundation", "ForageGit", "ForageInspector", "ForagePlatform",
        "ForageStore",
      ],
      swiftSettings: settings),
    .target(
      name: "ForageBrowse", dependencies: ["ForageCore", "ForageFoundation", "ForagePlatform"],
      swiftSettings: settings),
    .target(
      name: "ForageSetup",
      dependencies: [
        "ForageCore", "ForageFoundation", "ForageHTTP", "ForageHTTPLive", "ForageGitHub", "ForageGit",
        "ForageInspector", "ForageLocal", "ForageManifest", "ForagePlatform", "ForagePluginHost",
        "ForagePluginProtocol", "ForageStore", "ForageYAML",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "ForageClones",
      dependencies: [
        "ForageCore", "ForageFoundation", "ForageGit", "ForageInspector", "ForageLocal", "ForageManifest",
        "ForagePlatform", "ForagePluginHost", "ForageSetup", "ForageStore",
      ],
      swiftSettings: settings),
    .target(
      name: "ForageEntities",
      dependencies: [
        "ForageClones", "ForageCore", "ForageFoundation", "ForageGit", "ForageHTTP", "ForageInspector",
        "ForageLocal", "ForageManifest", "ForagePlatform", "ForageSetup", "ForageStore",
      ],
      swiftSettings: settings),
    .target(
      name: "Forage",
      dependencies: [
        "ForageClones", "ForageCore", "ForageEntities", "ForageFoundation", "ForageGit", "ForageHTTP",
        "ForageInspector", "ForageLocal", "ForageManifest", "ForagePlatform", "ForagePluginHost",
        "ForageSetup", "ForageStore",
      ],
      swiftSettings: settings),
    .target(
      name: "ForageMCP",
      dependencies: ["Forage", "ForageCore", "ForageInspector", "ForagePlatform", "ForagePluginProtocol"],
      swiftSettings: settings),
    .target(
      name: "ForageCLI",
      dependencies: [
        "Forage", "ForageBrowse", "ForageCore", "ForageFoundation", "ForageInspector", "ForageLocal",
        "ForageMCP", "ForagePlatform", "ForageTesting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "forage-plugin-hackernews",
      dependencies: ["ForageCore", "ForageHTTP", "ForageHTTPLive", "ForagePluginSDK"],
      path: "Plugins/HackerNews", exclude: ["README.md", "plugin.json"], swiftSettings: settings,
      linkerSettings: programLink),
    .target(
      name: "ForageTesting", dependencies: ["ForageCore", "ForageFoundation", "ForagePlatform"],
      swiftSettings: settings),
    .executableTarget(
      name: "ForageProgram", dependencies: ["CForageBuild", "Forage", "ForageCLI", "ForagePlatform"],
      swiftSettings: settings,
      linkerSettings: programLink),
    // TLS for the server of the tests.
    .systemLibrary(
      name: "CTestTLS", path: "Tests/TestTLS", pkgConfig: "libssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    .target(
      name: "TestSupport", dependencies: ["CTestTLS", "ForagePlatform"], path: "Tests/Support",
      swiftSettings: testSettings),
    .executableTarget(
      name: "sample-plugin", dependencies: ["ForageCore", "ForagePluginSDK"], path: "Tests/SamplePlugin",
      swiftSettings: settings, linkerSettings: programLink),
    .executableTarget(
      name: "forage-bench",
      dependencies: [
        "ForageBrowse", "ForageCore", "ForagePlatform", "ForagePluginHost", "ForagePluginProtocol",
        "ForagePluginSDK", "ForageTesting", "TestSupport",
      ],
      path: "Tests/Bench", swiftSettings: settings),
    .executableTarget(
      name: "forage-verify-inspect", dependencies: ["ForagePlatform", "TestSupport"],
      path: "Tests/VerifyInspect", swiftSettings: settings),
    .executableTarget(
      name: "forage-verify-code", dependencies: ["ForagePlatform", "TestSupport"], path: "Tests/VerifyCode",
      swiftSettings: settings),
    .executableTarget(
      name: "forage-relevance", dependencies: ["TestSupport"], path: "Tests/Relevance",
      exclude: ["queries.tsv"], swiftSettings: settings),
    .executableTarget(
      name: "forage-guide-plugin", dependencies: ["ForageCore", "ForagePluginSDK"], path: "Tests/GuidePlugin",
      swiftSettings: settings),
    .target(
      name: "DocumentedExamples",
      dependencies: [
        "ForageCore", "ForageGitHub", "ForageHTTP", "ForageHTTPLive", "ForagePluginProtocol", "ForageTesting",
      ],
      path: "Tests/Outside/Sources/Examples", swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "DocumentedExamples", "ForageCore", "ForageHTTP", "ForagePluginProtocol", "ForageTesting",
        "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForagePlatformTests", dependencies: ["ForagePlatform", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageCoreTests", dependencies: ["ForageCore", "ForagePlatform", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForagePluginProtocolTests", dependencies: ["ForageCore", "ForagePluginProtocol", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForagePluginHostTests",
      dependencies: [
        "ForageCore", "ForagePlatform", "ForagePluginHost", "ForagePluginProtocol", "ForageTesting",
        "ForageYAML", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForagePluginSDKTests",
      dependencies: [
        "ForageCore", "ForagePluginHost", "ForagePluginProtocol", "ForagePluginSDK", "TestSupport",
      ],
      swiftSettings: testSettings),
    // Its folder Provider is that of the plugin, compiled once more; the program itself is tested, too.
    .testTarget(
      name: "HackerNewsTests",
      dependencies: [
        "ForageCore", "ForageHTTP", "ForageHTTPLive", "ForageTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageHTTPTests", dependencies: ["ForageCore", "ForageHTTP", "ForageHTTPLive", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageGitHubTests",
      dependencies: [
        "ForageCore", "ForageHTTP", "ForageHTTPLive", "ForageGitHub", "ForageTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageManifestTests",
      dependencies: [
        "ForageCore", "ForageHTTP", "ForageHTTPLive", "ForageGitHub", "ForageManifest", "ForageTesting",
        "ForageYAML",
        "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageGitTests", dependencies: ["ForageGit", "ForagePlatform", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageInspectorTests", dependencies: ["ForageGit", "ForageInspector", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageLocalTests",
      dependencies: [
        "ForageCore", "ForageGit", "ForageInspector", "ForageLocal", "ForageStore", "ForageTesting",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageStoreTests",
      dependencies: [
        "ForageCore", "ForagePlatform", "ForageStore", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageTestingTests", dependencies: ["ForageCore", "ForageTesting", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageMCPTests",
      dependencies: ["Forage", "ForageCore", "ForageMCP", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageBrowseTests",
      dependencies: ["ForageBrowse", "ForageCore", "ForagePlatform", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageCLITests",
      dependencies: [
        "Forage", "ForageBrowse", "ForageCLI", "ForageCore", "ForageGitHub", "ForageInspector",
        "ForagePlatform", "ForagePluginProtocol", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ForageTests",
      dependencies: [
        "Forage", "ForageClones", "ForageCore", "ForageEntities", "ForageGitHub", "ForageHTTP",
        "ForageInspector", "ForageLocal", "ForagePlatform", "ForagePluginHost", "ForagePluginProtocol",
        "ForageSetup", "ForageStore", "ForageTesting", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "PluginTests", dependencies: ["ForageCore", "ForagePluginProtocol", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "ForagePlatform", "TestSupport", "forage-bench", "forage-guide-plugin",
        "forage-relevance", "forage-verify-code", "forage-verify-inspect",
      ],
      exclude: ["Gh", "Golden"], swiftSettings: testSettings),
  ]
)
