/// The kind of a definition in a source file, as `symbol-kind:` and the field `kind` of symbols name it.
package enum SymbolKind: String, CaseIterable, Sendable {
  case function, method
  case `class`, `struct`, union, `enum`, interface, type
  /// A module, namespace or package.
  case module
  /// A variable of a type, and the same with an accessor.
  case field, property
  /// A constant, also a case of an enumeration.
  case constant
  case variable, macro
  // Of SQL.
  case table, view, index, trigger

  private static let types: Set<SymbolKind> = [.class, .struct, .union, .enum, .interface, .type]

  /// The kinds that the value of `symbol-kind:` means: `function` means methods, too, and `type` every type.
  package var meant: Set<SymbolKind> {
    switch self {
    case .function: [.function, .method]
    case .type: Self.types
    default: [self]
    }
  }
}
