package import ForageGit

/// The `linguist-*` attributes of a path; nil where none is set.
package struct LinguistAttributes: Sendable, Equatable {
  /// The names of the attributes, in the order of ``init(_:)``.
  static let names = ["language", "vendored", "generated", "documentation", "detectable"].map {
    "linguist-\($0)"
  }

  /// The value of `linguist-language`: a language, or the name of an unknown one, which leaves the file without one.
  package var language: String?
  package var isVendored: Bool?
  package var isGenerated: Bool?
  package var isDocumentation: Bool?
  package var isDetectable: Bool?

  /// Creates values with nothing set.
  package init() {}

  /// Takes the values of ``names``. GitHub takes every value of a flag but `false` for true.
  init(_ values: [TreeAttributes.Value]) {
    language =
      switch values[0] {
      case .text(let name): name
      case .set: ""
      case .unset, .unspecified: nil
      }
    let flags = values.map { value -> Bool? in
      switch value {
      case .set: true
      case .unset: false
      case .text(let text): text != "false"
      case .unspecified: nil
      }
    }
    (isVendored, isGenerated, isDocumentation, isDetectable) = (flags[1], flags[2], flags[3], flags[4])
  }
}

/// The `.gitattributes` files of a tree.
package struct AttributeFiles {
  /// The name of an attribute file.
  package static let name = ".gitattributes"
  /// The most files that are read; large repositories have some hundred.
  private static let countLimit = 10_000
  /// The most bytes of all files together (4 MiB); a blob that is in several folders counts in each. The
  /// largest known repositories have some 100 KB.
  private static let byteLimit = 4 << 20
  /// The most lines of a file, and the most `*` in a part of a pattern between slashes: libgit2 tries every way to
  /// fill them, so that a lookup takes a second at worst. Real files have some hundred lines and two of them.
  private static let (lineLimit, starLimit) = (5_000, 3)
  /// The longest name of a file or folder in bytes, which bounds those ways; file systems have the same limit.
  private static let nameLimit = 255
  /// The note about files that were not read.
  static let cutMessage = "some .gitattributes files were ignored: too many or too large"

  /// Whether some files were not read, because of a limit.
  private(set) var isCut = false
  /// Whether a limit excluded some attributes of languages.
  var isIncomplete: Bool { isCut || hasSlowFile || isExhausted }
  /// Whether the time for lookups was over.
  var isExhausted: Bool { lookup?.isExhausted == true }
  private var hasSlowFile = false
  /// The number of files that could not be read.
  private(set) var unread = 0
  /// Whether a file marks others for Git LFS.
  private(set) var marksLFS = false
  /// Whether a file marks others for Git LFS, or speaks of git-annex.
  private(set) var marksPointers = false
  /// The lookup of the languages' attributes; nil if no file has one.
  private var lookup: TreeAttributes?

  /// Reads the attribute files of a tree; one that cannot be read counts as empty.
  package init(_ listing: TreeListing, _ repository: GitRepository) {
    let files = listing.files.filter { file in
      file.kind != .symlink && file.path.hasSuffix(Self.name) && FileAccess.name(of: file.path) == Self.name
    }
    self.init(files.map { ($0.path, $0.id, $0.size) }, repository)
  }

  /// Reads some attribute files; one that cannot be read counts as empty.
  package init(_ files: [(path: String, id: ObjectID, size: Int?)], _ repository: GitRepository) {
    var read: [(path: String, id: ObjectID)] = []
    var (rest, speaksOfLanguages) = (Self.byteLimit, false)
    for file in files where file.size != 0 {
      guard let size = file.size else {
        unread += 1
        continue
      }
      guard read.count < Self.countLimit, size <= rest else {
        isCut = true
        continue
      }
      rest -= size
      guard let bytes = try? repository.blob(file.id, limit: Self.byteLimit) else {
        unread += 1
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("filter=lfs") { marksLFS = true }
      if marksLFS || text.contains("annex") { marksPointers = true }
      guard !Self.isSlow(text) else {
        hasSlowFile = true
        continue
      }
      if text.contains("linguist-") { speaksOfLanguages = true }
      read.append((file.path, file.id))
    }
    if speaksOfLanguages { lookup = try? repository.attributes(LinguistAttributes.names, in: read) }
  }

  /// Whether the lines of a file can take long to match.
  private static func isSlow(_ text: String) -> Bool {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    return lines.count > lineLimit
      || lines.contains { line in
        let pattern = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
        return pattern.split(separator: UInt8(ascii: "/")).contains { part in
          part.count { $0 == UInt8(ascii: "*") } > starLimit
        }
      }
  }

  /// Returns the attributes of a path relative to the root; nil if no file speaks of languages.
  package func attributes(of path: String) -> LinguistAttributes? {
    guard let lookup,
      !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > Self.nameLimit })
    else { return nil }
    return lookup.values(of: path).map(LinguistAttributes.init)
  }
}
