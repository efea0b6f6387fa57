import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HistoryFacts {
  /// Returns the facts about the history, reusing those that are cached for the same commits.
  static func cached(_ repository: GitRepository, _ request: InspectionRequest) -> HistoryFacts {
    // The cache entry holds all authors, which is not worth reading for other facts.
    guard let memory = request.memory, !CommitFacts().covers(request.sections),
      let key = memoryKey(repository)
    else {
      return HistoryFacts(
        repository, sections: request.sections, now: request.now, isCancelled: request.isCancelled)
    }
    let known = memory.recall(key).flatMap { try? JSONDecoder().decode(CommitFacts.self, from: Data($0)) }
    let facts = HistoryFacts(
      repository, sections: request.sections, known: known, now: request.now, isCancelled: request.isCancelled
    )
    if facts.isWhole, facts.commitFacts != known, facts.commitFacts != CommitFacts(), !request.isCancelled(),
      let data = try? JSONEncoder().encode(facts.commitFacts)
    {
      memory.keep(key, [UInt8](data))
    }
    return facts
  }
}
