import ForageCore
import ForagePlatform

/// A variable with one of several secrets, and whose repositories it is for.
package struct OwnedVariable: Sendable, Hashable {
  package var name: String
  /// Accounts, or patterns of their names with `*`; empty for all.
  package var owners: [String] = []

  /// Whether the secret is for the repositories of an account: `acme` is also for those of `acme/platform`.
  func fits(_ owner: String?) -> Bool {
    guard !owners.isEmpty else { return true }
    guard let owner else { return false }
    var parts = owner.lowercased().split(separator: "/")
    while !parts.isEmpty {
      let name = parts.joined(separator: "/")
      if owners.contains(where: { fnmatch($0.lowercased(), name, 0) == 0 }) { return true }
      parts.removeLast()
    }
    return false
  }
}

extension [OwnedVariable] {
  /// The first variable for what is requested now; `nil` where none is for it.
  var current: String? {
    if let tested = RequestOwner.tested, contains(where: { $0.name == tested }) { return tested }
    let owner = RequestOwner.current
    return first { $0.fits(owner) }?.name
  }
}
