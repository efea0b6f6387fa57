package import ForageCore

extension SearchAnswer {
  /// Creates the result that ends a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - count: The number of items sent.
  package init(_ page: SearchPage, count: Int) {
    var notes = page.notes
    if page.unreadable > 0 {
      let results = HumanFormat.plural(page.unreadable, "result")
      notes.append(Note(.invalidResponse, "\(results) could not be read and are left out"))
    }
    if page.cache.isStale { notes.append(Note(.stale, "the answer is an old one of the cache")) }
    self.init(
      count: count, next: page.next, total: page.total,
      notes: notes.isEmpty ? nil : notes.map { NoteInfo($0) })
  }
}

extension NoteInfo {
  /// Creates the note of a page, or of the missing part of an entity.
  package init(_ note: Note, field: ResultField? = nil) {
    self.init(
      code: note.code.rawValue, message: note.message, hint: note.hint.isEmpty ? nil : note.hint,
      incomplete: note.isMissing ? true : nil, field: field?.rawValue)
  }
}

extension Note {
  /// Creates the note for one from a plugin.
  package init(_ note: NoteInfo) {
    self.init(
      SearchError.Code(rawValue: PluginProtocol.Limits.shortened(note.code)),
      PluginProtocol.Limits.shortened(note.message.isEmpty ? note.code : note.message),
      hint: note.hint.map(PluginProtocol.Limits.shortened) ?? "", isMissing: note.incomplete ?? false)
  }
}

extension SearchPage {
  /// Creates the page from a result.
  ///
  /// - Parameters:
  ///   - answer: The result.
  ///   - items: Its items and those received before it.
  ///   - unreadable: The number of items that could not be read.
  ///   - query: The query.
  package init(_ answer: SearchAnswer, items: [SearchResult], unreadable: Int, query: EncodedQuery) {
    let notes = (answer.notes ?? []).prefix(PluginProtocol.Limits.notes)
    self.init(
      items: items, next: answer.next, total: answer.total.flatMap { $0.value >= 0 ? $0 : nil },
      unapplied: query.unsent, notes: notes.map { Note($0) }, unreadable: unreadable)
  }
}
