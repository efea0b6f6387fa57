public import Foundation

/// A person's or an organisation's account that `FakeGitHub` knows.
public struct FakeAccount: Sendable, Hashable {
  /// The name of the account.
  public var login: String
  /// The number that never changes; made from the login unless it is set.
  public var id: Int
  /// True for an organisation.
  public var isOrganization = false
  /// The name that the person gives.
  public var name: String?
  /// The public address.
  public var email: String?
  /// What they say of themselves.
  public var bio: String?
  /// Where they say they work.
  public var company: String?
  /// Where they say they are.
  public var location: String?
  /// How many follow.
  public var followers = 0
  /// Public repositories.
  public var repositories = 0
  /// The language of most of their repositories.
  public var language: String?
  /// When the account was made.
  public var createdAt = Date(timeIntervalSince1970: 1_300_000_000)

  /// Makes a person's account; set what else matters.
  public init(login: String, id: Int? = nil) {
    self.login = login
    self.id = id ?? Self.number(of: login)
  }

  /// A number for a name, always the same: FNV-1a, kept positive and short.
  static func number(of name: String) -> Int {
    Int(name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % 100_000_000)
  }

  /// The members of GitHub's schema `simple-user`.
  func members(_ links: FakeRepository.Links) -> [FakeJSON.Member] {
    let root = "\(links.api)/users/\(login)"
    let all: [(String, FakeJSON)] = [
      ("login", .string(login)), ("id", .int(id)), ("node_id", .string("U_kgDO\(id)")),
      ("avatar_url", .string("https://avatars.githubusercontent.com/u/\(id)?v=4")), ("gravatar_id", ""),
      ("url", .string(root)), ("html_url", .string("\(links.web)/\(login)")),
      ("followers_url", .string("\(root)/followers")),
      ("following_url", .string("\(root)/following{/other_user}")),
      ("gists_url", .string("\(root)/gists{/gist_id}")),
      ("starred_url", .string("\(root)/starred{/owner}{/repo}")),
      ("subscriptions_url", .string("\(root)/subscriptions")),
      ("organizations_url", .string("\(root)/orgs")), ("repos_url", .string("\(root)/repos")),
      ("events_url", .string("\(root)/events{/privacy}")),
      ("received_events_url", .string("\(root)/received_events")),
      ("type", isOrganization ? "Organization" : "User"), ("user_view_type", "public"),
      ("site_admin", false),
    ]
    return all.map { .init(name: $0.0, value: $0.1) }
  }

  /// The account within another answer.
  func json(_ links: FakeRepository.Links) -> FakeJSON { .object(members(links)) }
}

extension FakeSearch where Item == FakeAccount {
  /// `GET /search/users`; as on the real service an item says nothing of followers, places and names.
  static let users = FakeSearch(
    qualifiers: [
      "in", "type", "user", "org", "fullname", "repos", "location", "language", "created", "followers", "is",
    ],
    scopes: ["login", "email", "name"],
    texts: { [("login", $0.login), ("email", $0.email ?? ""), ("name", $0.name ?? "")] },
    satisfies: { account, name, value in
      let lower = value.lowercased()
      return switch name {
      case "type": account.isOrganization == ["org", "organization"].contains(lower)
      case "user", "org": account.login.lowercased() == lower
      case "fullname": account.name?.lowercased() == lower
      case "repos": FakeQuery.number(value, account.repositories)
      case "location": account.location?.lowercased().contains(lower) ?? false
      case "language": account.language.map(FakeQuery.normal) == FakeQuery.normal(value)
      case "created": FakeQuery.date(value, account.createdAt)
      case "followers": FakeQuery.number(value, account.followers)
      default: true
      }
    },
    sorts: [
      "followers": { Double($0.followers) }, "repositories": { Double($0.repositories) },
      "joined": { $0.createdAt.timeIntervalSince1970 },
    ],
    json: { account, rendering in
      .object(account.members(rendering.links) + [.init(name: "score", value: 1.0)])
    })
}
