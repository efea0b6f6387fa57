import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HistoryFacts {
  /// The history's facts, those of `HEAD`'s commits remembered or told now.
  static func remembered(_ repository: GitRepository, _ request: InspectionRequest) -> HistoryFacts {
    // What is kept has all authors: not worth reading for other facts.
    guard let memory = request.memory, !CommitFacts().covers(request.sections), let key = memoryKey(repository)
    else {
      return HistoryFacts(
        repository, sections: request.sections, now: request.now, isCancelled: request.isCancelled)
    }
    let kept = memory.recall(key).flatMap { try? JSONDecoder().decode(CommitFacts.self, from: Data($0)) }
    let facts = HistoryFacts(
      repository, sections: request.sections, known: kept, now: request.now, isCancelled: request.isCancelled)
    if facts.commitFacts != kept, facts.commitFacts != CommitFacts(), !request.isCancelled(),
      let data = try? JSONEncoder().encode(facts.commitFacts)
    {
      memory.keep(key, [UInt8](data))
    }
    return facts
  }
}
