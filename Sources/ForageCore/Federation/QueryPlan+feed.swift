extension QueryPlan {
  /// Plans a condition on a feed: no provider applies any of it, so all of it is checked here.
  ///
  /// - Parameter query: The condition, `nil` for none.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never carry.
  init(
    checking query: QueryExpression?, abilities: ProviderDescriptor.KindAbilities,
    vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    pushed = nil
    residual = query?.negationNormalForm
    var abilities = abilities
    // They read no field of their own: what `is:` asks for is looked up in several, and `in:` excludes nothing by itself.
    abilities.qualifiers = ["is": .inexact, "in": .inexact]
    for condition in residual?.conjuncts ?? [] {
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw NotApplicable(what: impossible, isMissingField: true)
      }
    }
  }
}
