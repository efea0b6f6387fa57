import Dispatch
import Synchronization

extension GitRepository {
  /// From this many files on two threads look for the sizes: some milliseconds of work.
  private static let sharedSizes = 1024

  /// Looks for the sizes of the files of a listing.
  ///
  /// - Throws: `corrupt` for sizes that no objects have, `cancelled`.
  func addSizes(to listing: inout TreeListing, _ isCancelled: () -> Bool) throws(GitError) {
    let ids = listing.files.map(\.id)
    let middle = ids.count < Self.sharedSizes ? ids.count : ids.count / 2
    let group = DispatchGroup()
    let stop = CancellationFlag()
    let rest = Mutex<Result<[Int?], GitError>>(.success([]))
    if middle < ids.count {
      let reopen = reopening
      OwnThread.start(in: group) {
        let found = reopen().sizes(of: ids[middle...]) { stop.isSet }
        rest.withLock { $0 = found }
      }
    }
    let first = sizes(of: ids[..<middle], isCancelled)
    if case .failure = first { stop.set() }
    group.wait()
    for (position, size) in try (first.get() + rest.withLock { $0 }.get()).enumerated() {
      guard let size else {
        listing.missing += 1
        continue
      }
      listing.files[position].size = size
      let (sum, overflow) = listing.bytes.addingReportingOverflow(size)
      guard !overflow else { throw .corruptObject(ids[position], "the sizes add up to more than can be") }
      listing.bytes = sum
    }
  }

  /// The sizes of blobs; nil for one that is missing.
  private func sizes(of ids: ArraySlice<ObjectID>, _ isCancelled: () -> Bool) -> Result<[Int?], GitError> {
    var sizes: [Int?] = []
    sizes.reserveCapacity(ids.count)
    var someMissing = false
    do throws(GitError) {
      for (position, id) in ids.enumerated() {
        if position % ListingLimits.cancellationStride == 0, isCancelled() { throw .cancelled }
        let size = try blobSize(id, someMissing: someMissing)
        someMissing = someMissing || size == nil
        sizes.append(size)
      }
    } catch {
      return .failure(error)
    }
    return .success(sizes)
  }

  /// A blob's size; nil when it is missing.
  ///
  /// - Parameter someMissing: whether blobs are known to be missing; each vain search by libgit2 lists all packs
  ///   again, thus is then avoided.
  private func blobSize(_ id: ObjectID, someMissing: Bool) throws(GitError) -> Int? {
    if someMissing, !has(id) { return nil }
    do throws(GitError) {
      return try header(of: id).size
    } catch {
      if error.code == .missingObject { return nil }
      throw error
    }
  }
}
