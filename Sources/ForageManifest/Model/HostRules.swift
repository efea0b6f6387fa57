import ForageCore
import ForageHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which hosts a manifest may ask.
///
/// A file from somebody else must not make this machine ask others in the user's own network. Only the address as it is written is looked
/// at: a name that leads into a private network is for that network's own resolver to refuse.
enum HostRules {
  /// The address, when it may be asked.
  ///
  /// - Parameters:
  ///   - setting: What the address was written in.
  ///   - declared: Hosts that may be private; `nil` where the user wrote the address.
  /// - Throws: `SearchError` with code `configuration` for what is no address, not encrypted, or private and not declared.
  static func checked(_ text: String, setting: String, declared: [String]?) throws(SearchError) -> HTTPURL {
    guard let url = HTTPURL(text), url.query == nil, !text.contains("#"), !isMisleading(url.host) else {
      // Whatever comes before an @ or behind a ? may be a secret, so such an address is not repeated.
      let isShown = !text.contains("@") && !text.contains("?")
      throw SearchError(
        .configuration, setting + (isShown ? ", \"\(text)\"," : "") + " is not the address of an API",
        hint: "write it as https://HOST/PATH, without user name, password and query")
    }
    guard url.scheme == "https" || url.isLoopback else {
      throw SearchError(
        .configuration, "\(setting), \"\(text)\", would send requests unencrypted over the network",
        hint: "use https://")
    }
    if let declared, isPrivate(url.host), !url.isLoopback, !declared.contains(url.authority) {
      throw SearchError(
        .configuration, "\(setting), \"\(text)\", leads into a private network",
        hint: "declare it with: hosts: [\(url.authority)], or let the user say it: url: \"{base}/...\"")
    }
    return url
  }

  /// Whether a host is a number in a form that resolvers read and people do not (`0x7f.1`, `2130706433`, `010.0.0.1`), or no host at all.
  static func isMisleading(_ host: String) -> Bool {
    if host.contains(":") { return words(ofIPv6: host) == nil }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) || (labels.count > 1 && labels.last == "" && labels.first != "")
    else { return true }
    let isPlain = host.utf8.allSatisfy { byte in
      let scalar = UnicodeScalar(byte)
      return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
        || "-._".unicodeScalars.contains(scalar)
    }
    guard isPlain else { return true }
    let last = labels.last { !$0.isEmpty } ?? ""
    let endsInNumber =
      last.utf8.allSatisfy { (48...57).contains($0) }
      || (last.hasPrefix("0x")
        && last.dropFirst(2).utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit })
    return endsInNumber && bytes(ofIPv4: host) == nil
  }

  /// Whether a host is an address, or has a name, that only means something within a network of somebody's own.
  static func isPrivate(_ host: String) -> Bool {
    if let bytes = bytes(ofIPv4: host) { return isPrivate(bytes) }
    if let words = words(ofIPv6: host) {
      if words[..<5].allSatisfy({ $0 == 0 }), words[5] == 0 || words[5] == 0xFFFF {
        // The unspecified address, this machine, and addresses of IPv4 in the form of IPv6.
        return words[..<7].allSatisfy { $0 == 0 } && words[7] <= 1
          || isPrivate([words[6] >> 8, words[6] & 255, words[7] >> 8, words[7] & 255].map { UInt8($0) })
      }
      // RFC 6052 puts an address of IPv4 behind this prefix.
      if words[0] == 0x64, words[1] == 0xFF9B {
        return isPrivate([words[6] >> 8, words[6] & 255, words[7] >> 8, words[7] & 255].map { UInt8($0) })
      }
      // Unique local (RFC 4193), link local (RFC 4291), multicast.
      return words[0] & 0xFE00 == 0xFC00 || words[0] & 0xFFC0 == 0xFE80 || words[0] & 0xFF00 == 0xFF00
    }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return !name.contains(".")
      || [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".home"].contains {
        name.hasSuffix($0)
      }
  }

  /// Source: the IANA special-purpose address registry (RFC 6890).
  private static func isPrivate(_ b: [UInt8]) -> Bool {
    switch (b[0], b[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (198, 18), (198, 19), (224..., _): true
    case (172, 16...31), (100, 64...127): true
    case (192, 0): b[2] == 0
    default: false
    }
  }

  private static func bytes(ofIPv4 host: String) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let bytes = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } && (part == "0" || !part.hasPrefix("0"))
        ? UInt8(part) : nil
    }
    return bytes.count == 4 ? bytes : nil
  }

  private static func words(ofIPv6 host: String) -> [UInt16]? {
    var address = in6_addr()
    guard host.contains(":"), inet_pton(AF_INET6, host, &address) == 1 else { return nil }
    return withUnsafeBytes(of: &address) { bytes in
      (0..<8).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) }
    }
  }
}
