package import ForageCore

/// Providers that the user has enabled himself and that a search for repositories does not ask, because they
/// have other kinds of results.
///
/// Whoever enables one expects its results in every search; a notice once a day names the kind to ask for.
package struct OtherKindsNotice {
  /// The ids of the providers, each with the kinds that it has.
  package let providers: [(id: String, kinds: [ResultKind])]
  private let notice: DailyNotice

  /// Finds the providers; nothing is read.
  package init(_ runner: SearchRunner) {
    notice = DailyNotice("other-kinds", runner.forage)
    providers = runner.choice.registry.entries.compactMap { entry in
      let own = runner.settings.providers[entry.info.id]
      guard own?.isEnabled == true || own?.type != nil, !entry.kinds.isEmpty, entry.kinds[.repo] == nil else {
        return nil
      }
      return (entry.info.id, entry.kinds.keys.sorted { $0.rawValue < $1.rawValue })
    }
  }

  /// Whether it is due: not where the same providers were named within a day. It is then noted as given.
  package func take() -> Bool {
    // Where it cannot be noted it would be given with every search.
    !providers.isEmpty && notice.take(providers.map(\.id).joined(separator: "\n"))
  }

  /// The text of the notice.
  package var message: String {
    providers.map { "\($0.id) has \($0.kinds.map(Self.plural).joined(separator: ", ")), not repositories" }
      .joined(separator: "; ")
  }

  /// The action that helps.
  package var advice: String {
    let kinds = [ResultKind.repo.rawValue] + Set(providers.flatMap(\.kinds).map(\.rawValue)).sorted()
    return "to search \(providers.count == 1 ? "it" : "them"), too, add -k \(kinds.joined(separator: ","))"
  }

  private static func plural(_ kind: ResultKind) -> String {
    kind == .code ? kind.rawValue : KnownNames.plural(kind.rawValue)
  }
}
