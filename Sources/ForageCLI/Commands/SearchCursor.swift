import ForageCore
import ForageStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The place behind a page, as `--after` takes it: `f1.<session>.<offset>`.
struct SearchCursor {
  private static let version = "f1"

  var session: String
  var offset: Int

  var text: String { "\(Self.version).\(session).\(offset)" }

  /// Reads a cursor.
  ///
  /// - Throws: `CommandError` for what no page has ended with.
  init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.version, parts[1].utf8.count == 32,
      parts[1].utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let offset = Int(parts[2]), offset >= 0, String(offset) == parts[2]
    else {
      throw CommandError(
        "--after: \"\(text)\" is not a cursor, or is damaged",
        hint: "take it from \"next\" of the page before, for example with --format json")
    }
    session = String(parts[1])
    self.offset = offset
  }

  init(session: String, offset: Int) {
    self.session = session
    self.offset = offset
  }
}

/// Keeps the places of paged searches between runs.
struct SearchSessions {
  let files: SessionFiles
  let now: Date

  /// A session that is being continued.
  struct Continued {
    var cursor: SearchCursor
    var version: Int
    var session: SearchSession
  }

  init(_ context: Context) {
    files = SessionFiles(folder: context.directories.cacheFolder + "/sessions")
    now = context.output.now
  }

  /// The session that a cursor belongs to.
  ///
  /// - Throws: `CommandError` for one that is expired or not from here.
  func continued(_ text: String) throws -> Continued {
    let cursor = try SearchCursor(text)
    guard let found = try files.state(of: cursor.session, now: now),
      let session = try? SearchSession(encoded: found.state)
    else {
      throw CommandError(
        "--after: the cursor has expired (places are kept for an hour), or is from another machine or user, or "
          + "what was kept is damaged",
        hint: "start again without --after")
    }
    return Continued(cursor: cursor, version: found.version, session: session)
  }

  /// Keeps the place behind a page.
  ///
  func keep(_ result: FederatedResult, continuing continued: Continued?) throws(StoreError) -> Keeping {
    guard let continued else {
      guard let session = result.session else { return .kept(nil) }
      let name = try files.create(encoded(session), now: now)
      return .kept(SearchCursor(session: name, offset: result.nextOffset))
    }
    // Where nothing new was read, what is kept holds the next page too.
    if let session = result.state, session.standing != continued.session.standing {
      guard try files.replace(continued.cursor.session, version: continued.version, by: encoded(session))
      else {
        return .overtaken
      }
    }
    guard result.session != nil else { return .kept(nil) }
    return .kept(SearchCursor(session: continued.cursor.session, offset: result.nextOffset))
  }

  /// What came of keeping a place.
  enum Keeping {
    /// The cursor for the next page; `nil` when nothing follows.
    case kept(SearchCursor?)
    /// Another run has gone on from the same place.
    case overtaken
  }

  private func encoded(_ session: SearchSession) throws(StoreError) -> [UInt8] {
    do {
      return try session.encoded()
    } catch {
      throw StoreError("the place for the next page cannot be written down", hint: "run forage doctor")
    }
  }
}
