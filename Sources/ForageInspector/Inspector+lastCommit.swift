package import ForageGit

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Inspector {
  /// When `HEAD`'s commit was made, by its committer; nil while there is none. Reads that one commit.
  ///
  /// - Throws: as ``inspect(path:sections:memory:now:isCancelled:)`` when the repository cannot be opened; `corrupt` or
  ///   `notFound` when the commit cannot be read.
  package func lastCommitAt(path: String) throws(GitError) -> Date? {
    let repository = try open(path)
    guard let id = repository.refs.head.commit else { return nil }
    return Date(timeIntervalSince1970: Double(try repository.commit(id).committedAt))
  }
}
