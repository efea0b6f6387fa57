import ForageCore

/// A type of providers in the settings.
package struct ProviderType: Sendable {
  /// The value of `type`, and the id of the built-in provider of this type.
  package var name: String
  /// The host of an address, with its port where that is not the default; without an address the host of the built-in provider.
  ///
  /// It throws for an address that is not allowed. `nil`: the type has no addresses, so there is only the built-in provider.
  var host: (@Sendable (_ address: String?) throws(SearchError) -> String)?
  /// Whether it is a plugin or a manifest, which has `config` and `secrets`.
  package var isExternal = false

  package init(name: String, isExternal: Bool = false) {
    self.name = name
    self.isExternal = isExternal
  }

  init(name: String, host: @escaping @Sendable (_ address: String?) throws(SearchError) -> String) {
    self.name = name
    self.host = host
  }
}
