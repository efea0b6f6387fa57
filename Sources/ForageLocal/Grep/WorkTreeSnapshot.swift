import ForageFoundation
import ForagePlatform

/// The files of a work tree that rg searches, with the text that each had when it was indexed.
///
/// A snapshot is current if nothing has changed that decides what rg searches or finds: every folder that rg
/// enters, every file that it reads, every file with rules that it obeys, rg itself, and the variables that
/// name its rules. Each of these has a stamp of its metadata, among them the time of the last change of its
/// status, which no program can set. One that may have been changed at the time of the snapshot has a stamp
/// that no file has. What a program writes through a shared mapping, again and without another time of the
/// file, is not noticed.
///
/// The encoded form begins with `signature` and the environment; then come the number of rules and each rule,
/// the number of folders and each folder with the number of its entries and each entry. Numbers are
/// little-endian, texts end with a NUL, as the system wants them.
struct WorkTreeSnapshot: Sendable {
  /// A file or folder outside the folders that rg enters, on which its rules depend.
  struct Rule: Hashable, Sendable {
    /// The absolute path.
    var path: [UInt8]
    var stamp: Stamp
    /// Whether only the kind of the path matters, as of `.git`.
    var isKindOnly = false
  }

  /// A name in a folder.
  struct Entry: Sendable {
    enum Content: Hashable, Sendable {
      /// The number of its text in the index.
      case indexed(Int64)
      /// Its text is not in the index, so that it may match anything.
      case unknown
      /// A file of rules, which rg obeys and does not search.
      case rules
    }

    var name: [UInt8]
    var stamp: Stamp
    var content: Content
    /// Whether it has no NUL, so that rg searches it in the same way when it is named.
    var isPlain = false
  }

  /// A folder that rg enters.
  struct Folder: Sendable {
    /// The path from the root; empty for the root itself.
    var path: [UInt8]
    var stamp: Stamp
    var entries: [Entry] = []
  }

  /// The metadata of a path as one number.
  struct Stamp: Hashable, Sendable {
    var value: Int64

    /// The stamp of something that has changed while it was looked at: no path has it.
    static let never = Stamp(value: 0)
    /// The stamp of a path at which there is nothing.
    static let absent = Stamp(value: 1)

    /// The least value of something that is there.
    private static let least: Int64 = 1 << 8

    private init(value: Int64) { self.value = value }

    init(encoded: Int64) { value = encoded }

