extension WalkWorker {
  mutating func match(_ item: WalkItem, _ prefix: Int) {
    names.bytes.withUnsafeBytes { bytes in
      for name in names.names {
        let start = Int(name.start)
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(name.count))])
        let match = tracked.find(text, view, prefix: prefix)
        if match.entry >= 0 {
          if name.kind != .directory { continue }
          if view.mode(Int(match.entry)) & IndexView.Mode.type == IndexView.Mode.gitlink { continue }
        }
        if name.kind == .other { continue }
        if name.kind == .directory, match.directory >= 0, match.isExact { listed.append(match.directory) }
        candidates.append(
          Candidate(
            name: name, directory: name.kind == .directory ? match.directory : -1, isExact: match.isExact,
            isShadowed: match.entry >= 0, isIgnored: nil))
      }
    }
  }

  /// Applies the ignore rules to all candidates, counts files and queues folders.
  mutating func classifyCandidates(_ item: WalkItem, _ found: inout [WalkItem]) {
    defer { candidates.removeAll(keepingCapacity: true) }
    guard !candidates.isEmpty else { return }
    let rules = self.rules(of: item)
    path.removeAll(keepingCapacity: true)
    path.append(contentsOf: item.path.dropLast())
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    let folder = path.count
    var current = rules
    while let file = current {
      classify(file, folder)
      current = file.next
    }
    for candidate in candidates {
      let isIgnored = candidate.isIgnored ?? false
      guard candidate.name.kind == .directory else {
        if !isIgnored {
          result.untracked += 1
          if item.tasks.contains(.name) {
            let start = Int(candidate.name.start)
            let name = names.bytes[start..<(start + Int(candidate.name.count))]
            result.untrackedPaths.append(Array(path[..<folder]) + name)
          }
        }
        continue
      }
      var tasks = WalkItem.Tasks()
      if !isIgnored { tasks.formUnion(item.tasks.intersection([.list, .name])) }
      if candidate.directory >= 0, candidate.isExact, item.tasks.contains(.compare) { tasks.insert(.compare) }
      if tasks.isEmpty { continue }
      let start = Int(candidate.name.start)
      let name = names.bytes[start...(start + Int(candidate.name.count))]
      found.append(
        WalkItem(
          path: Array(path[..<folder]) + name, directory: candidate.directory, tasks: tasks, entries: nil,
          rules: rules, isShadowed: candidate.isShadowed))
    }
  }

  /// Applies the rules of one file to the candidates that no previous file decides.
  private mutating func classify(_ rules: IgnoreRules, _ folder: Int) {
    for position in candidates.indices where candidates[position].isIgnored == nil {
      let name = candidates[position].name
      let start = Int(name.start)
      path.removeSubrange(folder...)
      names.bytes.withUnsafeBytes { path.append(contentsOf: $0[start..<(start + Int(name.count))]) }
      candidates[position].isIgnored = path.withUnsafeBytes {
        rules.verdict($0, nameStart: folder, isDirectory: name.kind == .directory)
      }
    }
  }

  /// Returns the rules of a folder: those of its `.gitignore` before the inherited ones.
  private mutating func rules(of item: WalkItem) -> IgnoreRules? {
    var bytes: [UInt8]?
    if names.hasIgnoreFile {
      let file = FileAccess.path(walk.root.path, prefix(item) + Array(".gitignore".utf8))
      do throws(GitError) {
        // Links are not followed, as in git, because they could name any file.
        bytes = try FileAccess.read(bytes: file, limit: IgnoreRules.fileLimit, follow: false)
      } catch {
        // An unreadable file counts as empty, as in git.
        if error.code == .tooLarge { result.error = error }
      }
    } else if item.directory >= 0 {
      bytes = walk.skippedIgnoreFiles[item.directory]
    }
    guard let bytes else { return item.rules }
    let length = prefix(item).count
    return IgnoreRules(bytes, baseLength: length, foldsCase: walk.rules.foldsCase, next: item.rules)
      ?? item.rules
  }

  private func prefix(_ item: WalkItem) -> [UInt8] {
    let path = item.path.dropLast()
    return path.isEmpty ? [] : path + [UInt8(ascii: "/")]
  }

  /// Whether an untracked folder with an entry `.git` is another repository.
  func isRepository(_ item: WalkItem) -> Bool {
    RepositoryLocation.isWorkTree(
      FileAccess.path(walk.root.path, item.path.dropLast()), otherThan: walk.gitDir)
  }
}
