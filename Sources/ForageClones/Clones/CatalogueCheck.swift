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
    guard let store = try? forage.store.existing(), let folders = try? store.cloneFolders(), !folders.isEmpty
    else { return }
    let changed = folders.filter { folder in
      guard !forage.ignored.contains(folder.path),
        let parents = try? store.parentsOfClones(in: folder.path)
      else { return false }
      return Self.hasChanged(folder, parents: parents) { paths in
        (try? store.clones(among: paths, of: folder.path)) ?? []
      }
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
  ///
  /// - Parameters:
  ///   - parents: The folders that its clones lie in.
  ///   - clones: Returns those of some paths that are clones of the folder.
  static func hasChanged(
    _ folder: CloneFolder, parents: [String], clones: (_ among: Set<String>) -> Set<String>
  ) -> Bool {
    guard let checkedAt = folder.checkedAt, !FileAccess.isEmpty(folder.path) else { return false }
    let limit = checkedAt.timeIntervalSince1970 - clockStep
    /// A path with what is above it in the folder.
    func chain(_ path: String) -> [String] {
      Array(
        sequence(first: path) { FileAccess.parent(of: $0) }
          .prefix { $0.utf8.count > folder.path.utf8.count })
    }
    let chains = parents.map(chain)
    let roots = clones(Set(chains.joined()).union([folder.path]))
    // The times of work trees change with every file.
    guard !roots.contains(folder.path) else { return false }
    var seen: Set<String> = [folder.path]
    for chain in chains {
      let first = chain.lastIndex(where: roots.contains).map { $0 + 1 } ?? 0
      seen.formUnion(chain[first...])
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