    /// The stamp of metadata: FNV-1a over device, inode, kind, size and the times of the last changes.
    init(_ info: borrowing stat, isKindOnly: Bool = false) {
      let kind = UInt64(info.st_mode & S_IFMT)
      let (modified, changed) = (info.modified, info.changed)
      let fields: [UInt64] =
        isKindOnly
        ? [kind]
        : [
          UInt64(truncatingIfNeeded: info.st_dev), UInt64(info.st_ino), kind,
          UInt64(truncatingIfNeeded: info.st_size), UInt64(bitPattern: Int64(modified.tv_sec)),
          UInt64(bitPattern: Int64(modified.tv_nsec)), UInt64(bitPattern: Int64(changed.tv_sec)),
          UInt64(bitPattern: Int64(changed.tv_nsec)),
        ]
      let hash = fields.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01B3 }
      value = Int64(bitPattern: hash)
      if value >= 0, value < Self.least { value += Self.least }
    }
  }

  /// "FwT1"
  private static let signature: UInt32 = 0x4677_5431

  /// What else decides what rg searches, as one number; see `RipgrepRules.environment`.
  var environment: Int64
  var rules: [Rule] = []
  var folders: [Folder] = []

  // MARK: Encoding

  var encoded: Data {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func append(text: [UInt8]) {
      bytes += text
      bytes.append(0)
    }
    append(Self.signature)
    append(environment)
    append(UInt32(rules.count))
    for rule in rules {
      append(rule.stamp.value)
      append(UInt8(rule.isKindOnly ? 1 : 0))
      append(text: rule.path)
    }
    append(UInt32(folders.count))
    for folder in folders {
      append(folder.stamp.value)
      append(UInt32(folder.entries.count))
      append(text: folder.path)
      for entry in folder.entries {
        append(entry.stamp.value)
        switch entry.content {
        case .indexed(let number): append(number << 1 | (entry.isPlain ? 1 : 0))
        case .unknown: append(Int64(0))
        case .rules: append(Int64(-1))
        }
        append(text: entry.name)
      }
    }
    return Data(bytes)
  }

  /// Reads an encoded snapshot from its beginning to its end.
  struct Reader {
    /// The encoded form has another version, or is damaged.
    struct Failure: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private(set) var environment: Int64 = 0

    init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
      self.bytes = bytes
      guard try number(UInt32.self) == WorkTreeSnapshot.signature else { throw Failure() }
      environment = try number()
    }

    mutating func count() throws(Failure) -> Int { Int(try number(UInt32.self)) }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Int64.self) throws(Failure)
      -> Number
    {
      let size = MemoryLayout<Number>.size
      guard position + size <= bytes.count else { throw Failure() }
      defer { position += size }
      return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    mutating func stamp() throws(Failure) -> Stamp { Stamp(encoded: try number()) }

    /// A text, with the NUL behind its end.
    mutating func text() throws(Failure) -> UnsafeRawBufferPointer {
      guard position < bytes.count, let base = bytes.baseAddress,
        let end = memchr(base + position, 0, bytes.count - position)
      else { throw Failure() }
      let text = UnsafeRawBufferPointer(
        start: base + position, count: UnsafeRawPointer(end) - base - position)
      position += text.count + 1
      return text
    }

    /// What an entry has.
    mutating func content() throws(Failure) -> (content: Entry.Content, isPlain: Bool) {
      let number = try number()
      switch number {
      case -1: return (.rules, false)
      case 0: return (.unknown, false)
      default: return (.indexed(number >> 1), number & 1 == 1)
      }
    }
  }

  /// An entry of an encoded snapshot, valid while that is read.
  struct EncodedEntry {
    /// The path of its folder from the root.
    let folder: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer
    let stamp: Stamp
    let content: Entry.Content
    let isPlain: Bool

    /// The path from the root.
    var path: [UInt8] { folder.isEmpty ? Array(name) : folder + [UInt8(ascii: "/")] + name }
  }

  /// Reads the entries of all folders of an encoded snapshot.
  static func visitEntries(
    of bytes: UnsafeRawBufferPointer, _ body: (EncodedEntry) -> Void
  ) throws(Reader.Failure) {
    var reader = try Reader(bytes)
    for _ in 0..<(try reader.count()) {
      _ = (try reader.stamp(), try reader.number(UInt8.self), try reader.text())
    }
    for _ in 0..<(try reader.count()) {
      _ = try reader.stamp()
      let entries = try reader.count()
      let folder = try reader.text()
      for _ in 0..<entries {
        let stamp = try reader.stamp()
        let (content, isPlain) = try reader.content()
        let name = try reader.text()
        body(EncodedEntry(folder: folder, name: name, stamp: stamp, content: content, isPlain: isPlain))
      }
    }
  }

  // MARK: Comparison with the disk

  /// Whether nothing has changed since an encoded snapshot.
  ///
  /// - Parameters:
  ///   - root: The root of the work tree, absolute.
  ///   - environment: As for the snapshot, now.
  static func isCurrent(_ encoded: Data, root: String, environment: Int64) -> Bool {
    encoded.withUnsafeBytes { bytes in
      (try? compare(bytes, Array(root.utf8), environment)) ?? false
    }
  }

  private static func compare(
    _ bytes: UnsafeRawBufferPointer, _ root: [UInt8], _ environment: Int64
  ) throws(Reader.Failure) -> Bool {
    var reader = try Reader(bytes)
    guard reader.environment == environment else { return false }
    var info = stat()
    for _ in 0..<(try reader.count()) {
      let stamp = try reader.stamp()
      let isKindOnly = try reader.number(UInt8.self) != 0
      let path = try reader.text()
      guard Stamp(following: path.baseAddress, isKindOnly: isKindOnly) == stamp else { return false }
    }
    // A folder above may be a link now, so that others are above.
    let path = String(decoding: root, as: UTF8.self)
    guard let real = realPath(path), real.utf8.elementsEqual(root) else { return false }
    let top = open(root + [0], folderFlags)
    guard top >= 0 else { return false }
    defer { close(top) }
    for _ in 0..<(try reader.count()) {
      let stamp = try reader.stamp()
      let entries = try reader.count()
      let path = try reader.text()
      let folder = path.isEmpty ? dup(top) : openat(top, path.cString, folderFlags | O_NOFOLLOW)
      guard folder >= 0 else { return false }
      defer { close(folder) }
      guard fstat(folder, &info) == 0, Stamp(info) == stamp else { return false }
      for _ in 0..<entries {
        let stamp = try reader.stamp()
        // The file that a link of rules leads to has the rules; rg searches no links.
        let flags = try reader.content().content == .rules ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(folder, try reader.text().cString, &info, flags) == 0, Stamp(info) == stamp else {
          return false
        }
      }
    }
    return true
  }

  /// How a folder is opened whose metadata alone are read.
  #if canImport(Darwin)
    static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  #else
    // `O_PATH`, which headers declare for programs of GNU only.
    static let folderFlags = 0o10000000 | O_DIRECTORY | O_CLOEXEC
  #endif
}

extension WorkTreeSnapshot.Stamp {
  /// The stamp of what is at a path now, or of what the link there leads to.
  init(following path: UnsafeRawPointer?, isKindOnly: Bool = false) {
    var info = stat()
    guard let path = path?.assumingMemoryBound(to: CChar.self), stat(path, &info) == 0 else {
      self = .absent
      return
    }
    self.init(info, isKindOnly: isKindOnly)
  }
}

extension UnsafeRawBufferPointer {
  /// The text as the system wants it; a NUL stands behind its end.
  fileprivate var cString: UnsafePointer<CChar> {
    // A text of a snapshot is never without memory.
    baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self)
  }
}

/// Opens a path of bytes that ends with a NUL.
func open(_ path: [UInt8], _ flags: Int32) -> Int32 {
  path.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return -1 }
    return ForagePlatform.open(base.assumingMemoryBound(to: CChar.self), flags)
  }
}
