import Foundation
import Synchronization

/// A GitLab or a Gitea with repositories of one group, an account with stars, issues with comments, as their
/// documentations describe them.
public final class FakeForge: Sendable {
  public enum API: Sendable {
    /// GitLab v4: subgroups, names as one segment of addresses, further pages by links of at most 30 rows.
    case gitLab
    /// Gitea and Forgejo v1: owner and name, stars without links to further pages.
    case gitea
  }

  /// The token of the only account, `kim`.
  public static let token = "t0psecret"

  private let api: API
  /// What stands before the addresses of the server, for example `/gitlab`.
  private let folder: String
  private let names: [String]
  private let stars = Mutex<[String]>([])

  /// - Parameter count: The number of repositories: `team/sub/app1` and so on in GitLab, `team/app1` in
  ///   Gitea.
  public init(_ api: API, count: Int = 3, folder: String = "") {
    (self.api, self.folder) = (api, folder)
    names = (1...count).map { (api == .gitLab ? "team/sub/app" : "team/app") + String($0) }
  }

  /// The names of the repositories that the account has starred, the first one first.
  public var starred: [String] { stars.withLock { $0 } }

  /// Takes all stars back, as on the forge's pages.
  public func unstarAll() { stars.withLock { $0 = [] } }

  public var handler: LoopbackServer.Handler { { self.answer($0) } }

  private func answer(_ request: RecordedRequest) -> ScriptedResponse {
    let basic = "Basic " + Data("kim:\(Self.token)".utf8).base64EncodedString()
    let given = request.header("private-token") ?? request.header("authorization")
    let isRight = ["", "token ", "Bearer "].contains { given == $0 + Self.token } || given == basic
    if given != nil, !isRight { return failure(401, "401 Unauthorized") }
    guard request.path.hasPrefix(folder + "/api/") else { return failure(404, "404 Not Found") }
    let parts = request.target.prefix { $0 != "?" }.dropFirst(folder.count).split(separator: "/").dropFirst(2)
      .map {
        String($0).removingPercentEncoding ?? ""
      }
    let isKnown = given != nil
    return switch api {
    case .gitLab: gitLab(parts, request, isKnown)
    case .gitea: gitea(parts, request, isKnown)
    }
  }

