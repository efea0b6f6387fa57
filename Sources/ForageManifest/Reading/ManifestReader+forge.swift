import ForageCore
import ForageYAML
import Yams

/// What a forge has besides searches, and what is known of one entity.
extension ManifestReader {
  /// - Parameter repositories: The kind `repo`, of which the lists have what they do not say themselves.
  func forge(_ member: Member, repositories: Part?) -> ManifestForge? {
    let keys = ["account", "star", "unstar", "stars", "starsOf", "owner", "files", "pages", "read"]
    let example = "forge: {account: {url: \"{base}/api/user\", login: $.login}}"
    guard let part = part(member, keys, example: example) else { return nil }
    guard let repositories else {
      report(member.key, "forge requires the kind repo", hint: "add it to kinds")
      return nil
    }
    if !hasAuth, let member = ["account", "star", "unstar", "stars", "read"].compactMap({ part[$0] }).first {
      report(member.key, "\(member.name) requires auth", hint: "add: auth: {secret: token, bearer: true}")
    }
    var forge = ManifestForge()
    forge.account = part["account"].flatMap(account)
    forge.star = part["star"].flatMap { change($0, "id") }
    forge.unstar = part["unstar"].flatMap { change($0, "id") }
    let reading = "read: {thread: {method: PATCH, url: \"{base}/notifications/{thread}\"}}"
    if let read = part["read"].flatMap({ self.part($0, ["thread", "all"], example: reading) }) {
      forge.readThread = read.required("thread", example: reading).flatMap { change($0, "thread") }
      forge.readAll = read["all"].flatMap { change($0, "until") }
    }
    forge.stars = part["stars"].flatMap { feed($0, in: repositories) }
    forge.starsOf = part["starsOf"].flatMap { accountList($0, in: repositories) }
    if let member = part["owner"] {
      let nodes = member.value.sequence.map(Array.init) ?? [member.value]
      forge.owner = nodes.compactMap {
        accountList(Member(key: member.key, name: member.name, value: $0), in: repositories)
      }
    }
    forge.files = part["files"].flatMap(files)
    forge.pages = part["pages"].map(pages) ?? [:]
    return forge
  }

  private func pages(_ member: Member) -> [ManifestForge.Page: Template] {
    let known = ManifestForge.Page.allCases
    let example = "pages: {issue: \"{base}/{id|path}/issues/{number|segment}\"}"
    guard let part = part(member, known.map(\.rawValue), example: example) else { return [:] }
    return known.reduce(into: [:]) { pages, page in
      guard let member = part[page.rawValue],
        let address = self.page(member, page.names + page.optionalNames, example: example)
      else { return }
      if let missing = page.names.first(where: { !address.names.contains($0) }) {
        report(member.value, "the address of \(page.rawValue) does not contain {\(missing)}", hint: "add it")
      }
      pages[page] = address
    }
  }

  /// A list of repositories of an account.
  private func accountList(_ member: Member, in repositories: Part) -> ManifestList? {
    let list = feed(member, in: repositories, further: ManifestForge.names)
    if let list, !list.request.places.contains("owner") {
      report(member.value, "the address of \(member.name) does not contain {owner}", hint: "add it")
    }
    return list
  }

  private func account(_ member: Member) -> ManifestForge.Account? {
    let example = "account: {url: \"{base}/api/user\", login: $.login}"
    guard let part = part(member, ["method", "url", "login", "scopes"], example: example) else { return nil }
    let scopes = part["scopes"].flatMap { member -> (ManifestRequest, JSONPath)? in
      let example = "scopes: {url: \"{base}/api/token\", path: \"$.scopes[*]\"}"
      guard let part = self.part(member, ["url", "path"], example: example),
        let request = ownRequest(part, [], example: example),
        let path = part.path("path", example: example, isSingular: false)
      else { return nil }
      return (request, path)
    }
    var request = ownRequest(part, [], example: example)
    request?.method = part.word("method", ManifestRequest.Method.self) ?? .get
    guard let login = part.rule("login", example: example), let request else { return nil }
    return .init(request: request, login: login, scopes: scopes)
  }

