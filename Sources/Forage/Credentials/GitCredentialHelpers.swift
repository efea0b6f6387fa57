import ForageCore
import ForageGit
import ForagePlatform
import Yams

/// Whether git's configuration names a credential helper, without which `git credential fill` knows no password.
///
/// It reads the few files that apply outside of a repository, line by line. libgit2 reads them as well, but initialising it takes longer
/// (8 to 10 ms) than a search may. What is not understood counts as a helper: git is then started, and decides.
package struct GitCredentialHelpers: Sendable {
  /// The most bytes of a file that are read.
  private static let fileLimit = 1 << 20
  /// The most files that include each other; git has the same limit.
  private static let includeLimit = 10

  /// The files, in git's order.
  package let paths: [String]
  private let home: String?

  /// Finds the files as git does.
  ///
  /// - Parameter git: The path of the git program, beside which the system's configuration may be.
  package init(environment: [String: String], git: String) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    home = value("HOME")
    var paths: [String] = []
    let isWithoutSystem = !["", "0", "false", "no", "off"].contains(
      (environment["GIT_CONFIG_NOSYSTEM"] ?? "").lowercased())
    if isWithoutSystem {
      // The system's configuration is switched off.
    } else if let path = value("GIT_CONFIG_SYSTEM") {
      paths.append(path)
    } else {
      paths += Self.systemFiles(of: git)
    }
    if let path = environment["GIT_CONFIG_GLOBAL"] {
      if !path.isEmpty { paths.append(path) }
    } else {
      if let folder = value("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }) {
        paths.append(folder + "/git/config")
      }
      if let home { paths.append(home + "/.gitconfig") }
    }
    self.paths = paths
  }

  /// `/etc/gitconfig`, and `etc/gitconfig` below the prefix where git is installed; Apple's git has a file of its own.
  private static func systemFiles(of git: String) -> [String] {
    var files = ["/etc/gitconfig"]
    for program in [git] + (realPath(git).map { [$0] } ?? []) {
      let prefix = FileAccess.parent(of: FileAccess.parent(of: program))
      if prefix != "/", prefix != "/usr" { files.append(prefix + "/etc/gitconfig") }
    }
    return files + developerFolders.map { $0 + "/usr/share/git-core/gitconfig" }
  }

  /// Whether a helper is configured for a host.
  ///
  /// - Parameter host: Without its port.
  package func areConfigured(for host: String) -> Bool {
    paths.contains { isConfigured(in: $0, for: host, depth: 0) }
  }

  private func isConfigured(in path: String, for host: String, depth: Int) -> Bool {
    guard depth <= Self.includeLimit, let bytes = try? FileAccess.read(path, limit: Self.fileLimit) else {
      return false
    }
    // The head of the section in lower case, without its brackets: `name "subsection"`, or the old form `name.subsection`.
    var section = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      var rest = line.trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
      if rest.first == "[" {
        guard let end = Self.end(ofHead: rest) else { return true }
        section = String(rest[rest.index(after: rest.startIndex)..<end]).lowercased().trimmingWhitespace()
        rest = rest[rest.index(after: end)...].trimmingPrefix(while: \.isWhitespace)
      }
      guard let equals = rest.firstIndex(of: "="), rest.first != "#", rest.first != ";" else { continue }
      let name = rest[..<equals].filter { !$0.isWhitespace }.lowercased()
      let value = Self.value(rest[rest.index(after: equals)...])
      guard !value.isEmpty else { continue }
      let kind = section.prefix(while: \.isLetter)
      switch (kind, name) {
      case ("credential", "helper") where Self.applies(section.dropFirst(kind.count), to: host): return true
      case ("include", "path"):
        if isConfigured(in: resolved(value, in: path), for: host, depth: depth + 1) { return true }
      // The other conditions are on a repository or its branch, and git is started outside of any.
      case ("includeif", "path") where section.contains("hasconfig:"): return true
      default: break
      }
    }
    return false
  }

  /// The value of a variable, without quotes and comment.
  private static func value(_ text: Substring) -> String {
    var result = ""
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == "#" || character == ";" {
        break
      } else {
        result.append(character)
      }
    }
    return result.trimmingWhitespace()
  }

  private func resolved(_ path: String, in file: String) -> String {
    if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    return path.hasPrefix("/") ? path : FileAccess.parent(of: file) + "/" + path
  }

  /// The closing bracket of the head of a section, which may stand within quotes before; `nil` where there is none.
  private static func end(ofHead text: Substring) -> Substring.Index? {
    var isQuoted = false
    return text.indices.first { index in
      if text[index] == "\"" { isQuoted.toggle() }
      return text[index] == "]" && !isQuoted
    }
  }

  /// Whether a subsection can be for a host: it names none, that one, or a pattern.
  private static func applies(_ subsection: Substring, to host: String) -> Bool {
    let pattern = subsection.filter { !$0.isWhitespace && $0 != "\"" }
    return pattern.isEmpty || pattern.contains("*") || pattern.contains(host.lowercased())
  }
}

/// The hosts for which GitHub's program `gh` has a token.
package struct GitHubCLIHosts: Sendable {
  /// The most bytes of the file that are read: it has a few lines for each host.
  private static let fileLimit = 1 << 20

  /// The file in which `gh` lists its hosts, also where it keeps their tokens in the platform's keychain; `nil` without a home.
  package let path: String?

  /// Finds the file as `gh` does.
  package init(environment: [String: String]) {
    func folder(_ name: String, _ suffix: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 + suffix }
    }
    path = (folder("GH_CONFIG_DIR", "") ?? folder("XDG_CONFIG_HOME", "/gh") ?? folder("HOME", "/.config/gh"))
      .map {
        $0 + "/hosts.yml"
      }
  }

  /// Whether the file names a host; one that is not understood may name any.
  package func name(_ host: String) -> Bool {
    guard let path, let bytes = try? FileAccess.read(path, limit: Self.fileLimit) else { return false }
    do {
      let hosts = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))?.mapping
      return hosts?.keys.contains { $0.scalar?.string.lowercased() == host.lowercased() } ?? false
    } catch {
      return true
    }
  }
}
