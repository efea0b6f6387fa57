import ForageCore

extension GitHubKind {
  /// Files. Source: GitHub's documentation "Searching code (legacy)", the code search of the REST API.
  static let code = GitHubKind(
    .code, path: "code", reading: CodeResponse.self, common: ["path", "language", "fork", "in"],
    own: BelongingRepository.qualifiers + [
      // The size of a file in bytes, unlike the size of a repository.
      ("size", .number, nil), ("filename", .text, nil), ("extension", .text, nil),
    ],
    fields: [.host, .name, .path, .repository, .ref, .sha, .language, .isPrivate, .fragments],
    sorts: ["indexed"], accept: GitHubClient.textMatches, needsToken: true, wordsOr: ["filename"])
}

/// A file in which code search found a match. Only path and address are required.
struct CodeResponse: GitHubItem {
  var path: String
  var htmlURL: String
  var name: String?
  var sha: String?
  var language: String?
  var isPrivate: Bool?
  var repository: BelongingRepository?
  var matches: [TextMatch]

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    path = try object.required("path", object.text("path"))
    htmlURL = try object.required("html_url", object.text("html_url"))
    name = object.text("name")
    sha = object.text("sha")
    language = object.text("language")
    let owner = object.object("repository")
    isPrivate = owner?.flag("private")
    repository = BelongingRepository(owner, page: htmlURL)
    matches = object.objects("text_matches", upTo: TextMatch.maximumCount).compactMap(TextMatch.init)
  }

  func result(on host: String) -> SearchResult? {
    guard let repository, let ref, !path.isEmpty else { return nil }
    var item = SearchResult(
      id: "\(repository.id)/blob/\(Self.plain(ref))/\(Self.plain(path))", kind: .code, title: path)
    item.setPage(htmlURL)
    item.set(.host, repository.host)
    item.set(.name, name)
    item.set(.path, path)
    item.set(.repository, repository.id)
    item.set(.ref, ref)
    item.set(.sha, sha)
    item.set(.language, language)
    item.set(.isPrivate, isPrivate)
    // Matches in the path are not repeated as fragments.
    let fragments = matches.filter { $0.property != "path" }.map(\.value)
    if !fragments.isEmpty { item[.fragments] = .items(fragments) }
    return item
  }

  /// The branch, tag or commit, from an address of the form `https://HOST/OWNER/NAME/blob/REF/PATH`.
  private var ref: String? {
    let parts = htmlURL.prefix { $0 != "?" && $0 != "#" }.split(
      separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
    guard parts.count == 7, parts[5] == "blob" else { return nil }
    let rest = Array(PercentEncoding.decode(parts[6]).utf8)
    let end = Array(("/" + path).utf8)
    let ref =
      rest.count > end.count && rest.suffix(end.count).elementsEqual(end)
      ? rest.dropLast(end.count) : rest.prefix { $0 != UInt8(ascii: "/") }
    return ref.isEmpty ? nil : String(decoding: ref, as: UTF8.self)
  }

  /// Percent-encodes control and invisible formatting characters, which a path may contain, for use in an id.
  private static func plain(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += PercentEncoding.encode(String(scalar))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
