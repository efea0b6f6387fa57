import ForageCore
import ForageTesting
import Synchronization

/// A provider whose time limit grows whenever it is looked at.
final class Changing: FeedProvider, DetailsProvider {
  private let limit = Mutex(1)

  var info: ProviderInfo {
    var info = Shelf.provider.info
    info.timeLimit = limit.withLock { limit in
      defer { limit += 1 }
      return .seconds(limit)
    }
    return info
  }
  var kinds: [ResultKind: Abilities] { Shelf.provider.kinds }

  func feed(_ request: SearchRequest) async throws -> SearchPage { try await Shelf.provider.feed(request) }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    try await Shelf.provider.search(request)
  }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    try await Shelf.provider.details(of: id, deadline: deadline)
  }
}

/// A provider whose cursors lead on from where it is, whatever they say.
final class Forgetful: FeedProvider {
  private let places = Mutex<[String: Int]>([:])

  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider.kinds }

  func feed(_ request: SearchRequest) async throws -> SearchPage { try await Shelf.provider.feed(request) }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    guard let cursor = request.cursor, cursor.contains(".") else {
      return try await Shelf.provider.search(request)
    }
    // The second time a cursor is used it gives what comes behind its page.
    let uses = places.withLock { places -> Int in
      places[cursor, default: 0] += 1
      return places[cursor, default: 0]
    }
    let page = try await Shelf.provider.search(request)
    guard uses > 1, let next = page.next else { return page }
    var further = request
    further.cursor = next
    return try await Shelf.provider.search(further)
  }
}

/// A provider that keeps the request in one place for everybody while it looks.
final class Racing: FeedProvider {
  private let current = Mutex<SearchRequest?>(nil)

  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider.kinds }

  func feed(_ request: SearchRequest) async throws -> SearchPage { try await Shelf.provider.feed(request) }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    current.withLock { $0 = request }
    // Long enough for the others to come.
    try? await Task.sleep(for: .milliseconds(20))
    return try await Shelf.provider.search(current.withLock { $0 } ?? request)
  }
}
