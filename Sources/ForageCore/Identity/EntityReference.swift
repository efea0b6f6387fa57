/// What a user can name one repository by: `owner/name`, `host/owner/name`, an address, or the id of a result.
public struct EntityReference: Hashable, Sendable {
  /// The canonical id `host/owner/name`.
  public var id: String
  /// The forge's host, with its port where that is not the default.
  public var host: String
  /// The owner, with every subgroup.
  public var owner: String
  /// The repository's name.
  public var name: String

  /// Reads a reference.
  ///
  /// - Parameters:
  ///   - text: `owner/name`, `host/owner/name`, any clone or web address.
  ///   - defaultHost: The host of a plain `owner/name`.
  ///   - twoLevelHosts: Hosts beside the well-known ones on which a repository is always `owner/name`, so that longer paths lead into it.
  /// - Returns: `nil` when the text names no repository.
  public init?(_ text: String, defaultHost: String, twoLevelHosts: Set<String> = []) {
    var trimmed = text.trimmingWhitespace()
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard !trimmed.hasPrefix("/"), !trimmed.hasPrefix("."), !trimmed.hasPrefix("~"),
      trimmed.unicodeScalars.allSatisfy({ $0.value > 32 && !(127...159).contains($0.value) })
    else {
      return nil
    }
    let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
    let isShort = parts.count == 2 && !trimmed.contains(":") && !trimmed.contains("@")
    let address = isShort ? "https://\(defaultHost)/\(trimmed)" : trimmed
    guard let canonical = RepositoryIdentity.canonical(Self.repositoryAddress(address, twoLevelHosts)),
      let components = RepositoryIdentity.components(canonical)
    else { return nil }
    id = canonical
    (host, owner, name) = components
  }

  /// Cuts what leads into a repository off a web address: `/tree/main/Sources`, `/-/issues`, `/pull/7`.
  private static func repositoryAddress(_ address: String, _ twoLevel: Set<String>) -> String {
    guard let canonical = RepositoryIdentity.canonical(address) else { return address }
    if let dash = canonical.firstRange(of: "/-/") { return String(canonical[..<dash.lowerBound]) }
    let parts = canonical.split(separator: "/")
    let isTwoLevel =
      parts.count > 3
      && (twoLevelHosts.contains(String(parts[0])) || twoLevel.contains(String(parts[0]))
        || parts[0].hasSuffix(".ghe.com"))
    return isTwoLevel ? parts.prefix(3).joined(separator: "/") : canonical
  }

  /// Forges on which a repository is always `owner/name`, so that longer paths lead into it.
  private static let twoLevelHosts: Set<String> = [
    "github.com", "codeberg.org", "bitbucket.org", "gitea.com",
  ]
}
