/// The available providers in order of precedence.
public struct ProviderRegistry: Sendable {
  /// The providers in order.
  public private(set) var providers: [any SearchProvider] = []

  /// Creates a registry.
  ///
  /// - Parameter providers: The providers in order of precedence. Of several with the same id the first is
  ///   used.
  public init(_ providers: [any SearchProvider] = []) {
    for provider in providers { register(provider) }
  }

  /// Adds a provider at the end.
  ///
  /// - Returns: Whether it was added; `false` if its id exists.
  @discardableResult
  public mutating func register(_ provider: any SearchProvider) -> Bool {
    guard self[provider.descriptor.id] == nil else { return false }
    providers.append(provider)
    return true
  }

  /// The provider with an id.
  public subscript(id: String) -> (any SearchProvider)? {
    providers.first { $0.descriptor.id == id }
  }

  /// The ids in order.
  public var ids: [String] { providers.map(\.descriptor.id) }

  /// Returns a registry with only the named providers, in this registry's order.
  public func selecting(_ ids: [String]) -> ProviderRegistry {
    ProviderRegistry(providers.filter { ids.contains($0.descriptor.id) })
  }

  /// The common vocabulary and the providers' own qualifiers.
  public var vocabulary: QualifierVocabulary {
    QualifierVocabulary.common.adding(providers.flatMap(\.descriptor.vocabulary))
  }
}
