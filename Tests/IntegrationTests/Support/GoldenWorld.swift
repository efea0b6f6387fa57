import Foundation
import TestSupport

/// What the services of the golden transcripts know: a few things of each kind, found with the word `http`.
///
/// All dates are fixed and long ago, so that ages on a terminal have two digits for decades.
enum GoldenWorld {
  /// 2001-09-09, the date of every commit in a clone.
  static let cloneDate = 1_000_000_000
  /// The variable with a token for the service.
  static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]
  /// The variable with which plugins in Python, and git, are found.
  static let programs = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

  /// A fixed date: so many days after 1998-07-09.
  private static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 900_000_000 + Double(number) * 86_400)
  }

  /// GitHub with what is below.
  ///
  /// - Parameters:
  ///   - fault: What every request meets; nil: nothing goes wrong.
  ///   - change: Changes the options.
  static func service(
    failing fault: FakeGitHub.Fault? = nil, _ change: (inout FakeGitHub.Options) -> Void = { _ in }
  ) -> FakeGitHub {
    let github = FakeGitHub(repositories: repositories) { options in
      options.limits = .absent
      options.files = files
      options.issues = issues
      options.commits = commits
      options.users = users
      options.topics = topics
      change(&options)
    }
    if let fault { github.fail(fault) }
    return github
  }

  /// GitHub with so many numbered repositories, found with the word `match`, and with nothing else.
  static func numbered(_ count: Int) -> FakeGitHub {
    let repositories = (1...count).map { number in
      FakeRepository(
        id: number, fullName: "owner/match-\(number)", description: "Number \(number)", language: "Swift",
        stars: 100_000 / number
      ).with { ($0.createdAt, $0.updatedAt, $0.pushedAt) = (day(1), day(1000 + number), day(900)) }
    }
    return FakeGitHub(repositories: repositories) { $0.limits = .absent }
  }

  static let repositories = [
    FakeRepository(
      id: 1, fullName: "owner/http-client", description: "An http client for Swift", language: "Swift",
      topics: ["http", "swift"], stars: 5000
    ).with {
      ($0.createdAt, $0.updatedAt, $0.pushedAt) = (day(10), day(1800), day(1700))
      ($0.forks, $0.openIssues, $0.subscribers, $0.license) = (400, 70, 90, "MIT")
      $0.homepage = "https://http-client.example"
      $0.facts.languages = ["Swift": 90_000, "C": 10_000]
      $0.facts.contributors = .people([
        .init(login: "http-ada", commits: 120), .init(login: "http-bao", commits: 30),
        .init(name: "Nobody", commits: 2),
      ])
      $0.facts.release = .init(tag: "v1.2.0", name: "The second", publishedAt: day(1600))
      $0.facts.setReadme("# http-client\n\nAn **http** client.\n")
    },
    FakeRepository(
      id: 2, fullName: "other/http-client-kit", description: "A kit for http clients", language: "Rust",
      topics: ["http"], stars: 300
    ).with {
      ($0.createdAt, $0.updatedAt, $0.pushedAt) = (day(20), day(1900), day(1400))
      ($0.forks, $0.openIssues, $0.license, $0.archived) = (12, 3, "Apache-2.0", true)
      $0.ownerIsOrganization = true
    },
    FakeRepository(id: 3, fullName: "third/http-empty").with {
      ($0.createdAt, $0.updatedAt, $0.pushedAt) = (day(30), day(1500), nil)
    },
    FakeRepository(
      id: 4, fullName: "fourth/wide",
      description: "高速な http ライブラリ 🚀, which has a longer description than a row has room for",
      language: "Jupyter Notebook", stars: 20
    ).with { ($0.createdAt, $0.updatedAt, $0.pushedAt) = (day(40), day(1000), day(1000)) },
  ]

  private static let files = [
    FakeFile(
      repository: "owner/http-client", path: "Sources/Client.swift",
      content: "import http\n\nlet http = Client()\n", language: "Swift"),
    FakeFile(
      repository: "other/http-client-kit", path: "src/größe/lib.rs", content: "use http;\n", language: "Rust"),
  ]

  private static let issues = [
    issue(1, "http requests hang") {
      ($0.body, $0.author, $0.labels) = ("They never end.", "http-ada", ["bug", "help wanted"])
      ($0.comments, $0.reactions, $0.assignees, $0.milestone) = (12, 5, ["http-bao"], "1.0")
    },
    issue(2, "Repair http/2") {
      ($0.isPullRequest, $0.isOpen, $0.author) = (true, false, "http-bao")
      ($0.closedAt, $0.mergedAt) = (day(1300), day(1300))
    },
    issue(3, "A draft about http") { ($0.isPullRequest, $0.isDraft, $0.author) = (true, true, nil) },
    issue(4, "No http, please") {
      ($0.isOpen, $0.stateReason, $0.closedAt, $0.isLocked) = (false, "not_planned", day(1250), true)
    },
  ]

  private static func issue(_ number: Int, _ title: String, _ change: (inout FakeIssue) -> Void) -> FakeIssue
  {
    var issue = FakeIssue(repository: "owner/http-client", number: number, title: title)
    (issue.createdAt, issue.updatedAt) = (day(1000 + number), day(1300 + number))
    change(&issue)
    return issue
  }

  private static let commits = [
    FakeCommit(
      repository: "owner/http-client", sha: String(repeating: "a1b2c3d4", count: 5),
      message: "Repair http\n\nIt was broken.\n",
      author: .init(login: "http-ada", name: "Ada", date: day(1200))),
    FakeCommit(
      repository: "other/http-client-kit", sha: String(repeating: "0f1e2d3c", count: 5), message: "Drop http",
      author: .init(login: nil, name: "Nobody", date: day(1100))),
  ]

  private static let users = [
    user("http-ada", 1) {
      ($0.name, $0.bio, $0.company, $0.location) = ("Ada", "I like http.", "Analytical", "London")
      ($0.followers, $0.repositories, $0.email) = (1234, 56, "ada@example.com")
    },
    user("http-bao", 2) { _ in },
    user("http-labs", 3) { ($0.isOrganization, $0.repositories) = (true, 7) },
  ]

  private static func user(_ login: String, _ id: Int, _ change: (inout FakeAccount) -> Void) -> FakeAccount {
    var account = FakeAccount(login: login, id: id)
    account.createdAt = day(id)
    change(&account)
    return account
  }

  private static let topics = [
    topic("http") {
      ($0.displayName, $0.shortDescription, $0.isCurated, $0.isFeatured) = ("HTTP", "A protocol.", true, true)
      $0.description = "HTTP is a protocol, with which pages are read."
    },
    topic("http-client") { _ in },
  ]

  private static func topic(_ name: String, _ change: (inout FakeTopic) -> Void) -> FakeTopic {
    var topic = FakeTopic(name: name)
    (topic.createdAt, topic.updatedAt) = (day(50), day(1500))
    change(&topic)
    return topic
  }

  /// A plugin `acme` with two repositories, of which the first is related to one of GitHub.
  static let plugin = #"""
    import json, sys

    def send(message):
        sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
        sys.stdout.flush()

    def item(name, stars, **more):
        return dict({"id": name, "kind": "repo", "title": "acme/" + name, "url": "https://acme.example/acme/" + name,
                     "fields": {"stars": stars, "language": "Swift", "description": "An http tool"}}, **more)

    for line in sys.stdin:
        call = json.loads(line)
        if call["method"] == "initialize":
            send({"id": call["id"], "result": {"protocol": 1, "version": "1"}})
        elif "id" in call:
            items = [item("http-kit", 12, related=[{"url": "https://github.com/owner/http-client", "why": "repository"}]),
                     item("http-lib", 7)]
            send({"method": "search/items", "params": {"id": call["id"], "items": items}})
            send({"id": call["id"], "result": {"count": 2}})
    """#

  /// The answer of the server that the manifest of `shop` asks.
  static let shop: LoopbackServer.Handler = { _ in
    .json(
      body:
        #"{"items": [{"name": "http-pack", "about": "All of http"}, {"name": "http-box", "about": "Some"}]}"#)
  }
}
