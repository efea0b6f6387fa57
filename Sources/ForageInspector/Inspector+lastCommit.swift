package import ForageGit

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Inspector {
  /// Returns the committer date of `HEAD`'s commit; nil when there is no commit. Reads only that commit.
  ///
  /// - Throws: the errors of ``inspect(path:sections:memory:now:isCancelled:)`` when the repository cannot be
  ///   opened; `corrupt` or `notFound` when the commit cannot be read.
  package func lastCommitAt(path: String) throws(GitError) -> Date? {
    let repository = try open(path)
    guard let id = repository.refs.head.commit else { return nil }
    return Date(timeIntervalSince1970: Double(try repository.commit(id).committedAt))
  }
}
