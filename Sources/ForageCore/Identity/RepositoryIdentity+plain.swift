extension RepositoryIdentity {
  /// The canonical name of an address of the commonest form, `https://host/owner/name` in plain characters: a short way to the same answer,
  /// for the thousands of addresses that a search meets.
  ///
  /// - Returns: `nil` for every other form, which need not mean that it has no name.
  static func plainWebName(_ address: String) -> String? {
    guard address.hasPrefix("https://") else { return nil }
    var slashes: [Int] = []
    let bytes = Array(address.utf8.dropFirst(8))
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "/"): slashes.append(place)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        continue
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): if slashes.isEmpty { return nil }
      default: return nil
      }
    }
    guard slashes.count == 2, slashes[0] > 0, slashes[1] > slashes[0] + 1, slashes[1] < bytes.count - 1 else {
      return nil
    }
    let host = String(decoding: bytes[..<slashes[0]], as: UTF8.self)
    let owner = bytes[(slashes[0] + 1)..<slashes[1]]
    let name = bytes[(slashes[1] + 1)...]
    let dot = UInt8(ascii: ".")
    // What begins or ends with a dot may be a relative path, or the beginning of another address.
    guard host.utf8.first != dot, !host.hasPrefix("www."), secondAddresses[host] == nil, owner.first != dot,
      name.first != dot,
      !(name.count >= 4 && String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".git")
    else { return nil }
    let path = String(decoding: bytes[slashes[0]...], as: UTF8.self)
    return host + (ignoresCase(host) ? path.lowercased() : path)
  }
}
