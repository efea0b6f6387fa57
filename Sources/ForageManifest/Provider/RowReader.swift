import ForageCore
import ForageFoundation
import ForageHTTP
import ForagePlatform

struct RowReader: Sendable {
  private static let maximumFragments = 20
  private static let maximumMatches = 50

  var provider: String
  var kind: ResultKind
  var map: ManifestMap
  /// The API's base address, without a trailing slash.
  var base: String
  /// The words of the query, which are marked in texts of files whose matches the API does not tell.
  var words: [String] = []
  /// Receives what is wrong with a row or one of its fields, for use after the provider's name.
  var report: @Sendable (String) -> Void = { _ in }

  /// Converts a row; `nil` if it has no id or address, or one that is too long.
  func result(_ row: JSONTree) -> SearchResult? {
    guard let ownID = map.id.value(in: row, base: base)?.text.map(PercentEncoding.encodeInvisible),
      !ownID.trimmingWhitespace().isEmpty, ownID.utf8.count <= ItemLimits.title
    else {
      report("returned a row without an id, or with one that is too long, which is left out")
      return nil
    }
    guard let url = map.url.value(in: row, base: base)?.text.flatMap(Self.address),
      url.utf8.count <= ItemLimits.address
    else {
      report("returned a row without a valid address, which is left out")
      return nil
    }
    let title = map.title.value(in: row, base: base)?.text.flatMap {
      $0.trimmingWhitespace().isEmpty ? nil : ItemLimits.cut($0, to: ItemLimits.title) ?? $0
    }
    var item = SearchResult(
      id: SearchResult.id(kind, at: atRoot(url), provider: provider, ownID: ownID), kind: kind,
      title: title ?? ownID, url: url)
    for field in map.fields where !field.name.isReserved(for: kind) {
      guard let found = field.rule.value(in: row, base: base) else {
        // The rule found something that its transforms do not accept.
        if let fault = field.rule.fault(in: row) {
          report("returned a row whose field \(field.name.rawValue) \(fault); the field is left out")
        }
        continue
      }
      if let value = field.type.value(found, of: field.name, date: Instant.iso) {
        item[field.name] = value
      } else if let fault = field.type.fault(found, of: field.name) {
        report("returned a row whose field \(field.name.rawValue) \(fault); the field is left out")
      }
    }
    if kind == .repo { addRepositoryFields(&item, row) }
    addRelations(&item, row)
    if let rule = map.fragments {
      let fragments = self.fragments(rule, row)
      if !fragments.isEmpty { item[.fragments] = .items(fragments) }
    }
    return item
  }

  /// Adds the fields that follow from a repository's address.
  private func addRepositoryFields(_ item: inout SearchResult, _ row: JSONTree) {
    guard let parts = RepositoryIdentity.components(item.id), let url = item.url else { return }
    let spelling = RepositoryIdentity.spelling(atRoot(url))
    item[.host] = item[.host] ?? .text(parts.host)
    item[.owner] = item[.owner] ?? .text(spelling?.owner ?? parts.owner)
    item[.name] = item[.name] ?? .text(spelling?.name ?? parts.name)
    item.obstacle = map.uncloneable?.value(in: row, base: base)?.text.flatMap {
      ItemLimits.cut($0, to: ItemLimits.title) ?? $0
    }
    // Numeric ids survive renames of the repository; those that a server gives another host's are its own.
    if speaks(for: parts.host), case .integer(let number) = map.id.value(in: row, base: base) {
      item.forgeID = "\(parts.host):\(number)"
    }
  }

  /// Whether the API is that of a host: on it, or on one below it, as `api.example.org` of `example.org`.
  private func speaks(for host: String) -> Bool {
    let name = RepositoryIdentity.canonical(base + "/a/b")
    guard let server = name.flatMap(RepositoryIdentity.components)?.host else { return false }
    return server == host || server.hasSuffix("." + host)
  }

  private func addRelations(_ item: inout SearchResult, _ row: JSONTree) {
    func text(_ rule: ValueRule?) -> String? { rule?.value(in: row, base: base)?.text }
    if kind.belongsToRepository {
      if let name = text(map.repository).flatMap(repository),
        let parts = RepositoryIdentity.components(name)
      {
        item[.repository] = .text(RepositoryIdentity.spelled(name, as: atRoot(item.url ?? "")))
        item[.host] = item[.host] ?? .text(parts.host)
      }
    } else {
      item.relate(to: text(map.repository), .repository)
    }
    if let subject = text(map.subject) {
      var record: [String: FieldValue] = [
        "kind": .text(ItemLimits.cut(subject, to: ItemLimits.title) ?? subject)
      ]
      switch EntityReference(item.id, defaultHost: "")?.subject {
      case .issue(let number), .mergeRequest(let number): record["number"] = .number(number)
      default: break
      }
      item[.subject] = .record(record)
    }
    item.relate(to: text(map.mirrorOf), .mirror)
    item.relate(to: text(map.link), .link)
  }

