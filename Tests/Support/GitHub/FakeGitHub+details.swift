import Foundation

extension FakeGitHub {
  /// What is below `/repos/OWNER/NAME`; nil for what is not known here.
  func below(_ repository: FakeRepository, _ path: [String], _ call: Call, _ options: Options) -> FakeAnswer?
  {
    let links = links(call, options)
    let name = repository.fullName.lowercased()
    switch (path.first, path.count) {
    case ("languages", 1):
      let main = repository.language.map {
        [$0: repository.size.multipliedReportingOverflow(by: 1024).partialValue]
      }
      let known = (repository.facts.languages ?? main ?? [:]).sorted { $0.key < $1.key }
      return FakeAnswer(status: 200, json: .object(known.map { .init(name: $0.key, value: .int($0.value)) }))
    case ("contributors", 1): return contributors(repository, call, links)
    case ("releases", 2) where path[1] == "latest":
      return repository.facts.release.map { checked($0.json(repository, links), "release") } ?? .notFound
    case ("readme", 1):
      guard let bytes = repository.facts.readme else { return .notFound }
      let file = FakeContent(
        repository: repository, path: "README.md", ref: repository.defaultBranch, bytes: bytes)
      return checked(file.json(links), "content")
    case ("issues", 2):
      let found = options.issues.first { $0.repository.lowercased() == name && String($0.number) == path[1] }
      return found.map { checked($0.json(rendering(call, options)).without("score"), "issue") } ?? .notFound
    case ("commits", 2):
      let found = options.commits.first {
        $0.repository.lowercased() == name && $0.sha.hasPrefix(path[1].lowercased())
      }
      return found.map { checked(commit($0, call, options), "commit") }
        ?? .error(422, "No commit found for SHA: \(path[1])")
    case ("contents", 2...):
      let wanted = path.dropFirst().joined(separator: "/")
      let found = options.files.first { $0.repository.lowercased() == name && $0.path == wanted }
      guard let found else { return .notFound }
      let ref = call.request.query("ref") ?? repository.defaultBranch
      let file = FakeContent(
        repository: repository, path: found.path, ref: ref, bytes: Array(found.content.utf8))
      return checked(file.json(links), "content")
    default: return nil
    }
  }

  /// `/users/LOGIN`.
  func account(_ login: String, _ call: Call, _ options: Options) -> FakeAnswer {
    guard let found = options.users.first(where: { $0.login.lowercased() == login.lowercased() }) else {
      return .notFound
    }
    return checked(found.profile(links(call, options)), "profile")
  }

  private func rendering(_ call: Call, _ options: Options) -> FakeRendering {
    FakeRendering(call, options, links(call, options), FakeQuery(""))
  }

  private func commit(_ commit: FakeCommit, _ call: Call, _ options: Options) -> FakeJSON {
    let item = FakeSearch.commits.json(commit, rendering(call, options))
    let stats: FakeJSON = ["additions": 12, "deletions": 3, "total": 15]
    return item.without("score").without("repository").with("stats", stats).with("files", [])
  }

  private func contributors(
    _ repository: FakeRepository, _ call: Call, _ links: FakeRepository.Links
  ) -> FakeAnswer {
    switch repository.facts.contributors {
    case .empty: return FakeAnswer(status: 204, json: nil)
    case .counting: return FakeAnswer(status: 202, json: [:])
    case .tooLarge:
      return .error(
        403,
        "The history or contributor list is too large to list contributors for this repository via the API.")
    case .people(let people):
      let (page, size) = Self.paging(call.request)
      let shown = people.dropFirst((page - 1) * size).prefix(size).map { person -> FakeJSON in
        guard let login = person.login else {
          return ["name": .optional(person.name), "type": "Anonymous", "contributions": .int(person.commits)]
        }
        return FakeAccount(login: login).json(links).with("contributions", .int(person.commits))
      }
      return FakeAnswer(status: 200, json: .array(shown))
    }
  }

  /// The body, or an error when it is not what GitHub's description promises.
  private func checked(_ body: FakeJSON, _ table: String) -> FakeAnswer {
    let faults = FakeSchema.faults(of: body, table: table)
    return faults.isEmpty
      ? FakeAnswer(status: 200, json: body) : .error(500, "does not fit: \(faults.joined(separator: ", "))")
  }
}

