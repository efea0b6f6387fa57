public import Foundation

/// A thread of notifications of a token's owner.
public struct FakeNotification: Sendable, Hashable {
  public var id: Int
  public var title: String
  /// `Issue`, `PullRequest`, `Release`, `Discussion` and so on.
  public var type = "Issue"
  /// `owner/name`.
  public var repository = "o/n"
  /// The number of the issue or pull request.
  public var number: Int?
  public var isUnread = true
  public var updatedAt = Date(timeIntervalSince1970: 1_650_000_000)

  public init(_ id: Int, _ title: String, number: Int? = nil) {
    (self.id, self.title, self.number) = (id, title, number)
  }
}

/// The list of notifications, and marking them as read. Only a token with the scope `notifications` may do
/// either.
extension FakeGitHub {
  func notifications(_ call: Call, _ options: Options) -> FakeAnswer {
    guard call.token != nil else { return .error(401, "Requires authentication") }
    guard options.scopes?.contains("notifications") == true else {
      return .error(403, "Missing the 'notifications' scope.")
    }
    switch (call.request.method, call.parts.count) {
    case ("GET", 1): return list(call, options)
    case ("PATCH", 3) where call.parts[1] == "threads":
      guard let id = Int(call.parts[2]), options.notifications.contains(where: { $0.id == id }) else {
        return .notFound
      }
      update { options in
        for index in options.notifications.indices where options.notifications[index].id == id {
          options.notifications[index].isUnread = false
        }
      }
      return FakeAnswer(status: 205, json: nil)
    case ("PUT", 1):
      let body = String(decoding: call.request.body, as: UTF8.self)
      guard let text = body.firstMatch(of: /"last_read_at":"([^"]+)"/)?.1,
        let time = ISO8601DateFormatter().date(from: String(text))
      else { return .error(422, "Invalid request.") }
      update { options in
        for index in options.notifications.indices where options.notifications[index].updatedAt <= time {
          options.notifications[index].isUnread = false
        }
      }
      return FakeAnswer(status: 205, json: nil)
    default: return .notFound
    }
  }

  private func list(_ call: Call, _ options: Options) -> FakeAnswer {
    let (page, size) = Self.paging(call.request)
    let all = options.notifications.filter { call.request.query("all") == "true" || $0.isUnread }.sorted {
      $0.updatedAt > $1.updatedAt
    }
    let items = all.dropFirst((page - 1) * size).prefix(size).map { thread -> FakeJSON in
      let path = thread.type == "PullRequest" ? "pulls" : "issues"
      let url = thread.number.map { "\(call.api)/repos/\(thread.repository)/\(path)/\($0)" }
      return [
        "id": .string(String(thread.id)), "unread": .bool(thread.isUnread), "reason": "review_requested",
        "updated_at": .string(UTCTime.iso(thread.updatedAt)),
        "subject": [
          "title": .string(thread.title), "url": url.map { .string($0) } ?? .null,
          "type": .string(thread.type),
        ],
        "repository": [
          "full_name": .string(thread.repository), "html_url": .string("\(options.web)/\(thread.repository)"),
        ],
      ]
    }
    var answer = FakeAnswer(status: 200, json: .array(Array(items)))
    answer.headers = [("Cache-Control", "private, max-age=60, s-maxage=60"), ("X-Poll-Interval", "60")]
    if let link = Self.link(call, page: page, size: size, count: all.count) {
      answer.headers.append(("Link", link))
    }
    return answer
  }
}
