import ForageGit

/// The names that the configuration of ssh gives to hosts, read as ssh_config(5) says.
///
/// Of several values the first applies, that of the user before that of the system. `Match` blocks are left
/// out, because their conditions depend on the connection, and so are files that cannot be read or are too
/// large.
package struct SSHConfiguration: Sendable {
  /// The size limit of a file in bytes (1 MiB): one of some thousand hosts has 200 KB.
  private static let sizeLimit = 1 << 20
  /// The most files, those that others include among them.
  private static let fileLimit = 200
  /// How deep files include others, as in ssh.
  private static let maximumDepth = 16

  /// The patterns of one `Host` line.
  private typealias Patterns = [(glob: Glob, isNegated: Bool)]

  /// The `HostName` lines in their order, each with the `Host` lines that it depends on: its own, and those
  /// that files were included under.
  private var names: [(conditions: [Patterns], name: String)] = []
  private var files = 0

  /// A configuration without a line.
  package init() {}

  /// Reads the configuration of the user and of the system.
  ///
  /// - Parameters:
  ///   - home: The user's home folder.
  ///   - system: The folder of the system's configuration.
  package init(home: String, system: String = "/etc/ssh") {
    for path in [home + "/.ssh/config", system + "/ssh_config"] {
      read(path, conditions: [], folder: FileAccess.parent(of: path), home: home, depth: 0)
    }
  }

  /// The host that ssh connects to for a name; `nil` where that is the name itself.
  package func hostName(of host: String) -> String? {
    let found = names.first { $0.conditions.allSatisfy { Self.matches($0, host) } }
    // ssh knows no other token here.
    return found?.name.split(separator: "%%", omittingEmptySubsequences: false)
      .map { $0.split(separator: "%h", omittingEmptySubsequences: false).joined(separator: host) }
      .joined(separator: "%")
  }

  private static func matches(_ patterns: Patterns, _ host: String) -> Bool {
    let found = patterns.filter { matches($0.glob, host) }
    return !found.isEmpty && found.allSatisfy { !$0.isNegated }
  }

  private static func matches(_ glob: Glob, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { glob.matches(UnsafeRawBufferPointer($0)) }
  }

  /// Reads a file and those that it includes.
  ///
  /// - Parameters:
  ///   - conditions: The `Host` lines that all of the file depends on.
  ///   - folder: What included paths are relative to.
  private mutating func read(
    _ path: String, conditions: [Patterns], folder: String, home: String, depth: Int
  ) {
    files += 1
    guard depth <= Self.maximumDepth, files <= Self.fileLimit,
      let bytes = (try? FileAccess.read(path, limit: Self.sizeLimit)) ?? nil
    else { return }
    // `nil` below a `Match` line.
    var current: [Patterns]? = conditions
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let (keyword, arguments) = Self.words(line)
      switch keyword {
      case "host":
        current =
          conditions + [
            arguments.map { text in
              let isNegated = text.hasPrefix("!")
              return (Glob(Array(text.lowercased().utf8)[(isNegated ? 1 : 0)...]), isNegated)
            }
          ]
      case "match": current = nil
      case "hostname":
        if let current, let name = arguments.first { names.append((current, name)) }
      case "include":
        guard let current else { continue }
        for path in arguments.flatMap({ Self.included($0, folder: folder, home: home) }) {
          read(path, conditions: current, folder: folder, home: home, depth: depth + 1)
        }
      default: continue
      }
    }
  }

  /// The keyword of a line in lower case and its arguments, which quotes hold together.
  private static func words(_ line: Substring) -> (keyword: String, arguments: [String]) {
    let line = line.drop(while: \.isWhitespace)
    let keyword = line.prefix(while: \.isLetter)
    var rest = line.dropFirst(keyword.count).drop(while: \.isWhitespace)
    if rest.first == "=" { rest.removeFirst() }
    var (arguments, isOpen, isQuoted) = ([String](), false, false)
    for character in rest {
      if character.isWhitespace, !isQuoted {
        isOpen = false
        continue
      }
      if character == "#", !isOpen { break }
      if !isOpen { arguments.append("") }
      isOpen = true
      if character == "\"" { isQuoted.toggle() } else { arguments[arguments.count - 1].append(character) }
    }
    return (keyword.lowercased(), arguments)
  }

  /// The files that an argument of `Include` names; a pattern is one of names in a folder.
  private static func included(_ text: String, folder: String, home: String) -> [String] {
    let path = text.hasPrefix("~/") ? home + text.dropFirst() : FileAccess.join(folder, text)
    let name = FileAccess.name(of: path)
    guard name.contains(where: { $0 == "*" || $0 == "?" }) else { return [path] }
    let (glob, parent) = (Glob(Array(name.utf8)[...]), FileAccess.parent(of: path))
    return FileAccess.names(in: parent).filter { !$0.hasPrefix(".") && matches(glob, $0) }
      .map { FileAccess.join(parent, $0) }
  }
}
