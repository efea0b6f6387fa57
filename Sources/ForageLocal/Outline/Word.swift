/// The words that some reader of definitions looks for, of all languages together.
enum Word: String, CaseIterable {
  case none = ""
  case abstract, actor, alias, annotation, `associatedtype`, async, attribute, auto, await, attr, bool,
    boolean
  case `break`, by, byte, `case`, `catch`, char, `class`, clone, companion, const, constexpr, consteval,
    constinit
  case constructor, `continue`, crossinline, data, debugger, decimal, declare, `default`, `defer`, delegate
  case deinitializer = "deinit"
  case derives
  case delete, delegated, `do`, double, dynamic, `else`, end, `enum`, event, explicit, export, exports, expect
  case extends, `extension`, extern, external, factory, `fallthrough`, `false`, final, finally, fixed, float
  case fn, `for`, foreach, forSome, friend, from, fun, `func`, function, get, given, global, goto, `guard`,
    `if`
  case impl, implements, implicit, `import`, `in`, include, indirect
  case initializer = "init"
  case infix, inline, inner
  case instanceof, insteadof, int, interface, `internal`, interp, `is`, lateinit, lazy, `let`, library, lock,
    long, macro
  case macroRules = "macro_rules"
  case macros, mod, module, mut, mutable, mutating, namespace, native, new, noexcept, noinline
  case nonisolated, nonmutating, null, object, of, on, opaque, open, `operator`, opens, `override`, package
  case part, permits, postfix, `precedencegroup`, prefix, `private`, `protected`, `protocol`, prototype,
    `pub`,
    `public`
  case range, readonly, record, ref, reified, remove, `required`, requires, `rethrows`, `return`, sealed,
    select
  case selfWord = "self"
  case set, short, signed, sizeof, `static`, strictfp, string, `struct`, `subscript`, `super`
  case suspend, `switch`, synchronized, tailrec, template, then, this, `throw`, `throws`, trait, transient
  case transparent, `true`, `try`, `typealias`, typedef, typeid, typename, typeof
  case typeWord = "type"
  case undef, union
  case unsafe, unsigned, unowned, use, using, val, value, `var`, vararg, virtual, void, volatile, weak, when,
    `where`
  case `while`, with, yield
  case enumMacro = "NS_ENUM"
  case optionsMacro = "NS_OPTIONS"
  case require
  case add, alignas, decltype, asm
  case gnuAttribute = "__attribute__"
  case gnuAttributeShort = "__attribute"
  case declspec = "__declspec"
  case isolated, borrowing
  case consuming, convenience, accessor, infer, keyof, asserts, satisfies, covariant
  case late, mixin, base, show, hide, `as`, unset, define, elif, endif, ifdef, ifndef
  case elseif, elifdef, elifndef, region
  // Of Python, Ruby, Lua, Perl, shell and SQL.
  case def, lambda, pass, begin, unless, until, elsif, loop, local, `repeat`, sub, our, my, constant, fi,
    done, esac
  case attrReader = "attr_reader"
  case attrWriter = "attr_writer"
  case attrAccessor = "attr_accessor"
  case defineMethod = "define_method"
  case not, and, or, table, view, index, trigger
  case procedure, create, replace, exists, temporary, temp, unique, materialized, schema, database, sequence
  case primary, foreign, key, check, unlogged, constraint, definer, concurrently, returns, language, domain,
    body
  case partial, register, actual, `fileprivate`, optional, implementation, property, state, except, match
}

/// Finds a known word by its bytes' hash.
struct WordTable {
  private struct Slot {
    var hash: UInt64
    var word: Word
  }

  static let shared = WordTable()
  private static let slotCount = 2048
  static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  private let slots: [Slot]

  /// The step of the hash (FNV-1a) by one byte.
  @inline(__always)
  static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  private init() {
    var slots = [Slot](repeating: Slot(hash: 0, word: .none), count: Self.slotCount)
    for word in Word.allCases where word != .none {
      let hash = word.rawValue.utf8.reduce(Self.seed) { Self.step($0, $1) }
      var place = Self.place(of: hash)
      while slots[place].word != .none { place = (place + 1) & (Self.slotCount - 1) }
      slots[place] = Slot(hash: hash, word: word)
    }
    self.slots = slots
  }

  @inline(__always)
  private static func place(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (slotCount - 1)
  }

  @inline(__always)
  func word(forHash hash: UInt64) -> Word {
    var place = Self.place(of: hash)
    while true {
      let slot = slots[place]
      if slot.hash == hash || slot.word == .none { return slot.word }
      place = (place + 1) & (Self.slotCount - 1)
    }
  }
}
