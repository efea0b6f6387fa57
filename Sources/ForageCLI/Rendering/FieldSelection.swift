import Forage
import ForageCore

/// The fields of a command's JSON document from which `--json` selects.
struct DocumentFields: Sendable {
  /// The names that `--json` accepts, in the order in which they are listed; empty where any name is
  /// accepted.
  var names: [String]
  /// The member of the document that holds the objects, `nil` where the document is one object itself.
  var list: String?
  /// The member of the document whose members count as its own.
  var inner: String?
  /// Whether fields of providers' own are among them.
  var hasOwnFields = false
  /// Whether an object has its members sorted by name rather than in the order in which they were asked for.
  var isSorted: Bool

  static let any = DocumentFields([])
  /// The fields of `search`, `stars` and `feed`.
  static let items = DocumentFields(SearchJSON.fieldNames, list: "items").withOwnFields

  /// The same, with fields of providers' own.
  var withOwnFields: DocumentFields {
    var copy = self
    copy.hasOwnFields = true
    return copy
  }

  init(_ names: [String], list: String? = nil, inner: String? = nil, isSorted: Bool = false) {
    self.names = names
    self.list = list
    self.inner = inner
    self.isSorted = isSorted
  }
}

/// The fields that `--json FIELDS` asks for, and how they are selected from a document.
struct FieldSelection: Sendable {
  /// The requested names, in their order.
  let fields: [String]
  private let document: DocumentFields
  /// The fields of the document that are asked for by the names of gh.
  private let sources: [String: String]

  /// Reads the argument of `--json`.
  ///
  /// - Parameters:
  ///   - argument: Names separated by commas.
  ///   - listed: The names that an error lists, `nil` for all. Of providers with fields of their own, these
  ///     too.
  ///   - columns: The width in which an error lists the names, `nil` for one a line.
  /// - Throws: `ForageError` that lists the names, if there is none or an unknown one.
  init(
    _ argument: String, of document: DocumentFields, listing listed: @autoclosure () -> [String]? = nil,
    columns: Int? = nil
  ) throws {
    let requested = Self.names(argument)
    fields = document.isSorted ? requested.sorted() : requested
    self.document = document
    sources = Dictionary(
      uniqueKeysWithValues: requested.compactMap { name in
        document.names.contains(name) ? nil : Self.fieldOfGH(name, among: document.names).map { (name, $0) }
      })
    guard !fields.isEmpty else {
      throw ForageError(
        "--json needs the names of fields", hint: "choose from the list below, with commas",
        details: Self.list((listed() ?? document.names).sorted(), columns: columns))
    }
    guard !document.names.isEmpty else { return }
    var unknown = fields.filter { !document.names.contains($0) && sources[$0] == nil }
    if !unknown.isEmpty, let listed = listed() { unknown.removeAll(where: listed.contains) }
    guard !unknown.isEmpty else { return }
    let names = listed() ?? document.names
    let meant = unknown.compactMap { name in
      Self.sameField(as: name, among: document.names) ?? NearestName.of(name, among: names)
    }
    let list = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
    throw ForageError(
      "--json: there is no field \(list)",
      hint: meant.count == unknown.count
        ? "did you mean \(meant.joined(separator: ","))?" : "choose from the list below",
      details: Self.list(names.sorted(), columns: columns))
  }

  /// The names as lines, in as many columns as a width has room for, which are read downwards.
  private static func list(_ names: [String], columns: Int?) -> [String] {
    guard let columns else { return names }
    let gap = 2
    for count in stride(from: names.count, to: 1, by: -1) {
      let rows = (names.count + count - 1) / count
      let parts = stride(from: 0, to: names.count, by: rows).map { names[$0..<min(names.count, $0 + rows)] }
      let widths = parts.map { $0.map(TextWidth.of).max() ?? 0 }
      guard widths.reduce(0, +) + gap * (widths.count - 1) <= columns else { continue }
      return (0..<rows).map { row in
        let cells = zip(parts, widths).compactMap { part, width in
          row < part.count ? (text: part[part.startIndex + row], width: width) : nil
        }
        return cells.dropLast().map { TextWidth.padded($0.text, to: $0.width + gap) }.joined()
          + (cells.last?.text ?? "")
      }
    }
    return names
  }

  /// The fields by the names that gh has for them, in lower case and without underscores.
  private static let namesOfGH = [
    "commentscount": "comments", "defaultbranchref": "defaultBranch",
    "diskusage": "sizeKB", "forkcount": "forks", "forkscount": "forks", "fullname": "title",
    "homepageurl": "homepage", "htmlurl": "url", "isarchived": "archived", "isdraft": "draft",
    "isfork": "fork", "islocked": "locked", "isprivate": "private", "istemplate": "template",
    "licenseinfo": "license", "namewithowner": "title", "openissuescount": "openIssues",
    "primarylanguage": "language", "repositorytopics": "topics", "size": "sizeKB", "stargazercount": "stars",
    "stargazerscount": "stars", "textmatches": "fragments", "visibility": "private",
    "watcherscount": "watchers",
  ]

  /// Our name of a field of gh that has the same value; its `visibility`, for example, has another one.
  private static func fieldOfGH(_ name: String, among names: [String]) -> String? {
    guard name != "visibility", name != "textMatches", let ours = namesOfGH[name.lowercased()] else {
      return nil
    }
    return sameField(as: name, among: names) == ours ? ours : nil
  }

  /// The name of a field that gh, or we, call otherwise.
  private static func sameField(as name: String, among names: [String]) -> String? {
    let ours = namesOfGH[name.lowercased().replacing("_", with: "")] ?? name
    if let theirs = names.first(where: { namesOfGH[$0.lowercased()] == ours }) { return theirs }
    // Where the document has names of gh, its other names are not ours.
    let isOfGH = names.contains { namesOfGH[$0.lowercased()] != nil }
    return !isOfGH && names.contains(ours) ? ours : nil
  }

  /// The names in an argument of `--json`, each once.
  static func names(_ argument: String) -> [String] {
    var seen: Set<String> = []
    return argument.split(separator: ",").map { $0.trimmingWhitespace() }.filter {
      !$0.isEmpty && seen.insert($0).inserted
    }
  }

  /// The document with the requested fields alone: an array of objects for a list, an object for one thing.
  func applied(to value: JSONTree) -> JSONTree {
    switch value {
    case .array(let values): .array(values.map(applied))
    case .object(let members):
      if case .array(let objects)? = document.list.flatMap({ value[$0] }) {
        .array(objects.map(applied))
      } else {
        selected(members)
      }
    default: value
    }
  }

  /// One object; a field that it does not have is `null`.
  private func selected(_ members: [(String, JSONTree)]) -> JSONTree {
    var members = members
    if let inner = document.inner, case .object(let more)? = JSONTree.object(members)[inner] {
      members = more + members
    }
    let values = Dictionary(members, uniquingKeysWith: { first, _ in first })
    return .object(fields.map { ($0, values[sources[$0] ?? $0] ?? .null) })
  }
}
