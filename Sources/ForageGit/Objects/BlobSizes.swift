extension GitRepository {
  /// The number of files from which two threads read the sizes; takes some milliseconds.
  private static let sharedSizes = 1024
  /// The files that a thread takes at a time.
  private static let sizesAtOnce = 256

  /// Sets the sizes of the files of a listing.
  ///
  /// - Throws: `corrupt` for invalid sizes, unless `skipsDamage`; `cancelled`.
  func addSizes(
    to listing: inout TreeListing, skipsDamage: Bool, _ isCancelled: () -> Bool
  ) throws(GitError) {
    let ids = listing.files.map(\.id)
    let parts = try SharedWork.run(
      ids.count, by: Self.sizesAtOnce, from: Self.sharedSizes, in: self, isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      var found: [(position: Int, size: Int)] = []
      while let positions = next() {
        if isCancelled() { throw .cancelled }
        for position in positions {
          found.append((position, try repository.blobSize(ids[position], skipsDamage)))
        }
      }
      return found
    }
    for (position, size) in parts.joined() {
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
