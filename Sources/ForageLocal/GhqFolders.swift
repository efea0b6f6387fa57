import ForageGit
import ForagePlatform

/// The folders that the program ghq keeps clones in, which are searched without being added.
package enum GhqFolders {
  /// `GHQ_ROOT`, else every `ghq.root` of the user's git configuration, else `~/ghq`; only folders that
  /// exist.
  ///
  /// - Parameter environment: The process's variables.
  package static func find(environment: [String: String]) -> [String] {
    let home = homeFolder(environment: environment)
    var candidates = (environment["GHQ_ROOT"] ?? "").split(separator: ":").map(String.init)
    if candidates.isEmpty { candidates = (try? GitConfig.user())?.strings("ghq.root") ?? [] }
    if candidates.isEmpty { candidates = ["~/ghq"] }
    if !home.isEmpty {
      candidates = candidates.map { $0 == "~" || $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
    }
    var found: [String] = []
    for path in candidates where path.hasPrefix("/") {
      guard let real = FileAccess.realPath(path), FileAccess.isDirectory(real), !found.contains(real) else {
        continue
      }
      found.append(real)
    }
    return found
  }

  /// The same, but at no cost for people who do not use ghq: their git configuration is not even parsed.
  package static func likely(environment: [String: String]) -> [String] {
    let home = homeFolder(environment: environment)
    // As git reads it: an empty variable is none.
    let given = environment["XDG_CONFIG_HOME"] ?? ""
    let files = [
      home + "/.gitconfig", (given.isEmpty ? home + "/.config" : given) + "/git/config",
      environment["GIT_CONFIG_GLOBAL"] ?? "",
    ]
    // A file that is included may name the folders too.
    let isMentioned = files.contains { file in
      let text = String(
        decoding: ((try? FileAccess.read(file, limit: configLimit)) ?? nil) ?? [], as: UTF8.self
      )
      .lowercased()
      return text.contains("ghq") || text.contains("include")
    }
    guard isMentioned || environment["GHQ_ROOT"] != nil || FileAccess.isDirectory(home + "/ghq") else {
      return []
    }
    return find(environment: environment)
  }

  /// A configuration file larger than this is none.
  private static let configLimit = 1 << 20
}
