import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  /// Reads the list of a search or a feed.
  ///
  /// - Parameter further: Placeholders of its address besides those of every request.
  func list(_ part: Part, further: [String] = []) -> ManifestList? {
    let request = part.required(
      "request", example: "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    ).flatMap { self.request($0, further: further) }
    let items = part.required("items", example: "items: $.items[*]").flatMap(itemsPath)
    let map = part.required("map", example: "map: {id: $.id, url: $.url, title: $.name}").flatMap(map)
    let paging = part["paging"].map(paging) ?? ManifestPaging()
    let total = part["total"].flatMap(total)
    let partial = part["partial"].map(partial) ?? []
    let sorts = part["sorts"].map(sorts) ?? [:]
    if let request, let paging {
      checkPlaces(request, paging, (part["request"] ?? part["paging"])?.value ?? part.node)
    }
    guard let request, let items, let map, let paging else { return nil }
    return ManifestList(
      request: request, paging: paging, items: items, map: map, total: total, partial: partial, sorts: sorts)
  }

  /// Reads a list without a query, which has what it does not say itself in common with the search.
  func feed(_ member: Member, in parent: Part, further: [String] = []) -> ManifestList? {
    let keys = ["request", "paging", "items", "total", "partial", "sorts"]
    guard let own = part(member, keys, example: "\(member.name): {request: {url: \"{base}/hot\"}}"),
      // What the search lacks has been reported there.
      parent["map"] != nil, own["items"] != nil || parent["items"] != nil,
      let list = list(
        own.inheriting(["paging", "items", "map", "total", "partial"], from: parent), further: further)
    else { return nil }
    if list.request.places.contains("text") {
      report(member.value, "\(member.name) must not use {text}", hint: "remove it")
    }
    return list
  }

  /// Reads the list across repositories, which has what it does not say itself in common with the search.
  func wider(_ member: Member, in parent: Part) -> ManifestWiderList? {
    let example = "wider: {request: {url: \"{base}/search\"}, refused: [not available here]}"
    let inherited = ["paging", "items", "map", "total", "partial", "sorts"]
    let keys = inherited.filter { $0 != "map" } + ["request", "refused", "repository"]
    guard let own = part(member, keys, example: example) else { return nil }
    if parent["variants"] != nil {
      report(member.key, "a kind with variants has no list across repositories", hint: "remove wider")
    }
    let request = parent["request"]?.value.mapping
    if request?["url"] != nil || request?["urls"]?.mapping?["repo"] == nil {
      report(
        member.key, "wider requires a request with urls that have repo, and without url",
        hint: "for example: request: {urls: {repo: \"{base}/projects/{repo}/search\"}}")
    }
    let refused = own.required("refused", example: "refused: [not available here]").flatMap(refusals)
    let repository = own.path("repository", example: nil)
    // What the search lacks has been reported there.
    guard parent["map"] != nil, own["items"] != nil || parent["items"] != nil,
      let list = list(own.inheriting(inherited, from: parent)), let refused
    else { return nil }
    return ManifestWiderList(list: list, refused: refused, repository: repository)
  }

  private func refusals(_ member: Member) -> [String]? {
    let nodes = member.value.sequence.map(Array.init) ?? []
    let words = nodes.compactMap(line).map { $0.lowercased() }
    if !words.isEmpty, words.count == nodes.count { return words }
    report(
      member.value, "refused takes a list of texts that the server answers with",
      hint: "for example: refused: [not available here]")
    return nil
  }

  /// Checks that a manifest has what a list across repositories needs.
  func check(_ wider: Member, in manifest: Manifest, _ part: Part) {
    if part["forge"] == nil {
      report(wider.key, "wider requires forge", hint: "add: forge: {}")
    } else if manifest.kinds.contains(where: { $0.wider?.repository != nil }),
      !manifest.kinds.contains(where: { $0.kind == .repo && $0.details != nil })
    {
      report(
        wider.key, "repository requires details of the kind repo, by which it is looked up",
        hint: "add to repo: details: {url: \"{base}/projects/{id}\"}")
    }
  }

  /// Checks that the request uses the placeholder of its paging, and none of another one.
  private func checkPlaces(_ request: ManifestRequest, _ paging: ManifestPaging, _ node: Node) {
    let places = request.places
    let (given, isNeeded): (String?, Bool) =
      switch paging.style {
      case .page: ("page", true)
      case .offset: ("offset", true)
      case .cursor(let parameter, _): ("cursor", parameter == nil)
      case .single, .link: (nil, false)
      }
    if let given, isNeeded, !places.contains(given) {
      report(
        node, "the request does not contain the page",
        hint: "use {\(given)} in a parameter, for example: params: {\(given): \"{\(given)}\"}")
    }
    for place in ManifestRequest.positions where places.contains(place) && place != given {
      report(
        node, "{\(place)} has no value with this paging", hint: "write: paging: {style: \(place), ...}")
    }
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

  private func paging(_ member: Member) -> ManifestPaging? {
    let keys = ["style", "start", "size", "more", "param", "next", "nextPage", "maxTotal"]
    guard let part = part(member, keys, example: "paging: {style: page, size: 50}"),
      let style = part.word("style", StyleName.self, example: "style: page")
    else { return nil }
    var taken = ["style", "size", "maxTotal"]
    var paging = ManifestPaging()
    if let size = part.whole("size", 1...ManifestPaging.largestSize) { paging.size = size }
    paging.maximumTotal = part.whole("maxTotal", 1...Int(Int32.max))
    switch style {
    case .none: paging.style = .single
    case .page, .offset:
      taken += ["start", "more"]
      let start = part.whole("start", 0...1) ?? (style == .page ? 1 : 0)
      paging.style = style == .page ? .page(start: start) : .offset(start: start)
      paging.more = part.path("more")
    case .cursor:
      taken += ["param", "next"]
      let parameter = part.line("param")
      guard let next = part.path("next", example: "next: $.page.after") else { return nil }
      paging.style = .cursor(parameter: parameter, next: next)
    case .link:
      taken += ["next", "param", "nextPage"]
      paging.style = .link(part.path("next"))
      (paging.pageParameter, paging.nextPage) = (part.line("param"), part.line("nextPage"))
      if paging.nextPage != nil, paging.pageParameter == nil {
        report(
          member.value, "nextPage requires param, the parameter with the number of a page",
          hint: "add: param: page")
      }
    }
    part.refuse(except: taken) { ("\($0) has no effect with style: \(style.rawValue)", "remove it") }
    return paging
  }

  private func total(_ member: Member) -> ManifestList.Total? {
    if StrictYAML.text(member.value) != nil {
      return path(member.value, "total", isSingular: true).map { .init(place: .path($0)) }
    }
    guard let part = part(member, ["path", "header", "atLeast"]) else { return nil }
    let isAtLeast = part.flag("atLeast") ?? false
    if part["path"] != nil {
      return part.path("path").map { .init(place: .path($0), isAtLeast: isAtLeast) }
    }
    let name = checkedText(
      part["header"]?.value ?? member.value, "total takes a path or a header field",
      hint: "for example: total: $.meta.total, or total: {header: x-total}", where: Self.isHeaderName)
    return name.map { .init(place: .header($0), isAtLeast: isAtLeast) }
  }

  private func partial(_ member: Member) -> [ManifestList.Partial] {
    let example = "partial: [{path: $.timedOut, reason: the search took too long}, {path: $.warning}]"
    guard let nodes = member.value.sequence, !nodes.isEmpty else {
      report(member.value, "partial takes a list of places", hint: "for example: \(example)")
      return []
    }
    return nodes.compactMap { node in
      guard let part = part(node, of: "a place of partial", known: ["path", "reason"], hint: example),
        let path = part.path("path", example: "path: $.timedOut", isSingular: false)
      else { return nil }
      return ManifestList.Partial(path: path, reason: part.line("reason"))
    }
  }

  private static let directions = [
    "desc": "asc", "asc": "desc", "DESC": "ASC", "ASC": "DESC", "descending": "ascending",
    "ascending": "descending",
  ]

  private func sorts(_ member: Member) -> [String: [SortOrder: [ManifestList.Parameter]]] {
    entries(member).reduce(into: [:]) { $0[$1.name] = sort($1) }
  }

  private func sort(_ member: Member) -> [SortOrder: [ManifestList.Parameter]]? {
    guard let members = entries(member.value, of: "the sort \(member.name)") else { return nil }
    // A parameter takes a text, so mappings are orders.
    if !members.isEmpty, members.allSatisfy({ $0.value.mapping != nil }) {
      return members.reduce(into: [:]) { orders, order in
        if let known = SortOrder(rawValue: order.name) {
          orders[known] = sortParameters(order.value)
        } else {
          report(order.key, "the sort \(member.name) takes desc and asc, not \"\(order.name)\"")
        }
      }
    }
    let descending = sortParameters(member.value)
    let ascending = descending.map {
      ManifestList.Parameter(name: $0.name, value: Self.directions[$0.value] ?? $0.value)
    }
    guard descending != ascending else {
      report(
        member.key, "the sort \(member.name) has no direction",
        hint:
          "write the parameters for descending order, with desc as the direction, or {desc: {...}, asc: {...}}, or one of the two"
      )
      return nil
    }
    return [.descending: descending, .ascending: ascending]
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