/// A file as `contents` and `readme` tell of it.
private struct FakeContent {
  /// Characters of base64 on a line.
  private static let lineLength = 60

  var repository: FakeRepository
  var path: String
  var ref: String
  var bytes: [UInt8]

  func json(_ links: FakeRepository.Links) -> FakeJSON {
    let allowed = CharacterSet.alphanumerics.union(.init(charactersIn: "-._~/"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    let root = "\(links.api)/repos/\(repository.fullName)"
    let (api, page) = (
      "\(root)/contents/\(encoded)?ref=\(ref)", "\(links.web)/\(repository.fullName)/blob/\(ref)/\(encoded)"
    )
    let sha = FakeCommit.digest(of: String(decoding: bytes, as: UTF8.self))
    let blob = "\(root)/git/blobs/\(sha)"
    return [
      "name": .string(String(path.split(separator: "/").last ?? "")), "path": .string(path),
      "sha": .string(sha),
      "size": .int(bytes.count), "url": .string(api), "html_url": .string(page), "git_url": .string(blob),
      "download_url": .string("https://raw.githubusercontent.com/\(repository.fullName)/\(ref)/\(encoded)"),
      "type": "file", "content": .string(Self.base64(bytes)), "encoding": "base64",
      "_links": ["self": .string(api), "git": .string(blob), "html": .string(page)],
    ]
  }

  /// Base64 in lines, each with its end, as GitHub writes it.
  private static func base64(_ bytes: [UInt8]) -> String {
    var rest = Data(bytes).base64EncodedString()[...]
    var lines = ""
    while !rest.isEmpty {
      lines += rest.prefix(lineLength) + "\n"
      rest = rest.dropFirst(lineLength)
    }
    return lines
  }
}

extension FakeFacts.Release {
  fileprivate func json(_ repository: FakeRepository, _ links: FakeRepository.Links) -> FakeJSON {
    let id = FakeAccount.number(of: repository.fullName + tag)
    let root = "\(links.api)/repos/\(repository.fullName)/releases"
    let page = "\(links.web)/\(repository.fullName)/releases/tag/\(tag)"
    return [
      "url": .string("\(root)/\(id)"), "assets_url": .string("\(root)/\(id)/assets"),
      "upload_url": .string(
        "https://uploads.github.com/repos/\(repository.fullName)/releases/\(id)/assets{?name,label}"),
      "html_url": .string(page), "id": .int(id), "author": FakeAccount(login: repository.owner).json(links),
      "node_id": .string("RE_\(id)"), "tag_name": .string(tag),
      "target_commitish": .string(repository.defaultBranch),
      "name": .optional(name), "draft": false, "prerelease": false,
      "created_at": .string(UTCTime.iso(publishedAt)), "published_at": .string(UTCTime.iso(publishedAt)),
      "assets": [], "tarball_url": nil, "zipball_url": nil, "body": "What is new.",
    ]
  }
}

extension FakeAccount {
  /// The members of GitHub's schema `public-user`.
  fileprivate func profile(_ links: FakeRepository.Links) -> FakeJSON {
    let more: [(String, FakeJSON)] = [
      ("name", .optional(name)), ("company", .optional(company)), ("blog", ""),
      ("location", .optional(location)),
      ("email", .optional(email)), ("hireable", nil), ("bio", .optional(bio)), ("twitter_username", nil),
      ("public_repos", .int(repositories)), ("public_gists", 0), ("followers", .int(followers)),
      ("following", 3), ("created_at", .string(UTCTime.iso(createdAt))),
      ("updated_at", .string(UTCTime.iso(createdAt))),
    ]
    return .object(members(links) + more.map { .init(name: $0.0, value: $0.1) })
  }
}

extension FakeJSON {
  /// The object without a member.
  fileprivate func without(_ name: String) -> FakeJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name })
  }

  /// The object with one more member.
  fileprivate func with(_ name: String, _ value: FakeJSON) -> FakeJSON {
    guard case .object(let members) = self else { return self }
    return .object(members + [.init(name: name, value: value)])
  }
}
