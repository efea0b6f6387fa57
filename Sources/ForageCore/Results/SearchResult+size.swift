extension SearchResult {
  /// The bytes of one kB of `sizeKB`, as GitHub counts them.
  private static let bytesOfKB = 1024

  /// The size of a repository in bytes, from `sizeKB`; set, it is rounded up so that a small repository is not empty.
  package var sizeBytes: Int? {
    get { self[.sizeKB]?.number.map { min($0, .max / Self.bytesOfKB) * Self.bytesOfKB } }
    set {
      set(.sizeKB, newValue.map { $0 / Self.bytesOfKB + ($0 % Self.bytesOfKB > 0 ? 1 : 0) })
    }
  }
}
