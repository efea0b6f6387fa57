import ForageCore
import ForagePlatform

extension GitHubKind {
  /// Files. Source: GitHub's documentation "Searching code (legacy)", the code search of the REST API.
  static let code = GitHubKind(
    .code, path: "code", common: BelongingRepository.qualifiers + ["path", "language", "fork", "in"],
    own: [
      // The size of a file in bytes, unlike the size of a repository.
      ("size", .number, nil), ("filename", .text, nil), ("extension", .text, nil),
    ],
    read: members, fields: [.host, .path, .repository, .ref, .fragments, .truncated],
    required: ["path", "html_url"],
    sorts: ["indexed"], accept: GitHubClient.textMatches, needsToken: true, wordsOr: ["filename"],
    reachable: GitHubProvider.reachable
  ) { item, _ in file(item) }

  private static let members = [
    ResponseField(.name, "name"), ResponseField(.sha, "sha"),
    ResponseField(.language, "language"), ResponseField(.isPrivate, "private", of: "repository"),
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
    result.set(.repository, repository.name)
    result.set(.ref, ref)
    // Matches in the path are not repeated as fragments.
    let fragments = item.objects("text_matches", upTo: TextMatch.maximumCount)
      .compactMap { TextMatch($0) }.filter { $0.property != "path" }.map(\.value)
    if !fragments.isEmpty { result[.fragments] = .items(fragments) }
    if fragments.count >= TextMatch.usualCount { result.set(.truncated, true) }
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

/// A fragment of text with the positions of the query's words.
struct TextMatch {
  /// The number of fragments that GitHub returns for a file with any more.
  static let usualCount = 2
  /// The maximum number of fragments to decode for an item.
  static let maximumCount = 20
  /// The maximum number of positions to decode for a fragment.
  static let maximumPlaces = 200

  /// What the fragment comes from: `content` or `path` of a file.
  var property: String?
  var fragment: String
  /// The positions as ranges of Unicode scalars.
  var places: [Range<Int>]

  init?(_ object: JSONTree) {
    guard let fragment = object.text("fragment"), !fragment.isEmpty else { return nil }
    self.fragment = fragment
    property = object.text("property")
    let reported = object.objects("matches", upTo: Self.maximumPlaces).compactMap { match -> ReportedMatch? in
      guard let indices = match["indices"]?.array, indices.count == 2, let start = indices[0].offset,
        let end = indices[1].offset, start < end
      else { return nil }
      return ReportedMatch(text: match.text("text"), range: start.value..<end.value)
    }
    places = Self.places(reported, in: fragment)
  }

  var value: FieldValue {
    .record([
      "text": .text(fragment),
      "matches": .items(places.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
    ])
  }

  /// A position as the response reports it.
  struct ReportedMatch {
    var text: String?
    var range: Range<Int>
  }

  /// The positions as ranges of Unicode scalars.
  ///
  /// GitHub does not document the unit of its offsets. Each position comes with its text, so the unit is
  /// chosen for which the most positions match their text: code points, then UTF-16, then UTF-8. Positions
  /// that match in no unit are dropped.
  static func places(_ reported: [ReportedMatch], in fragment: String) -> [Range<Int>] {
    let scalars = Array(fragment.unicodeScalars)
    var best: [Range<Int>] = []
    for width in [{ _ in 1 }, { UTF16.width($0) }, { UTF8.width($0) }] as [(Unicode.Scalar) -> Int] {
      let found = converted(reported, scalars, width: width)
      if found.count > best.count { best = found }
      if best.count == reported.count { break }
    }
    return best
  }

  /// The positions that match their text if offsets are in a given unit.
  private static func converted(
    _ reported: [ReportedMatch], _ scalars: [Unicode.Scalar], width: (Unicode.Scalar) -> Int
  ) -> [Range<Int>] {
    var scalarAt: [Int: Int] = [:]
    var offset = 0
    for (index, scalar) in scalars.enumerated() {
      scalarAt[offset] = index
      offset += width(scalar)
    }
    scalarAt[offset] = scalars.count
    return reported.compactMap { match in
      guard let start = scalarAt[match.range.lowerBound], let end = scalarAt[match.range.upperBound] else {
        return nil
      }
      if let text = match.text, !text.unicodeScalars.elementsEqual(scalars[start..<end]) { return nil }
      return start..<end
    }
  }
}
