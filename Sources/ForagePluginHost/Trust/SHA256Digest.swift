import Crypto

extension SHA256Digest {
  /// The digest as 64 lower-case hexadecimal digits.
  var hexadecimal: String {
    reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
  }
}
