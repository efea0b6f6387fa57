extension FakeSchema {
  /// What is wrong with the body about one entity, by the name of its table.
  public static func faults(of body: FakeJSON, table: String) -> [String] {
    guard let text = detailTables[table] else { return ["there is no table for \(table)"] }
    return faults(of: body, words(text), at: table)
  }

  private static let detailTables = [
    "issue": issue.replacing(" score:n", with: ""),
    "commit": commit.replacing(" score:n", with: "").replacing("repository:o=minimal", with: "")
      + " ~stats:o ~files:a",
    "content": """
    type:s encoding:s size:i name:s path:s content:s sha:s url:s git_url:s? html_url:s? download_url:s? _links:o
    """,
    "release": """
    url:s html_url:s assets_url:s upload_url:s tarball_url:s? zipball_url:s? id:i node_id:s tag_name:s target_commitish:s
    name:s? ~body:s? draft:b prerelease:b created_at:s published_at:s? author:o=account assets:a
    """,
    "profile": account + " " + """
      name:s? company:s? blog:s? location:s? email:s? hireable:b? bio:s? ~twitter_username:s? public_repos:i
      public_gists:i followers:i following:i created_at:s updated_at:s
      """,
  ]
}
