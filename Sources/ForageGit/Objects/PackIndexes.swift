/// The indexes of the packs of an object database, checked before libgit2 uses them.
///
/// libgit2 (up to 1.9, and its main branch in 2026) trusts the offsets of an index, and crashes on one that
/// is beyond the end of its pack.
struct PackIndexes: Sendable, Hashable {
  /// The size of the table of cumulative counts: four bytes for each first byte of an id.
  private static let fanoutBytes = 1024
  /// The size of signature and version of an index of version 2; one of version 1 has neither.
  private static let headerBytes = 8
  /// The size of a pack's header.
  private static let packHeader = 12
  /// The number of entries that are read at a time; the system gives and clears memory for larger parts each
  /// time.
  private static let partEntries = 16384
  /// The size of the SHA-1 at the end of a pack; an index has two.
  private static let trailer = 20

  /// The paths of the valid indexes.
  private(set) var valid: [String] = []
  /// The paths of those with an invalid size or an offset outside their pack.
  private(set) var damaged: [String] = []
  /// Whether there is an index of several packs, which is not checked here.
  let hasShared: Bool

  init(of objects: String) {
    let folder = objects + "/pack"
    let names = FileAccess.names(in: folder)
    hasShared = names.contains("multi-pack-index")
    for name in names where name.hasSuffix(".idx") {
      let path = folder + "/" + name
      let pack = FileAccess.entry(String(path.dropLast(4)) + ".pack")
      guard let pack, pack.kind == .file else { continue }
      if Self.isValid(path, packBytes: pack.size) { valid.append(path) } else { damaged.append(path) }
    }
  }

  private static func isValid(_ path: String, packBytes: Int) -> Bool {
    guard let size = FileAccess.entry(path)?.size,
      let head = (try? FileAccess.read(path, first: headerBytes + fanoutBytes)) ?? nil,
      head.count == headerBytes + fanoutBytes
    else { return false }
    let isVersion2 = head.starts(with: [0xFF, 0x74, 0x4F, 0x63])
    let table = (isVersion2 ? headerBytes : 0) + fanoutBytes
    let count = head.withUnsafeBytes { Int(CheckedBytes($0).bigEndian32(table - 4)) }
    // In version 1 each id follows its offset; in version 2 ids, checksums and offsets are tables of their
    // own.
    let stride = isVersion2 ? 4 : 4 + ObjectID.byteCount
    let first = table + (isVersion2 ? count * (ObjectID.byteCount + 4) : 0)
    let rest = size - 2 * trailer - first
    let length = count * stride
    guard rest >= length, let long = bytes(path, from: first + length, count: rest - length) else {
      return false
    }
    let allowed = packHeader..<max(packHeader, packBytes - trailer)
    let part = partEntries * stride
    return Swift.stride(from: 0, to: length, by: part).allSatisfy { start in
      guard let bytes = bytes(path, from: first + start, count: min(part, length - start)) else {
        return false
      }
      return bytes.withUnsafeBytes { raw in
        if isVersion2, raw.withMemoryRebound(to: UInt32.self, { areAll($0, in: allowed) }) { return true }
        let bytes = CheckedBytes(raw)
        // A loop: closures take ten times as long for half a million objects.
        for position in Swift.stride(from: 0, to: raw.count, by: stride) {
          let offset = Int(bytes.bigEndian32(position))
          if !isVersion2 || offset < 1 << 31 {
            if allowed.contains(offset) { continue }
            return false
          }
          // Offsets from 2^31 on are in a table of 64-bit numbers.
          let place = (offset - 1 << 31) * 8
          guard place <= long.count - 8 else { return false }
          let value = long.withUnsafeBytes { Int(exactly: CheckedBytes($0).bigEndian64(place)) }
          if value.map(allowed.contains) != true { return false }
        }
        return true
      }
    }
  }

  /// Whether all of these big-endian numbers are in a range; compiled to vector instructions, since it has no
  /// exit.
  private static func areAll(_ numbers: UnsafeBufferPointer<UInt32>, in range: Range<Int>) -> Bool {
    guard let first = UInt32(exactly: range.lowerBound) else { return false }
    let count = UInt32(clamping: range.count)
    var outside: UInt32 = 0
    for number in numbers { outside |= UInt32(bigEndian: number) &- first < count ? 0 : 1 }
    return outside == 0
  }

  /// Bytes of a file; `nil` if it has fewer.
  private static func bytes(_ path: String, from start: Int, count: Int) -> [UInt8]? {
    let bytes = (try? FileAccess.read(path, from: start, first: count)) ?? nil
    return bytes?.count == count ? bytes : nil
  }
}
