import Foundation

extension FakeRepository {
  /// Where links in an answer lead.
  public struct Links: Sendable, Hashable {
    /// The API's root without a slash at the end.
    public var api: String
    /// The web pages' root without a slash at the end.
    public var web: String

    /// Makes links below two roots.
    public init(api: String, web: String) {
      self.api = api
      self.web = web
    }
  }

  /// The item of a repository search: every member that GitHub's schema `repo-search-result-item` requires.
  public func searchItem(_ links: Links, score: Double = 1) -> FakeJSON {
    .object(members(links) + [.init(name: "score", value: .double(score))])
  }

  /// The item of a list of repositories: every member that GitHub's schema `repository` requires.
  public func listItem(_ links: Links) -> FakeJSON { .object(members(links)) }

  /// The repository within another item: every member that GitHub's schema `minimal-repository` requires.
  func minimal(_ links: Links) -> FakeJSON {
    let named: Set<String> = [
      "id", "node_id", "name", "full_name", "private", "owner", "html_url", "description", "fork", "url",
    ]
    return .object(
      members(links).filter { member in
        named.contains(member.name) || Self.links.contains { $0.0 == member.name }
      })
  }

  /// The answer for one repository: every member that GitHub's schema `full-repository` requires.
  public func full(_ links: Links) -> FakeJSON {
    .object(
      members(links) + [
        .init(name: "temp_clone_token", value: nil),
        .init(name: "network_count", value: .int(forks)),
        .init(name: "subscribers_count", value: .int(subscribers)),
      ])
  }

  private func members(_ links: Links) -> [FakeJSON.Member] {
    let root = "\(links.api)/repos/\(fullName)"
    let page = "\(links.web)/\(fullName)"
    let host = links.web.split(separator: "/").last.map(String.init) ?? "github.com"
    var all: [(String, FakeJSON)] = [
      ("id", .int(id)), ("node_id", .string(nodeID ?? "R_kgDO\(id)")), ("name", .string(name)),
      ("full_name", .string(fullName)), ("private", .bool(isPrivate)), ("owner", ownerObject(links)),
      ("html_url", .string(page)), ("description", .optional(description)), ("fork", .bool(fork)),
      ("url", .string(root)),
    ]
    all += Self.links.map { ($0.0, .string(root + $0.1)) }
    all += [
      ("created_at", .string(UTCTime.iso(createdAt))), ("updated_at", .string(UTCTime.iso(updatedAt))),
      ("pushed_at", .optional(pushedAt.map(UTCTime.iso))),
      ("git_url", .string("git://\(host)/\(fullName).git")),
      ("ssh_url", .string("git@\(host):\(fullName).git")),
      ("clone_url", .string("\(page).git")), ("svn_url", .string(page)), ("homepage", .optional(homepage)),
      ("size", .int(size)), ("stargazers_count", .int(stars)), ("watchers_count", .int(stars)),
      ("language", .optional(language)), ("has_issues", true), ("has_projects", true),
      ("has_downloads", true),
      ("has_wiki", false), ("has_pages", false), ("has_discussions", false), ("forks_count", .int(forks)),
      ("mirror_url", .optional(mirrorURL)), ("archived", .bool(archived)), ("disabled", false),
      ("open_issues_count", .int(openIssues)), ("license", licenseObject(links)), ("allow_forking", true),
      ("is_template", .bool(isTemplate)), ("web_commit_signoff_required", false),
      ("topics", .array(topics.map(FakeJSON.string))), ("visibility", isPrivate ? "private" : "public"),
      ("forks", .int(forks)), ("open_issues", .int(openIssues)), ("watchers", .int(stars)),
      ("default_branch", .string(defaultBranch)),
    ]
    return all.map { .init(name: $0.0, value: $0.1) }
  }

  private func ownerObject(_ links: Links) -> FakeJSON {
    var account = FakeAccount(login: owner)
    account.isOrganization = ownerIsOrganization
    return account.json(links)
  }

  private func licenseObject(_ links: Links) -> FakeJSON {
    guard let license else { return .null }
    guard license != "NOASSERTION" else {
      return [
        "key": "other", "name": "Other", "spdx_id": "NOASSERTION", "url": nil, "node_id": "MDc6TGljZW5zZTA=",
      ]
    }
    let key = license.lowercased()
    return [
      "key": .string(key), "name": .string(Self.licenseNames[license] ?? "\(license) License"),
      "spdx_id": .string(license), "url": .string("\(links.api)/licenses/\(key)"),
      "node_id": .string("L_\(key)"),
    ]
  }

  private static let licenseNames = [
    "MIT": "MIT License", "Apache-2.0": "Apache License 2.0",
    "GPL-3.0": "GNU General Public License v3.0",
    "BSD-3-Clause": "BSD 3-Clause \"New\" or \"Revised\" License",
    "MPL-2.0": "Mozilla Public License 2.0", "ISC": "ISC License", "Unlicense": "The Unlicense",
  ]

  /// The members that are links below the repository, with their templates.
  private static let links: [(String, String)] = [
    ("forks_url", "/forks"), ("keys_url", "/keys{/key_id}"),
    ("collaborators_url", "/collaborators{/collaborator}"), ("teams_url", "/teams"), ("hooks_url", "/hooks"),
    ("issue_events_url", "/issues/events{/number}"), ("events_url", "/events"),
    ("assignees_url", "/assignees{/user}"), ("branches_url", "/branches{/branch}"), ("tags_url", "/tags"),
    ("blobs_url", "/git/blobs{/sha}"), ("git_tags_url", "/git/tags{/sha}"),
    ("git_refs_url", "/git/refs{/sha}"),
    ("trees_url", "/git/trees{/sha}"), ("statuses_url", "/statuses/{sha}"), ("languages_url", "/languages"),
    ("stargazers_url", "/stargazers"), ("contributors_url", "/contributors"),
    ("subscribers_url", "/subscribers"), ("subscription_url", "/subscription"),
    ("commits_url", "/commits{/sha}"), ("git_commits_url", "/git/commits{/sha}"),
    ("comments_url", "/comments{/number}"), ("issue_comment_url", "/issues/comments{/number}"),
    ("contents_url", "/contents/{+path}"), ("compare_url", "/compare/{base}...{head}"),
    ("merges_url", "/merges"), ("archive_url", "/{archive_format}{/ref}"), ("downloads_url", "/downloads"),
    ("issues_url", "/issues{/number}"), ("pulls_url", "/pulls{/number}"),
    ("milestones_url", "/milestones{/number}"),
    ("notifications_url", "/notifications{?since,all,participating}"), ("labels_url", "/labels{/name}"),
    ("releases_url", "/releases{/id}"), ("deployments_url", "/deployments"),
  ]
}
