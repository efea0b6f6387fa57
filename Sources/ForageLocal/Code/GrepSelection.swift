import ForageCore

/// The files that a request is for, by path, language and kind.
struct GrepSelection: Sendable {
  private static let fewFolders = 4

  private let globs: GrepGlobs
  private let request: GrepRequest
  private let languages: Set<String>
  private let otherLanguages: Set<String>

  init(_ request: GrepRequest) {
    globs = GrepGlobs(request.globs)
    self.request = request
    languages = Set(request.languages.map { $0.lowercased() })
    otherLanguages = Set(request.otherLanguages.map { $0.lowercased() })
  }

  /// Whether a file is searched.
  ///
  /// - Parameters:
  ///   - path: The path in the repository.
  ///   - place: What is searched in the clone.
  func includes(_ file: CodeFile, _ path: [UInt8], in place: GrepPlace) -> Bool {
    if !request.includesTests, file.flags & CodeFile.test != 0 { return false }
    if !languages.isEmpty || !otherLanguages.isEmpty {
      let language = file.language?.lowercased() ?? ""
      if !languages.isEmpty, !languages.contains(language) { return false }
      if otherLanguages.contains(language) { return false }
    }
    func includes(_ folder: [UInt8]) -> Bool {
      self.includes(path, below: folder, base: place.base, isFolder: false)
    }
    // A few folders are compared sooner than the path and each folder above it are looked up.
    guard place.folders.count > Self.fewFolders else {
      return place.folders.contains { Self.isBelow(path, $0) && includes($0) }
    }
    var part = path[...]
    while !place.folders.contains(Array(part)) || !includes(Array(part)) {
      if part.isEmpty { return false }
      part = part[..<(part.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    }
    return true
  }

  /// Whether a file is searched, or a folder is looked into, as far as the path tells.
  ///
  /// - Parameters:
  ///   - folder: What was asked for, which may be hidden itself.
  ///   - base: The folder that globs count from.
  func includes(_ path: [UInt8], below folder: [UInt8], base: [UInt8], isFolder: Bool) -> Bool {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    if let depth = request.maximumDepth, path.count > folder.count {
      // Below the root no slash stands before a path.
      let slashes = path[folder.count...].count { $0 == slash } + (folder.isEmpty ? 1 : 0)
      guard slashes <= depth else { return false }
    }
    if globs.isEmpty {
      let isHidden =
        !request.includesHidden
        && path.indices.contains { place in
          place >= folder.count && path[place] == dot && (place == 0 || path[place - 1] == slash)
        }
      return !isHidden
    }
    let first = Self.isBelow(path, base) && !base.isEmpty && path != base ? base.count + 1 : 0
    var start = first
    while true {
      let end = path[start...].firstIndex(of: slash) ?? path.count
      let isLast = end == path.count
      switch globs.verdict(path[first..<end], isFolder: !isLast || isFolder) {
      case .excluded: return false
      case .included: break
      case .open:
        // As in rg, a glob can name a hidden file.
        let isHidden = start >= folder.count && start < end && path[start] == dot
        if isHidden, !request.includesHidden { return false }
        if isLast, !isFolder, globs.requiresFit { return false }
      }
      if isLast { return true }
      start = end + 1
    }
  }

  /// Whether a path is a folder or below it.
  static func isBelow(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    folder.isEmpty || path == folder
      || path.count > folder.count && path.starts(with: folder) && path[folder.count] == UInt8(ascii: "/")
  }
}

/// What is searched in a clone.
struct GrepPlace: Sendable {
  /// The clone, as an index of the clones of the search.
  var clone: Int
  /// The folders and files in the repository, without a slash at their ends; "" for the root.
  var folders: Set<[UInt8]>
  /// The folder in the repository that globs count from; "" for the root.
  var base: [UInt8] = []
}
