import ForageCore
import Synchronization
import TestSupport
import Testing

@testable import ForageManifest

struct PagingTests {
  /// The numbers from 1 of a list, as a server gives them out.
  private static func slice(_ request: RecordedRequest, count: Int, from first: Int, size: Int) -> Range<Int>
  {
    (min(first, count) + 1)..<(min(first + size, count) + 1)
  }

  private static func number(_ request: RecordedRequest, _ name: String) -> Int {
    request.query(name).flatMap { Int($0) } ?? -1
  }

  /// The paging of a manifest, the parameter that it fills, and the server that understands it.
  struct Style: Sendable, CustomTestStringConvertible {
    var name: String
    var paging: String
    var params: String
    var answer: @Sendable (RecordedRequest, Int) -> ScriptedResponse
    var testDescription: String { name }
  }

  static let styles: [Style] = [
    Style(
      name: "pages that say whether there is more", paging: "{style: page, start: 1, size: 8, more: $.more}",
      params: "{q: \"{text}\", n: \"{size}\", p: \"{page}\"}"
    ) { request, count in
      let (size, page) = (number(request, "n"), number(request, "p"))
      let range = slice(request, count: count, from: (page - 1) * size, size: size)
      return .json(body: rows(range, more: #""more":\#(range.upperBound <= count)"#))
    },
    Style(
      name: "pages from 0", paging: "{style: page, start: 0, size: 8, more: $.next}",
      params: "{q: \"{text}\", n: \"{size}\", p: \"{page}\"}"
    ) { request, count in
      let (size, page) = (number(request, "n"), number(request, "p"))
      let range = slice(request, count: count, from: page * size, size: size)
      let next = range.upperBound <= count ? String(page + 1) : "null"
      return .json(body: rows(range, more: #""next":\#(next)"#))
    },
    Style(
      name: "pages that are full", paging: "{style: page, size: 8}", params: "{n: \"{size}\", p: \"{page}\"}"
    ) { request, count in
      let (size, page) = (number(request, "n"), number(request, "p"))
      return .json(body: rows(slice(request, count: count, from: (page - 1) * size, size: size)))
    },
    Style(
      name: "offsets", paging: "{style: offset, start: 0, size: 8}",
      params: "{n: \"{size}\", from: \"{offset}\"}"
    ) { request, count in
      // It gives out five at most, whatever is asked for.
      let size = min(5, number(request, "n"))
      let range = slice(request, count: count, from: number(request, "from"), size: size)
      return .json(body: rows(range, more: #""total":\#(count)"#))
    },
    Style(
      name: "cursors", paging: "{style: cursor, param: after, next: $.page.after, size: 8}",
      params: "{n: \"{size}\"}"
    ) { request, count in
      let first = request.query("after").flatMap { Int($0.dropFirst(2)) } ?? 0
      let range = slice(request, count: count, from: first, size: number(request, "n"))
      let next = range.upperBound <= count ? #""c&\#(range.upperBound - 1)""# : "null"
      return .json(body: rows(range, more: #""page":{"after":\#(next)}"#))
    },
    Style(name: "links in a header", paging: "{style: link, size: 8}", params: "{n: \"{size}\"}") {
      request, count in
      let first = request.query("at").flatMap { Int($0) } ?? 0
      let range = slice(request, count: count, from: first, size: number(request, "n"))
      let link =
        "<\(request.origin)/search?n=\(number(request, "n"))&at=\(range.upperBound - 1)>; rel=\"next\""
      return .json(headers: range.upperBound <= count ? [("Link", link)] : [], body: rows(range))
    },
    Style(
      name: "links in the body", paging: "{style: link, next: $.next, size: 8}", params: "{n: \"{size}\"}"
    ) {
      request, count in
      let first = request.query("at").flatMap { Int($0) } ?? 0
      let range = slice(request, count: count, from: first, size: number(request, "n"))
      let next =
        range.upperBound <= count ? #""?n=\#(number(request, "n"))&at=\#(range.upperBound - 1)""# : "null"
      return .json(body: rows(range, more: #""next":\#(next)"#))
    },
    Style(name: "one answer", paging: "{style: none, size: 100}", params: "{n: \"{size}\"}") {
      request, count in
      .json(body: rows(slice(request, count: count, from: 0, size: number(request, "n"))))
    },
    Style(
      name: "a server that ignores the size", paging: "{style: page, size: 8, more: $.more}",
      params: "{p: \"{page}\"}"
    ) { request, count in
      let range = slice(request, count: count, from: (number(request, "p") - 1) * 20, size: 20)
      return .json(body: rows(range, more: #""more":\#(range.upperBound <= count)"#))
    },
  ]

  /// Whatever the page size, every result comes once and in order.
  @Test(arguments: styles, [1, 3, 8, 30])
  func nothingIsLostOrRepeated(_ style: Style, _ pageSize: Int) async throws {
    for count in [0, 1, 7, 8, 16, 37] {
      let total = style.name == "offsets" ? "total: $.total" : ""
      let text = sample(paging: style.paging, params: style.params, more: total)
      try await withAPI(text) {
        style.answer($0, count)
      } _: { provider, server in
        let found = try await everything(provider, "x", pageSize: pageSize)
        #expect(
          found.items.map(\.title) == (0..<count).map { "n\($0 + 1)" }, "\(count) in pages of \(pageSize)")
        #expect(server.requests.count <= max(1, found.pages))
      }
    }
  }

  /// A server may cut every page to a size of its own, without a word: its pages are those of that size.
  @Test(arguments: [1, 20, 30, 50], [30, 50, 100])
  func pagesThatAreCut(_ most: Int, _ pageSize: Int) async throws {
    for (count, hasMore) in [0, 1, 29, 30, 60, 82].flatMap({ [($0, true), ($0, false)] }) {
      let text = sample(
        paging: "{style: page, size: 50\(hasMore ? ", more: $.more" : "")}",
        params: "{n: \"{size}\", p: \"{page}\"}", more: hasMore ? "" : "total: $.total")
      try await withAPI(text) { request in
        let size = min(most, Self.number(request, "n"))
        let first = (Self.number(request, "p") - 1) * size
        let range = Self.slice(request, count: count, from: first, size: size)
        return .json(body: rows(range, more: #""total":\#(count),"more":\#(range.upperBound <= count)"#))
      } _: { provider, server in
        let found = try await everything(provider, "x", pageSize: pageSize)
        #expect(found.items.map(\.title) == (0..<count).map { "n\($0 + 1)" }, "\(count) of at most \(most)")
        #expect(server.requests.count <= (count + most - 1) / most + 1)
      }
    }
  }

  /// The same of a server that says neither how many there are nor where they end, by page and by offset.
  @Test(arguments: [20, 30, 50], [30, 50, 100])
  func pagesThatAreCutInSilence(_ most: Int, _ pageSize: Int) async throws {
    for (count, style) in [0, 1, 29, 30, 60, 95].flatMap({ [($0, "page"), ($0, "offset")] }) {
      for isEndMissing in [false, true] {
        let text = sample(paging: "{style: \(style), size: 50}", params: "{at: \"{\(style)}\"}")
        try await withAPI(text) { request in
          let at = Self.number(request, "at")
          let first = style == "page" ? (at - 1) * most : at
          if isEndMissing, first > 0, first >= count { return .status(404) }
          return .json(body: rows(Self.slice(request, count: count, from: first, size: most)))
        } _: { provider, server in
          let found = try await everything(provider, "x", pageSize: pageSize)
          #expect(found.items.map(\.title) == (0..<count).map { "n\($0 + 1)" }, "\(count) of at most \(most)")
          // A page that is read in pieces is asked for again; only the cache knows it.
          #expect(Set(server.requests.map(\.target)).count <= count / most + 2)
        }
      }
    }
  }

  @Test(arguments: ["", "m1.", "m1.00000000AAAA", "f1.x.y", "\u{0}", String(repeating: "m", count: 10_000)])
  func damagedCursors(_ cursor: String) async throws {
    try await withAPI(sample()) { _ in
      .json(body: rows(1...30, more: #""more":true"#))
    } _: {
      provider, server in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider, cursor: cursor)) }
      #expect(error?.code == .invalidCursor && server.connectionCount == 0)
    }
  }

  /// Numbers that nobody gave out, with the right check sum, end in an answer or an error.
  @Test(arguments: [
    "1000 9223372036854775807 ", "1 2147483647 ", "1000 0 2147483647", "0 0 ", "1 -1 ", "1 0 -1", "1 0 x",
  ])
  func forgedCursors(_ content: String) async throws {
    try await withAPI(sample()) { _ in
      .json(body: rows(1...30, more: #""more":true"#))
    } _: { provider, server in
      let owner = ["acme", "package", server.baseURL, "x", "-", "desc"].joined(separator: "\n")
      let mark = (owner + "\n" + content).utf8.fingerprint
      let cursor = "m1." + mark + Base64.encode(Array(content.utf8))
      do {
        let page = try await provider.search(ask("x", of: provider, cursor: cursor))
        #expect(page.items.count <= 30)
      } catch let error as SearchError {
        #expect(error.code == .invalidCursor)
      }
    }
  }

  /// A cursor belongs to its query and its provider, survives a new start, and every change of a byte is
  /// noticed.
  @Test func cursorsAreSelfContained() async throws {
    try await withAPI(sample()) { _ in
      .json(body: rows(1...30, more: #""more":true"#))
    } _: {
      provider, server in
      let next = try #require(try await provider.search(ask("x", of: provider)).next)
      try await withProvider(provider.manifest, at: server) { other in
        let page = try await other.search(ask("x", of: other, cursor: next))
        #expect(page.items.count == 30 && server.requests.last?.query("page") == "2")
      }
      let error = await searchError { _ = try await provider.search(ask("y", of: provider, cursor: next)) }
      #expect(error?.code == .invalidCursor)
      for place in next.indices {
        var damaged = next
        damaged.replaceSubrange(place...place, with: next[place] == "A" ? "B" : "A")
        let request = try ask("x", of: provider, cursor: damaged)
        let error = await searchError { _ = try await provider.search(request) }
        #expect(error?.code == .invalidCursor, "\(damaged)")
      }
    }
  }

  @Test(
    arguments: [
      ("https://evil.example/search?at=9", "on another host"), ("//evil.example/x", "on another host"),
      ("http://127.0.0.1:1/search", "on another host"), ("ftp://x/", "not valid or contains credentials"),
      ("http://user:secret@127.0.0.1/x", "not valid or contains credentials"),
      ("https://127.0.0.1:PORT/search?at=9", "on another host"),
    ])
  func linksStayOnTheOrigin(_ link: String, _ told: String) async throws {
    let text = sample(paging: "{style: link, size: 8}", params: "{n: \"{size}\"}")
    try await withAPI(text) { request in
      let port = request.origin.split(separator: ":").last.map(String.init) ?? ""
      return .json(
        headers: [("Link", "<\(link.replacing("PORT", with: port))>; rel=\"next\"")], body: rows(1...8))
    } _: { provider, server in
      let page = try await provider.search(ask("x", of: provider, pageSize: 8))
      #expect(page.items.count == 8 && page.next == nil)
      #expect(page.notes.first?.message.hasSuffix(" \(told)") == true)
      #expect(page.notes.first?.hint.contains("check the url of acme") == true)
      #expect(server.requests.count == 1)
    }
  }

  /// A path that begins with two slashes is no host.
  @Test func linksMayBeginWithTwoSlashes() async throws {
    let text = sample(paging: "{style: link, size: 8}", params: "{n: \"{size}\"}")
    try await withAPI(text) { request in
      let isFirst = request.path == "/search"
      return .json(headers: isFirst ? [("Link", "</.//more?at=9>; rel=\"next\"")] : [], body: rows(1...8))
    } _: { provider, server in
      let first = try await provider.search(ask("x", of: provider, pageSize: 8))
      let next = try #require(first.next)
      _ = try await provider.search(ask("x", of: provider, pageSize: 8, cursor: next))
      #expect(server.requests.last?.target == "//more?at=9")
    }
  }

  /// A next page that is named but cannot be requested ends the list with a reason.
  @Test(
    arguments: [
      ("{style: link, next: $.next, size: 8}", "7", "its address is not a text"),
      ("{style: cursor, param: after, next: $.next, size: 8}", "[1]", "its cursor is neither"),
      ("{style: cursor, param: after, next: $.next, size: 8}", "true", "its cursor is neither"),
      (
        "{style: cursor, param: after, next: $.next, size: 8}",
        "\"" + String(repeating: "c", count: 9000) + "\"", "its address is longer than 8 KiB"
      ),
    ])
  func oddNextPages(_ paging: String, _ next: String, _ told: String) async throws {
    try await withAPI(sample(paging: paging, params: "{n: \"{size}\"}")) { _ in
      .json(body: rows(1...8, more: #""next":\#(next)"#))
    } _: { provider, _ in
      let page = try await provider.search(ask("x", of: provider, pageSize: 8))
      #expect(page.items.count == 8 && page.next == nil)
      #expect(page.notes.map(\.code) == [.outOfReach])
      #expect(page.notes.first?.message.contains(told) == true, "\(page.notes)")
    }
  }

  /// What the server says counts, even if a page has no rows.
  @Test(arguments: ["{style: page, size: 8, more: $.more}", "{style: offset, size: 8, more: $.more}"])
  func emptyPagesWithMore(_ paging: String) async throws {
    let isPage = paging.contains("page")
    try await withAPI(
      sample(paging: paging, params: isPage ? "{p: \"{page}\"}" : "{p: \"{offset}\"}")
    ) { request in
      // Whole pages are filtered on the server: only the first and the third have rows.
      let place = Self.number(request, "p") / (isPage ? 1 : 8) - (isPage ? 1 : 0)
      let range = place == 0 ? 1...8 : 9...12
      return .json(
        body: rows(place == 0 || place == 2 ? Array(range) : [], more: #""more":\#(place < 2)"#))
    } _: { provider, server in
      let found = try await everything(provider, "x", pageSize: 8)
      #expect(found.items.map(\.title) == (1...12).map { "n\($0)" })
      #expect(found.pages == 3 && server.requests.count == 3)
    }
  }

  @Test func whatCanBeReachedIsBounded() async throws {
    let text = sample(paging: "{style: page, size: 10, maxTotal: 20}")
    try await withAPI(text) { _ in
      .json(body: rows(1...10))
    } _: { provider, server in
      let found = try await everything(provider, "x", pageSize: 10)
      #expect(found.pages == 2 && server.requests.count == 2)
      #expect(provider.kinds[.package]?.reachable == 20)
    }
  }

  @Test func sortsReplaceParametersAndRunBothWays() async throws {
    let text = sample(
      params: "{q: \"{text}\", sort: relevance, page: \"{page}\"}",
      more:
        "sorts: {stars: {sort: star_count, dir: desc}, name: {desc: {sort: name_down}, asc: {sort: name_up}}}"
    )
    try await withAPI(text) { _ in
      .json(body: rows(1...3))
    } _: { provider, server in
      let cases: [(String?, ForageCore.SortOrder, [String])] = [
        (nil, .ascending, ["sort=relevance"]), ("stars", .descending, ["sort=star_count", "dir=desc"]),
        ("stars", .ascending, ["sort=star_count", "dir=asc"]), ("name", .ascending, ["sort=name_up"]),
        ("name", .descending, ["sort=name_down"]),
      ]
      for (sort, order, expected) in cases {
        _ = try await provider.search(ask("x", of: provider, sort: sort, order: order))
        let sent = try #require(server.requests.last).queryItems.map { $0.name + "=" + $0.value }
        #expect(sent.filter { !$0.hasPrefix("q=") && !$0.hasPrefix("page=") } == expected)
      }
      #expect(provider.kinds[.package]?.sorts == ["name", "stars"])
    }
  }

  /// A sort in one direction is sent in that direction; in the other the window is sorted here.
  @Test(arguments: [(ForageCore.SortOrder.descending, true), (.ascending, false)])
  func sortsMayRunOneWay(_ order: ForageCore.SortOrder, _ isSent: Bool) async throws {
    let text = sample(
      params: "{q: \"{text}\", page: \"{page}\"}", more: "sorts: {version: {desc: {sort: newest}}}")
    try await withAPI(text) { _ in
      .json(body: rows(1...3))
    } _: { provider, server in
      #expect(provider.kinds[.package]?.sorts == ["version"])
      let query = try QueryParser(vocabulary: .common).parse("x")
      let search = FederatedSearch(query: query, kinds: [.package], sort: "version", order: order)
      let found = await SearchRun(search, ProviderRegistry([provider])).more()
      #expect(found.items.count == 3 && found.isComplete)
      #expect(server.requests.map { $0.query("sort") } == [isSent ? "newest" : nil])
      if !isSent {
        let error = await searchError {
          _ = try await provider.search(ask("x", of: provider, sort: "version", order: order))
        }
        #expect(error?.code == .unsupportedQuery)
      }
    }
  }

  @Test func feedsUseTheRestOfTheManifest() async throws {
    let text = sample(more: "feed: {request: {url: \"{base}/hot\", params: {page: \"{page}\"}}}")
    try await withAPI(
      text
    ) { request in
      .json(
        body: rows(
          request.query("page") == "1" ? 1...5 : 6...7, more: #""more":\#(request.query("page") == "1")"#))
    } _: { provider, server in
      #expect(provider.kinds[.package]?.feed != nil)
      let found = try await everything(provider, nil, pageSize: 5, isFeed: true)
      #expect(found.items.count == 7 && server.requests.map(\.target) == ["/hot?page=1", "/hot?page=2"])
    }
  }
}
