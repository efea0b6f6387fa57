import ForageCore
import ForageStore

/// Reads one page of a search, and stores where the next one starts.
struct Paging {
  let federation: Federation
  let search: FederatedSearch
  /// Where cursors are stored, `nil` for nowhere.
  let sessions: SearchSessions?
  /// The cursor that the user gave.
  let after: String?
  let reporter: Reporter
  /// Called when the providers are done, before anything is written.
  let searched: @Sendable () async -> Void

  /// One page, and the cursor for the next one.
  func page(_ continued: SearchSessions.Continued?) async throws -> (FederatedResult, SearchCursor?) {
    var continued = continued
    while true {
      let result =
        if let continued {
          try await federation.search(search, from: continued.cursor.offset, of: continued.session)
        } else {
          await federation.search(search)
        }
      await searched()
      guard let sessions else { return (result, nil) }
      let keeping: SearchSessions.Keeping
      do throws(StoreError) {
        keeping = try sessions.keep(result, continuing: continued)
      } catch {
        reporter.warning(error.message, error.hint)
        return (result, nil)
      }
      switch keeping {
      case .kept(let cursor): return (result, cursor)
      // Another run has continued from the same cursor meanwhile: its sequence is the valid one.
      case .overtaken: continued = try after.map(sessions.continued)
      }
    }
  }

  /// Stores the session of a cursor, after the results are written.
  func store(_ cursor: SearchCursor?) {
    guard let sessions, let draft = cursor?.draft else { return }
    do throws(StoreError) {
      try sessions.files.write(draft)
    } catch {
      reporter.warning(error.message, error.hint)
    }
  }
}
