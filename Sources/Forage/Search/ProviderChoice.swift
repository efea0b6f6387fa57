package import ForageCore

package struct ProviderChoice {
  /// The providers to ask, in order of precedence.
  package var registry: ProviderRegistry
  /// The ids that the user named; of these a failure counts.
  package var named: Set<String>
  /// The kinds of results of all providers, also of those that are not asked.
  let kinds: Set<ResultKind>
  /// The built-in providers that the settings disable, where the user named none.
  package var disabled: [String] = []

  /// Chooses the named providers, or all that are enabled.
  ///
  /// - Parameters:
  ///   - names: As given with `--provider`, each possibly several ids with commas.
  ///   - installed: The plugins and manifests of this machine; read only for an id that is not there.
  ///   - isEnabled: Whether a provider is searched where none is named.
  /// - Throws: `ForageError` for an id that is not there.
  package init(
    names: [String], registry: ProviderRegistry, installed: @autoclosure () -> InstalledIDs = InstalledIDs(),
    isEnabled: (String) -> Bool
  ) throws {
    let ids = Self.ids(names)
    for id in ids where registry[id] == nil { throw Self.unknown(id, registry, installed()) }
    if !names.isEmpty, ids.isEmpty {
      throw ForageError(
        "no provider is named", hint: "providers: \(registry.ids.joined(separator: ", "))")
    }
    named = Set(ids)
    kinds = Self.kinds(of: registry)
    let enabled = registry.ids.filter(isEnabled)
    self.registry = registry.selecting(ids.isEmpty ? enabled : ids)
    guard !self.registry.providers.isEmpty else {
      throw ForageError("every provider is disabled", .enableProvider)
    }
  }

  /// Chooses all providers of a registry, of which the user has named none.
  package init(all registry: ProviderRegistry) {
    self.registry = registry
    kinds = Self.kinds(of: registry)
    named = []
  }

  /// Chooses one provider, as if the user had named it.
  package init(only provider: any SearchProvider, _ settings: Settings) {
    registry = ProviderRegistry([provider], preferences: settings.preferences(of:))
    kinds = Self.kinds(of: registry)
    named = [provider.descriptor.id]
  }

  private static func kinds(of registry: ProviderRegistry) -> Set<ResultKind> {
    Set(registry.providers.flatMap(\.descriptor.kinds.keys))
  }

  package static func ids(_ names: [String]) -> [String] {
    names.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }
  }

  /// The error for an id that is not there, or is that of a plugin whose providers have other ids.
  package static func unknown(_ id: String, _ registry: ProviderRegistry, _ installed: InstalledIDs)
    -> ForageError
  {
    if let own = installed.plugins[id] {
      return ForageError(
        "\"\(id)\" is a plugin, not a provider", hint: "its providers: \(own.joined(separator: ", "))")
    }
    return ForageError(
      "there is no provider \"\(id)\"",
      hint: NearestName.hint(for: id, among: registry.ids)
        ?? "providers: \(registry.ids.joined(separator: ", "))")
  }
}

extension ProviderRegistry {
  /// The ids of the providers that have a kind of results, or a feed of it.
  package func ids(having kind: String, feed: Bool = false) -> [String] {
    providers.map(\.descriptor).filter { descriptor in
      guard let abilities = descriptor.kinds[ResultKind(rawValue: kind)] else { return false }
      return !feed || abilities.feed != nil
    }.map(\.id)
  }
}

/// Checks the names in a request against those that the chosen providers have; the error suggests what was probably meant.
package enum KnownNames {
  /// Checks the name of a kind.
  ///
  /// - Parameters:
  ///   - known: What there is.
  ///   - what: What is wanted of the kind: `results`, or `a feed`.
  ///   - providers: The ids of the providers that have a kind, also of those that are not chosen.
  /// - Throws: `ForageError` for a kind that there is not.
  package static func checkKind(
    _ name: String, among known: [String], what: String, providers: (_ kind: String) -> [String]
  ) throws {
    if known.contains(name) { return }
    let others = providers(name)
    guard others.isEmpty else {
      throw ForageError("no chosen provider has \(what) of kind \"\(name)\"", .chooseProvider(others))
    }
    let other = otherKinds[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    let alias = kind(named: name, among: known) ?? other
    throw ForageError(
      "no chosen provider has \(what) of kind \"\(name)\"",
      hint: (alias ?? NearestName.of(name, among: known)).map { "did you mean \($0)?" } ?? kindsHint(known))
  }

  /// The kind whose name a word is, short or long, in the singular or the plural; `nil` for any other word.
  package static func kind(named word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    return known.first { word == $0 || word == plural($0) || $0 == longNames[word] }
  }

  private static func plural(_ name: String) -> String {
    name.hasSuffix("y") ? name.dropLast() + "ies" : name + "s"
  }

  package static func kindsHint(_ known: [String]) -> String {
    known.isEmpty ? "there are none here" : "kinds here: \(known.joined(separator: ", "))"
  }

  /// The same sort key, `nil` for none.
  ///
  /// - Throws: `ForageError` for a key that no chosen provider has.
  package static func sortKey(_ text: String?, among keys: [String]) throws -> String? {
    guard let text else { return nil }
    let known = Set(keys).sorted()
    guard known.contains(text) else {
      throw ForageError(
        "no chosen provider sorts by \"\(text)\"",
        hint: NearestName.hint(for: text, among: known)
          ?? (known.isEmpty
            ? "no order can be chosen for these results; leave it out"
            : "sort keys here: \(known.joined(separator: ", "))"))
    }
    return text
  }

  /// Longer names of kinds.
  private static let longNames = [
    "repository": "repo", "repositories": "repo", "pull-request": "pr", "pull-requests": "pr",
  ]

  /// Names of other programs for kinds.
  private static let otherKinds = [
    "project": "repo", "pull": "pr", "pulls": "pr", "file": "code", "files": "code", "account": "user",
    "people": "user", "org": "user", "organization": "user",
  ]
}
