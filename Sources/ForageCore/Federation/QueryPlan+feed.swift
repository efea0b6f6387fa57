extension QueryPlan {
  /// Plans a filter on a feed. Providers apply none of it, so the federation evaluates all of it.
  ///
  /// - Parameters:
  ///   - query: The filter; `nil` for none.
  ///   - abilities: The provider's abilities for the kind.
  ///   - vocabulary: The meaning of qualifiers for the kind.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never contain.
  init(
    checking query: QueryExpression?, abilities: ProviderDescriptor.KindAbilities,
    vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    pushed = nil
    residual = query?.negationNormalForm
    var abilities = abilities
    // These read no single field: `is:` reads several, and `in:` excludes nothing by itself.
    abilities.qualifiers = ["is": .inexact, "in": .inexact]
    for condition in residual?.conjuncts ?? [] {
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw NotApplicable(what: impossible, isMissingField: true)
      }
    }
  }
}
