extension WorkTree {
  /// Parses the output of `git status --porcelain=v2 -z`.
  ///
  /// What it says of the files of submodules is left out.
  ///
  /// - Throws: `other` for a line of an unknown form.
  init(porcelain output: [UInt8]) throws(GitError) {
    var lines = output.split(separator: 0).makeIterator()
    while let line = lines.next() {
      switch line.first {
      case UInt8(ascii: "?"): changes.append(Change(kind: .untracked, path: Array(line.dropFirst(2))))
      case UInt8(ascii: "u"):
        changes.append(Change(kind: .conflicted, path: try Self.path(line, after: 10)))
      case UInt8(ascii: "1"): try add(line, path: Self.path(line, after: 8))
      case UInt8(ascii: "2"):
        try add(line, path: Self.path(line, after: 9))
        guard let origin = lines.next() else { throw GitProgram.unknownForm("status") }
        // The other letter is C: of a copy the origin stays.
        if line.dropFirst(2).prefix(2).contains(UInt8(ascii: "R")) {
          changes.append(Change(kind: .moved, path: Array(origin)))
        }
      case UInt8(ascii: "#"): break
      default: throw GitProgram.unknownForm("status")
      }
    }
  }

  /// Adds the changes of a line `1 XY sub mH mI mW …`, or one that begins with 2.
  private mutating func add(_ line: ArraySlice<UInt8>, path: [UInt8]) throws(GitError) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 6)
    let states = Array(fields[1])
    guard states.count == 2 else { throw GitProgram.unknownForm("status") }
    let dot = UInt8(ascii: ".")
    if states[0] != dot {
      changes.append(Change(kind: states[0] == UInt8(ascii: "D") ? .removed : .staged, path: path))
    }
    let isSubmodule = fields[4].elementsEqual("160000".utf8)
    if states[1] != dot, !isSubmodule { changes.append(Change(kind: .unstaged, path: path)) }
  }

  /// Returns what follows a number of fields, which may contain spaces.
  private static func path(_ line: ArraySlice<UInt8>, after count: Int) throws(GitError) -> [UInt8] {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: count, omittingEmptySubsequences: false)
    guard fields.count == count + 1 else { throw GitProgram.unknownForm("status") }
    return Array(fields[count])
  }
}
