package import ForageCore
import ForageGit
import ForagePlatform

extension FileLocation {
  /// The place with its column in UTF-16 code units, as editors count, in place of bytes; without a column
  /// where the file has no such line.
  package var withEditorColumn: FileLocation {
    var place = self
    place.column = nil
    guard let line = line?.value, let column = column?.value,
      let bytes = Self.bytes(of: path),
      // Columns of UTF-16 are none of the bytes that are read.
      ![[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: { bytes.starts(with: $0) })
    else { return place }
    // Columns count from behind a byte order mark.
    let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
    guard lines.count >= line, lines[line - 1].count >= column else { return place }
    let before = String(decoding: lines[line - 1].prefix(column - 1), as: UTF8.self)
    place.column = LineNumber(nearest: before.utf16.count + 1)
    return place
  }

  /// The bytes of a file, of a clone through no link; `nil` where they cannot be read.
  private static func bytes(of path: String) -> [UInt8]? {
    guard path.hasPrefix("/"), let root = CloneProbe.root(above: path) else {
      return (try? FileAccess.read(path, limit: ResolvedReference.fileLimit)) ?? nil
    }
    let below = Array(path.utf8.dropFirst(root.utf8.count + 1))
    return (try? ClonedFiles(root).read(below, limit: ResolvedReference.fileLimit))?.bytes
  }
}
