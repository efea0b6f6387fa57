import ForageCore
import ForageGit
import ForageStore

/// The cache. None of its faults is a problem: searches work without it.
extension Diagnosis {
  private static let advice = "check its permissions, or set XDG_CACHE_HOME to another folder"

  /// Whether answers can be cached, and how many are.
  func cache() -> [Check] {
    let folder = services.directories.cacheFolder
    guard FileAccess.entry(folder) != nil else {
      var above = FileAccess.parent(of: folder)
      while above != "/", FileAccess.entry(above) == nil { above = FileAccess.parent(of: above) }
      return FileAccess.isDirectory(above) && FileAccess.canWrite(in: above)
        ? [Check("cache", .ok, "\(folder) does not exist yet")]
        : [warning("\(folder) cannot be created, so no answer is cached", Self.advice)]
    }
    guard FileAccess.isDirectory(folder) else {
      return [
        warning("\(folder) is not a folder, so no answer is cached", "move it away, or set XDG_CACHE_HOME")
      ]
    }
    guard FileAccess.canList(folder), FileAccess.canWrite(in: folder) else {
      return [warning("\(folder) cannot be written, so no answer is cached", Self.advice)]
    }
    let files = [
      NetworkServices.answersFile(folder), NetworkServices.limitsFile(folder), folder + "/sessions",
    ]
    let unreadable = files.filter { FileAccess.entry($0) != nil && !FileAccess.canRead($0) }
    let answers = files[0]
    return (unreadable.contains(answers) ? [] : [usage(folder, answers)])
      + unreadable.map {
        warning("\($0) cannot be read", "check its permissions, or delete it; it contains only cached data")
      }
  }

  private func usage(_ folder: String, _ file: String) -> Check {
    do throws(StoreError) {
      let store = CacheStore(path: file)
      let (count, bytes) = try store.responseUsage()
      let room = "\(HumanFormat.bytes(bytes)) of \(HumanFormat.bytes(store.maximumBytes))"
      return Check(
        "cache", .ok, "\(folder) holds \(HumanFormat.plural(count, "answer")), \(room)")
    } catch {
      return warning(error.message, error.hint)
    }
  }

  /// How big and how old the code index is, if there is one.
  func code() -> [Check] {
    let index = services.codeIndex
    do throws(StoreError) {
      guard let usage = try index.usage() else { return [] }
      let size =
        (FileAccess.entry(index.path)?.size ?? 0) + (FileAccess.entry(index.path + "-wal")?.size ?? 0)
      guard try index.isSound() else {
        return [Check("code index", .warning, "\(index.path) is damaged", .remedy(.indexCode))]
      }
      let age = usage.indexedAt.map { ", updated \(HumanFormat.age($0, now: services.now()))" } ?? ""
      return [
        Check(
          "code index", .ok,
          "\(index.path) holds \(HumanFormat.plural(usage.clones, "clone")), "
            + "\(HumanFormat.bytes(usage.textBytes)) of text in \(HumanFormat.bytes(size))\(age)")
      ]
    } catch {
      return [Check("code index", .warning, error.message, .hint(error.hint))]
    }
  }

  private func warning(_ message: String, _ hint: String) -> Check {
    Check("cache", .warning, message, .hint(hint))
  }
}
