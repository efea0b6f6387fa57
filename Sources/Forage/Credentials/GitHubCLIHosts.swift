import ForageGit

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

  /// Whether the file names a host.
  ///
  /// `gh` writes one host a line, unindented. A file in another form may name any host.
  package func name(_ host: String) -> Bool {
    guard let path, let bytes = try? FileAccess.read(path, limit: Self.fileLimit) else { return false }
    let wanted = Array(host.lowercased().utf8)
    return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
      if line.first == UInt8(ascii: "{") { return true }
      guard let first = line.first, ![0x20, 0x09, UInt8(ascii: "#")].contains(first) else { return false }
      let key = String(decoding: line, as: UTF8.self).lowercased().filter { $0 != "\"" && $0 != "'" }.utf8
      // The colon ends the key where a space or nothing follows; that of a port does not.
      return key.starts(with: wanted + [UInt8(ascii: ":")])
        && [nil, 0x20, 0x09].contains(key.dropFirst(wanted.count + 1).first)
    }
  }
}
