import Dispatch
import Synchronization

extension GitRepository {
  /// The number of files from which two threads read the sizes; takes some milliseconds.
  private static let sharedSizes = 1024

  /// Sets the sizes of the files of a listing.
  ///
  /// - Throws: `corrupt` for invalid sizes, `cancelled`.
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
      guard !overflow else { throw .corruptObject(ids[position], "its size makes the total overflow") }
      listing.bytes = sum
    }
  }

  /// Reads the sizes of blobs; nil for a blob that is missing.
  private func sizes(of ids: ArraySlice<ObjectID>, _ isCancelled: () -> Bool) -> Result<[Int?], GitError> {
    var sizes: [Int?] = []
    sizes.reserveCapacity(ids.count)
    do throws(GitError) {
      for (position, id) in ids.enumerated() {
        if position % ListingLimits.cancellationStride == 0, isCancelled() { throw .cancelled }
        sizes.append(try blobSize(id))
      }
    } catch {
      return .failure(error)
    }
    return .success(sizes)
  }

  /// Reads the size of a blob; nil if it is missing.
  private func blobSize(_ id: ObjectID) throws(GitError) -> Int? {
    do throws(GitError) {
      return try header(of: id).size
    } catch {
      if error.code == .missingObject { return nil }
      throw error
    }
  }
}