  /// - Parameter name: The placeholder that it must have.
  private func change(_ member: Member, _ name: String) -> ManifestForge.Change? {
    let example = "\(member.name): {method: PUT, url: \"{base}/api/starred/{\(name)|path}\"}"
    guard let part = part(member, ["method", "url", "params"], example: example) else { return nil }
    let method = part.word("method", ManifestForge.Change.Method.self, example: example)
    guard let request = ownRequest(part, [name], example: example), let method else { return nil }
    if !(request.path.names + request.parameters.flatMap(\.value.names)).contains(name) {
      report(
        member.value, "the address of \(member.name) does not contain {\(name)}",
        hint: "for example: \(example)")
    }
    return .init(method: method, request: request)
  }

  private func files(_ member: Member) -> ManifestForge.Files? {
    let example =
      "files: {file: {url: \"{base}/repos/{id|path}/contents/{file|path}\", content: $.content}, folder: {...}}"
    guard let part = part(member, ["ref", "file", "folder"], example: example) else { return nil }
    let names = ["id"] + ManifestForge.Files.names
    let file = part.required("file", example: example).flatMap {
      self.part($0, ["url", "params", "content"], example: example)
    }
    let listing =
      "folder: {url: \"{base}/repos/{id|path}/contents/{file|path}\", items: $[*], map: {name: $.name}}"
    let folder = part.required("folder", example: listing).flatMap {
      self.part($0, ["url", "params", "items", "map"], example: listing)
    }
    guard let file, let folder, let fileRequest = ownRequest(file, names, example: example),
      let content = file.path("content", example: "content: $.content"),
      let folderRequest = ownRequest(folder, names, example: listing),
      let items = folder.path("items", example: "items: $[*]", isSingular: false),
      let members = members(folder, ManifestForge.Files.members, example: "map: {name: $.name}")
    else { return nil }
    let ref = part.line("ref")
    for (part, request) in [(file, fileRequest), (folder, folderRequest)] {
      if !(request.path.names + request.parameters.flatMap(\.value.names)).contains("file") {
        report(part.node, "the address of files does not contain {file}", hint: "for example: \(example)")
      }
      if ref == nil, request.path.names.contains("ref") {
        report(part.node, "{ref} has no value where none is asked for", hint: "add to files: ref: HEAD")
      }
    }
    if !members.contains(where: { $0.name == "name" }) {
      report(folder.node, "the map of folder does not contain name", hint: "add: name: $.name")
    }
    return .init(
      ref: ref, file: fileRequest, content: content, folder: folderRequest, entries: items, members: members)
  }

  /// A request without a query: the address and the parameters of a part.
  ///
  /// - Parameter names: Its placeholders.
  private func ownRequest(_ part: Part, _ names: [String], example: String) -> ManifestRequest? {
    guard let member = part.required("url", example: example), let url = url(member, further: names) else {
      return nil
    }
    if let place = url.path.names.first(where: ManifestRequest.names.contains) {
      report(
        member.value, "{\(place)} has no value here",
        hint: names.isEmpty
          ? "remove it" : "use \(HumanFormat.alternatives(names.map { "{\($0)}" }))")
    }
    return ManifestRequest(
      origin: url.origin, path: url.path, parameters: part["params"].map { parameters($0, names) } ?? [])
  }

  // MARK: Details

  /// Reads the request for one entity.
  func details(_ member: Member, of kind: ResultKind) -> ManifestDetails? {
    let example = "details: {url: \"{base}/projects/{id}/issues/{number}\"}"
    guard let part = part(member, ["url", "params", "item", "parts"], example: example) else { return nil }
    let parts = part["parts"].map { self.parts($0, of: kind) } ?? []
    guard let request = ownRequest(part, ManifestDetails.names, example: example) else { return nil }
    return ManifestDetails(request: request, item: part.path("item"), parts: parts)
  }

