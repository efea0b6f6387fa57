extension Scaffold {
  /// A package with a program on the SDK that searches a short list of its own.
  var swiftFiles: [File] {
    [
      File(path: "plugin.json", contents: swiftDescription),
      File(path: "Package.swift", contents: swiftPackage),
      File(path: "Sources/\(name)/Plugin.swift", contents: swiftProgram),
      File(path: ".gitignore", contents: ".build/\n"),
      File(path: "README.md", contents: swiftReadme),
    ]
  }

  private var swiftDescription: String {
    #"""
    {
      "forage": 1,
      "id": "\#(name)",
      "name": "\#(title)",
      "version": "0.1.0",
      "command": ["./.build/release/\#(name)"],
      "files": [".build/release/\#(name)"],
      "kinds": {
        "package": {
          "text": "exact",
          "qualifiers": {"language": "exact"},
          "fields": ["description", "language", "version"],
          "maxPage": 100
        }
      },
      "concurrency": 4
    }

    """#
  }

  /// A text as a literal of Swift.
  private static func literal(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}": result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"" + result + "\""
  }

  private var swiftPackage: String {
    #"""
    // swift-tools-version: 6.2
    import PackageDescription

    // Where the package of Forage is: what FORAGE_PACKAGE says, or a checkout in its usual place.
    let forage = Context.environment["FORAGE_PACKAGE"] ?? \#(Self.literal(sdk))

    let package = Package(
      name: "\#(name)",
      platforms: [.macOS(.v15)],
      dependencies: [.package(name: "forage", path: forage)],
      targets: [
        .executableTarget(
          name: "\#(name)",
          dependencies: [
            .product(name: "ForageCore", package: "forage"),
            .product(name: "ForagePluginSDK", package: "forage"),
          ])
      ]
    )

    """#
  }

  private var swiftProgram: String {
    #"""
    import ForageCore
    import ForagePluginSDK

    @main struct Plugin: ForagePlugin {
      static let version = "0.1.0"
      let info = ProviderInfo(id: "\#(name)", name: "\#(title)")
      let kinds: [ResultKind: Abilities] = [
        .package: Abilities(fields: [.description, .language, "version"], qualifiers: ["language": .exact])
      ]

      /// What is searched. Put your own source in its place: a file, a database, an API.
      private let things = [
        ("swift-nio", "Event-driven networking, with HTTP", "2.101.2"), ("async-http-client", "HTTP client on networking", "1.37.0"),
        ("hummingbird", "HTTP server on networking", "2.16.0"),
      ].map { name, description, version in
        SearchResult(
          id: SearchResult.id(.package, at: nil, provider: "\#(name)", ownID: name), kind: .package, title: name,
          url: "https://swiftpackageindex.com/search?query=\(name)",
          fields: [.description: .text(description), .language: .text("Swift"), "version": .text(version)])
      }

      /// Settings and secrets of the user come here, those that `plugin.json` names.
      init(_ settings: PluginSettings) {}

      func search(_ request: SearchRequest) async throws -> SearchPage {
        let found = things.filter { request.query?.matches($0) ?? true }
        // The number of results before the page is valid with any page size; a page number is not.
        guard let start = Int(request.cursor ?? "0"), (0...found.count).contains(start) else {
          throw SearchError(.invalidCursor, "the cursor is damaged", hint: "begin again")
        }
        let end = min(start + request.pageSize, found.count)
        return SearchPage(
          items: Array(found[start..<end]), next: end < found.count ? String(end) : nil,
          total: ResultTotal(found.count))
      }
    }

    """#
  }

  private var swiftReadme: String {
    #"""
    # \#(title)

    A plugin for Forage in Swift, on `ForagePluginSDK`. It searches a list of three packages until you make it search something better.

    1. It is built against the package of Forage: the folder `\#(sdk)`, or the one that `FORAGE_PACKAGE` names. Build it and check it:

           swift build -c release
           forage plugin validate .

    2. Try it without installing it:

           forage search --plugin . -p \#(name) -k package networking

    3. Put your source into `search` in `Sources/\#(name)/Plugin.swift`. `kinds` says what it can do: the fields of its items, the
       qualifiers that it applies itself (all others are checked for you), and its sort keys. A plugin with a list that needs no query also
       conforms to `FeedProvider`, one that knows more of an item than its list shows to `DetailsProvider`. `plugin.json` must say the same:
       build, and copy what `.build/release/\#(name) --declare` prints over `kinds` and `concurrency` there. What is printed goes to the
       plugin's log. Settings and secrets come to `init`; name them in `plugin.json` first. Then build and check again.

    4. Install it, and allow it to run. Forage shows what it would run, and asks again after every change:

           forage plugin install .
           forage plugin trust \#(name)

    """#
  }
}
