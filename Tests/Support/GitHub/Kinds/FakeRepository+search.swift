import Foundation

extension FakeSearch where Item == FakeRepository {
  /// `GET /search/repositories`. Forks are left out unless the query has a `fork:`.
  static let repositories = FakeSearch(
    qualifiers: FakeQuery.ofRepositories,
    scopes: ["name", "description", "topics"],
    texts: { repository in
      [("name", repository.fullName), ("description", repository.description ?? "")]
        + repository.topics.map { ("topics", $0) }
    },
    satisfies: { FakeQuery.satisfies($1, $2, $0) },
    sorts: [
      "stars": { Double($0.stars) }, "forks": { Double($0.forks) },
      "updated": { $0.updatedAt.timeIntervalSince1970 },
      "help-wanted-issues": { Double($0.openIssues) },
    ],
    rank: { $1.rank($0) },
    repository: { $0.fullName },
    always: { !$0.fork || !$1.values(of: ["fork"]).isEmpty },
    json: { $0.searchItem($1.links) })
}
