/// What is known of a declaration of a language with types before names, while its tokens are read.
struct Declaration {
  /// The tokens outside of all brackets; of a group in brackets only the opening one.
  var parts: [Int] = []
  var hasEquals = false
  /// How many `<` are open.
  var angles = 0
  /// The place in `parts` of `class`, `struct`, `namespace` and the like.
  var typeKeyword: Int?
  /// The place in `parts` of the parameters of what seems to be a function.
  var parameters: Int?
  /// A type is before the function's name.
  var isTyped = false
  /// The place in `parts` of a group such as `(*name)`.
  var pointerGroup: Int?
  /// A single colon is behind the parameters: initializers of members follow.
  var hasColon = false
  var isTypedef = false
  /// The first token of a value with brackets, in which classes may be.
  var value: Int?
  /// How many words that may be a type are among the parts.
  var typeWords = 0

  mutating func reset() {
    let kept = parts
    self = Declaration()
    parts = kept
    parts.removeAll(keepingCapacity: true)
  }
}

/// A body whose declarations are read one after the other.
struct Scope {
  enum Kind { case file, namespace, type, enumeration, function, object }

  var kind: Kind
  /// The token of the type's name, or -1.
  var name: Int
  /// The place of the closing brace, or the count of tokens.
  var end: Int
  /// Names of variables may follow behind the brace, as in `struct { … } name;`.
  var hasDeclarators = false
  /// The members are `name: Type`.
  var hasFields = false
  /// The token at `end` is no closing brace, but the first one that is outside.
  var endsBeforeToken = false
  var isTypedef = false
  /// The first token of the whole declaration.
  var first = 0
}
