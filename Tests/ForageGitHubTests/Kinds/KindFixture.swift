import ForageCore
import Foundation
import Testing

@testable import ForageGitHub

/// The least that an answer must say of an item of one kind, and what may be missing.
struct KindFixture: Sendable, CustomStringConvertible {
  var kind: ResultKind
  /// The members that name the item.
  var required: String
  /// The id that they make.
  var id: String
  /// The fields that follow from them.
  var fields: Set<ResultField>
  /// Members that may be missing, null or odd.
  var optional: [String]
  /// Bodies that name nothing.
  var bad: [String]
  /// Reads one item.
  var read: @Sendable (_ json: String) throws -> SearchResult?

  var description: String { kind.rawValue }

  /// The item with further members.
  func item(_ members: String = "") throws -> SearchResult? {
    try read("{" + required + (members.isEmpty ? "" : "," + members) + "}")
  }

  private static func reader(_ kind: GitHubKind) -> @Sendable (String) throws -> SearchResult? {
    { kind.item(try JSONTree(json: $0), "github.com") }
  }

  static let sha = "0123456789abcdef0123456789ABCDEF01234567"

  static let all = [
    KindFixture(
      kind: .code,
      required:
        #""path":"Sources/a b.swift","html_url":"https://github.com/Ada/Kit/blob/main/Sources/a%20b.swift""#,
      id: "github.com/ada/kit/blob/main/Sources/a b.swift",
      fields: [.host, .path, .repository, .ref],
      optional: [
        "name", "sha", "language", "repository", "text_matches", "line_numbers", "score", "git_url",
      ],
      bad: [
        #"{"path":"a"}"#, #"{"html_url":"https://github.com/o/n/blob/x/a"}"#,
        #"{"path":"a","html_url":"nowhere"}"#, #"{"path":"a","html_url":"https://github.com/o/n"}"#,
        #"{"path":"","html_url":"https://github.com/o/n/blob/x/"}"#,
        #"{"path":7,"html_url":"https://github.com/o/n/blob/x/a"}"#,
      ], read: reader(.code)),
    KindFixture(
      kind: .issue,
      required: #""number":7,"title":"It leaks","html_url":"https://github.com/Ada/Kit/issues/7""#,
      id: "github.com/ada/kit#7", fields: [.host, .repository, .number, .isPullRequest],
      optional: [
        "id", "state", "state_reason", "locked", "user", "labels", "assignees", "milestone", "comments",
        "reactions", "draft", "created_at", "updated_at", "closed_at", "repository", "type", "something_new",
      ],
      bad: [
        #"{"number":7,"title":"x"}"#,
        #"{"number":0,"title":"x","html_url":"https://github.com/o/n/issues/0"}"#,
        #"{"number":"x","title":"x","html_url":"https://github.com/o/n/issues/1"}"#,
        #"{"number":1,"title":null,"html_url":"https://github.com/o/n/issues/1"}"#,
        #"{"number":1,"title":"x","html_url":"issues/1"}"#,
      ], read: reader(.issues)),
    KindFixture(
      kind: .commit, required: "\"sha\":\"\(sha)\",\"html_url\":\"https://github.com/Ada/Kit/commit/\(sha)\"",
      id: "github.com/ada/kit@" + sha.lowercased(), fields: [.host, .repository, .sha],
      optional: ["commit", "author", "committer", "parents", "repository", "node_id", "text_matches"],
      bad: [
        #"{"sha":"abc","html_url":"https://github.com/o/n/commit/abc"}"#, "{\"sha\":\"\(sha)\"}",
        "{\"sha\":\"\(sha)\",\"html_url\":\"\"}", #"{"sha":null,"html_url":"https://github.com/o/n"}"#,
      ], read: reader(.commits)),
    KindFixture(
      kind: .user, required: #""login":"Ada","html_url":"https://github.com/Ada""#, id: "github.com/@ada",
      fields: [.host, .login],
      optional: [
        "id", "name", "bio", "type", "avatar_url", "blog", "location", "followers", "public_repos",
        "created_at", "updated_at", "hireable",
      ],
      bad: [
        #"{"login":"x"}"#, #"{"login":"","html_url":"https://github.com/x"}"#,
        #"{"login":3,"html_url":"https://github.com/x"}"#, #"{"login":"x","html_url":"x"}"#,
      ], read: reader(.users)),
    KindFixture(
      kind: .topic, required: #""name":"swift""#, id: "github.com/topics/swift", fields: [.host, .name],
      optional: [
        "display_name", "short_description", "description", "created_by", "released", "featured", "curated",
        "repository_count", "created_at", "updated_at", "logo_url", "related", "aliases",
      ],
      bad: [#"{}"#, #"{"name":null}"#, #"{"name":""}"#, #"{"name":"a/b"}"#, #"{"name":"a\nb"}"#],
      read: reader(.topics)),
  ]
}

extension JSONTree {
  init(json: String) throws { try self.init(parsing: json.utf8) }
}
