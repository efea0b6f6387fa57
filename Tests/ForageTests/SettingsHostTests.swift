import ForageCore
import ForageHTTP
import Foundation
import TestSupport
import Testing

@testable import ForageSetup

/// What `config.yaml` says of further hosts.
struct SettingsHostTests {
  private func read(_ text: String) throws -> Settings {
    let folder = try TemporaryDirectory()
    let file = try folder.write("config.yaml", text)
    return try Settings.read(file.path, types: BuiltInProvider.types)
  }

  @Test func everySetting() throws {
    let settings = try read(
      """
      providers:
        zeta: {type: github, url: "https://zeta.example/api/v3", weight: 2, timeout: 4, enabled: true,
          secrets: {token: {env: ZETA_TOKEN}}}
        github: {url: "https://api.github.com", type: github}
        alpha.2_x: {type: github, url: "http://127.0.0.1:4711"}

      """)
    #expect(settings.added == ["zeta", "alpha.2_x"])
    #expect(
      settings.providers["zeta"]
        == .init(
          isEnabled: true, weight: 2, timeout: .seconds(4), type: "github",
          address: "https://zeta.example/api/v3", tokenVariable: "ZETA_TOKEN"))
    #expect(settings.providers["github"] == .init(address: "https://api.github.com"))
    #expect(settings.tokenHosts == ["ZETA_TOKEN": "zeta.example"])
  }

  /// Two accounts on one server are two providers; one variable may serve both.
  @Test func oneHostTwice() throws {
    let settings = try read(
      """
      providers:
        a: {type: github, url: "https://ghe.example/api/v3", secrets: {token: {env: T}}}
        b: {type: github, url: "https://GHE.example:443/api/v3/", secrets: {token: {env: T}}}
        c: {type: github, url: "https://ghe.example/api/v3", secrets: {token: {env: GH_ENTERPRISE_TOKEN}}}

      """)
    #expect(settings.added == ["a", "b", "c"])
    #expect(settings.tokenHosts == ["T": "ghe.example", "GH_ENTERPRISE_TOKEN": "ghe.example"])
  }

  /// A plugin that is gone is no reason to do nothing; a slip still is an error.
  @Test func absent() throws {
    let settings = try read("providers:\n  acme: {enabled: false, weight: 2}\n  local: {weight: 3}\n")
    #expect(
      settings.absent.map(\.id) == ["acme"] && settings.absent.first?.place.hasSuffix("config.yaml:2") == true
    )
    // They are read all the same: a plugin that is named by a path has them.
    #expect(settings.providers["acme"] == .init(isEnabled: false, weight: 2))
    // The name of a provider that is gone may be near that of another.
    let near = try read("providers:\n  gitlab: {secrets: {token: {env: GITLAB_TOKEN}}}\n")
    #expect(near.absent.map(\.id) == ["gitlab"])
    #expect(try read("providers:\n  local2: {weight: 2}\n").absent.map(\.id) == ["local2"])
    #expect(near.providers["gitlab"]?.secrets == ["token": "GITLAB_TOKEN"])
    #expect(try read("providers:\n  acme: {wieght: 2}\n").problem(of: "acme") != nil)
    #expect(try read("providers:\n  locall: {weight: 2}\n").problem(of: "locall") != nil)
  }

  /// The manifests that are known by name are those of the repository.
  @Test func bundledManifests() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Plugins/manifests")
    let ids = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    #expect(Set(ids) == InstalledIDs.bundledManifests)
  }

  private static let ghe = "type: github, url: \"https://ghe.example\""

  /// The text behind `providers:`, the line that is named, how the message begins, and the hint.
  @Test(
    arguments: [
      ("work: {}", 2, "\"work\" is not a known provider", "to add a server"),
      ("work: {url: \"https://ghe.example\"}", 2, "\"work\" is not a known provider", "to add a server"),
      (
        "work:\n    type: githup", 3, "type takes github or local, not \"githup\"",
        "did you mean \"github\"?"
      ),
      ("work:\n    type: gitlab.com", 3, "type takes github or local", "for example: type: github"),
      ("work:\n    type: gitlab", 3, "type takes github or local", "gitlab is a manifest"),
      ("work:\n    type: [github]", 3, "type takes github or local", "for example"),
      ("work: {type: github}", 2, "\"url\" is missing", "add it, for example: url: "),
      ("work:\n    type: local", 3, "there is only one provider of type local", "configure that one"),
      ("local:\n    type: github", 3, "\"local\" is built in and of type local", "give the other provider"),
      ("local:\n    url: \"https://x\"", 3, "\"url\" is not a known key", "known: enabled"),
      ("Work: {\(ghe)}", 2, "\"Work\" cannot be the id of a provider", "an id has at most 64"),
      ("-work: {\(ghe)}", 2, "\"-work\" cannot be the id of a provider", "an id has at most 64"),
      ("\"a,b\": {\(ghe)}", 2, "\"a,b\" cannot be the id of a provider", "an id has at most 64"),
      ("work:\n    type: github\n    ulr: x", 4, "\"ulr\" is not a known key", "did you mean \"url\"?"),
      ("work:\n    type: github\n    url: []", 4, "url takes an address", "for example"),
      ("work:\n    type: github\n    url: ghe.example", 4, "url, \"ghe.example\", is not the", "write it as"),
      (
        "work:\n    type: github\n    url: https://me:t0psecret@ghe.example", 4, "url is not the address",
        "write it as"
      ),
      (
        "work:\n    type: github\n    url: https://ghe.example/?token=t0psecret", 4,
        "url is not the address", "write it as"
      ),
      (
        "work:\n    type: github\n    url: http://ghe.example", 4,
        "url, \"http://ghe.example\", would send requests unencrypted", "use https://"
      ),
      ("github:\n    url: http://ghe.example", 3, "url, \"http://ghe.example\", would send", "use https://"),
      (
        "work:\n    \(ghe.replacing(", ", with: "\n    "))\n    secrets: {token: t0psecret}", 5,
        "token must be a mapping", "write secrets: {token: {env: NAME}}"
      ),
      (
        "work:\n    \(ghe.replacing(", ", with: "\n    "))\n    secrets: {tokens: {env: A}}", 5,
        "\"tokens\" is not a known key", "did you mean \"token\"?"
      ),
      (
        "work:\n    \(ghe.replacing(", ", with: "\n    "))\n    secrets: {token: {env: ghp_t0psecret}}", 5,
        "env takes the name of a variable", "write secrets:"
      ),
      (
        "work:\n    \(ghe.replacing(", ", with: "\n    "))\n    secrets: {token: {env: 1A}}", 5,
        "env takes the name of a variable", "write secrets:"
      ),
      (
        "work: {\(ghe), secrets: {token: {env: GH_TOKEN}}}", 2,
        "GH_TOKEN does not hold a token for ghe.example", "use GH_TOKEN or GITHUB_TOKEN for github.com"
      ),
      (
        "work: {\(ghe), secrets: {token: [{env: A, owner: x}]}}", 2, "\"owner\" is not a known key",
        "did you mean \"owners\"?"
      ),
      (
        "work: {\(ghe), secrets: {token: [{env: A, owners: []}]}}", 2, "owners takes names of accounts",
        "leave it out for a secret of all accounts"
      ),
      (
        "work: {\(ghe), secrets: {token: {env: A, owners: [x]}}}", 2, "\"owners\" is not a known key",
        "write secrets:"
      ),
      (
        "github: {secrets: {token: {env: GH_ENTERPRISE_TOKEN}}}", 2,
        "GH_ENTERPRISE_TOKEN does not hold a token for github.com", "use GH_TOKEN"
      ),
      (
        "a: {\(ghe), secrets: {token: {env: T}}}\n"
          + "  b: {type: github, url: \"https://b.example\", secrets: {token: {env: T}}}", 3,
        "T is already the token for ghe.example, and is sent to no other host",
        "use one variable for each host"
      ),
    ] as [(String, Int, String, String)])
  func mistakes(_ text: String, _ line: Int, _ message: String, _ hint: String) throws {
    let problems = try read("providers:\n  \(text)\n").problems
    let error = try #require(problems.first?.error)
    #expect(problems.count == 1)
    #expect(error.message.contains("/config.yaml:\(line): \(message)"), "\(error.message)")
    #expect(error.hint.hasPrefix(hint), "\(error.hint)")
    #expect(!error.message.contains("t0psecret") && !error.hint.contains("t0psecret"))
    #expect(error.code == .usage)
  }

  /// Of a server that is not understood its token goes nowhere, and no other server gets it.
  @Test func aTokenStaysBound() throws {
    let settings = try read(
      """
      providers:
        bad: {type: github, url: "https://", secrets: {token: {env: T}}}
        good: {type: github, url: "https://good.example", secrets: {token: {env: T}}}
        typo: {type: github, url: "https://typo.example", wieght: 2, secrets: {token: {env: U}}}
        other: {type: github, url: "https://other.example", secrets: {token: {env: U}}}
        odd: {type: githup, secrets: {token: {env: GH_TOKEN}}}
        confused: {secret: {token: {env: V}}, config: {env: PATH}}

      """)
    #expect(settings.brokenProviders.map(\.id) == ["bad", "good", "typo", "other", "odd", "confused"])
    #expect(settings.tokenHosts == ["T": "", "U": "typo.example", "V": ""])
    #expect(settings.secretVariables == ["T", "U", "V", "GH_TOKEN"])
    #expect(settings.providers["good"] == .init(type: "github"))
    let forges = Forge.all(settings, environment: [:])
    #expect(forges.map(\.id) == ["github", "bad", "good", "typo", "other"])
    #expect(forges.map { (try? $0.address.get())?.host } == ["github.com", nil, nil, nil, nil])
  }

  /// A variable without a host of its own is for the only other host, but not where another one is not
  /// understood.
  @Test func enterpriseTokens() throws {
    let one = #"providers: {a: {type: github, url: "https://a.example"}"#
    func owners(_ text: String) throws -> [String: String] {
      let settings = try read(text)
      return TokenFinder.owners(of: Forge.all(settings, environment: [:]), settings)
    }
    #expect(try owners(one + "}\n")["GH_ENTERPRISE_TOKEN"] == "a.example")
    for broken in ["b: {type: githup}", "github: {wieght: 2}", "b: {type: github, url: x}"] {
      #expect(try owners(one + ", \(broken)}\n")["GH_ENTERPRISE_TOKEN"] == nil, "\(broken)")
    }
  }
}
