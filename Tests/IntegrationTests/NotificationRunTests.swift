import Foundation
import TestSupport
import Testing

/// Notifications with the built program.
struct NotificationRunTests {
  /// What has no address in the answer, by number, and the page that it leads to.
  private static let sections: [Int: (type: String, page: String)] = [
    57: ("CheckSuite", "/actions"), 56: ("WorkflowRun", "/actions"),
    55: ("RepositoryInvitation", "/invitations"),
    54: ("RepositoryVulnerabilityAlert", "/security/dependabot"),
  ]

  private func github(_ scopes: String? = "notifications") -> FakeGitHub {
    FakeGitHub {
      $0.scopes = scopes
      $0.notifications = (1...60).map { number in
        var thread = FakeNotification(number, "Größe \(number)", number: number)
        thread.updatedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60)
        if number == 59 { thread.type = "PullRequest" }
        if number == 58 { (thread.type, thread.number) = ("Discussion", nil) }
        if let type = Self.sections[number]?.type { (thread.type, thread.number) = (type, nil) }
        thread.isUnread = number > 10
        return thread
      }
    }
  }

  private func withForge(
    _ github: FakeGitHub, _ body: (Program, LoopbackServer) async throws -> Void
  ) async throws {
    try await withServer(handler: github.handler) { server in
      try await body(try Program(server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"]), server)
    }
  }

  /// Every page, with the fields of the contract; in no other feed, and not without the scope.
  @Test func listing() async throws {
    try await withForge(github()) { program, server in
      // Every unread one, however many read ones are newer.
      let unread = try await program.run(["notifications", "--json", "title,unread"]).json().array
      #expect(unread.map { $0["title"]?.string } == (11...60).reversed().map { "Größe \($0)" })
      #expect(unread.allSatisfy { $0["unread"]?.bool == true })
      let few = try await program.run(["feed", "-k", "notifications", "-L", "3", "--json", "title"]).json()
      #expect(few.array.count == 3)
      #expect(try await program.run(["feed", "--all"]).status == 2)
      let list = try await program.run([
        "notification", "list", "--all", "-L", "100", "--format", "json",
      ]).json()
      let items = list["items"]?.array ?? []
      #expect(items.count == 60 && list["complete"]?.bool == true)
      #expect(items[0]["title"]?.string == "Größe 60" && items[0]["repository"]?.string == "github.com/o/n")
      #expect(items[0]["unread"]?.bool == true && items[59]["unread"]?.bool == false)
      #expect(items[0]["reason"]?.string == "review_requested")
      #expect(items[0]["url"]?.string == "https://github.com/o/n/issues/60" && items[0]["updatedAt"] != nil)
      #expect(items[1]["url"]?.string == "https://github.com/o/n/pull/59")
      #expect(items[1]["subject"]?["kind"]?.string == "pr" && items[1]["subject"]?["number"]?.int == 59)
      #expect(items[2]["subject"]?["kind"]?.string == "discussion" && items[2]["subject"]?["number"] == nil)
      for (number, section) in Self.sections {
        #expect(items[60 - number]["url"]?.string == "https://github.com/o/n" + section.page)
      }
      let rows = try await program.run(["feed", "-k", "notification", "--all", "-L", "1"])
      #expect(
        rows.out
          == "Größe 60\to/n\tissue\treview_requested\tunread\t2023-11-14T23:13:20Z\thttps://github.com/o/n/issues/60\tgithub\n",
        "\(rows.out)")
      let before = server.requests.count
      _ = try await program.run(["feed"])
      #expect(server.requests.dropFirst(before).allSatisfy { !$0.path.contains("notifications") })
      let search = try await program.run(["search", "-k", "notification", "x", "-p", "github"])
      #expect(
        search.status == 2 && search.err.contains("does not support the kind notification"), "\(search)")
    }
    try await withForge(github("repo")) { program, _ in
      let refused = try await program.run(["feed", "-k", "notification"])
      #expect(refused.status == 4 && refused.err.contains("needs the scope notifications"), "\(refused)")
      #expect(!refused.err.contains("t0psecret"))
    }
    let none = try await Program().run(["feed", "-k", "notification", "-p", "github"])
    #expect(none.status == 4 && none.err.contains("requires a token"), "\(none)")
  }

  /// Those of several forges are one list, the newest first; those that were read are in it where they are
  /// asked for.
  @Test func ofSeveralForges() async throws {
    let tea: LoopbackServer.Handler = { request in
      func row(_ id: Int, _ title: String, _ time: String, _ isUnread: Bool) -> String {
        let page = request.origin + "/a/b"
        return
          #"{"id":\#(id),"unread":\#(isUnread),"updated_at":"\#(time)","repository":{"html_url":"\#(page)"},"#
          + #""subject":{"title":"\#(title)","type":"Issue","html_url":"\#(page)/issues/\#(id)"}}"#
      }
      var rows = [row(1, "Tea", "2023-11-14T23:12:50Z", true)]
      if request.query("all") == "true" { rows.append(row(2, "Cold tea", "2020-01-01T00:00:00Z", false)) }
      return .json(body: "[" + rows.joined(separator: ",") + "]")
    }
    try await withForge(github()) { program, _ in
      try await withServer(handler: tea) { server in
        try program.home.writeConfig(
          "forage/config.yaml",
          """
          providers:
            tea: {type: gitea, url: "\(server.baseURL)", secrets: {token: {env: TEA_TOKEN}}}

          """)
        func titles(_ options: String...) async throws -> [String] {
          let result = try await program.run(
            ["notifications", "-L", "100", "--json", "title"] + options, adding: ["TEA_TOKEN": "t"])
          return try result.json().array.compactMap { $0["title"]?.string }
        }
        let unread = try await titles()
        #expect(unread.count == 51 && unread.prefix(3) == ["Größe 60", "Tea", "Größe 59"])
        let all = try await titles("--all")
        #expect(all.count == 62 && all.last == "Cold tea")
      }
    }
  }

  /// Some by their numbers, and all that had arrived when the list was printed.
  @Test func reading() async throws {
    let github = github()
    try await withForge(github) { program, server in
      let result = try await program.runScript(
        """
        $forage feed -k notification -L 5 >shown
        $forage notification read 1 && echo unlisted
        $forage feed -k notification -L 5
        $forage notification read 2 4-5 2; echo "status $?"
        $forage notification read 9; echo "status $?"
        $forage notification read; echo "status $?"
        BROWSER= $forage open 2; echo "status $?"
        $forage show 2
        $forage show 3
        """, streams: .outputAndError)
      #expect(result.out.contains("[unread] Größe 60"), "\(result.out)")
      #expect(result.out.contains("read: Größe 59\n") && result.out.contains("read: Größe 56\n"))
      #expect(result.out.contains("status 0") && !result.out.contains("unlisted"))
      #expect(result.out.contains("has no 9\nhint: its numbers are 1 to 5\nstatus 2"))
      #expect(result.out.contains("nothing was named"))
      #expect(result.out.contains("https://github.com/o/n/pull/59\n"))
      // What it is about is shown, and not the notification; a discussion has nothing else to show.
      #expect(server.requests.contains { $0.path == "/repos/o/n/issues/59" }, "\(result.out)")
      #expect(!server.requests.contains { $0.path.hasSuffix("/58") })
      let read = github.options.notifications.filter { !$0.isUnread }.map(\.id)
      #expect(read == Array(1...10) + [56, 57, 59], "\(read)")
      // What arrived after the list stays unread.
      Self.addLate(to: github, in: 3600)
      let all = try await program.runScript(
        "$forage feed -k notification -L 3; $forage notification read --all --yes; echo status $?",
        streams: .outputAndError)
      #expect(all.out.contains("status 0"), "\(all.out)")
      #expect(github.options.notifications.filter(\.isUnread).map(\.id) == [61])
      #expect(server.requests.filter { $0.method == "PUT" }.count == 1)
    }
  }

  /// What came after the answer that a list was made from stays unread, also where that answer was used again
  /// later.
  @Test func readingAllOfAnEarlierAnswer() async throws {
    let github = github()
    try await withForge(github) { program, server in
      _ = try await program.runScript("$forage feed -k notification -L 3", streams: .outputAndError)
      Self.addLate(to: github, in: 1)
      let all = try await program.runScript(
        "sleep 3; $forage feed -k notification -L 3; $forage notification read --all --yes",
        streams: .outputAndError)
      #expect(!all.out.contains("late"), "\(all.out)")
      #expect(github.options.notifications.filter(\.isUnread).map(\.id) == [61])
      #expect(server.requests.filter { $0.path == "/notifications" && $0.method == "GET" }.count == 1)
    }
  }

  /// Lets a notification arrive, with a time so many seconds from now.
  private static func addLate(to github: FakeGitHub, in seconds: Double) {
    github.update { options in
      var late = FakeNotification(61, "late", number: 61)
      late.updatedAt = Date(timeIntervalSinceNow: seconds)
      options.notifications.append(late)
    }
  }
}