  /// An address or a name as if the server, which may be below a path, were at the root.
  private func atRoot(_ text: String) -> String {
    guard let mark = base.utf8Range(of: "://") else { return text }
    return RepositoryIdentity.withoutSubPath(text, of: String(base[mark.upperBound...]))
  }

  /// The repository that an address or a name is, or leads into; behind the path that a server is below,
  /// pages are told from repositories only without that path.
  private func repository(_ text: String) -> String? {
    let text = atRoot(text)
    return EntityReference(text, defaultHost: "")?.repositoryID ?? RepositoryIdentity.canonical(text)
  }

  // MARK: Fragments

  private func fragments(_ rule: FragmentRule, _ row: JSONTree) -> [FieldValue] {
    rule.each.values(in: row).prefix(Self.maximumFragments).compactMap { piece in
      if let unless = rule.unless, unless.value(in: piece)?.bool == true { return nil }
      guard let whole = rule.text.value(in: piece, base: base)?.text else { return nil }
      var end = whole.endIndex
      while end > whole.startIndex, whole[whole.index(before: end)].isNewline {
        end = whole.index(before: end)
      }
      let text = String(whole[..<end])
      guard !text.isEmpty else { return nil }
      var members: [String: FieldValue] = ["text": .text(text)]
      if let number = rule.line?.value(in: piece, base: base)?.offset, number.value >= rule.firstLine {
        members["line"] = .number(LineNumber(nearest: number.value - rule.firstLine + 1).value)
      }
      members["matches"] = .items(matches(rule.matches, piece, text))
      return .record(members)
    }
  }

  private func matches(_ rule: FragmentRule.Matches?, _ piece: JSONTree, _ text: String) -> [FieldValue] {
    guard let rule else { return places(in: text) }
    let count = text.unicodeScalars.count
    return rule.each.values(in: piece).prefix(Self.maximumMatches).compactMap { match in
      guard let start = rule.start.value(in: match)?.offset,
        let length = rule.length.value(in: match)?.offset, length > 0,
        let first = Self.scalars(start.value, rule.unit, text),
        let last = Self.scalars((start + length).value, rule.unit, text), first < last, last <= count
      else { return nil }
      return .items([.number(first), .number(last)])
    }
  }

  /// Where the words of the query are in a text, in Unicode scalars; case is ignored.
  private func places(in text: String) -> [FieldValue] {
    let scalars = Self.folded(text)
    let places = words.map(Self.folded).flatMap { word -> [Range<Int>] in
      guard !word.isEmpty, word.count <= scalars.count else { return [] }
      return (0...(scalars.count - word.count)).filter { scalars[$0...].starts(with: word) }
        .map { $0..<($0 + word.count) }
    }
    return places.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
      .prefix(Self.maximumMatches).map { .items([.number($0.lowerBound), .number($0.upperBound)]) }
  }

  /// The scalars in lower case, as many as the text has.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.map { scalar in
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      return lower.count == 1 ? lower.first ?? scalar : scalar
    }
  }

  /// The number of scalars before an offset in another unit; `nil` for an offset within a scalar or beyond
  /// the end.
  private static func scalars(_ place: Int, _ unit: FragmentRule.Unit, _ text: String) -> Int? {
    if unit == .scalars { return place }
    let index = text.utf8.index(text.startIndex, offsetBy: place, limitedBy: text.endIndex)
    return index?.samePosition(in: text.unicodeScalars).map {
      text.unicodeScalars.distance(from: text.startIndex, to: $0)
    }
  }

  // MARK: Texts

  /// A web address with invalid characters percent-encoded; `nil` if it is not an address or contains
  /// credentials.
  static func address(_ text: String) -> String? {
    var encoded = ""
    for scalar in text.trimmingWhitespace().unicodeScalars {
      if scalar.value > 32 && scalar.value < 127 {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += PercentEncoding.encode(String(scalar))
      }
    }
    return HTTPURL(encoded) == nil ? nil : encoded
  }
}
