extension RepositoryIdentity {
  /// The canonical name of an address, or `nil` when host, owner or name is missing.
  static func repository(at address: String) -> String? {
    guard address.utf8.count <= maximumLength else { return nil }
    if let plain = plainWebName(address) { return plain }
    return thoroughName(address).flatMap { components($0) == nil ? nil : $0 }
  }

  /// The canonical name of an address of the form `https://host/owner/name` in plain characters.
  ///
  /// This is a fast path: a search parses thousands of such addresses.
  ///
  /// - Returns: `nil` for every other form; the address may still have a canonical name.
  static func plainWebName(_ address: String) -> String? {
    var address = address
    return address.withUTF8 { plainWebName($0) }
  }

  private static func plainWebName(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let (start, dot) = (scheme.utf8.count, UInt8(ascii: "."))
    guard bytes.starts(with: scheme.utf8) else { return nil }
    // The offsets of the slashes; 0 until found.
    var (first, second, hasCapitals) = (0, 0, false)
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "/"):
        guard second == 0 else { return nil }
        if first == 0 { first = place } else { second = place }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        dot, UInt8(ascii: "_"):
        continue
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        guard first > 0 else { return nil }
        hasCapitals = true
      default: return nil
      }
    }
    guard first > start, second > first + 1, second < bytes.count - 1 else { return nil }
    // A segment that begins with a dot may be a relative path: leave it to the full parser.
    guard bytes[start] != dot, bytes[first + 1] != dot, bytes[second + 1] != dot else { return nil }
    let host = String(decoding: bytes[start..<first], as: UTF8.self)
    let end = bytes[(second + 1)...].suffix(4)
    guard !host.hasPrefix("www."), secondAddresses[host] == nil,
      // 0x20 is the bit that distinguishes upper from lower case.
      !end.elementsEqual(".git".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let name = String(decoding: bytes[start...], as: UTF8.self)
    return hasCapitals && ignoresCase(host) ? name.lowercased() : name
  }

  private static let scheme = "https://"
}
