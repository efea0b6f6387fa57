import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The languages of a repository: an object of byte counts by name.
struct LanguagesAnswer: Decodable, Sendable {
  /// The maximum number of languages to decode, above that of any repository.
  private static let maximum = 500

  private var bytes: [String: Int]

  init(from decoder: any Decoder) throws {
    let counts = try decoder.singleValueContainer().decode([String: Lenient<Int>].self)
    bytes = counts.compactMapValues { $0.value.flatMap { $0 > 0 ? $0 : nil } }
  }

  /// The languages with their shares, in descending order.
  var value: FieldValue? {
    let sorted = bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.maximum)
    let total = sorted.reduce(0.0) { $0 + Double($1.value) }
    guard total > 0 else { return nil }
    return .items(
      sorted.map { name, bytes in
        .record([
          "name": .text(name), "bytes": .number(bytes), "share": .fraction(Double(bytes) / total),
        ])
      })
  }
}

/// The latest release of a repository.
struct ReleaseAnswer: Decodable, Sendable {
  private var tag: String?
  private var name: String?
  private var publishedAt: String?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    tag = object.text("tag_name")
    name = object.text("name")
    publishedAt = object.text("published_at")
  }

  /// The release; `nil` without a tag.
  var value: FieldValue? {
    guard let tag, !tag.isEmpty else { return nil }
    var members: [String: FieldValue] = ["tag": .text(tag)]
    if let name, !name.isEmpty { members["name"] = .text(name) }
    if let date = GitHubTime.date(publishedAt) { members["publishedAt"] = .date(date) }
    return .record(members)
  }
}

/// The contributors with the most commits.
struct ContributorsAnswer: Decodable, Sendable {
  /// The maximum number of contributors to decode; requests ask for fewer.
  private static let maximum = 100

  private struct Contributor: Decodable, Sendable {
    var login: String?
    var name: String?
    var commits: Int

    init(from decoder: any Decoder) throws {
      let object = try AnswerObject(from: decoder)
      login = object.text("login")
      name = object.text("name")
      commits = try object.required("contributions", object.number("contributions"))
    }
  }

  private var people: [Contributor] = []

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd, people.count < Self.maximum {
      if let person = try list.decode(Lenient<Contributor>.self).value { people.append(person) }
    }
  }

  /// The contributors in GitHub's order (most commits first), without those that have no name.
  var value: FieldValue? {
    let records = people.compactMap { person -> FieldValue? in
      if let login = person.login, !login.isEmpty {
        return .record(["login": .text(login), "commits": .number(person.commits)])
      }
      guard let name = person.name, !name.isEmpty else { return nil }
      return .record(["name": .text(name), "commits": .number(person.commits)])
    }
    return records.isEmpty ? nil : .items(records)
  }
}

/// A file with its content, as `contents` and `readme` return it.
struct FileAnswer: GitHubItem {
  /// The maximum size of the text in bytes; the API returns no content above it.
  static let maximumText = 1 << 20

  private var type: String?
  private var name: String?
  private var path: String?
  private var sha: String?
  private var size: Int?
  private var htmlURL: String?
  private var encoding: String?
  private var content: String?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    type = object.text("type")
    name = object.text("name")
    path = object.text("path")
    sha = object.text("sha")
    size = object.number("size")
    htmlURL = object.text("html_url")
    encoding = object.text("encoding")
    content = object.text("content")
  }

  /// The text; `nil` if GitHub omits it (files above 1 MB) or it is not UTF-8.
  ///
  /// GitHub breaks the base64 into lines. A text above the limit is truncated after the last complete line.
  private var text: String? {
    guard encoding == "base64", let content,
      let data = Data(base64Encoded: content, options: .ignoreUnknownCharacters)
    else { return nil }
    var bytes = [UInt8](data)
    if bytes.count > Self.maximumText {
      bytes = Array(bytes.prefix(Self.maximumText))
      if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange((end + 1)...) }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text
  }

  /// The text of a README; `nil` if it is empty.
  ///
  /// - Throws: `SearchError` if there is a README without a usable text.
  var readme: FieldValue? {
    get throws {
      if let text { return text.allSatisfy(\.isWhitespace) ? nil : .text(text) }
      guard size != 0 else { return nil }
      throw SearchError(
        .unavailable, "the README is too large or is not UTF-8 text", hint: "open the repository in a browser"
      )
    }
  }

  func result(on host: String) -> SearchResult? {
    guard let htmlURL, let path,
      let reference = EntityReference(htmlURL, defaultHost: host),
      case .file(_, let ref) = reference.subject
    else { return nil }
    var item = SearchResult(id: reference.id, kind: .code, title: path, url: htmlURL)
    item.set(.host, reference.host)
    item.set(.repository, reference.repositoryID)
    item.set(.path, path)
    item.set(.ref, ref)
    item.set(.sha, sha)
    item.set("size", size)
    if let text, !text.isEmpty {
      item[.fragments] = .items([
        .record(["text": .text(text), "line": .number(1), "matches": .items([])])
      ])
    }
    return item
  }
}
