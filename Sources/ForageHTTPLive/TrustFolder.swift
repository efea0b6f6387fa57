import ForageFoundation

/// The system's directory of hashed certificates, from which TLS loads single certificates. Loading the
/// bundle of all certificates takes longer than a search.
enum TrustFolder {
  /// The directory on Debian, Arch, SUSE and Alpine.
  private static let usual = "/etc/ssl/certs"

  /// The directory; `nil` if it does not exist or its files are not named by hash.
  static let path: String? = isHashed(usual) ? usual : nil

  /// Whether a directory contains a file named by eight hexadecimal digits and `.0`.
  static func isHashed(_ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      name.utf8.count == 10 && name.hasSuffix(".0")
        && name.utf8.prefix(8).allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
  }
}
