/// Selects the environment variables that a plugin receives.
///
/// It receives what it needs to run, to localise texts, to find its files and to reach the network. Other
/// variables are withheld, because they can contain credentials of other programs. A proxy address can
/// contain a user name and password (`http://me:secret@proxy:3128`) and is passed nevertheless: without it a
/// plugin cannot reach the network, and a process of the same user could read it elsewhere. To prevent this,
/// do not put credentials into the proxy variables.
package enum PluginEnvironment {
  static let names: Set<String> = [
    "PATH", "HOME", "LANG", "TMPDIR", "TZ",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
  ]
  static let prefixes = ["LC_", "XDG_"]

  /// The environment for a plugin.
  ///
  /// - Parameter environment: The environment of this program.
  package static func filtered(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, value in
      (names.contains(name) || prefixes.contains { name.hasPrefix($0) }) && !name.contains("=")
        && !name.utf8.contains(0) && !value.utf8.contains(0)
    }
  }
}