  private func failure(_ status: Int, _ message: String) -> ScriptedResponse {
    .json(status: status, body: #"{"message":"\#(message)"}"#)
  }

  /// A page of repositories.
  private func list(
    _ names: [String], _ request: RecordedRequest, size name: String, most: Int, hasLinks: Bool = true,
    wrap: (String) -> String = { $0 }
  ) -> ScriptedResponse {
    let page = max(1, request.query("page").flatMap { Int($0) } ?? 1)
    let size = min(most, request.query(name).flatMap { Int($0) } ?? 20)
    let part = names.dropFirst((page - 1) * size).prefix(size).map { repository($0, request) }
    var headers: [ScriptedResponse.Header] = [
      ("X-Total", "\(names.count)"), ("X-Total-Count", "\(names.count)"),
    ]
    if hasLinks, page * size < names.count {
      let others = request.queryItems.filter { $0.name != "page" }.map { "\($0.name)=\($0.value)" }
      let query = (others + ["page=\(page + 1)"]).joined(separator: "&")
      headers.append(("Link", "<\(request.origin)\(request.path)?\(query)>; rel=\"next\""))
    }
    return .json(headers: headers, body: wrap("[" + part.joined(separator: ",") + "]"))
  }

  private func matching(_ names: [String], _ text: String?) -> [String] {
    names.filter { name in text.map { $0.isEmpty || name.contains($0) } ?? true }
  }

  private func repository(_ name: String, _ request: RecordedRequest) -> String {
    let number = (names.firstIndex(of: name) ?? 0) + 1
    let (page, parts) = (request.origin + folder + "/" + name, name.split(separator: "/"))
    let owner = parts.dropLast().joined(separator: "/")
    return switch api {
    case .gitLab:
      #"{"id":\#(number),"path":"\#(parts.last ?? "")","path_with_namespace":"\#(name)","web_url":"\#(page)","description":"größe \#(number)","star_count":\#(number),"namespace":{"full_path":"\#(owner)"},"topics":["x"]}"#
    case .gitea:
      #"{"id":\#(number),"name":"\#(parts.last ?? "")","full_name":"\#(name)","html_url":"\#(page)","description":"größe \#(number)","stars_count":\#(number),"owner":{"login":"\#(owner)"},"topics":null}"#
    }
  }

  /// A page of as many issues as there are repositories.
  private func issues(_ request: RecordedRequest, size name: String, most: Int, _ row: (Int) -> String)
    -> ScriptedResponse
  {
    let page = max(1, request.query("page").flatMap { Int($0) } ?? 1)
    let size = min(most, request.query(name).flatMap { Int($0) } ?? 20)
    let numbers = Array((1...names.count).dropFirst((page - 1) * size).prefix(size))
    var headers: [ScriptedResponse.Header] = [
      ("X-Total", "\(names.count)"), ("X-Total-Count", "\(names.count)"),
    ]
    if page * size < names.count {
      let others = request.queryItems.filter { $0.name != "page" }.map { "\($0.name)=\($0.value)" }
      let query = (others + ["page=\(page + 1)"]).joined(separator: "&")
      headers.append(("Link", "<\(request.origin)\(request.path)?\(query)>; rel=\"next\""))
    }
    return .json(headers: headers, body: "[" + numbers.map(row).joined(separator: ",") + "]")
  }

  private func change(_ name: String, isAdded: Bool) -> Bool {
    stars.withLock { stars in
      guard stars.contains(name) != isAdded else { return false }
      if isAdded { stars.append(name) } else { stars.removeAll { $0 == name } }
      return true
    }
  }

  /// The names of the files in the folder `many`, of which GitLab lists 100 a page.
  public static let many = (1...130).map { "f\($0)" }

  /// The files of each repository, by path.
  private var files: [String: String] {
    var files = [
      api == .gitLab ? "README.rst" : "README.md": "# Größe\n", "src/größe/a b.txt": "one\ntwo\n",
    ]
    for name in Self.many { files["many/" + name] = "" }
    return files
  }

  private func file(at path: String, ref: String?) -> ScriptedResponse? {
    let isOfNext = ref == "next" && path == "new.txt"
    guard let text = isOfNext ? "only there\n" : files[path], ref == nil || ref == "HEAD" || ref == "next"
    else { return nil }
    return .json(
      body: #"{"type":"file","encoding":"base64","content":"\#(Data(text.utf8).base64EncodedString())"}"#)
  }

  /// The entries of a folder, as both APIs list them.
  ///
  /// - Parameter folder: The word for the type of a folder.
  private func folder(at path: String, _ folder: String, _ request: RecordedRequest, size: Int?)
    -> ScriptedResponse?
  {
    let start = path.isEmpty ? "" : path + "/"
    var types: [String: String] = [:]
    for file in files.keys where file.hasPrefix(start) {
      let rest = file.dropFirst(start.count).split(separator: "/")
      types[String(rest[0])] = rest.count > 1 ? folder : "blob"
    }
    guard !types.isEmpty else { return nil }
    let (page, size) = (request.query("page").flatMap { Int($0) } ?? 1, size ?? types.count)
    let rows = types.keys.sorted().dropFirst((page - 1) * size).prefix(size).map {
      #"{"name":"\#($0)","type":"\#(types[$0] ?? "")"}"#
    }
    var headers: [ScriptedResponse.Header] = []
    if page * size < types.count {
      let next = "<\(request.origin)\(request.path)?path=\(path)&per_page=\(size)&page=\(page + 1)>"
      headers.append(("Link", next + "; rel=\"next\""))
    }
    return .json(headers: headers, body: "[" + rows.joined(separator: ",") + "]")
  }

  private func gitLab(_ parts: [String], _ request: RecordedRequest, _ isKnown: Bool) -> ScriptedResponse {
    let (first, second, rest) = (parts.first ?? "", parts.dropFirst().first, Array(parts.dropFirst(2)))
    let missing = failure(404, "404 Project Not Found")
    switch (first, second, rest) {
    case ("user", nil, _):
      return isKnown ? .json(body: #"{"username":"kim"}"#) : failure(401, "401 Unauthorized")
    case ("projects", nil, _):
      let all = request.query("starred") == "true" ? starred : names
      let found = matching(all, request.query("search"))
      return list(found, request, size: "per_page", most: 30)
    case ("issues", nil, _), ("merge_requests", nil, _):
      return issues(request, size: "per_page", most: 30) { number in
        let page = request.origin + folder + "/" + names[0] + "/-/\(first)/\(number)"
        return
          #"{"id":\#(number),"iid":\#(number),"title":"wait for \#(number)","web_url":"\#(page)","state":"opened"}"#
      }
    case ("groups", let group?, ["projects"]):
      let found = names.filter { $0.hasPrefix(group + "/") }
      return found.isEmpty
        ? failure(404, "404 Group Not Found") : list(found, request, size: "per_page", most: 30)
    case ("users", "kim"?, ["projects"]): return list([], request, size: "per_page", most: 30)
    case ("users", "kim"?, ["starred_projects"]): return list(starred, request, size: "per_page", most: 30)
    case ("users", _, _): return failure(404, "404 User Not Found")
    case ("projects", let name?, _) where names.contains(name):
      return gitLab(project: name, rest, request, isKnown)
    default: return missing
    }
  }

  private func gitLab(project name: String, _ rest: [String], _ request: RecordedRequest, _ isKnown: Bool)
    -> ScriptedResponse
  {
    let page = request.origin + folder + "/" + name
    switch (rest.first, rest.count) {
    case (nil, _): return .json(body: repository(name, request))
    case ("star"?, 1), ("unstar"?, 1):
      guard isKnown, request.method == "POST" else { return failure(401, "401 Unauthorized") }
      return change(name, isAdded: rest[0] == "star")
        ? .json(status: 201, body: repository(name, request)) : .status(304)
    case ("languages"?, 1): return .json(body: #"{"Ruby":66.6,"Go":33.4}"#)
    case ("repository"?, 3) where request.query("ref") != nil:
      return file(at: rest[2], ref: request.query("ref")) ?? failure(404, "404 File Not Found")
    case ("repository"?, 2):
      return folder(
        at: request.query("path") ?? "", "tree", request, size: request.query("per_page").flatMap { Int($0) })
        ?? failure(404, "404 Tree Not Found")
    case ("releases"?, 3):
      return .json(body: #"{"tag_name":"v1","name":"One","released_at":"2026-01-02T00:00:00Z"}"#)
    case ("issues"?, 2), ("merge_requests"?, 2):
      return .json(
        body:
          #"{"id":1,"iid":\#(rest[1]),"title":"Crash","web_url":"\#(page)/-/\#(rest[0])/\#(rest[1])","state":"opened","user_notes_count":4}"#
      )
    case ("issues"?, 3), ("merge_requests"?, 3):
      let notes = (0..<5).map { index in
        #"{"system":\#(index == 1),"body":"note \#(9 - index)","author":{"username":"ann"},"created_at":"2026-01-0\#(9 - index)T00:00:00Z"}"#
      }
      return .json(body: "[" + notes.joined(separator: ",") + "]")
    default: return failure(404, "404 Not Found")
    }
  }

  private func gitea(_ parts: [String], _ request: RecordedRequest, _ isKnown: Bool) -> ScriptedResponse {
    let missing = failure(404, "The target couldn't be found.")
    switch (parts.first ?? "", parts.count) {
    case ("user", 1): return isKnown ? .json(body: #"{"login":"kim"}"#) : failure(401, "token is required")
    case ("user", 2) where isKnown:
      return list(starred, request, size: "limit", most: 50, hasLinks: false)
    case ("user", 4) where isKnown:
      let name = parts[2] + "/" + parts[3]
      guard names.contains(name), ["PUT", "DELETE"].contains(request.method) else { return missing }
      _ = change(name, isAdded: request.method == "PUT")
      return .status(204)
    case ("repos", 2):
      return list(
        matching(names, request.query("q")), request, size: "limit", most: 50,
        wrap: { #"{"ok":true,"data":\#($0)}"# })
    case ("repos", 3) where parts[1] == "issues":
      return issues(request, size: "limit", most: 50) { number in
        let page = request.origin + folder + "/" + names[0] + "/issues/\(number)"
        return
          #"{"id":\#(number),"number":\#(number),"title":"wait for \#(number)","html_url":"\#(page)","state":"open"}"#
      }
    case ("users", 3):
      let found = parts[2] == "repos" ? names.filter { $0.hasPrefix(parts[1] + "/") } : starred
      guard parts[1] == "team" || parts[1] == "kim" else { return missing }
      return list(found, request, size: "limit", most: 50)
    case ("repos", 3...) where names.contains(parts[1] + "/" + parts[2]):
      return gitea(repository: parts[1] + "/" + parts[2], Array(parts.dropFirst(3)), request)
    default: return missing
    }
  }

  private func gitea(repository name: String, _ rest: [String], _ request: RecordedRequest)
    -> ScriptedResponse
  {
    let page = request.origin + folder + "/" + name
    switch (rest.first, rest.count) {
    case (nil, _): return .json(body: repository(name, request))
    case ("languages"?, 1): return .json(body: #"{"Go":900,"C":100}"#)
    case ("contents"?, _):
      let path = rest.dropFirst().joined(separator: "/")
      return file(at: path, ref: request.query("ref")) ?? folder(at: path, "dir", request, size: nil)
        ?? failure(404, "The target couldn't be found.")
    case ("issues"?, 1):
      return issues(request, size: "limit", most: 50) { number in
        #"{"id":\#(number),"number":\#(number),"title":"wait for \#(number)","html_url":"\#(page)/issues/\#(number)","state":"open"}"#
      }
    case ("issues"?, 2):
      return .json(
        body:
          #"{"id":1,"number":\#(rest[1]),"title":"Crash","html_url":"\#(page)/issues/\#(rest[1])","state":"open","comments":5}"#
      )
    case ("issues"?, 3):
      let comments = (1...5).map { number in
        #"{"body":"note \#(number)","user":{"login":"ann"},"created_at":"2026-01-0\#(number)T00:00:00Z"}"#
      }
      return .json(body: "[" + comments.joined(separator: ",") + "]")
    default: return failure(404, "The target couldn't be found.")
    }
  }
}
