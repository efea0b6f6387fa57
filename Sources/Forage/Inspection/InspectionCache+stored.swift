import ForageGit
package import ForageInspector
import ForagePluginHost
import ForageStore
import Synchronization

extension InspectionCache {
  /// The bound of the folder in bytes: room for some thousand clones with thousands of authors.
  private static let maximumBytes = 64 << 20

  /// The cache in a folder below that of the caches, for facts of this build of the program.
  package static func stored(in folder: String) -> InspectionCache {
    let files = InspectionFiles(folder: folder + "/inspections", maximumBytes: maximumBytes)
    let isTrimmed = Mutex(false)
    // Another build of the same version can have other tables of languages and licenses.
    let program = Forage.version + " " + (PluginPlaces.executable.map(FileAccess.stamp) ?? "") + " "
    return InspectionCache(
      load: { files.read($0, identity: program + $1) },
      store: { gitDir, identity, facts in
        files.write(gitDir, identity: program + identity, facts)
        // Once for all clones of a list.
        let isFirst = isTrimmed.withLock { isTrimmed in
          defer { isTrimmed = true }
          return !isTrimmed
        }
        guard isFirst else { return }
        files.trim()
        // The cache of older versions.
        for suffix in ["", "-shm", "-wal"] { PrivateFile.remove(folder + "/inspections.db" + suffix) }
      })
  }
}
