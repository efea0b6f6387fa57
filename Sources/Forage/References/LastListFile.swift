import ForageFoundation
import ForageStore

/// The file of the list that this terminal shows last: one for each terminal and session leader, below the state folder.
package struct LastListFile {
  /// How long a list can be referred to, in seconds: a day. Terminals and processes get the names of earlier ones.
  private static let lifetime: Double = 24 * 60 * 60
  /// A list of 10,000 results is about 8 MB.
  private static let maximumBytes = 32 << 20

  private let folder: String
  private let path: String
  private let now: Date

  /// Names the file of a terminal; nothing is read.
  package init(_ directories: Directories, terminal: String) {
    folder = directories.stateFolder + "/lists"
    let name = terminal.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    path = folder + "/" + String(name)
    // Files have the time of the system, whatever relative times count from.
    now = Date()
  }

  /// The list, `nil` when there is none that was printed within a day.
  package func read() -> LastList? {
    guard let time = PrivateFile.writtenAt(path), isCurrent(time) else { return nil }
    return PrivateFile.read(path, limit: Self.maximumBytes).flatMap(LastList.init)
  }

  /// Keeps a list in the place of the former one, which goes also when the list cannot be kept: its numbers would mean other results than
  /// those on the terminal.
  package func keep(_ list: LastList) {
    sweep()
    if !PrivateFile.write(list.encoded, to: path) { remove() }
  }

  /// Forgets the list.
  package func remove() { PrivateFile.remove(path) }

  private func isCurrent(_ time: Double) -> Bool { abs(now.timeIntervalSince1970 - time) <= Self.lifetime }

  /// Removes the lists of terminals that are gone.
  private func sweep() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let file = folder + "/" + name
      if let time = PrivateFile.writtenAt(file), !isCurrent(time) { PrivateFile.remove(file) }
    }
  }
}
