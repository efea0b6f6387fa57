import ForageCore

extension GitHubKind {
  /// Repositories. Source: GitHub's documentation "Searching for repositories".
  static let repositories = GitHubKind(
    .repo, path: "repositories", reading: RepositoryResponse.self,
    common: [
      "repo", "user", "org", "owner", "language", "license", "topic", "topics", "stars", "forks", "size",
      "followers", "good-first-issues", "help-wanted-issues", "created", "pushed", "archived", "mirror",
      "template", "fork", "has", "in", "props.*",
    ],
    own: [
      (
        "is",
        .words(["public", "private", "internal", "sponsorable", "archived", "fork", "mirror", "template"]),
        nil
      )
    ],
    fields: [
      .description, .host, .owner, .name, .fullName, .avatarURL, .homepage, .language, .topics, .license,
      .stars, .forks, .watchers, .subscribers, .network, .openIssues, .sizeKB, .fork, .archived, .isPrivate,
      .template, .mirror, .defaultBranch, .createdAt, .updatedAt, .pushedAt, .starredAt, .starred,
    ],
    sorts: ["stars", "forks", "help-wanted-issues", "updated"], lacksUpdated: true, feed: GitHubStars.feed)
}
