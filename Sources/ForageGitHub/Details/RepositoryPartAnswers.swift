import ForageCore
import ForageFoundation

/// Reads the parts of a repository; each `nil` if the document is not the expected one.
enum RepositoryPart {
  /// The maximum number of languages to read, above that of any repository.
  private static let maximumLanguages = 500
  /// The maximum number of contributors to read; requests ask for fewer.
  private static let maximumContributors = 100

  /// The value of a part; `nil` if the repository does not have it.
  typealias Value = Result<FieldValue?, SearchError>

  /// The languages with their shares, in descending order, from an object of byte counts by name.
  static func languages(_ tree: JSONTree) -> Value? {
    guard let counts = tree.object?.compactMapValues({ $0.integer.flatMap { $0 > 0 ? $0 : nil } }) else {
      return nil
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(maximumLanguages)
    let total = sorted.reduce(0.0) { $0 + Double($1.value) }
    guard total > 0 else { return .success(nil) }
    return .success(
      .items(
        sorted.map { name, bytes in
          .record([
            "name": .text(name), "bytes": .number(bytes), "share": .fraction(Double(bytes) / total),
          ])
        }))
  }

  /// The latest release, if it has a tag.
  static func release(_ tree: JSONTree) -> Value? {
    guard tree.object != nil else { return nil }
    guard let tag = tree.words("tag_name") else { return .success(nil) }
    var members: [String: FieldValue] = ["tag": .text(tag)]
    members["name"] = tree.words("name").map(FieldValue.text)
    members["publishedAt"] = tree.date("published_at").map(FieldValue.date)
    return .success(.record(members))
  }

  /// The contributors in GitHub's order (most commits first), without those that have no name.
  static func contributors(_ tree: JSONTree) -> Value? {
    guard let list = tree.array else { return nil }
    let people = list.lazy.compactMap { person -> FieldValue? in
      guard let commits = person.count("contributions") else { return nil }
      if let login = person.words("login") {
        return .record(["login": .text(login), "commits": .number(commits)])
      }
      return person.words("name").map { .record(["name": .text($0), "commits": .number(commits)]) }
    }
    let records = Array(people.prefix(maximumContributors))
    return .success(records.isEmpty ? nil : .items(records))
  }

  static func readme(_ tree: JSONTree) -> Value? { tree.object == nil ? nil : FileAnswer(tree).readme }
}

/// A file with its content, as `contents` and `readme` return it.
struct FileAnswer {
  /// The maximum size of the text in bytes; the API returns no content above it.
  static let maximumText = 1 << 20

  private let object: JSONTree

  init(_ object: JSONTree) { self.object = object }

  /// The decoded content, which GitHub breaks into lines; `nil` if GitHub omits it (files above 1 MB).
  var bytes: [UInt8]? {
    guard object.text("encoding") == "base64" else { return nil }
    return object.text("content").flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
      .map([UInt8].init)
  }

  /// The text; `nil` without content, or if it is not UTF-8. Above the limit it is cut after its last complete line.
  private var text: String? {
    guard var bytes else { return nil }
    if bytes.count > Self.maximumText {
      bytes = Array(bytes.prefix(Self.maximumText))
      if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange((end + 1)...) }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text
  }

  /// The text of a README; `nil` if it is empty, a failure if it has no usable text.
  var readme: RepositoryPart.Value {
    if let text { return .success(text.allSatisfy(\.isWhitespace) ? nil : .text(text)) }
    guard object.number("size") != 0 else { return .success(nil) }
    return .failure(
      SearchError(
        .unavailable, "the README is too large or is not UTF-8 text", hint: "open the repository in a browser"
      ))
  }

  /// The file; `nil` if its address names none.
  func result(on host: String) -> SearchResult? {
    guard let page = object.text("html_url"), let path = object.text("path"),
      let reference = EntityReference(page, defaultHost: host),
      case .file(_, let ref) = reference.subject
    else { return nil }
    var item = SearchResult(id: reference.id, kind: .code, title: path, url: page)
    item.set(.host, reference.host)
    item.set(.repository, reference.repositoryID)
    item.set(.path, path)
    item.set(.ref, ref)
    item.set(.sha, object.text("sha"))
    item.set("size", object.count("size"))
    if let text, !text.isEmpty {
      item[.fragments] = .items([
        .record(["text": .text(text), "line": .number(1), "matches": .items([])])
      ])
    }
    return item
  }
}
