/// Reads objects on one thread without libgit2: from packs and from loose files.
///
/// What it cannot read, because it is missing, damaged, very large or in an unusual place, is for libgit2 to read, which
/// has the last word.
final class ObjectReader {
  private let packs: PackReader
  private let loose: LooseObjects

  init(_ packs: PackStore, _ loose: LooseObjects) {
    self.packs = PackReader(packs)
    self.loose = loose
  }

  /// Lends the beginning of a packed commit, which has all that a scan needs; nil when it cannot be read here.
  func withCommit<Value>(_ id: ObjectID, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
    packs.withCommit(id) { bytes, _ in body(bytes) }
  }

  /// An object's kind and size in bytes (0 to 2^50); nil when it cannot be told here.
  func header(of id: ObjectID) -> (kind: ObjectKind, size: Int)? {
    guard let header = packs.header(of: id) ?? loose.header(id),
      header.size <= GitRepository.sizeLimit
    else { return nil }
    return header
  }

  /// A whole object; nil when it cannot be read here.
  func object(_ id: ObjectID) -> (kind: ObjectKind, bytes: ObjectBytes)? {
    if let packed = packs.object(id) { return packed }
    return loose.object(id).map {
      ($0.kind, ObjectBytes(UnsafeMutableRawBufferPointer(start: $0.data, count: $0.size)))
    }
  }

  /// Whether an object is there.
  func contains(_ id: ObjectID) -> Bool { packs.contains(id) || loose.contains(id) }
}

extension ObjectKind {
  /// The kind of a record that is no delta.
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
