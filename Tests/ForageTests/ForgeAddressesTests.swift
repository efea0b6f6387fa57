import ForageCore
import ForageGitHub
import ForageHTTP
import Testing

@testable import ForageSetup

/// Which hosts there are, and whose each token is.
struct ForgeAddressesTests {
  /// Settings with hosts by id, and the variable of each where it has one.
  private func settings(_ hosts: [(id: String, address: String, variable: String?)]) -> Settings {
    var settings = Settings()
    for host in hosts {
      let isMain = host.id == "github"
      settings.providers[host.id] = Settings.Provider(
        type: isMain ? nil : "github", address: host.address, tokenVariable: host.variable)
      if !isMain { settings.added.append(host.id) }
      if let variable = host.variable {
        settings.tokenHosts[variable] = try? ForgeAddress(gitHubAPI: host.address).host
      }
    }
    return settings
  }

  private static let others: [(id: String, address: String, variable: String?)] = [
    ("b", "https://b.example/api/v3", nil), ("a", "http://127.0.0.1:4711/api/v3", nil),
  ]

  @Test func theOrderIsThatOfTheFile() throws {
    let all = Forge.all(settings(Self.others), environment: [:])
    #expect(all.map(\.id) == ["github", "b", "a"])
    #expect(all.map(\.info.name) == ["GitHub", "GitHub at b.example", "GitHub at 127.0.0.1:4711"])
    // Another server on this machine is no stand-in for github.com.
    #expect(
      try all.map { try $0.address.get().entityHosts } == [
        ["github.com"], ["b.example"], ["127.0.0.1:4711"],
      ])
  }

  /// Variables, the `url` of the settings, and the API that is asked.
  @Test(
    arguments: [
      ([:], nil, "https://api.github.com/"),
      ([:], "https://file.example/api/v3", "https://file.example/api/v3"),
      (["GH_HOST": "gh.example"], "https://file.example/api/v3", "https://gh.example/api/v3"),
      (
        ["GH_HOST": "gh.example", "FORAGE_GITHUB_URL": "http://localhost:1"], "https://file.example",
        "http://localhost:1/"
      ),
      (["GH_HOST": "", "FORAGE_GITHUB_URL": ""], "https://file.example", "https://file.example/"),
    ] as [([String: String], String?, String)])
  func environmentWins(_ environment: [String: String], _ address: String?, _ api: String) throws {
    let settings = settings(address.map { [("github", $0, nil)] } ?? [])
    let main = try #require(Forge.all(settings, environment: environment).first)
    #expect(try main.address.get().api.text == api)
  }

  /// The token that the settings name for one host does not follow the built-in provider to another.
  @Test func theTokenStaysWithItsHost() {
    let settings = settings([("github", "https://file.example/api/v3", "FILE_TOKEN")])
    let inFile = Forge.all(settings, environment: [:]).first
    #expect(inFile?.tokenVariable == "FILE_TOKEN")
    let elsewhere = Forge.all(settings, environment: ["GH_HOST": "gh.example"]).first
    #expect(elsewhere?.tokenVariable == nil)
  }

  /// Variables, further hosts, and whose the enterprise variables are.
  @Test(
    arguments: [
      ([:], [], nil),
      ([:], ["b"], "b.example"),
      ([:], ["a"], "127.0.0.1:4711"),
      ([:], ["b", "a"], nil),
      (["GH_HOST": "gh.example"], [], "gh.example"),
      (["GH_HOST": "gh.example"], ["b", "a"], "gh.example"),
      (["FORAGE_GITHUB_URL": "http://127.0.0.1:9"], ["b"], "127.0.0.1:9"),
      (["FORAGE_GITHUB_URL": "https://api.github.com"], ["b"], "b.example"),
      // Nobody knows where that was meant to lead.
      (["FORAGE_GITHUB_URL": "nonsense"], ["b"], nil),
    ] as [([String: String], [String], String?)])
  func owners(_ environment: [String: String], _ ids: [String], _ owner: String?) {
    let settings = settings(Self.others.filter { ids.contains($0.id) })
    let owners = TokenFinder.owners(
      of:
        Forge.all(settings, environment: environment), settings)
    #expect(owners["GH_ENTERPRISE_TOKEN"] == owner)
    #expect(owners["GITHUB_ENTERPRISE_TOKEN"] == owner)
    #expect(owners["GH_TOKEN"] == nil)
  }

  /// The settings decide before any guess.
  @Test func theSettingsOwnToken() {
    let settings = settings([
      ("b", "https://b.example", "GH_ENTERPRISE_TOKEN"), ("c", "https://c.example", nil),
    ])
    let forges = Forge.all(settings, environment: ["GH_HOST": "gh.example"])
    let owners = TokenFinder.owners(
      of: forges, settings)
    let finder = TokenFinder(environment: [:], child: .live { _ in }, owners: owners)
    #expect(owners == ["GH_ENTERPRISE_TOKEN": "b.example", "GITHUB_ENTERPRISE_TOKEN": "gh.example"])
    #expect(
      forges.map { finder.hint(for: try? $0.address.get(), variable: $0.tokenVariable) } == [
        "set GITHUB_ENTERPRISE_TOKEN or run: gh auth login --hostname gh.example",
        "set GH_ENTERPRISE_TOKEN, which the settings name for it",
        "add a variable with its token to the settings, secrets: {token: {env: NAME}}, or run: gh auth login --hostname c.example",
      ])
  }
}
