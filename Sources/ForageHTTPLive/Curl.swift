import CCurl
import ForageCore
import ForageFoundation
import ForageHTTP

/// libcurl, opened when the first request is sent.
///
/// A command without requests does not load it, and runs where it is not installed.
enum Curl {
  /// Its functions.
  ///
  /// - Throws: `HTTPError` with code `libraryMissing`.
  static func functions() throws(HTTPError) -> forage_curl_functions {
    guard isOpen else {
      throw HTTPError(
        .libraryMissing, "libcurl, which sends the requests, is not installed or older than 7.68")
    }
    return forage_curl().pointee
  }

  private static let isOpen = names.contains { forage_curl_open($0) }

  #if canImport(Darwin)
    private static let names = ["/usr/lib/libcurl.4.dylib"]
  #else
    /// Debian has a library for each TLS library; with OpenSSL it has curl's own name.
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// Whether the library takes single certificates from a folder where they are named by their hashes; others
  /// would read all that are in it.
  static let usesHashedCertificates: Bool = {
    let version = (try? functions())?.version_info(CURLVERSION_FIRST).pointee.ssl_version
    return version.map { version in
      ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC"].contains { String(cString: version).hasPrefix($0) }
    } ?? false
  }()

  /// The system's folder of hashed certificates, from which TLS loads single ones. Loading the bundle of all
  /// takes longer than a search.
  ///
  /// `nil` if it does not exist or none of its files is named by eight hexadecimal digits and `.0`. The path
  /// is that on Debian, Arch, SUSE and Alpine.
  static let trustFolder: String? = {
    let folder = "/etc/ssl/certs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      name.utf8.count == 10 && name.hasSuffix(".0")
        && name.prefix(8).consists(of: "0"..."9", "a"..."f", "A"..."F")
    } ? folder : nil
  }()
}
