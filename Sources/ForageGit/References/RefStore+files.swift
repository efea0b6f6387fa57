extension RefStore {
  /// The depth to which symbolic references are followed, as in git.
  private static let symbolicDepth = 5
  /// The depth of folders below `refs`; a path has at most 4 KiB.
  private static let folderDepth = 128

  /// Reads all references.
  static func list(_ roots: ReferenceRoots, _ limit: Int) throws(GitError) -> ReferenceList {
    let packed = try packed(roots.commonDir, limit)
    var rest = limit - packed.all.count
    var loose: [String: Reference] = [:]
    var symbolic: [(name: String, target: String)] = []
    for root in Set([roots.commonDir, roots.gitDir]) {
      try Self.loose(root, "refs", folderDepth, &rest) { name, value in
        guard roots.folder(of: name) == root else { return }
        switch value {
        case .id(let id):
          loose[name] = Reference(name: name, target: id, peeled: nil, isKnownPlain: false, isSymbolic: false)
        case .symbolic(let target):
          symbolic.append((name, target))
        }
      }
    }
    let targets = Dictionary(symbolic.map { ($0.name, $0.target) }) { _, last in last }
    for (name, target) in symbolic {
      var current = target
      for _ in 0..<symbolicDepth {
        guard let next = targets[current] else { break }
        current = next
      }
      let named = loose[current] ?? (targets[current] == nil ? packed[name: current] : nil)
      guard let reference = named, !reference.isSymbolic else { continue }
      loose[name] = Reference(
        name: name, target: reference.target, peeled: reference.peeled, isKnownPlain: reference.isKnownPlain,
        isSymbolic: true)
    }
    return packed.overlaid(by: ReferenceList(Array(loose.values)), without: Set(targets.keys))
  }

  private static func tooMany() -> GitError {
    GitError(
      .tooLarge, "the repository has too many references", hint: "delete references that are not needed")
  }

  /// Reads the loose references below a folder; `rest` is the number of files and folders that may still be
  /// read.
  private static func loose(
    _ root: String, _ folder: String, _ depth: Int, _ rest: inout Int, _ add: (String, Value) -> Void
  ) throws(GitError) {
    guard depth > 0 else {
      throw GitError(.tooLarge, "\(root)/refs has more than \(folderDepth) levels of folders")
    }
    for name in FileAccess.names(in: root + "/" + folder) where !name.hasSuffix(".lock") {
      let full = folder + "/" + name
      let path = root + "/" + full
      rest -= 1
      guard rest >= 0 else { throw tooMany() }
      // A link to a folder is not followed, because it may lead anywhere, also back here.
      if FileAccess.entry(path, follow: false)?.kind == .directory {
        try loose(root, full, depth - 1, &rest, add)
      } else if let bytes = try FileAccess.read(path, limit: 1 << 16), let value = parse(bytes) {
        add(full, value)
      }
    }
  }

  private static func packed(_ commonDir: String, _ limit: Int) throws(GitError) -> ReferenceList {
    let path = commonDir + "/packed-refs"
    guard let bytes = try FileAccess.read(path) else { return ReferenceList([]) }
    var found: [Reference] = []
    var fullyPeeled = false
    var tagsPeeled = false
    var last: (name: String, id: ObjectID, peeled: ObjectID?)?
    func finish() {
      guard let reference = last else { return }
      let known = fullyPeeled || tagsPeeled && reference.name.hasPrefix("refs/tags/")
      found.append(
        Reference(
          name: reference.name, target: reference.id, peeled: reference.peeled,
          isKnownPlain: known && reference.peeled == nil, isSymbolic: false))
    }
    let valid = bytes.withUnsafeBytes { raw -> Bool in
      var position = 0
      while position < raw.count, found.count <= limit {
        let end = raw[position...].firstIndex(of: UInt8(ascii: "\n")) ?? raw.count
        let line = UnsafeRawBufferPointer(rebasing: raw[position..<end])
        position = end + 1
        guard let first = line.first else { continue }
        if first == UInt8(ascii: "#") {
          let words = String(decoding: line, as: UTF8.self).split(separator: " ")
          fullyPeeled = fullyPeeled || words.contains("fully-peeled")
          tagsPeeled = tagsPeeled || words.contains("peeled")
        } else if first == UInt8(ascii: "^") {
          guard let id = ObjectID(hex: line, at: 1), last != nil else { return false }
          last?.peeled = id
        } else {
          finish()
          guard let id = ObjectID(hex: line), line.count > ObjectID.hexCount + 1,
            line[ObjectID.hexCount] == UInt8(ascii: " ")
          else { return false }
          let name = String(decoding: line[(ObjectID.hexCount + 1)...], as: UTF8.self)
          last = (name, id, nil)
        }
      }
      finish()
      return true
    }
    guard found.count <= limit else { throw tooMany() }
    guard valid else {
      throw GitError(.corrupt, "\(path) is damaged", hint: "run `git fsck` in the repository")
    }
    return ReferenceList(found)
  }
}
