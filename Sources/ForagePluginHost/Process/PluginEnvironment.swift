/// What of the environment a plugin gets to see.
///
/// What it needs to run, to write texts in the user's language, to find its own files and to reach the
/// network; nothing else, because variables hold credentials of other programs. The address of a proxy may
/// hold a user's name and password (`http://me:secret@proxy:3128`). It is passed all the same: the proxy is
/// set for everything that the user runs, a plugin reaches nothing without it, and a plugin that runs as the
/// user could read it elsewhere. Who does not want that leaves credentials out of the variables.
package enum PluginEnvironment {
  /// The names that are passed.
  static let names: Set<String> = [
    "PATH", "HOME", "LANG", "TMPDIR", "TZ",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
  ]
  /// How further names that are passed begin.
  static let prefixes = ["LC_", "XDG_"]

  /// The environment of a plugin.
  ///
  /// - Parameter environment: The environment of this program.
  package static func filtered(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, value in
      (names.contains(name) || prefixes.contains { name.hasPrefix($0) }) && !name.contains("=")
        && !name.utf8.contains(0) && !value.utf8.contains(0)
    }
  }
}
