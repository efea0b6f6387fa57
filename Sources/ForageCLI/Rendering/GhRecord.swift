import Forage
import ForageCore

/// The records that `gh search … --json` prints. Source: `pkg/search/result.go` of gh.
extension GhSearch {
  /// The fields that `--json` takes.
  var fields: DocumentFields { DocumentFields(members.map(\.name), list: "items", isSorted: true) }

  /// A result of a forge that keeps its answers, as gh prints it.
  func document(_ result: SearchResult) -> JSONTree {
    let answer = Answer(value: result[.answer])
    return .object(members.map { ($0.name, $0.value(answer)) })
  }

  private typealias Member = (name: String, value: @Sendable (Answer) -> JSONTree)

  private var members: [Member] {
    switch self {
    case .repos: Self.membersOfRepositories
    case .issues: Self.membersOfIssues
    case .prs: Self.membersOfIssues + [Self.isDraft]
    case .commits: Self.membersOfCommits
    }
  }

  private static let isDraft: Member = (
    "isDraft", { $0["draft"].value == nil ? .null : $0["draft"].flag }
  )

  private static let membersOfRepositories: [Member] = [
    ("createdAt", { $0["created_at"].time }), ("defaultBranch", { $0["default_branch"].text }),
    ("description", { $0["description"].text }), ("forksCount", { $0["forks_count"].number }),
    ("fullName", { $0["full_name"].text }), ("hasDownloads", { $0["has_downloads"].flag }),
    ("hasIssues", { $0["has_issues"].flag }), ("hasPages", { $0["has_pages"].flag }),
    ("hasProjects", { $0["has_projects"].flag }), ("hasWiki", { $0["has_wiki"].flag }),
    ("homepage", { $0["homepage"].text }), ("id", { $0["node_id"].text }),
    ("isArchived", { $0["archived"].flag }), ("isDisabled", { $0["disabled"].flag }),
    ("isFork", { $0["fork"].flag }), ("isPrivate", { $0["private"].flag }),
    ("language", { $0["language"].text }), ("license", { $0["license"].texts(["key", "name", "url"]) }),
    ("name", { $0["name"].text }), ("openIssuesCount", { $0["open_issues_count"].number }),
    ("owner", { $0["owner"].account }), ("pushedAt", { $0["pushed_at"].time }),
    ("size", { $0["size"].number }), ("stargazersCount", { $0["stargazers_count"].number }),
    ("updatedAt", { $0["updated_at"].time }), ("url", { $0["html_url"].text }),
    ("visibility", { $0["visibility"].text }), ("watchersCount", { $0["watchers_count"].number }),
  ]

  private static let membersOfIssues: [Member] = [
    ("assignees", { .array($0["assignees"].elements.map(\.account)) }), ("author", { $0["user"].account }),
    ("authorAssociation", { $0["author_association"].text }), ("body", { $0["body"].text }),
    ("closedAt", { $0["closed_at"].time }), ("commentsCount", { $0["comments"].number }),
    ("createdAt", { $0["created_at"].time }), ("id", { $0["node_id"].text }),
    ("isLocked", { $0["locked"].flag }),
    ("isPullRequest", { .bool($0["pull_request"]["html_url"].value?.text?.isEmpty == false) }),
    (
      "labels",
      {
        .array(
          $0["labels"].elements.map { label in
            JSONTree([
              "color": label["color"].text, "description": label["description"].text,
              "id": label["node_id"].text, "name": label["name"].text,
            ])
          })
      }
    ),
    ("number", { $0["number"].number }),
    (
      "repository",
      {
        let parts = ($0["repository_url"].value?.text ?? "").split(
          separator: "/", omittingEmptySubsequences: false
        ).map(String.init)
        return JSONTree(["name": parts.last ?? "", "nameWithOwner": parts.suffix(2).joined(separator: "/")])
      }
    ),
    ("state", { $0["pull_request"]["merged_at"].value == nil ? $0["state"].text : .string("merged") }),
    ("title", { $0["title"].text }), ("updatedAt", { $0["updated_at"].time }),
    ("url", { $0["html_url"].text }),
  ]

  private static let membersOfCommits: [Member] = [
    ("author", { $0["author"].account }),
    (
      "commit",
      {
        let commit = $0["commit"]
        return JSONTree([
          "author": commit["author"].signature, "comment_count": commit["comment_count"].number,
          "committer": commit["committer"].signature, "message": commit["message"].text,
          "tree": commit["tree"].texts(["sha"]),
        ])
      }
    ),
    ("committer", { $0["committer"].account }), ("sha", { $0["sha"].text }), ("id", { $0["node_id"].text }),
    (
      "parents",
      {
        .array($0["parents"].elements.map { JSONTree(["sha": $0["sha"].text, "url": $0["html_url"].text]) })
      }
    ),
    (
      "repository",
      {
        let repository = $0["repository"]
        return JSONTree([
          "description": repository["description"].text, "fullName": repository["full_name"].text,
          "id": repository["node_id"].text, "isFork": repository["fork"].flag,
          "isPrivate": repository["private"].flag, "name": repository["name"].text,
          "owner": repository["owner"].account, "url": repository["html_url"].text,
        ])
      }
    ),
    ("url", { $0["html_url"].text }),
  ]
}

/// A value of an answer, which may be missing: gh prints an empty text, 0, `false` or the year 1 for it.
private struct Answer {
  var value: FieldValue?

  subscript(name: String) -> Answer { Answer(value: value?[name]) }

  var text: JSONTree { .string(value?.text ?? "") }
  var number: JSONTree { .integer(value?.number ?? 0) }
  var flag: JSONTree { .bool(value?.flag ?? false) }
  var elements: [Answer] { (value?.elements ?? []).map { Answer(value: $0) } }

  /// A time without zeros behind its fraction of a second.
  var time: JSONTree {
    guard var text = value?.text else { return .string("0001-01-01T00:00:00Z") }
    // Go writes the zone of UTC as a letter.
    if text.hasSuffix("+00:00") { text = text.dropLast(6) + "Z" }
    guard let point = text.firstIndex(of: ".") else { return .string(text) }
    let digits = text[text.index(after: point)...].prefix { $0.isNumber }
    let zone = text[digits.endIndex...]
    let fraction = String(digits.reversed().drop { $0 == "0" }.reversed())
    return .string(text[..<point] + (fraction.isEmpty ? "" : "." + fraction) + zone)
  }

  func texts(_ names: [String]) -> JSONTree { .object(names.map { ($0, self[$0].text) }) }

  /// Who is named in a commit.
  var signature: JSONTree {
    JSONTree(["date": self["date"].time, "email": self["email"].text, "name": self["name"].text])
  }

  /// An account; one without an id is an app.
  var account: JSONTree {
    let login = self["login"].value?.text ?? ""
    let isApp = (self["node_id"].value?.text ?? "").isEmpty
    return JSONTree([
      "id": self["node_id"].text, "is_bot": isApp, "login": isApp ? "app/" + login : login,
      "type": self["type"].text, "url": self["html_url"].text,
    ])
  }
}
