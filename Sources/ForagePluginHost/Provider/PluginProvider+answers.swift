import ForageCore
import ForagePluginProtocol

/// The conversion of a plugin's answers.
extension PluginProvider {
  /// Converts an answer to a page.
  ///
  /// - Throws: The failure of a plugin that delivered no items.
  func page(_ answer: PluginAnswer, kind: ResultKind, query: EncodedQuery) throws(SearchError) -> SearchPage {
    let reader = ItemReader(info)
    var (results, unreadable) = ([SearchResult](), answer.unreadable)
    results.reserveCapacity(answer.items.count)
    for item in answer.items {
      if let result = result(item, kind, reader) { results.append(result) } else { unreadable += 1 }
    }
    if let result = answer.result {
      return SearchPage(result, items: results, unreadable: unreadable, query: query)
    }
    let failure = answer.failure ?? PluginFault.broken(info.name, "sent no answer")
    // A search that nobody waits for has no use for them.
    guard !results.isEmpty, !(failure.code == .cancelled && Task.isCancelled) else { throw failure }
    return SearchPage(
      items: results,
      notes: [Note(.incompleteResults, "the list is incomplete: \(failure.message)", hint: failure.hint)],
      unreadable: unreadable, failure: failure)
  }

  /// Converts an answer to details; `nil` if the entity is unknown.
  ///
  /// - Throws: The failure of a plugin that delivered no item.
  func details(_ answer: PluginAnswer, of kind: ResultKind) throws(SearchError) -> EntityDetails? {
    if let failure = answer.failure {
      if failure.code == .notFound { return nil }
      throw failure
    }
    guard let item = answer.items.first else {
      if answer.unreadable > 0 {
        throw PluginFault.broken(info.name, "sent an invalid item")
      }
      return nil
    }
    guard let result = result(item, kind, ItemReader(info)) else {
      throw PluginFault.broken(info.name, "sent an invalid item")
    }
    let notes = (answer.result?.notes ?? []).prefix(PluginProtocol.Limits.notes)
    let missing = notes.map { note in
      let read = Note(note)
      return MissingPart(
        ResultField(rawValue: note.field ?? "details"), SearchError(read.code, read.message, hint: read.hint))
    }
    return EntityDetails(item: result, missing: missing)
  }

  private func result(_ item: Item, _ kind: ResultKind, _ reader: ItemReader) -> SearchResult? {
    let fault: String? =
      if item.kind != kind.rawValue {
        "another kind than the requested \(kind.rawValue)"
      } else if item.id.utf8.count > ItemLimits.title {
        "an id of more than \(ItemLimits.title >> 10) KiB"
      } else if item.title.utf8.count > ItemLimits.title {
        "a title of more than \(ItemLimits.title >> 10) KiB"
      } else if (item.url?.utf8.count ?? 0) > ItemLimits.address {
        "an address of more than \(ItemLimits.address >> 10) KiB"
      } else {
        nil
      }
    if let fault {
      session.warnings.report("sent an item with " + fault + ", which is left out")
      return nil
    }
    return reader.result(item, report: session.warnings.report)
  }
}
