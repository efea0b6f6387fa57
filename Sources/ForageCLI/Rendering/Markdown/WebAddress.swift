/// Addresses from outside that are handed on: to a browser, or into a link.
enum WebAddress {
  /// No address that leads anywhere is longer; browsers cut them off at about this length.
  private static let maximumLength = 2048

  /// Whether an address is one of the web, and holds nothing that a program could take for anything but an address.
  static func isSafe(_ address: String) -> Bool {
    guard address.utf8.count <= maximumLength else { return false }
    let lowered = address.prefix(8).lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return false }
    return address.unicodeScalars.allSatisfy { scalar in
      scalar.value > 32 && scalar.value != 127 && !"\"'`".unicodeScalars.contains(scalar)
        && !SafeText.isDangerous(scalar)
    }
  }
}
