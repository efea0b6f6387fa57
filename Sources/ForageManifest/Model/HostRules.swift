import ForageCore
import ForageHTTP
import ForagePlatform

/// Decides which hosts a manifest may contact.
///
/// A manifest by somebody else must not send requests to hosts in the user's private network. Only the
/// address as written is checked; DNS names that resolve to private addresses are left to the network's
/// resolver.
enum HostRules {
  /// Parses an address and checks that requests to it are allowed.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - setting: The name of the setting, for messages.
  ///   - declared: Private hosts that are allowed; `nil` if the user wrote the address.
  /// - Throws: `SearchError` with code `configuration` if it is not an address, not encrypted, or private
  ///   without being declared.
  static func checked(_ text: String, setting: String, declared: [String]?) throws(SearchError) -> HTTPURL {
    guard let url = HTTPURL(text), url.query == nil, !text.contains("#"), !isMisleading(url.host) else {
      // User information and query may contain secrets, so such an address is not shown.
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
        .configuration, "\(setting), \"\(text)\", is in a private network",
        hint: "declare it with: hosts: [\(url.authority)], or let the user set it: url: \"{base}/...\"")
    }
    return url
  }

  /// Whether a host is a number in an unusual notation that resolvers accept (`0x7f.1`, `2130706433`,
  /// `010.0.0.1`), or is not a valid host.
  static func isMisleading(_ host: String) -> Bool {
    if host.contains(":") { return bytes(of: host) == nil }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) || (labels.count > 1 && labels.last == "" && labels.first != "")
    else { return true }
    guard host.consists(of: "a"..."z", "0"..."9", and: "-._") else { return true }
    let last = labels.last { !$0.isEmpty } ?? ""
    let endsInNumber =
      last.utf8.allSatisfy { (48...57).contains($0) }
      || (last.hasPrefix("0x")
        && last.dropFirst(2).utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit })
    return endsInNumber && bytes(of: host) == nil
  }

  /// Whether a host is a private address or a name that is only valid within a private network.
  static func isPrivate(_ host: String) -> Bool {
    if let bytes = bytes(of: host) {
      // IPv4-compatible and IPv4-mapped addresses (RFC 4291), and the prefix of RFC 6052, embed an IPv4
      // address.
      let zeros = [UInt8](repeating: 0, count: 10)
      if [[], zeros + [0, 0], zeros + [0xFF, 0xFF]].contains(Array(bytes.dropLast(4)))
        || bytes.starts(with: [0, 0x64, 0xFF, 0x9B])
      {
        return isPrivate(Array(bytes.suffix(4)))
      }
      // Unique local (RFC 4193), link local (RFC 4291), multicast.
      return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 || bytes[0] == 0xFF
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

  /// The 4 or 16 bytes of an address; `nil` for a name, and for a number in an unusual notation.
  private static func bytes(of host: String) -> [UInt8]? {
    var address = in6_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return withUnsafeBytes(of: address) { Array($0.prefix(4)) } }
    return inet_pton(AF_INET6, host, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
  }
}
