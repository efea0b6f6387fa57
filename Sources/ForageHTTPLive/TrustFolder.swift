#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The system's folder of trusted certificates, from which the one that is needed is looked up by its hash: reading the bundle of all of them
/// takes longer than a search.
enum TrustFolder {
  /// Where Debian and its relatives, Arch, SUSE and Alpine keep it.
  private static let usual = "/etc/ssl/certs"

  /// The folder, `nil` where it is not there or its files are not named by hash.
  static let path: String? = isHashed(usual) ? usual : nil

  /// Whether a folder has a file whose name is eight hexadecimal digits and `.0`.
  static func isHashed(_ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      name.utf8.count == 10 && name.hasSuffix(".0")
        && name.utf8.prefix(8).allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
  }
}
