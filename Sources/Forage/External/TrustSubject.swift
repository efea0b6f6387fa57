package import ForageCore
package import ForageManifest
package import ForagePluginHost

/// A plugin or a manifest, which the user has to trust before it runs or gets a secret.
package enum TrustSubject: Sendable {
  case plugin(FoundPlugin)
  /// With the hosts that its secret is sent to.
  case manifest(Manifest, hosts: Set<String>, isBundled: Bool)

  package var id: String {
    switch self {
    case .plugin(let plugin): plugin.id
    case .manifest(let manifest, _, _): manifest.id
    }
  }

  /// Whether it may run or get its secret.
  package enum State: Sendable {
    case trusted, untrusted
    /// It needs no trust; with the reason, for example `sends no secret`.
    case exempt(String)
  }
}

extension InstalledProviders {
  /// The plugin or manifest with an id.
  ///
  /// - Parameter settings: The settings, which may name another address of a manifest's API; `nil` where they cannot be read.
  /// - Throws: `ForageError` for an unknown id.
  package func subject(_ id: String, _ settings: Settings?) throws -> TrustSubject {
    if let plugin = plugins[id] { return .plugin(plugin) }
    guard let found = manifest(id) else { throw noPlugin(id) }
    return Self.subject(found.manifest, isBundled: found.isBundled, settings)
  }

  static func subject(_ manifest: Manifest, isBundled: Bool, _ settings: Settings?) -> TrustSubject {
    let base = settings?.providers[manifest.id]?.config["url"]?.string
    return .manifest(manifest, hosts: manifest.secretHosts(base: base), isBundled: isBundled)
  }

  /// Whether a plugin or manifest may run or get its secret.
  ///
  /// - Throws: `SearchError` where its files or the trust file cannot be read.
  package func state(of subject: TrustSubject) throws(SearchError) -> TrustSubject.State {
    let bundled = TrustSubject.State.exempt("is part of this installation")
    switch subject {
    case .plugin(let plugin):
      switch try trust.state(of: plugin) {
      case .trusted: return .trusted
      case .bundled, .named: return bundled
      case .untrusted, .changed: return .untrusted
      }
    case .manifest(let manifest, let hosts, let isBundled):
      guard manifest.auth != nil, !isBundled else {
        return isBundled ? bundled : .exempt("sends no secret")
      }
      return try trust.hosts(ofManifest: manifest.id)?.isSuperset(of: hosts) == true ? .trusted : .untrusted
    }
  }

  /// Trusts a plugin or manifest as it is now, or records that the user did not agree.
  ///
  /// - Throws: `SearchError` where its files cannot be read or the trust file cannot be written.
  package func setTrust(_ isTrusted: Bool, of subject: TrustSubject) throws(SearchError) {
    switch subject {
    case .plugin(let plugin): if isTrusted { try trust.trust(plugin) }
    case .manifest(let manifest, let hosts, _):
      try trust.setHosts(isTrusted ? hosts : [], ofManifest: manifest.id)
    }
  }
}
