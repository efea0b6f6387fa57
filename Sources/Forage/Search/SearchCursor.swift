package import ForageCore
package import ForageFoundation
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

/// Stores the places of paged searches between runs.
package struct SearchSessions {
  package let files: SessionFiles
  package let now: Date

  /// A session that is being continued.
  package struct Continued {
    package var cursor: SearchCursor
    package var version: Int
    package var session: SearchSession
  }

  package init(_ services: Services) {
    files = SessionFiles(folder: services.directories.cacheFolder + "/sessions")
    now = services.now()
  }

  /// The session that a cursor belongs to.
  ///
  /// - Throws: `ForageError` for one that is expired or not from here.
  package func continued(_ text: String) throws -> Continued {
    let cursor = try SearchCursor(text)
    guard let found = try files.state(of: cursor.session, now: now),
      let session = try? SearchSession(encoded: found.state)
    else {
      throw ForageError(
        "the cursor has expired (places are kept for an hour), or is from another machine or user, or "
          + "its stored page is damaged",
        .restartSearch)
    }
    return Continued(cursor: cursor, version: found.version, session: session)
  }

  /// Stores the place after a page.
  ///
  package func keep(_ result: FederatedResult, continuing continued: Continued?) throws(StoreError) -> Keeping
  {
    guard let continued else {
      guard let session = result.session else { return .kept(nil) }
      let draft = try files.reserve(encoded(session, before: result.nextOffset), now: now)
      var cursor = SearchCursor(session: draft.name, offset: result.nextOffset)
      cursor.draft = draft
      return .kept(cursor)
    }
    // Stored before the results are written, unlike a new search: of two runs that continue the same search the
    // first to store decides what follows, and the other prints that, too. A run that printed first could have
    // printed what nobody stored; one that only claimed the place first would keep the other waiting until its
    // pager is closed. Where nothing new was read, what is kept holds the next page too.
    if let session = result.state, session.standing != continued.session.standing {
      let state = try encoded(session, before: result.nextOffset)
      guard try files.replace(continued.cursor.session, version: continued.version, by: state) else {
        return .overtaken
      }
    }
    guard result.session != nil else { return .kept(nil) }
    return .kept(SearchCursor(session: continued.cursor.session, offset: result.nextOffset))
  }

  /// The result of storing a place.
  package enum Keeping {
    /// The cursor for the next page; `nil` when nothing follows.
    case kept(SearchCursor?)
    /// Another process has continued from the same place.
    case overtaken
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
