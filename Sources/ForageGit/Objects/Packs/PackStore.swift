import Synchronization

/// The packs of a repository and of its alternates.
struct PackStore: Sendable {
  /// The most packs; libgit2 reads the others, because each look-up may search every pack.
  private static let packLimit = 256
  /// The most alternates; libgit2 reads the others.
  private static let folderLimit = 64
  /// The total size (32 MiB) up to which packs stay resident; the pages of larger ones are released
  /// regularly.
  private static let residentBytes = 32 << 20

  /// The packs, largest first, because most objects are there.
  let packs: [PackFile]
  private let isLarge: Bool

  /// Opens the packs of an object database and its alternates; those that cannot be read here are omitted.
  ///
  /// - Parameter objects: the folder of the object database.
  init(objects: String) {
    var found: [PackFile] = []
    for folder in Self.folders(objects) {
      for name in FileAccess.names(in: folder + "/pack") where name.hasSuffix(".idx") {
        guard found.count < Self.packLimit else { break }
        if let pack = PackFile("\(folder)/pack/\(name.dropLast(4))") { found.append(pack) }
      }
    }
    packs = found.sorted { $0.pack.bytes.count > $1.pack.bytes.count }
    // The sizes are those of real files, so the sum does not overflow.
    isLarge = packs.reduce(0) { $0 &+ $1.pack.bytes.count } > Self.residentBytes
  }

  /// Returns an object database and its alternates, without repetition.
  static func folders(_ objects: String) -> [String] {
    [objects] + Alternates(of: objects).found.prefix(folderLimit)
  }

  /// Releases the resident pages of large packs; the next access reads them from the page cache.
  func releasePages() {
    guard isLarge else { return }
    for pack in packs { pack.pack.releasePages() }
  }
}

/// The packs of a repository, opened on first use and shared by its handles on all threads.
final class SharedPacks: Sendable {
  /// The packs that were opened last stay open until others are. Unmapping them would interrupt other
  /// processors (TLB shootdown), and a program that inspects one clone exits anyway.
  private static let last = Mutex<PackStore?>(nil)

  private let objects: String
  private let opened = Mutex<PackStore?>(nil)

  /// Creates an unopened store.
  ///
  /// - Parameter objects: the folder of the object database.
  init(objects: String) { self.objects = objects }

  /// The packs.
  var store: PackStore {
    opened.withLock { opened in
      if let opened { return opened }
      let store = PackStore(objects: objects)
      opened = store
      // The previous store is released outside the lock.
      withExtendedLifetime(Self.last.withLock { last in exchange(&last, with: store) }) {}
      return store
    }
  }
}
