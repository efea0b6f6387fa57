/// Reads objects from packs and loose files on one thread, without libgit2.
///
/// libgit2 reads the objects that this reader cannot: missing, damaged or very large ones, and those in
/// unusual places. Its errors are reported.
final class ObjectReader {
  private let packs: PackReader
  private let loose: LooseObjects

  init(_ packs: PackStore, _ loose: LooseObjects) {
    self.packs = PackReader(packs)
    self.loose = loose
  }

  /// Calls `body` with the beginning of a packed commit, enough for a scan; nil if it cannot be read here.
  func withCommit<Value>(_ id: ObjectID, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
    packs.withCommit(id) { bytes, _ in body(bytes) }
  }

  /// Returns the type and size of an object in bytes (0 to 2^50); nil if it cannot be read here.
  func header(of id: ObjectID) -> (kind: ObjectKind, size: Int)? {
    guard let header = packs.header(of: id) ?? loose.header(id),
      header.size <= GitRepository.sizeLimit
    else { return nil }
    return header
  }

  /// Returns a whole object; nil if it cannot be read here.
  func object(_ id: ObjectID) -> (kind: ObjectKind, bytes: ObjectBytes)? {
    if let packed = packs.object(id) { return packed }
    return loose.object(id).map {
      ($0.kind, ObjectBytes(UnsafeMutableRawBufferPointer(start: $0.data, count: $0.size)))
    }
  }

  /// Whether an object exists.
  func contains(_ id: ObjectID) -> Bool { packs.contains(id) || loose.contains(id) }
}

extension ObjectKind {
  /// Returns the type of a record; nil for a delta.
  init?(_ kind: PackFile.Record.Kind) {
    switch kind {
    case .commit: self = .commit
    case .tree: self = .tree
    case .blob: self = .blob
    case .tag: self = .tag
    case .offsetDelta, .idDelta: return nil
    }
  }
}
