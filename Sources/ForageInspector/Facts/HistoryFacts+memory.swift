import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HistoryFacts {
  /// The history's facts, those of `HEAD`'s commits remembered or told now.
  static func remembered(_ repository: GitRepository, _ wishes: Wishes) -> HistoryFacts {
    // What is kept has all authors: not worth reading for other facts.
    guard let memory = wishes.memory, !CommitFacts().covers(wishes.sections), let key = memoryKey(repository)
    else {
      return HistoryFacts(repository, sections: wishes.sections, isCancelled: wishes.isCancelled)
    }
    let kept = memory.recall(key).flatMap { try? JSONDecoder().decode(CommitFacts.self, from: Data($0)) }
    let facts = HistoryFacts(
      repository, sections: wishes.sections, known: kept, isCancelled: wishes.isCancelled)
    if facts.commitFacts != kept, facts.commitFacts != CommitFacts(), !wishes.isCancelled(),
      let data = try? JSONEncoder().encode(facts.commitFacts)
    {
      memory.keep(key, [UInt8](data))
    }
    return facts
  }
}
