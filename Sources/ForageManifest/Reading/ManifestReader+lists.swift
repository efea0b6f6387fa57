import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  static let feedKeys = ["request", "paging", "sorts", "items", "map", "total"]

  /// Reads a list.
  ///
  /// - Parameter parent: The list whose members are used where this one has none.
  func list(_ part: Part, parent: ManifestList?) -> ManifestList? {
    let request = part.required(
      "request", example: "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    ).flatMap(request)
    // A member that is there and cannot be read is not replaced by that of the parent.
    let items: JSONPath? =
      part["items"].map(itemsPath) ?? parent?.items
      ?? part.required("items", example: "items: $.items[*]").flatMap(itemsPath)
    let map: ManifestMap? =
      part["map"].map(map) ?? parent?.map
      ?? part.required("map", example: "map: {id: $.id, url: $.url, title: $.name}").flatMap(map)
    let paging = part["paging"].flatMap(paging) ?? parent?.paging ?? ManifestPaging(size: Self.usualSize)
    let total: ManifestList.Total? = part["total"].map(total) ?? parent?.total
    let sorts = part["sorts"].map(sorts) ?? [:]
    guard let request, let items, let map else { return nil }
    let list = ManifestList(
      request: request, paging: paging, items: items, map: map, total: total, sorts: sorts)
    checkPlaces(list, (part["request"] ?? part["paging"])?.value ?? part.node, isFeed: parent != nil)
    return list
  }

  /// The page size for APIs without paging.
  private static let usualSize = 50

  func feed(_ member: Member, search: ManifestList?) -> ManifestList? {
    // If the search cannot be read, its problems have been reported.
    part(member, Self.feedKeys).flatMap { list($0, parent: search ?? .unread) }
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
    guard let part = part(member, Self.pagingKeys, example: "paging: {style: page, size: 50}"),
      let style = part.word("style", StyleName.self, example: "style: page")
    else { return nil }
    var taken = ["style", "size", "maxTotal"]
    var paging = ManifestPaging(size: Self.usualSize)
    if let size = part.whole("size", 1...ManifestPaging.largestSize) { paging.size = size }
    paging.maximumTotal = part.whole("maxTotal", 1...Int(Int32.max))
    switch style {
    case .none: paging.style = .single
    case .page, .offset:
      taken += ["start", "more"]
      let start = part.whole("start", 0...1) ?? (style == .page ? 1 : 0)
      paging.style = style == .page ? .page(start: start) : .offset(start: start)
      paging.more = part["more"].flatMap(answerPlace)
    case .cursor:
      taken += ["param", "next"]
      let parameter = part.line("param")
      guard let next = part.path("next", example: "next: $.page.after") else { return nil }
      paging.style = .cursor(parameter: parameter, next: next)
    case .link:
      taken += ["next"]
      paging.style = .link(part.path("next"))
    }
    part.refuse(except: taken) { ("\($0) has no effect with style: \(style.rawValue)", "remove it") }
    return paging
  }

  /// A path, or a header field in `{header: NAME}`.
  private func answerPlace(_ member: Member) -> AnswerPlace? {
    if StrictYAML.text(member.value) != nil {
      return path(member.value, member.name, isSingular: true).map { .path($0) }
    }
    guard member.value.mapping != nil else {
      reportNoHeader(member)
      return nil
    }
    return part(member, ["header"]).flatMap { header($0, member) }.map { .header($0) }
  }

  /// The name in `{header: NAME}`.
  private func header(_ part: Part, _ member: Member) -> String? {
    if let name = part["header"].flatMap({ StrictYAML.text($0.value) }), Self.isHeaderName(name) {
      return name
    }
    reportNoHeader(member)
    return nil
  }

  private func reportNoHeader(_ member: Member) {
    report(
      member.value, "\(member.name) takes a path or a header field",
      hint: "for example: \(member.name): $.meta.value, or \(member.name): {header: x-name}")
  }

  private func total(_ member: Member) -> ManifestList.Total? {
    if StrictYAML.text(member.value) != nil { return answerPlace(member).map { .init(place: $0) } }
    guard let part = part(member, ["path", "header", "atLeast"]) else { return nil }
    let isAtLeast = part.flag("atLeast") ?? false
    if let found = part["path"] {
      return path(found.value, "total", isSingular: true).map {
        .init(place: .path($0), isAtLeast: isAtLeast)
      }
    }
    return header(part, member).map { .init(place: .header($0), isAtLeast: isAtLeast) }
  }

  private static let directions = [
    "desc": "asc", "asc": "desc", "DESC": "ASC", "ASC": "DESC", "descending": "ascending",
    "ascending": "descending",
  ]

  private func sorts(_ member: Member) -> [String: [SortOrder: [ManifestList.Parameter]]] {
    var sorts: [String: [SortOrder: [ManifestList.Parameter]]] = [:]
    for sort in entries(member) {
      guard let members = entries(sort.value, of: "the sort \(sort.name)") else { continue }
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
    (entries(node, of: "a sort") ?? []).compactMap { member in
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
