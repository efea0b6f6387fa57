/// The preferences of the user for a provider.
public struct ProviderPreferences: Hashable, Sendable {
  /// The weight of its ranks, more than 0 and at most 1,000.
  public var weight: Double
  /// Its time limit; `nil` for that of the provider.
  public var timeout: Duration?

  /// Creates preferences.
  public init(weight: Double = 1, timeout: Duration? = nil) {
    self.weight = weight
    self.timeout = timeout
  }
}

/// The available providers in order of precedence, with what the user wants of each.
public struct ProviderRegistry: Sendable {
  /// A provider and what the user wants of it.
  public struct Entry: Sendable {
    /// The provider.
    public let provider: any SearchProvider
    /// The preferences of the user.
    public fileprivate(set) var preferences: ProviderPreferences

    /// Who the provider is.
    public let info: ProviderInfo
    /// The abilities of the provider for each kind of results.
    public let kinds: [ResultKind: Abilities]
    /// Its time limit in every search; `nil` for the search's.
    public var timeout: Duration? { preferences.timeout ?? info.timeLimit }

    /// An error of the provider; one at the end of its time says so where the user gives it less than there
    /// was.
    ///
    /// - Parameter timeout: The time limit of the search.
    package func explained(_ error: SearchError, within timeout: Duration) -> SearchError {
      guard error.code == .timeout, let own = preferences.timeout, own < timeout else { return error }
      return SearchError(
        .timeout, error.message,
        hint: "the settings allow it \(HumanFormat.duration(own)); increase its timeout there")
    }
  }

  /// The providers in order.
  public private(set) var entries: [Entry] = []

  /// Creates a registry.
  ///
  /// - Parameters:
  ///   - providers: The providers in order of precedence. Of several with the same id the first is used.
  ///   - preferences: Returns what the user wants of the provider with an id.
  public init(
    _ providers: [any SearchProvider] = [],
    preferences: (_ id: String) -> ProviderPreferences = { _ in ProviderPreferences() }
  ) {
    for provider in providers {
      let info = provider.info
      guard self[info.id] == nil else { continue }
      entries.append(
        Entry(
          provider: provider, preferences: preferences(info.id), info: info, kinds: provider.kinds))
    }
  }

  /// The providers in order.
  public var providers: [any SearchProvider] { entries.map(\.provider) }

  /// The provider with an id and what the user wants of it.
  public subscript(id: String) -> Entry? { entries.first { $0.info.id == id } }

  /// The ids in order.
  public var ids: [String] { entries.map(\.info.id) }

  /// Returns a registry with only the named providers, in this registry's order.
  package func selecting(_ ids: [String]) -> ProviderRegistry {
    var copy = self
    copy.entries.removeAll { !ids.contains($0.info.id) }
    return copy
  }

  /// Sets the time limit of the providers for which the user has set none.
  package mutating func limit(to timeout: Duration) {
    for index in entries.indices where entries[index].preferences.timeout == nil {
      entries[index].preferences.timeout = timeout
    }
  }

  /// The common vocabulary and the providers' own qualifiers.
  public var vocabulary: QualifierVocabulary {
    QualifierVocabulary.common.adding(entries.flatMap(\.info.vocabulary))
  }
}
