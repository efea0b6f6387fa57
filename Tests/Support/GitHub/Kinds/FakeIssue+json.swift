import Foundation

extension FakeIssue {
  /// The item of a search: every member that GitHub's schema `issue-search-result-item` requires.
  func json(_ rendering: FakeRendering) -> FakeJSON {
    let links = rendering.links
    let root = "\(links.api)/repos/\(repository)"
    let url = "\(root)/issues/\(number)"
    let page = "\(links.web)/\(repository)/\(isPullRequest ? "pull" : "issues")/\(number)"
    let people = assignees.map { FakeAccount(login: $0).json(links) }
    var all: [(String, FakeJSON)] = [
      ("url", .string(url)), ("repository_url", .string(root)),
      ("labels_url", .string(url + "/labels{/name}")),
      ("comments_url", .string(url + "/comments")), ("events_url", .string(url + "/events")),
      ("html_url", .string(page)), ("id", .int(id)), ("node_id", .string("I_kwDO\(id)")),
      ("number", .int(number)), ("title", .string(title)),
      ("user", author.map { FakeAccount(login: $0).json(links) } ?? .null),
      ("labels", .array(labels.map { Self.label($0, root) })), ("state", isOpen ? "open" : "closed"),
      ("locked", .bool(isLocked)), ("assignee", people.first ?? .null), ("assignees", .array(people)),
      ("milestone", milestone.map { Self.milestone($0, root, links) } ?? .null), ("comments", .int(comments)),
      ("created_at", .string(UTCTime.iso(createdAt))), ("updated_at", .string(UTCTime.iso(updatedAt))),
      ("closed_at", .optional(closedAt.map(UTCTime.iso))), ("author_association", "NONE"),
      ("active_lock_reason", nil), ("body", .string(body ?? "")), ("reactions", reactionObject(url)),
      ("timeline_url", .string(url + "/timeline")), ("performed_via_github_app", nil),
      ("state_reason", .optional(stateReason)), ("score", 1.0),
    ]
    if isPullRequest {
      let pull: FakeJSON = [
        "url": .string("\(root)/pulls/\(number)"), "html_url": .string(page),
        "diff_url": .string(page + ".diff"), "patch_url": .string(page + ".patch"),
        "merged_at": .optional(mergedAt.map(UTCTime.iso)),
      ]
      all += [("draft", .bool(isDraft)), ("pull_request", pull)]
    }
    return .object(all.map { .init(name: $0.0, value: $0.1) })
  }

  private static func label(_ name: String, _ root: String) -> FakeJSON {
    let number = FakeAccount.number(of: name)
    return [
      "id": .int(number), "node_id": .string("LA_\(number)"), "url": .string("\(root)/labels/\(number)"),
      "name": .string(name), "color": "d73a4a", "default": false, "description": nil,
    ]
  }

  private static func milestone(_ title: String, _ root: String, _ links: FakeRepository.Links) -> FakeJSON {
    let number = FakeAccount.number(of: title)
    return [
      "url": .string("\(root)/milestones/\(number)"), "html_url": .string("\(links.web)/milestone/\(number)"),
      "labels_url": .string("\(root)/milestones/\(number)/labels"), "id": .int(number),
      "node_id": .string("MI_\(number)"), "number": .int(1), "state": "open", "title": .string(title),
      "description": nil, "creator": nil, "open_issues": 1, "closed_issues": 0,
      "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z", "closed_at": nil,
      "due_on": nil,
    ]
  }

  private func reactionObject(_ url: String) -> FakeJSON {
    [
      "url": .string(url + "/reactions"), "total_count": .int(reactions), "+1": .int(reactions), "-1": 0,
      "laugh": 0, "hooray": 0, "confused": 0, "heart": 0, "rocket": 0, "eyes": 0,
    ]
  }
}
