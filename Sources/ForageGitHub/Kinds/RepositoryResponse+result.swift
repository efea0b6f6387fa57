import ForageCore

extension RepositoryResponse {
  func result(on host: String) -> SearchResult? { result() }

  /// The repository as a search result; `nil` if its address names no repository.
  ///
  /// The identity comes from the response, not from the requested address.
  func result() -> SearchResult? {
    guard let canonical = RepositoryIdentity.canonical(htmlURL),
      let parts = RepositoryIdentity.components(canonical)
    else { return nil }
    var item = SearchResult(
      id: canonical, forgeID: "\(parts.host):\(id)", kind: .repo, title: fullName, url: htmlURL)
    item.set(.description, description)
    item.set(.host, parts.host)
    item.set(.owner, owner?.login ?? fullName.split(separator: "/").first.map(String.init))
    item.set(.name, name)
    item.set(.avatarURL, owner?.avatarURL)
    item.set(.homepage, homepage)
    item.set(.language, language)
    item.set(.topics, topics)
    if let spdx = license?.spdxID, spdx != "NOASSERTION" { item.set(.license, spdx) }
    item.set(.stars, stars)
    item.set(.forks, forks)
    item.set(.watchers, watchers)
    item.set(.subscribers, subscribers)
    item.set(.network, network)
    item.set(.openIssues, openIssues)
    item.set(.sizeKB, size)
    item.set(.fork, fork)
    item.set(.archived, archived)
    item.set(.isPrivate, isPrivate)
    item.set(.template, isTemplate)
    item.set(.mirror, mirrorURL.map { !$0.isEmpty })
    item.relate(to: mirrorURL, .mirror)
    item.set(.defaultBranch, defaultBranch)
    item.set(.createdAt, GitHubTime.date(createdAt))
    item.set(.updatedAt, GitHubTime.date(updatedAt))
    item.set(.pushedAt, GitHubTime.date(pushedAt))
    return item
  }
}
