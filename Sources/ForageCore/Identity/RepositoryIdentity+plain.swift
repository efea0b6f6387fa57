extension RepositoryIdentity {
  /// The canonical name of a repository's address, `nil` also where it lacks an owner or a name.
  static func repository(at address: String) -> String? {
    guard address.utf8.count <= maximumLength else { return nil }
    if let plain = plainWebName(address) { return plain }
    return thoroughName(address).flatMap { components($0) == nil ? nil : $0 }
  }

  /// The canonical name of an address of the commonest form, `https://host/owner/name` in plain characters: a short way to the same answer,
  /// for the thousands of addresses that a search meets.
  ///
  /// - Returns: `nil` for every other form, which need not mean that it has no name.
  static func plainWebName(_ address: String) -> String? {
    var address = address
    return address.withUTF8 { plainWebName($0) }
  }

  private static func plainWebName(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let (start, dot) = (scheme.utf8.count, UInt8(ascii: "."))
    guard bytes.starts(with: scheme.utf8) else { return nil }
    // The places of the slashes, 0 while there are none.
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
    // What begins or ends with a dot may be a relative path, or the beginning of another address.
    guard bytes[start] != dot, bytes[first + 1] != dot, bytes[second + 1] != dot else { return nil }
    let host = String(decoding: bytes[start..<first], as: UTF8.self)
    let end = bytes[(second + 1)...].suffix(4)
    guard !host.hasPrefix("www."), secondAddresses[host] == nil,
      // The bit that tells small letters from capitals.
      !end.elementsEqual(".git".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let name = String(decoding: bytes[start...], as: UTF8.self)
    return hasCapitals && ignoresCase(host) ? name.lowercased() : name
  }

  private static let scheme = "https://"
}
