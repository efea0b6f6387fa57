package import ForageCore
import ForageFoundation
package import ForageStore

/// The place behind a page, as `--after` takes it: `f1.<session>.<offset>`.
package struct SearchCursor {
  private static let version = "f1"

  package var session: String
  package var offset: Int
  /// The new session that it belongs to, which is written after the results; `nil` for a stored one.
  package var draft: SessionFiles.Draft?

  package var text: String { "\(Self.version).\(session).\(offset)" }

  /// Reads a cursor.
  ///
  /// - Throws: `ForageError` for what no page has ended with.
  package init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.version, parts[1].utf8.count == 32,
      parts[1].utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let offset = Int(parts[2]), offset >= 0, String(offset) == parts[2]
    else {
      throw ForageError(
        "\"\(text)\" is not a cursor, or is damaged",
        hint: "take it from \"next\" of the page before")
    }
    session = String(parts[1])
    self.offset = offset
  }

  package init(session: String, offset: Int) {
    self.session = session
    self.offset = offset
  }
}

/// Reads the pages of searches, and stores between runs where the next ones start.
package struct SearchSessions {
  private let files: SessionFiles
  private let now: Date
  private let reporter: Reporter

  package struct Continued {
    package var cursor: SearchCursor
    package var version: UInt64
    package var session: SearchSession
  }

  package init(_ services: Services) {
    files = SessionFiles(folder: services.directories.cacheFolder + "/sessions")
    (now, reporter) = (services.now(), services.reporter)
  }

  /// The session that a cursor belongs to.
  ///
  /// - Throws: `ForageError` for one that is expired or not from here.
  package func continued(_ text: String) throws -> Continued {
    let cursor = try SearchCursor(text)
    guard let found = files.state(of: cursor.session, now: now),
      let session = try? SearchSession(encoded: found.state)
    else {
      throw ForageError(
        "the cursor has expired (places are kept for an hour), or is from another machine or user, or "
          + "its stored page is damaged",
        .restartSearch)
    }
    return Continued(cursor: cursor, version: found.version, session: session)
  }

  /// One page of a search.
  ///
  /// - Parameters:
  ///   - continued: The session that the page continues, `nil` for a new search.
  ///   - isKept: Whether the place behind the page is kept.
  ///   - searched: Called when the providers are done.
  /// - Returns: The page, and the place behind it; `nil` where nothing follows, and where it cannot be kept, which is reported.
  func page(
    _ search: FederatedSearch, _ federation: Federation, continuing continued: Continued?, isKept: Bool,
    searched: () async -> Void
  ) async throws -> (FederatedResult, SearchCursor?) {
    var continued = continued
    while true {
      let result =
        if let continued {
          try await federation.search(search, from: continued.cursor.offset, of: continued.session)
        } else {
          await federation.search(search)
        }
      await searched()
      guard isKept else { return (result, nil) }
      do throws(StoreError) {
        guard let place = continued else { return (result, try firstPlace(behind: result)) }
        if try replace(place, by: result) {
          let next = SearchCursor(session: place.cursor.session, offset: result.nextOffset)
          return (result, result.session == nil ? nil : next)
        }
      } catch {
        reporter.warning(error.message, error.hint)
        return (result, nil)
      }
      // Another run has continued from the same cursor meanwhile: its sequence is the valid one.
      continued = try continued.map { try self.continued($0.cursor.text) }
    }
  }

  /// The place behind the first page of a search, which is written later; `nil` when nothing follows.
  private func firstPlace(behind result: FederatedResult) throws(StoreError) -> SearchCursor? {
    guard let session = result.session else { return nil }
    let draft = try files.reserve(encoded(session, before: result.nextOffset), now: now)
    var cursor = SearchCursor(session: draft.name, offset: result.nextOffset)
    cursor.draft = draft
    return cursor
  }

  /// Stores what a further page of a session has read.
  ///
  /// It is stored before the results are written, unlike a new search: of two runs that continue the same search the
  /// first to store decides what follows, and the other prints that, too. A run that printed first could have
  /// printed what nobody stored; one that only claimed the place first would keep the other waiting until its
  /// pager is closed. Where nothing new was read, what is kept holds the next page too.
  ///
  /// - Returns: False when another process has continued from the same place.
  private func replace(_ continued: Continued, by result: FederatedResult) throws(StoreError) -> Bool {
    guard let session = result.state, session.standing != continued.session.standing else { return true }
    let state = try encoded(session, before: result.nextOffset)
    return try files.replace(continued.cursor.session, version: continued.version, by: state)
  }

  /// Stores the session of a cursor, after the results are written.
  func store(_ cursor: SearchCursor?) {
    guard let draft = cursor?.draft else { return }
    do throws(StoreError) {
      try files.write(draft)
    } catch {
      reporter.warning(error.message, error.hint)
    }
  }

  /// The state of a session. If it is too large, the entities before an offset are kept by name only, so that
  /// these pages cannot be requested again.
  private func encoded(_ session: SearchSession, before offset: Int) throws(StoreError) -> [UInt8] {
    if let state = session.encoded(maximumBytes: SessionFiles.maximumBytes) { return state }
    var session = session
    session.drop(before: offset)
    guard let state = session.encoded(maximumBytes: SessionFiles.maximumBytes) else {
      throw StoreError(
        "the next page cannot be requested, because the state of the search is larger than "
          + "\(SessionFiles.maximumBytes >> 20) MB",
        hint: "request more results at once, or choose fewer providers")
    }
    return state
  }
}
