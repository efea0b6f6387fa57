import ForageCore

extension Trial {
  /// The conditions that a provider is sent beside a word: each sample qualifier, the opposites of the exact ones, and an alternative.
  func conditions(_ word: String, _ abilities: ProviderDescriptor.KindAbilities) -> [Walk.Condition] {
    var result: [Walk.Condition] = []
    var exact: [QueryExpression] = []
    for qualifier in qualifiers {
      let push = abilities.push(qualifier.name)
      guard push != .unsupported, plan(word, .qualifier(qualifier), abilities: abilities) != nil else {
        continue
      }
      let isReadable = isReadable(qualifier, abilities)
      result.append(
        Walk.Condition(
          expression: .qualifier(qualifier), isExact: push == .exact, isReadable: isReadable))
      guard push == .exact else { continue }
      result.append(
        Walk.Condition(expression: .not(.qualifier(qualifier)), isExact: true, isReadable: isReadable))
      if isReadable { exact.append(.qualifier(qualifier)) }
    }
    if abilities.booleans, exact.count > 1, let either = QueryExpression.any(Array(exact.prefix(2))) {
      result.append(Walk.Condition(expression: either, isExact: true, isReadable: true))
    }
    return result
  }

  /// Whether the fields that items can carry tell that a qualifier holds.
  private func isReadable(_ qualifier: Qualifier, _ abilities: ProviderDescriptor.KindAbilities) -> Bool {
    switch (qualifier.name, qualifier.value) {
    // It says where words are looked for, which items do not tell.
    case ("in", _): return false
    case ("repo", _): return abilities.fields.isSuperset(of: [.owner, .name])
    case ("is", .text(let word)):
      let state = word.lowercased()
      return abilities.fields.contains(state == "public" ? .isPrivate : ResultField(rawValue: state))
    default:
      return vocabulary[qualifier.name]?.field.map(abilities.fields.contains) ?? false
    }
  }
}
