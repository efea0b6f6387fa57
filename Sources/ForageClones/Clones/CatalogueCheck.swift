import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// Brings the catalogue up to date with what was cloned, moved and removed behind the program's back.
///
/// What is compared are the times of the catalogue's folders, of the folders on the way to clones and of
/// those that may get one, which change when an entry is added, renamed or removed: 1,000 clones take some
/// milliseconds. Where one has changed, the folder is scanned without the work trees of its clones. A folder
/// that is not there or empty keeps its clones, as of an unmounted disk.
///
/// A clone whose host for SSH a forge has named since is one of that forge from then on.
package struct CatalogueCheck {
  private let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// Checks all folders. Nothing is reported: a catalogue that cannot be read or written stays as it is.
  package func run() async {
    guard let store = try? forage.store.existing(), let folders = try? store.cloneFolders(), !folders.isEmpty,
      let clones = try? store.clonesByFolder()
    else { return }
    let changed = folders.filter { folder in
      !forage.ignored.contains(folder.path)
        && Self.hasChanged(folder, clones: clones.filter { $0.folder == folder.path }.map(\.path))
    }
    let renamed = renamed(in: store)
    guard !changed.isEmpty || !renamed.isEmpty, let store = try? forage.store.writable() else { return }
    let catalogue = CloneCatalogue(store: store, hosts: forage.remoteHosts, ignored: forage.ignored)
    for folder in changed {
      guard !Task.isCancelled else { return }
      _ = try? await catalogue.scan(folder, isCheck: true)
    }
    for clone in renamed where !changed.contains(where: { $0.path == clone.folder }) {
      guard !Task.isCancelled else { return }
      try? await catalogue.add(clone.path, folder: clone.folder)
    }
  }

  /// The clones that are there, and whose ids have a host that is now known to be that of a forge for SSH.
  private func renamed(in store: Store) -> [(path: String, folder: String)] {
    let known = forage.sshHosts.hosts
    guard !known.isEmpty, let clones = try? store.cloneAddresses() else { return [] }
    let hosts = forage.remoteHosts
    return clones.filter { clone in
      known[String(clone.id.prefix { $0 != "/" && $0 != ":" })] != nil
        && CloneIdentity(clone.url, hosts)?.id != clone.id && CloneProbe.isClone(clone.path)
    }.map { ($0.path, $0.folder) }
  }

  /// Whether an entry was added to a folder or to one on the way to its clones, or removed, since it was
  /// checked.
  static func hasChanged(_ folder: CloneFolder, clones: [String]) -> Bool {
    guard let checkedAt = folder.checkedAt, !FileAccess.names(in: folder.path).isEmpty else { return false }
    let limit = checkedAt.timeIntervalSince1970 - clockStep
    let roots = Set(clones)
    // The times of work trees change with every file.
    guard !roots.contains(folder.path) else { return false }
    var seen: Set<String> = [folder.path]
    for clone in clones {
      var above: [String] = []
      var path = FileAccess.parent(of: clone)
      while path.utf8.count > folder.path.utf8.count {
        if roots.contains(path) { above = [] } else { above.append(path) }
        path = FileAccess.parent(of: path)
      }
      seen.formUnion(above)
    }
    seen.formUnion(folder.open)
    return seen.contains { path in
      guard let entry = FileAccess.entry(path) else { return true }
      // Of a file system without fractions the time may be up to two seconds later.
      let fraction = entry.modifiedNanoseconds == 0 ? 2 : Double(entry.modifiedNanoseconds) / 1e9
      return Double(entry.modifiedAt) + fraction >= limit
    }
  }

  /// The step of the clock that folders get their times from, and the precision of a time as a fraction, in
  /// seconds. What changes within one before a check is seen at the next one, too.
  private static let clockStep = 0.02
}
