import ForageCore

/// A type of providers that settings can speak of.
struct ProviderType: Sendable {
  /// What `type` says, and the id of the built-in provider of this type.
  var name: String
  /// The host, with its port where that is not the default, that an address leads to; without an address that of the built-in provider.
  ///
  /// It throws for an address that is not allowed. `nil`: the type has no addresses, so there is only the built-in one.
  var host: (@Sendable (_ address: String?) throws(SearchError) -> String)?
  /// Whether it is a plugin or a manifest, which take settings of their own.
  var isExternal = false

  init(name: String, isExternal: Bool = false) {
    self.name = name
    self.isExternal = isExternal
  }

  init(name: String, host: @escaping @Sendable (_ address: String?) throws(SearchError) -> String) {
    self.name = name
    self.host = host
  }
}