  private func parts(_ member: Member, of kind: ResultKind) -> [ManifestPart] {
    entries(member, example: "parts: {languages: {url: \"{base}/repos/{id|path}/languages\"}}").compactMap {
      entry in
      let known = ManifestPart.Name.allCases.filter { ($0 == .comments) == (kind == .issue) }
      guard let name = ManifestPart.Name(rawValue: entry.name), known.contains(name),
        [.repo, .issue].contains(kind)
      else {
        report(
          entry.key, "\"\(entry.name)\" is no part of the kind \(kind.rawValue)",
          hint: "parts of repositories: languages, readme, latestRelease; of issues: comments")
        return nil
      }
      return self.part(entry, name)
    }
  }

  private func part(_ member: Member, _ name: ManifestPart.Name) -> ManifestPart? {
    // Its keys, and its placeholders besides those of all details.
    let (own, further): ([String], [String]) =
      switch name {
      case .languages: (["unit"], [])
      case .readme: (["files", "content"], ["file"])
      case .latestRelease: (["map"], [])
      case .comments: (["items", "map", "unless", "newestFirst"], ["count"])
      }
    let example = "\(name.rawValue): {url: \"{base}/repos/{id|path}/\(name.rawValue)\"}"
    guard let part = part(member, ["url", "params"] + own, example: example),
      let request = ownRequest(part, ManifestDetails.names + further, example: example)
    else { return nil }
    var read = ManifestPart(name: name, request: request, content: .record([]))
    switch name {
    case .languages:
      let unit = part.word("unit", LanguageUnit.self) ?? .bytes
      read.content = .languages(areBytes: unit == .bytes)
    case .readme:
      read.files = part["files"].map(fileNames) ?? []
      guard let path = part.path("content", example: "content: $.content") else { return nil }
      read.content = .file(path)
    case .latestRelease:
      guard let members = members(part, read.members, example: "map: {tag: $.tag_name}") else { return nil }
      read.content = .record(members)
    case .comments:
      let items = part.path("items", example: "items: $[*]", isSingular: false)
      let members = members(
        part, read.members, example: "map: {author: $.user.login, createdAt: $.created_at, text: $.body}")
      guard let items, let members else { return nil }
      read.content = .records(
        items, members, unless: part.path("unless"), isNewestFirst: part.flag("newestFirst") ?? false)
    }
    let usesFile = (request.path.names + request.parameters.flatMap(\.value.names)).contains("file")
    if name == .readme, usesFile == read.files.isEmpty {
      report(
        member.value, "files and {file} belong together",
        hint: "for example: url: \"{base}/repos/{id|path}/contents/{file}\", files: [README.md]")
    }
    return read
  }

  private enum LanguageUnit: String, CaseIterable { case bytes, percent }

  private func fileNames(_ member: Member) -> [String] {
    let names = member.value.sequence?.compactMap { StrictYAML.text($0) } ?? []
    if names.isEmpty || names.count != member.value.sequence?.count {
      report(member.value, "files takes a list of names", hint: "for example: files: [README.md, README]")
    }
    return names
  }

  /// Reads the members of a record.
  private func members(_ part: Part, _ types: [String: FieldType], example: String) -> [ManifestPart.Member]?
  {
    guard let member = part.required("map", example: example),
      let map = self.part(member, types.keys.sorted(), example: example)
    else { return nil }
    return types.keys.sorted().compactMap { name in
      guard let type = types[name], let member = map[name] else { return nil }
      return rule(member.value, name, type: type).map { .init(name: name, type: type, rule: $0) }
    }
  }

  /// Reads the address of a page.
  ///
  /// - Parameter names: Its placeholders besides that of the server.
  func page(_ member: Member, _ names: [String], example: String) -> Template? {
    guard let text = StrictYAML.text(member.value),
      let template = template(text, member.value, ["base"] + names)
    else {
      if StrictYAML.text(member.value) == nil {
        report(member.value, "\(member.name) takes an address", hint: "for example: \(example)")
      }
      return nil
    }
    if !template.isSafeAddress {
      report(
        member.value, "a value in this address could change its host or path",
        hint: "begin with https://HOST/ or {base}/, and write each as in: \(example)")
    }
    return template
  }
}
