import Synchronization

/// The packs of a repository and of the object databases that it borrows from.
struct PackStore: Sendable {
  /// More packs are left to libgit2: each look-up may have to ask every one of them.
  private static let packLimit = 256
  /// More borrowed databases are left to libgit2.
  private static let folderLimit = 64
  /// Packs below this size together stay in memory (32 MiB); of larger ones the pages are given back now and then.
  private static let keptBytes = 32 << 20

  /// The packs, largest first: most objects are there.
  let packs: [PackFile]
  private let isLarge: Bool

  /// Opens the packs of an object database; those that cannot be read here are left out.
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
    // Files of real sizes: the sum fits.
    isLarge = packs.reduce(0) { $0 &+ $1.pack.bytes.count } > Self.keptBytes
  }

  /// An object database and those that it borrows from, each once.
  static func folders(_ objects: String) -> [String] {
    [objects] + Alternates(of: objects).found.prefix(folderLimit)
  }

  /// Gives memory back that large packs take; what is read again comes from the system's cache.
  func releasePages() {
    guard isLarge else { return }
    for pack in packs { pack.pack.releasePages() }
  }
}

/// The packs of a repository, opened at first need and shared by its handles on all threads.
final class SharedPacks: Sendable {
  /// The packs that were opened last stay open until others are: to unmap them halts the other processors, and a
  /// program that inspects one clone then ends.
  private static let last = Mutex<PackStore?>(nil)

  private let objects: String
  private let opened = Mutex<PackStore?>(nil)

  /// - Parameter objects: the folder of the object database.
  init(objects: String) { self.objects = objects }

  /// The packs.
  var store: PackStore {
    opened.withLock { opened in
      if let opened { return opened }
      let store = PackStore(objects: objects)
      opened = store
      // What was there before is let go outside its lock.
      withExtendedLifetime(Self.last.withLock { last in exchange(&last, with: store) }) {}
      return store
    }
  }
}
