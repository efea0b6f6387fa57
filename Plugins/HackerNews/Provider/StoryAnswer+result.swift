import ForageCore
import ForageHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoryAnswer.Hit {
  /// The maximum length of a story's own text, in characters.
  private static let longestText = 10_000

  /// The story as a result; `nil` without an id or title.
  var result: SearchResult? {
    guard let objectID, !objectID.isEmpty, let title = title.map(HTMLText.decode), !title.isEmpty else {
      return nil
    }
    let discussion = "https://news.ycombinator.com/item?id=" + PercentEncoding.encode(objectID)
    let link = url.map(HTMLText.decode).flatMap { Self.isWebAddress($0) ? $0 : nil }
    var result = SearchResult(
      id: HackerNewsProvider.id + ":" + objectID, kind: .story, title: title, url: link ?? discussion)
    result.set(.author, author)
    result.set("points", points)
    result.set(.comments, comments)
    result.set(.createdAt, createdAt.map { Date(timeIntervalSince1970: Double($0)) })
    result.set("text", text.map(Self.shortened))
    result.set("discussionUrl", discussion)
    result.relate(to: link, .link)
    return result
  }

  /// Whether a link is a web address. Other schemes could execute code when opened.
  private static func isWebAddress(_ text: String) -> Bool {
    let beginning = text.prefix(8).lowercased()
    return beginning.hasPrefix("https://") || beginning.hasPrefix("http://")
  }

  private static func shortened(_ html: String) -> String {
    let text = HTMLText.plain(html)
    let part = text.prefix(longestText)
    return part.endIndex < text.endIndex ? part + "…" : text
  }
}
