import Foundation

/// A file on the default branch of a repository that `FakeGitHub` knows.
public struct FakeFile: Sendable, Hashable {
  /// `owner/name`.
  public var repository: String
  /// The place within the repository.
  public var path: String
  /// The whole text.
  public var content: String
  /// The language.
  public var language: String?
  /// The commit at which it was found.
  public var commit: String

  /// Makes a file.
  public init(repository: String, path: String, content: String, language: String? = nil) {
    self.repository = repository
    self.path = path
    self.content = content
    self.language = language
    commit = FakeCommit.digest(of: repository)
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The path with each part percent-encoded.
  var encodedPath: String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
        ?? ""
    }.joined(separator: "/")
  }
}

extension FakeSearch where Item == FakeFile {
  /// `GET /search/code`, which wants a word, or at least a file's name.
  static let code = FakeSearch(
    qualifiers: [
      "in", "user", "org", "repo", "path", "language", "size", "filename", "extension", "fork",
    ],
    scopes: ["file"],
    texts: { [("file", $0.content), ("path", $0.path)] },
    satisfies: { file, name, value in
      let lower = value.lowercased()
      return switch name {
      case "user", "org": file.repository.lowercased().hasPrefix(lower + "/")
      case "repo": file.repository.lowercased() == lower
      case "path": isBelow(file.path.lowercased(), lower)
      case "language": file.language.map(FakeQuery.normal) == FakeQuery.normal(value)
      case "size": FakeQuery.number(value, file.content.utf8.count)
      case "filename": file.name.lowercased().contains(lower)
      case "extension": file.name.lowercased().hasSuffix("." + lower)
      default: true
      }
    },
    sorts: ["indexed": { Double(FakeAccount.number(of: $0.repository + $0.path)) }],
    repository: { $0.repository },
    problem: { query in
      if !query.positiveWords.isEmpty || !query.values(of: ["filename"]).isEmpty { return nil }
      return [
        "message": "Must include at least one search term.", "resource": "Search", "field": "q",
        "code": "invalid",
      ]
    },
    json: item)

  /// Whether a file lies in a folder; the folder `/` holds just what lies in none.
  private static func isBelow(_ path: String, _ folder: String) -> Bool {
    if folder == "/" { return !path.contains("/") }
    return ("/" + path).contains("/" + folder.trimmingCharacters(in: ["/"]) + "/")
  }

  private static func item(_ file: FakeFile, _ rendering: FakeRendering) -> FakeJSON {
    let repository = rendering.repository(file.repository)
    let blob = FakeCommit.digest(of: file.content)
    let api = "\(rendering.links.api)/repositories/\(repository.id)"
    let url = "\(api)/contents/\(file.encodedPath)?ref=\(file.commit)"
    let page = "\(rendering.links.web)/\(file.repository)/blob/\(file.commit)/\(file.encodedPath)"
    let all: [(String, FakeJSON)] = [
      ("name", .string(file.name)), ("path", .string(file.path)), ("sha", .string(blob)),
      ("url", .string(url)), ("git_url", .string("\(api)/git/blobs/\(blob)")),
      ("html_url", .string(page)), ("repository", repository.minimal(rendering.links)), ("score", 1.0),
    ]
    var members = all.map { FakeJSON.Member(name: $0.0, value: $0.1) }
    if let matches = rendering.textMatches(file.content, property: "content", type: "FileContent", url: url) {
      members.append(.init(name: "text_matches", value: matches))
    }
    return .object(members)
  }
}
