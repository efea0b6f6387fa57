/// What a path alone says about whether its file is the project's own work.
///
/// The lists are in the spirit of those behind GitHub's language bar, as names rather than patterns; they are
/// not a
/// copy, so rare names may be judged otherwise.
struct PathTraits: Equatable {
  private(set) var isVendored = false
  private(set) var isGenerated = false
  private(set) var isDocumentation = false
  /// Where the last name begins.
  let nameStart: Int

  private static let directoryFilter = NameFilter(Array(directories.keys) + nested.keys)
  private static let nameFilter = NameFilter(vendoredNames.union(generatedNames))

  /// What a directory name says of all that is inside.
  enum DirectoryMark: Sendable {
    case vendored, generated, documentation
    /// The same, but only at the root of the repository.
    case vendoredAtRoot, documentationAtRoot
  }

  /// Looks at a path relative to the root.
  init(_ path: [UInt8]) {
    nameStart = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    var start = 0
    var parent = 0..<0
    for index in path.indices where path[index] == UInt8(ascii: "/") {
      let range = start..<index
      if !range.isEmpty, Self.directoryFilter.mayContain(path, range) {
        markDirectory(String(decoding: path[range], as: UTF8.self), isAtRoot: start == 0, path[parent])
      }
      parent = range
      start = index + 1
    }
    guard start < path.count else { return }
    let lower = path[start...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    if Self.nameFilter.mayContain(path, start..<path.count) {
      let name = String(decoding: path[start...], as: UTF8.self)
      if Self.vendoredNames.contains(name) { isVendored = true }
      if Self.generatedNames.contains(name) { isGenerated = true }
    }
    if Self.isVendored(lower) { isVendored = true }
    if Self.isGenerated(lower) { isGenerated = true }
    if Self.isDocumentation(path[start...]) { isDocumentation = true }
  }

  private mutating func markDirectory(_ name: String, isAtRoot: Bool, _ parent: ArraySlice<UInt8>) {
    switch Self.directories[name] {
    case .vendored: isVendored = true
    case .generated: isGenerated = true
    case .documentation: isDocumentation = true
    case .vendoredAtRoot: if isAtRoot { isVendored = true }
    case .documentationAtRoot: if isAtRoot { isDocumentation = true }
    case nil: break
    }
    if let nested = Self.nested[name], nested.parents.contains(String(decoding: parent, as: UTF8.self)) {
      if nested.mark == .documentation { isDocumentation = true } else { isVendored = true }
    }
  }

  /// Whether some bytes end so.
  static func ends(_ bytes: [UInt8], _ suffix: StaticString) -> Bool {
    let length = suffix.utf8CodeUnitCount
    guard bytes.count >= length else { return false }
    return suffix.withUTF8Buffer { buffer in
      var at = bytes.count - length
      for byte in buffer {
        if bytes[at] != byte { return false }
        at += 1
      }
      return true
    }
  }
}
