import ForageCore

/// Checks addresses from outside that are opened in a browser or written as links.
enum WebAddress {
  /// The length at which browsers cut addresses.
  private static let maximumLength = 2048

  /// Whether an address is of the web and has no character that a program could misread.
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
