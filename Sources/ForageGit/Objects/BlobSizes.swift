import Dispatch
import ForagePlatform
import Synchronization

extension GitRepository {
  /// The number of files from which two threads read the sizes; takes some milliseconds.
  private static let sharedSizes = 1024

  /// Sets the sizes of the files of a listing.
  ///
  /// - Throws: `corrupt` for invalid sizes, unless `skipsDamage`; `cancelled`.
  func addSizes(
    to listing: inout TreeListing, skipsDamage: Bool, _ isCancelled: () -> Bool
  ) throws(GitError) {
    let ids = listing.files.map(\.id)
    let middle = ids.count < Self.sharedSizes ? ids.count : ids.count / 2
    let group = DispatchGroup()
    let stop = CancellationFlag()
    let rest = Mutex<Result<[Int], GitError>>(.success([]))
    if middle < ids.count {
      let reopen = reopening
      OwnThread.start(in: group) {
        let found = reopen().sizes(of: ids[middle...], skipsDamage) { stop.isSet }
        rest.withLock { $0 = found }
      }
    }
    let first = sizes(of: ids[..<middle], skipsDamage, isCancelled)
    if case .failure = first { stop.set() }
    group.wait()
    for (position, size) in try (first.get() + rest.withLock { $0 }.get()).enumerated() {
      guard size >= 0 else {
        if size == Self.missingSize { listing.missing += 1 } else { listing.damaged += 1 }
        continue
      }
      listing.files[position].size = size
      let (sum, overflow) = listing.bytes.addingReportingOverflow(size)
      guard !overflow else { throw .corruptObject(ids[position], "its size makes the total overflow") }
      listing.bytes = sum
    }
  }

  /// What stands for the size of a blob that is missing, and of one that is damaged.
  private static let (missingSize, damagedSize) = (-1, -2)

  /// Reads the sizes of blobs.
  private func sizes(
    of ids: ArraySlice<ObjectID>, _ skipsDamage: Bool, _ isCancelled: () -> Bool
  ) -> Result<[Int], GitError> {
    var sizes: [Int] = []
    sizes.reserveCapacity(ids.count)
    do throws(GitError) {
      for (position, id) in ids.enumerated() {
        if position % ListingLimits.cancellationStride == 0, isCancelled() { throw .cancelled }
        sizes.append(try blobSize(id, skipsDamage))
      }
    } catch {
      return .failure(error)
    }
    return .success(sizes)
  }

  /// Reads the size of a blob.
  private func blobSize(_ id: ObjectID, _ skipsDamage: Bool) throws(GitError) -> Int {
    do throws(GitError) {
      return try header(of: id).size
    } catch {
      if error.code == .missingObject { return Self.missingSize }
      if skipsDamage, error.isDamage { return Self.damagedSize }
      throw error
    }
  }
}
