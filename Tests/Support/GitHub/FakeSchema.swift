/// What GitHub promises of the answers that `FakeGitHub` gives, as a compact table of facts: the names and
/// types of members.
///
/// A word of a table is `name:type`; a tilde before it says that the member may be missing. Types are `s`,
/// `i`, `n`, `b`, `o` and `a` for a string, a whole number, any number, a truth value, an object and an
/// array; a question mark allows null; `=TABLE` names the table of the object, or of the array's elements.
/// Source: GitHub's OpenAPI description, the schemas of the search results.
public enum FakeSchema {
  /// What is wrong with a body: missing members, wrong types, members that the real service does not have;
  /// none when it is sound.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - endpoint: the path below the API's root.
  public static func faults(of body: FakeJSON, endpoint: String) -> [String] {
    guard let item = items[endpoint] else { return ["there is no table for \(endpoint)"] }
    return faults(
      of: body, words("total_count:i incomplete_results:b items:a=" + item), at: "answer")
  }

  /// The endpoints that have a table, sorted.
  public static var endpoints: [String] { items.keys.sorted() }

  private static let items = [
    "/search/repositories": "repository", "/search/code": "file", "/search/issues": "issue",
    "/search/commits": "commit", "/search/users": "user", "/search/topics": "topic",
  ]

  private static let tables = [
    "account": account, "user": account + " score:n", "minimal": named + " " + below,
    "repository": named + " " + below + " " + about, "file": file, "issue": issue, "pull": pull,
    "label": "id:i node_id:s url:s name:s color:s default:b description:s?", "milestone": milestone,
    "reactions": "url:s total_count:i +1:i -1:i laugh:i confused:i heart:i hooray:i eyes:i rocket:i",
    "commit": commit, "gitcommit": gitCommit, "signature": "name:s email:s date:s",
    "tree": "sha:s url:s", "parent": "url:s html_url:s sha:s", "topic": topic, "matches": matches,
    "match": "text:s indices:a", "license": "key:s name:s spdx_id:s? url:s? node_id:s",
  ]

  static let account = """
    login:s id:i node_id:s avatar_url:s gravatar_id:s? url:s html_url:s followers_url:s following_url:s gists_url:s
    starred_url:s subscriptions_url:s organizations_url:s repos_url:s events_url:s received_events_url:s type:s
    site_admin:b ~user_view_type:s
    """
  private static let named = """
    id:i node_id:s name:s full_name:s owner:o=account private:b html_url:s description:s? fork:b url:s
    """
  private static let below = """
    archive_url:s assignees_url:s blobs_url:s branches_url:s collaborators_url:s comments_url:s commits_url:s compare_url:s
    contents_url:s contributors_url:s deployments_url:s downloads_url:s events_url:s forks_url:s git_commits_url:s
    git_refs_url:s git_tags_url:s issue_comment_url:s issue_events_url:s issues_url:s keys_url:s labels_url:s
    languages_url:s merges_url:s milestones_url:s notifications_url:s pulls_url:s releases_url:s stargazers_url:s
    statuses_url:s subscribers_url:s subscription_url:s tags_url:s teams_url:s trees_url:s hooks_url:s
    """
  private static let about = """
    created_at:s updated_at:s pushed_at:s? homepage:s? size:i stargazers_count:i watchers_count:i language:s?
    forks_count:i open_issues_count:i default_branch:s score:n git_url:s ssh_url:s clone_url:s svn_url:s forks:i
    open_issues:i watchers:i mirror_url:s? has_issues:b has_projects:b has_pages:b has_wiki:b ~has_downloads:b archived:b
    disabled:b license:o?=license ~topics:a ~visibility:s ~allow_forking:b ~is_template:b ~has_discussions:b
    ~web_commit_signoff_required:b
    """
  private static let file = """
    name:s path:s sha:s url:s git_url:s html_url:s repository:o=minimal score:n ~file_size:i ~language:s?
    ~last_modified_at:s ~line_numbers:a ~text_matches:a=matches
    """
  private static let matches = "object_url:s object_type:s? property:s fragment:s matches:a=match"
  static let issue = """
    url:s repository_url:s labels_url:s comments_url:s events_url:s html_url:s id:i node_id:s number:i title:s locked:b
    user:o?=account labels:a=label state:s assignee:o?=account milestone:o?=milestone comments:i created_at:s updated_at:s
    closed_at:s? score:n author_association:s ~active_lock_reason:s? ~assignees:a?=account ~state_reason:s?
    ~pull_request:o=pull ~body:s ~draft:b ~timeline_url:s ~performed_via_github_app:o? ~reactions:o=reactions
    """
  private static let pull = "~merged_at:s? diff_url:s? html_url:s? patch_url:s? url:s?"
  private static let milestone = """
    url:s html_url:s labels_url:s id:i node_id:s number:i state:s title:s description:s? creator:o?=account open_issues:i
    closed_issues:i created_at:s updated_at:s closed_at:s? due_on:s?
    """
  static let commit = """
    url:s sha:s html_url:s comments_url:s commit:o=gitcommit author:o?=account committer:o?=account parents:a=parent
    repository:o=minimal score:n node_id:s
    """
  private static let gitCommit = """
    author:o=signature committer:o?=signature comment_count:i message:s tree:o=tree url:s
    """
  private static let topic = """
    name:s display_name:s? short_description:s? description:s? created_by:s? released:s? created_at:s updated_at:s
    featured:b curated:b score:n ~repository_count:i? ~logo_url:s?
    """

  /// One word of a table.
  struct Word: Sendable {
    var name: String
    var type: Character
    var isOptional: Bool
    var isNullable: Bool
    var table: String?
  }

  static func words(_ text: String) -> [Word] {
    text.split(whereSeparator: \.isWhitespace).map { word in
      let bare = word.drop { $0 == "~" }
      let colon = bare.lastIndex(of: ":") ?? bare.endIndex
      let type = bare[colon...].dropFirst()
      return Word(
        name: String(bare[..<colon]), type: type.first ?? "s", isOptional: word.hasPrefix("~"),
        isNullable: type.contains("?"),
        table: type.firstIndex(of: "=").map { String(type[type.index(after: $0)...]) })
    }
  }

  /// The tables in parts, each read once.
  private static let read = tables.mapValues(words)

  static func faults(of json: FakeJSON, _ words: [Word], at place: String) -> [String] {
    guard case .object(let members) = json else { return ["\(place) is no object"] }
    var faults: [String] = []
    let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    if values.count < members.count { faults.append("\(place) has a member twice") }
    for word in words {
      guard let value = values[word.name] else {
        if !word.isOptional { faults.append("\(place) has no \(word.name)") }
        continue
      }
      faults += Self.faults(of: value, word, at: place + "." + word.name)
    }
    let known = Set(words.map(\.name))
    return faults
      + members.filter { !known.contains($0.name) }.map { "\(place) has an unknown \($0.name)" }
  }

  private static func faults(of value: FakeJSON, _ word: Word, at place: String) -> [String] {
    let table = word.table.flatMap { read[$0] }
    if word.table != nil, table == nil { return ["there is no table for \(place)"] }
    switch (word.type, value) {
    case (_, .null): return word.isNullable ? [] : ["\(place) is null"]
    case ("s", .string), ("i", .int), ("n", .int), ("n", .double), ("b", .bool): return []
    case ("o", .object): return table.map { faults(of: value, $0, at: place) } ?? []
    case ("a", .array(let values)):
      guard let table else { return [] }
      return values.flatMap { faults(of: $0, table, at: place) }
    default: return ["\(place) has another type"]
    }
  }
}
