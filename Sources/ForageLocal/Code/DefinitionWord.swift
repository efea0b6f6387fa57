/// What a word means at the beginning of a line of a program, before the name that the line may define.
struct DefinitionWord: OptionSet, Sendable {
  let rawValue: UInt32

  /// A name follows, as in `func name`.
  static let keyword = Self(rawValue: 1 << 0)
  /// A keyword that also begins the type of a declaration, as in `struct commit *lookup(`.
  static let type = Self(rawValue: 1 << 1)
  /// A keyword of variables, which count near the left margin only: others are local.
  static let variable = Self(rawValue: 1 << 2)
  /// A keyword before a symbol, as in `attr_reader :name`.
  static let symbol = Self(rawValue: 1 << 3)
  /// A keyword that defines a name only before a brace, as in `message Name {`.
  static let body = Self(rawValue: 1 << 4)
  /// A keyword that defines a name only before an equals sign, as in `using Name =`.
  static let value = Self(rawValue: 1 << 5)
  /// A keyword after which colons may be in a name, as in `function M:name(`.
  static let colons = Self(rawValue: 1 << 6)
  /// `case`, which defines a name in an enumeration but not in a switch.
  static let enumCase = Self(rawValue: 1 << 7)
  /// `typedef`, which defines the last name.
  static let typedef = Self(rawValue: 1 << 8)
  /// May stand before a keyword, or between a keyword and the name.
  static let modifier = Self(rawValue: 1 << 9)
  /// A modifier after which a declaration needs no keyword at any indentation, as in `private int name;`.
  static let member = Self(rawValue: 1 << 10)
  /// The modifier is a type, as in `int name(`.
  static let builtIn = Self(rawValue: 1 << 11)
  /// Never a name.
  static let reserved = Self(rawValue: 1 << 12)
  /// Begins a line that defines nothing.
  static let statement = Self(rawValue: 1 << 13)
  /// Ends the name of a type, as in `class Name extends Base`.
  static let afterType = Self(rawValue: 1 << 14)
  /// Stands after the parameters of a function.
  static let afterParameters = Self(rawValue: 1 << 15)
  /// The type of a parameter, as in `name(x: string) {`.
  static let parameterType = Self(rawValue: 1 << 16)
  /// A word of prose, which is a name only if punctuation of a program follows.
  static let prose = Self(rawValue: 1 << 17)

  private static let words: [(DefinitionWord, String)] = [
    ([.keyword, .reserved], "fn fun def defp"),
    ([.keyword, .reserved, .colons], "func function"),
    ([.keyword, .reserved, .variable], "let var val"),
    ([.keyword, .type, .variable, .modifier], "const"),
    ([.keyword, .type], "class struct enum union"),
    (
      .keyword,
      """
      interface protocol implementation trait actor record object namespace module type typep opaque \
      typealias associatedtype newtype data sub proc procedure subroutine macro macro_rules define defn \
      defun defmacro defmacrop defmodule defprotocol defrecord deftype defvar defconst defcustom defmethod \
      defgeneric defclass defparameter defmulti defsubst TABLE VIEW INDEX TRIGGER FUNCTION PROCEDURE
      """
    ),
    ([.keyword, .symbol], "attr_reader attr_writer attr_accessor alias_method define_method"),
    ([.keyword, .body], "mod message service"),
    ([.keyword, .value], "using alias"),
    ([.keyword, .enumCase], "case"),
    ([.modifier, .typedef], "typedef"),
    ([.modifier, .member], "public private protected internal pub readonly property"),
    ([.modifier, .member, .reserved], "static constexpr"),
    (
      [.modifier, .builtIn, .reserved],
      "void int char long short unsigned signed float double bool size_t"
    ),
    (
      .modifier,
      """
      package open fileprivate export default inline async final abstract unsafe extern indirect lazy weak \
      override virtual explicit volatile sealed partial mutating nonmutating nonisolated convenience \
      required dynamic suspend declare crate local global friend companion annotation inner value infix \
      tailrec rec unowned transient native distributed consuming borrowing
      """
    ),
    (
      [.modifier, .reserved],
      """
      mut ref template synchronized alignas decltype __attribute__ __declspec __extension__ PACKED CREATE \
      OR REPLACE TEMP TEMPORARY UNIQUE VIRTUAL MATERIALIZED IF NOT EXISTS
      """
    ),
    (.reserved, "this super self operator exports"),
    (
      .statement,
      """
      if for while switch return else do catch sizeof when until unless foreach and or not elif elsif \
      elseif with assert print throw new delete await yield defined import include using goto guard try \
      from use where extension impl end echo raise match require defer
      """
    ),
    (
      .afterType,
      """
      extends implements where with is final internal private public protected constructor permits of as \
      sealed chan
      """
    ),
    (
      .afterParameters,
      "const override final noexcept throws rethrows async where requires returns is as begin do"
    ),
    (
      .parameterType,
      "string number boolean any unknown object never void null typeof keyof readonly"
    ),
    (
      .prose,
      """
      a an the of is are was were be to in on at by for from with that this which it as and or not if when \
      will can must should has have does its
      """
    ),
  ]

  /// The bytes of a word, so that it is looked up without memory of its own.
  private struct Key: Hashable {
    static let limit = 16
    private var (low, high): (UInt64, UInt64) = (0, 0)

    init(_ word: some Collection<UInt8>) {
      for byte in word {
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(byte)
      }
    }
  }

  private static let table: [Key: DefinitionWord] = {
    var table: [Key: DefinitionWord] = [:]
    for (meaning, list) in words {
      for word in list.split(separator: " ") { table[Key(word.utf8), default: []].formUnion(meaning) }
    }
    return table
  }()
}

extension DefinitionWord {
  /// The meaning of a word; empty for a name.
  init(_ word: some Collection<UInt8>) {
    self = word.count <= Key.limit ? Self.table[Key(word)] ?? [] : []
  }
}
