import ForageCore
import Yams

extension ManifestReader {
  static let feedKeys = ["request", "paging", "sorts", "items", "map", "total"]

  /// Reads a list.
  ///
  /// - Parameter parent: The list whose members are used where this one has none.
  func list(_ members: [String: Member], _ node: Node, kind: ResultKind?, parent: ManifestList?)
    -> ManifestList?
  {
    let request = required(
      members, "request", node,
      example: "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    ).flatMap(request)
    let items: JSONPath?
    if let member = members["items"] {
      items = itemsPath(member)
    } else if let parent {
      items = parent.items
    } else {
      items = required(members, "items", node, example: "items: $.items[*]").flatMap(itemsPath)
    }
    let map: ManifestMap?
    if let member = members["map"] {
      map = self.map(member, kind: kind)
    } else if let parent {
      map = parent.map
    } else {
      map = required(members, "map", node, example: "map: {id: $.id, url: $.url, title: $.name}").flatMap {
        self.map($0, kind: kind)
      }
    }
    var paging = parent?.paging ?? ManifestPaging(size: Self.usualSize)
    if let member = members["paging"] { paging = self.paging(member) ?? paging }
    var total = parent?.total
    if let member = members["total"] { total = self.total(member) }
    var sorts: [String: [SortOrder: [ManifestList.Parameter]]] = [:]
    if let member = members["sorts"] { sorts = self.sorts(member) }
    guard let request, let items, let map else { return nil }
    let list = ManifestList(
      request: request, paging: paging, items: items, map: map, total: total, sorts: sorts)
    checkPlaces(list, (members["request"] ?? members["paging"])?.value ?? node, isFeed: parent != nil)
    return list
  }

  /// The page size for APIs without paging.
  private static let usualSize = 50

  func feed(_ member: Member, kind: ResultKind?, search: ManifestList?) -> ManifestList? {
    guard let members = self.members(member.value, of: "feed", known: Self.feedKeys) else { return nil }
    // If the search cannot be read, its problems have been reported.
    let parent = search ?? .unread
    return list(members, member.value, kind: kind, parent: parent)
  }

  /// Checks that the request uses the placeholders of its paging, and no others.
  private func checkPlaces(_ list: ManifestList, _ node: Node, isFeed: Bool) {
    let request = list.request
    let places = Set(
      request.segments.flatMap(\.places) + request.parameters.flatMap(\.value.places)
        + (request.body?.places ?? []))
    var wanted: RequestText.Place?
    var given: Set<RequestText.Place> = []
    switch list.paging.style {
    case .page: wanted = .page
    case .offset: wanted = .offset
    case .cursor(let parameter, _):
      wanted = parameter == nil ? .cursor : nil
      given = [.cursor]
    case .single, .link: break
    }
    if let wanted { given.insert(wanted) }
    if let wanted, !places.contains(wanted) {
      report(
        node, "the request does not contain the page",
        hint:
          "use {\(wanted.rawValue)} in a parameter, for example: params: {\(wanted.rawValue): \"{\(wanted.rawValue)}\"}"
      )
    }
    for place in [RequestText.Place.page, .offset, .cursor]
    where places.contains(place) && !given.contains(place) {
      report(
        node, "{\(place.rawValue)} has no value with this paging",
        hint: "write: paging: {style: \(place.rawValue), ...}")
    }
    if isFeed, places.contains(.text) { report(node, "a feed must not use {text}", hint: "remove it") }
  }

  private func itemsPath(_ member: Member) -> JSONPath? {
    guard let path = path(member.value, "items", isSingular: false) else { return nil }
    guard !path.isSingular else {
      report(
        member.value, "items must be a path to a list, but \(path) selects one value",
        hint: "write: items: \(path)[*]")
      return nil
    }
    return path
  }

  private enum StyleName: String, CaseIterable { case page, offset, cursor, link, none }

  private static let pagingKeys = ["style", "start", "size", "more", "param", "next", "maxTotal"]

  private func paging(_ member: Member) -> ManifestPaging? {
    guard
      let members = self.members(
        member.value, of: "paging", known: Self.pagingKeys,
        hint: "for example: paging: {style: page, size: 50}"),
      let style = required(members, "style", member.value, example: "style: page")
        .flatMap({ word($0, StyleName.self) })
    else { return nil }
    var taken = ["style", "size", "maxTotal"]
    var paging = ManifestPaging(size: Self.usualSize)
    if let size = members["size"] {
      paging.size = whole(size, 1...ManifestPaging.largestSize) ?? paging.size
    }
    if let most = members["maxTotal"] { paging.maximumTotal = whole(most, 1...Int(Int32.max)) }
    switch style {
    case .none: paging.style = .single
    case .page, .offset:
      taken += ["start", "more"]
      let usual = style == .page ? 1 : 0
      let start = members["start"].map { whole($0, 0...1) ?? usual } ?? usual
      paging.style = style == .page ? .page(start: start) : .offset(start: start)
      if let more = members["more"] { paging.more = self.more(more) }
    case .cursor:
      taken += ["param", "next"]
      let parameter = members["param"].flatMap { line($0.value) }
      let next = required(members, "next", member.value, example: "next: $.page.after").flatMap {
        path($0.value, "next", isSingular: true)
      }
      guard let next else { return nil }
      paging.style = .cursor(parameter: parameter, next: next)
    case .link:
      taken += ["next"]
      paging.style = .link(members["next"].flatMap { path($0.value, "next", isSingular: true) })
    }
    for (name, member) in members where !taken.contains(name) {
      report(member.key, "\(name) has no effect with style: \(style.rawValue)", hint: "remove it")
    }
    return paging
  }

  private func more(_ member: Member) -> ManifestPaging.More? {
    if StrictYAML.text(member.value) != nil {
      return path(member.value, "more", isSingular: true).map { .path($0) }
    }
    return header(member).map { .header($0) }
  }

  /// The name in `{header: NAME}`.
  private func header(_ member: Member) -> String? {
    guard let members = self.members(member.value, of: member.name, known: ["header", "path", "atLeast"]),
      let header = members["header"], let name = StrictYAML.text(header.value), Self.isHeaderName(name)
    else {
      report(
        member.value, "\(member.name) takes a path or a header field",
        hint: "for example: \(member.name): $.meta.value, or \(member.name): {header: x-name}")
      return nil
    }
    return name
  }

  private func total(_ member: Member) -> ManifestList.Total? {
    if StrictYAML.text(member.value) != nil {
      return path(member.value, "total", isSingular: true).map { .init(place: .path($0)) }
    }
    guard let members = self.members(member.value, of: "total", known: ["path", "header", "atLeast"]) else {
      return nil
    }
    let isAtLeast = members["atLeast"].flatMap(flag) ?? false
    if let found = members["path"] {
      return path(found.value, "total", isSingular: true).map {
        .init(place: .path($0), isAtLeast: isAtLeast)
      }
    }
    return header(member).map { .init(place: .header($0), isAtLeast: isAtLeast) }
  }

  private static let directions = [
    "desc": "asc", "asc": "desc", "DESC": "ASC", "ASC": "DESC", "descending": "ascending",
    "ascending": "descending",
  ]

  private func sorts(_ member: Member) -> [String: [SortOrder: [ManifestList.Parameter]]] {
    let read = noting { () throws(YAMLProblem) in try StrictYAML.members(member.value, of: "sorts") }
    var sorts: [String: [SortOrder: [ManifestList.Parameter]]] = [:]
    for sort in read ?? [] {
      guard
        let members = noting({ () throws(YAMLProblem) in
          try StrictYAML.members(sort.value, of: "the sort \(sort.name)")
        })
      else { continue }
      // A parameter takes a text, so mappings are orders.
      if !members.isEmpty, members.allSatisfy({ $0.value.mapping != nil }) {
        for member in members {
          guard let order = SortOrder(rawValue: member.name) else {
            report(member.key, "the sort \(sort.name) takes desc and asc, not \"\(member.name)\"")
            continue
          }
          let parameters = sortParameters(member.value)
          if parameters.isEmpty {
            report(member.key, "the sort \(sort.name) has no parameters for \(order.rawValue)")
          }
          sorts[sort.name, default: [:]][order] = parameters
        }
        continue
      }
      let descending = sortParameters(sort.value)
      let ascending = descending.map { parameter in
        ManifestList.Parameter(
          name: parameter.name, value: Self.directions[parameter.value] ?? parameter.value)
      }
      if descending == ascending {
        report(
          sort.key, "the sort \(sort.name) has no direction",
          hint:
            "write the parameters for descending order, with desc as the direction, or {desc: {...}, asc: {...}}, or one of the two"
        )
        continue
      }
      sorts[sort.name] = [.descending: descending, .ascending: ascending]
    }
    return sorts
  }

  private func sortParameters(_ node: Node) -> [ManifestList.Parameter] {
    let read = noting { () throws(YAMLProblem) in try StrictYAML.members(node, of: "a sort") }
    return (read ?? []).compactMap { member in
      guard let text = StrictYAML.text(member.value) else {
        report(member.value, "a parameter takes a text")
        return nil
      }
      return ManifestList.Parameter(name: member.name, value: text)
    }
  }
}

extension ManifestList {
  /// Replaces a list that cannot be read while the rest of the file is checked; it is never returned.
  static var unread: ManifestList {
    ManifestList(
      request: ManifestRequest(origin: .base, segments: []), paging: ManifestPaging(size: 1),
      items: .everything,
      map: ManifestMap(
        id: ValueRule(.constant(.null)), url: ValueRule(.constant(.null)),
        title: ValueRule(.constant(.null))))
  }
}
