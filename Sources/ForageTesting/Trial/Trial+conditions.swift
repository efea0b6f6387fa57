import ForageCore

extension Trial {
  /// Returns the conditions to combine with a word: each sample qualifier, the negations of exact ones, and
  /// an alternative.
  func conditions(
    _ word: String, _ kind: ResultKind, _ abilities: Abilities
  ) -> [Walk.Condition] {
    var result: [Walk.Condition] = []
    var exact: [QueryExpression] = []
    for qualifier in qualifiers {
      let push = abilities.push(qualifier.name)
      guard push != .unsupported, plan(word, .qualifier(qualifier), kind, abilities) != nil else {
        continue
      }
      let isReadable = isReadable(qualifier, kind, abilities)
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

  /// The declared qualifiers of which no list with results was read, as a note for each kind.
  var uncheckedQualifiers: [String] {
    kinds.compactMap { kind in
      let declared =
        abilities[kind]?.qualifiers.filter { $0.value != .unsupported }.keys.sorted() ?? []
      let checked = walks.flatMap { walk -> [String] in
        guard walk.request.kind == kind, !walk.items.isEmpty, case .condition(let condition) = walk.purpose
        else { return [] }
        return condition.expression.qualifiers.map(\.name)
      }
      let rest = declared.filter { !checked.contains($0) }.map { $0 + ":" }
      guard !rest.isEmpty else { return nil }
      return "\(kind.rawValue): not checked, because no sample with results uses them: "
        + rest.joined(separator: " ")
    }
  }

  /// Whether the fields that items can have show if a qualifier holds.
  private func isReadable(
    _ qualifier: Qualifier, _ kind: ResultKind, _ abilities: Abilities
  ) -> Bool {
    let fields = qualifier.fields(for: kind, vocabulary: vocabulary)
    return !fields.isEmpty && abilities.fields.isSuperset(of: fields)
  }
}
