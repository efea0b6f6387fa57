import ForageCore

extension GitHubKind {
  /// Files. Source: GitHub's documentation "Searching code (legacy)", the code search of the REST API.
  static let code = GitHubKind(
    .code, path: "code", common: ["path", "language", "fork", "in"],
    own: BelongingRepository.qualifiers + [
      // The size of a file in bytes, unlike the size of a repository.
      ("size", .number, nil), ("filename", .text, nil), ("extension", .text, nil),
    ],
    read: members, fields: [.host, .path, .repository, .ref, .fragments],
    required: ["path", "html_url"],
    sorts: ["indexed"], accept: GitHubClient.textMatches, needsToken: true, wordsOr: ["filename"]
  ) { item, _ in file(item) }

  private static let members = [
    AnswerField(.name, "name"), AnswerField(.sha, "sha"),
    AnswerField(.language, "language"), AnswerField(.isPrivate, "private", of: "repository"),
  ]

  /// A file in which code search found a match. Only path and address are required.
  private static func file(_ item: JSONTree) -> SearchResult? {
    guard let path = item.words("path"), let page = item.text("html_url"),
      let repository = BelongingRepository(item["repository"], page: page),
      let ref = ref(of: path, page: page)
    else { return nil }
    var result = SearchResult(
      id:
        "\(repository.id)/blob/\(PercentEncoding.encodeInvisible(ref))/\(PercentEncoding.encodeInvisible(path))",
      kind: .code, title: path)
    result.setPage(page)
    result.read(members, from: item)
    result.set(.host, repository.host)
    result.set(.path, path)
    result.set(.repository, repository.id)
    result.set(.ref, ref)
    // Matches in the path are not repeated as fragments.
    let fragments = item.objects("text_matches", upTo: TextMatch.maximumCount)
      .compactMap { TextMatch($0) }.filter { $0.property != "path" }.map(\.value)
    if !fragments.isEmpty { result[.fragments] = .items(fragments) }
    return result
  }

  /// The branch, tag or commit, from an address of the form `https://HOST/OWNER/NAME/blob/REF/PATH`.
  private static func ref(of path: String, page: String) -> String? {
    let parts = page.prefix { $0 != "?" && $0 != "#" }.split(
      separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
    guard parts.count == 7, parts[5] == "blob" else { return nil }
    let rest = Array(PercentEncoding.decode(parts[6]).utf8)
    let end = Array(("/" + path).utf8)
    let ref =
      rest.count > end.count && rest.suffix(end.count).elementsEqual(end)
      ? rest.dropLast(end.count) : rest.prefix { $0 != UInt8(ascii: "/") }
    return ref.isEmpty ? nil : String(decoding: ref, as: UTF8.self)
  }
}
