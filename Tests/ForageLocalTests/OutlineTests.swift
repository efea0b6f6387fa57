import ForageCore
import TestSupport
import Testing

@testable import ForageLocal

/// What outlines say of programs in twenty languages: of each an excerpt with what is easily mistaken for a
/// definition.
struct OutlineTests {
  /// The language, a program, and its definitions: line, kind, name, and a mark of those that only declare
  /// something.
  static let programs: [(language: String, text: String, definitions: String)] = [
    (
      "C",
      ##"""
      #define LIMIT 3
      #define MAX(a, b) ((a) > (b) ? (a) : (b))
      struct item { int size; struct { char *name; } inner; };
      typedef struct item Item, *ItemPointer;
      enum color { RED, GREEN = 2 };
      static const int table[] = { 1, 2 };
      int prototype(int a);
      static inline PURE int total(const struct item *items, int count)
      {
      #ifdef A
        if (count) {
      #else
        if (!count) {
      #endif
          return '"' + "int none(void) {"[0];
        }
        /* int none2(void) { */
        return 0;
      }
      void (*handler)(int);
      int old(a) int a; { return a; }
      static PATH_FUNC(none, "none")
      struct state { const struct item *final; };
      typedef list_of(item) Items;
      typedef int CALLBACK(on_item)(int);
      typedef bool (is_fit)(int);
      """##,
      "1 macro LIMIT, 2 macro MAX, 3 struct item, 3 field size, 3 field name, 3 field inner, "
        + "4 type Item, 4 type ItemPointer, 5 enum color, 5 constant RED, 5 constant GREEN, "
        + "6 variable table, 7 function prototype -, 8 function total, 20 variable handler, "
        + "21 function old, 23 struct state, 23 field final, 24 type Items, 25 type on_item, 26 type is_fit"
    ),
    (
      "C++",
      ##"""
      namespace shop {
      template <typename T> class Cart : public Base<T> {
       public:
        Cart() = default;
        ~Cart() noexcept override { clear(); }
        bool operator==(const Cart& other) const;
        int size() const noexcept { return size_; }
       private:
        int size_ = 0;
      };
      using Name = std::string;
      enum class Color : int { red, green };
      constexpr auto text = R"x(int none() {)x";
      }
      int shop::Cart<int>::total(int a) { return a; }
      std::map<int, Name> names = std::map<int, Name>();
      TEST_CASE("none") { int none; }
      """##,
      "1 module shop, 2 class Cart, 4 method Cart, 5 method ~Cart, 6 method operator== -, "
        + "7 method size, 9 field size_, 11 type Name, 12 enum Color, 12 constant red, "
        + "12 constant green, 13 variable text, 15 method total, 16 variable names"
    ),
    (
      "Objective-C",
      ##"""
      @interface Cart : NSObject
      @property (nonatomic) int size;
      - (int)total:(int)a with:(int)b;
      @end
      @implementation Cart
      - (int)total:(int)a with:(int)b { return a; }
      + (void)make { NSLog(@"- (void)none {"); }
      @end
      int helper(void) { return 1; }
      """##,
      "1 class Cart, 2 property size, 3 method total -, 5 class Cart, 6 method total, "
        + "7 method make, 9 function helper"
    ),
    (
      "C#",
      ##"""
      namespace Shop.Core;
      public static class Extensions {
        public const int Limit = 3;
        public static int Total(this string a) => a.Length;
        public string Name { get; set; } = "class None {";
        public event Action Changed;
        static Map<int, Color> a = new Map<int, Color>(), b = a < b ? c : d;
        delegate void Handler(int a);
        enum Color { Red, Green }
      }
      public record Point(int X, int Y);
      interface IOpen { void Open(); }
      struct Size { public int Width; }
      """##,
      "1 module Core, 2 class Extensions, 3 constant Limit, 4 method Total, 5 property Name, "
        + "6 field Changed, 7 field a, 7 field b, 8 type Handler, 9 enum Color, 9 constant Red, "
        + "9 constant Green, 11 class Point, 12 interface IOpen, 12 method Open, 13 struct Size, "
        + "13 field Width"
    ),
    (
      "Java",
      ##"""
      package a;
      /** class None {} */
      public final class Shop<T extends Comparable<T>> implements Open {
        private static final int LIMIT = 3;
        Map<String, Shop> size = new Map<String, Shop>(), count;
        @Override public <R> R total(R a) throws IOException { return a; }
        Shop() {}
        enum Color { RED, GREEN { void deep() {} } }
        interface Open { void open(); default int one() { return 1; } }
        record Point(int x, int y) {}
        @interface Mark { String value() default "class None2 {"; }
      }
      """##,
      "3 class Shop, 4 field LIMIT, 5 field size, 5 field count, 6 method total, 7 method Shop, "
        + "8 enum Color, 8 constant RED, 8 constant GREEN, 8 method deep, 9 interface Open, "
        + "9 method open, 9 method one, 10 class Point, 11 interface Mark, 11 method value"
    ),
    (
      "Kotlin",
      ##"""
      package a
      const val LIMIT = 3
      data class Item(val name: String, var size: Int)
      sealed interface Shop { fun open() }
      object Store { val count by lazy { 1 } }
      enum class Color { RED, GREEN }
      fun <T> List<T>.total(): Int = "${"fun none() {"}".length
      typealias Name = String
      class Cart { companion object { fun make() = Cart() } }
      actual class Text
      internal actual constructor(val data: Int) { fun size() = 1 }
      """##,
      "2 constant LIMIT, 3 class Item, 3 property name, 3 property size, 4 interface Shop, "
        + "4 method open, 5 class Store, 5 property count, 6 enum Color, 6 constant RED, "
        + "6 constant GREEN, 7 function total, 8 type Name, 9 class Cart, 9 method make, 10 class Text, "
        + "11 property data, 11 method size"
    ),
    (
      "Scala",
      ##"""
      package shop
      case class Item(name: String, size: Int)
      trait Shop { def open(): Unit; type Key }
      object Store { val limit = 3; private def total[T](a: T): Int = s"${"def none"}".length }
      enum Color { case Red, Green }
      class Cart:
        def run() = 1
        var count = 0
      given ordering: Ordering[Item] = ???
      """##,
      "2 class Item, 2 property name, 2 property size, 3 interface Shop, 3 method open, "
        + "3 type Key, 4 module Store, 4 property limit, 4 function total, 5 enum Color, "
        + "5 constant Red, 5 constant Green, 6 class Cart, 7 method run, 8 property count, "
        + "9 constant ordering"
    ),
    (
      "Dart",
      ##"""
      const limit = 3;
      abstract class Shop<T> extends Base with Mixin {
        final int size;
        Shop(this.size);
        Shop.named() : size = 1;
        int get count => 1;
        Future<int> total(int a) async { return a; }
        static void make() {}
      }
      enum Color { red, green }
      mixin Mixin { void run() {} }
      extension Words on String { bool get isWord => true; }
      typedef Name = String;
      int helper() => '${"int none() {"}'.length;
      """##,
      "1 constant limit, 2 class Shop, 3 field size, 4 method Shop, 5 method named, "
        + "6 property count, 7 method total, 8 method make, 10 enum Color, 10 constant red, "
        + "10 constant green, 11 class Mixin, 11 method run, 12 class Words, 12 property isWord, "
        + "13 type Name, 14 function helper"
    ),
    (
      "Swift",
      ##"""
      public struct Item<T>: Shop { let name: String; var size: Int { 1 } }
      protocol Shop { func open(); associatedtype Key }
      enum Color { case red, green(Int); indirect case blue }
      extension Item where T == Int { static func total() -> String { #"func none() {"# } }
      actor Store { init() {} ; subscript(a: Int) -> Int { a } }
      typealias Name = String
      let limit = """
        func none2() { \(inner()) }
        """
      func < (a: Item<Int>, b: Item<Int>) -> Bool { true }
      macro make() = #externalMacro(module: "a", type: "b")
      """##,
      "1 struct Item, 1 property name, 1 property size, 2 interface Shop, 2 method open, "
        + "2 type Key, 3 enum Color, 3 constant red, 3 constant green, 3 constant blue, "
        + "4 method total, 5 class Store, 5 method init, 5 method subscript, 6 type Name, "
        + "7 constant limit, 10 function <, 11 macro make"
    ),
    (
      "Go",
      ##"""
      package shop

      const (
      	Limit = 3
      	Max, Min = 4, 1
      )

      type (
      	Item struct {
      		Name string `json:"func none() {"`
      		Base
      	}
      	Shop interface { Open(a int) error }
      )

      var count int

      func (c *Cart[T]) Total(a int) (int, error) { return a, nil }
      func New[T any]() *Item { return nil }
      """##,
      "4 constant Limit, 5 constant Max, 5 constant Min, 9 struct Item, 10 field Name, "
        + "13 interface Shop, 13 method Open, 16 variable count, 18 method Total, 19 function New"
    ),
    (
      "Rust",
      ##"""
      pub const LIMIT: usize = 3;
      static mut COUNT: u8 = 0;
      pub(crate) struct Item<'a> { name: &'a str, size: u32 }
      enum Color { Red, Green { deep: bool } }
      trait Shop { fn open(&self); type Key; }
      impl<'a> Shop for Item<'a> {
        const fn total(&self) -> u32 { let s = r#"fn none() {"#; 'x' as u32 }
      }
      macro_rules! vec2 { () => {} }
      mod inner { pub async unsafe fn run() {} }
      type Name = String;
      """##,
      "1 constant LIMIT, 2 variable COUNT, 3 struct Item, 3 field name, 3 field size, "
        + "4 enum Color, 4 constant Red, 4 constant Green, 5 interface Shop, 5 method open, "
        + "5 type Key, 7 method total, 9 macro vec2, 10 module inner, 10 function run, 11 type Name"
    ),
    (
      "PHP",
      ##"""
      <p>it's class None</p>
      <?php
      namespace Shop\Core;
      const LIMIT = 3;
      define('MAX', 4);
      abstract class Cart extends Base implements Open {
        const SIZE = 1;
        private ?int $count = 0;
        public function total(int $a): int { return strlen("function none() {"); }
      }
      interface Open { function open(); }
      trait Marks {}
      enum Color: string { case Red = 'r'; }
      function &helper() { return <<<X
      function none2() {}
      X;
      }
      """##,
      "3 module Shop\\Core, 4 constant LIMIT, 5 constant MAX, 6 class Cart, 7 constant SIZE, "
        + "8 property count, 9 method total, 11 interface Open, 11 method open, 12 interface Marks, "
        + "13 enum Color, 13 constant Red, 14 function helper"
    ),
    (
      "JavaScript",
      ##"""
      const LIMIT = 3
      exports.open = function (a) {}
      Cart.prototype.total = function () {}
      const api = { get(a) {}, set: function () {}, run: () => 1 }
      class Cart { #count = 1; static make() {} }
      function App() { return <p title="x">it's function none() {LIMIT}</p> }
      """##,
      "1 constant LIMIT, 2 function open, 3 method total, 4 constant api, 4 method get, "
        + "4 method set, 4 method run, 5 class Cart, 5 property count, 5 method make, 6 function App"
    ),
    (
      "TypeScript",
      ##"""
      export interface Shop { name: string; open(a: number): void }
      export type Name = string | `none ${number}`
      export enum Color { Red, Green = 2 }
      export abstract class Cart<T> extends Base {
        static readonly limit = 3;
        private count?: number;
        constructor(private a: string) { super() }
        async total(a: T): Promise<number> { return a / 2 }
        get size() { return 1 }
      }
      export const make = async (a: number) => { const inner = 1 }
      function* walk(): void { const r = /function none() {/; }
      declare module "x" { const y: string }
      namespace Inner { export function deep() {} }
      """##,
      "1 interface Shop, 1 property name, 1 method open, 2 type Name, 3 enum Color, "
        + "3 constant Red, 3 constant Green, 4 class Cart, 5 property limit, 6 property count, "
        + "7 method constructor, 7 property a, 8 method total, 9 method size, 11 function make, "
        + "12 function walk, 13 constant y, 14 module Inner, 14 function deep"
    ),
    (
      "Python",
      ##"""
      @cache
      def größe(
          a, b
      ) -> int:
          def inner(): return 1
          return inner()


      class Shop(Base):
          LIMIT: int = 3

          @property
          def total(self): return f"{self.count!r} total"


      PI, E = 3, 2
      """##,
      "2 function größe, 5 function inner, 9 class Shop, 10 constant LIMIT, 13 method total, "
        + "16 constant PI, 16 variable E"
    ),
    (
      "Ruby",
      ##"""
      module A
        class B::C < D
          LIMIT = 3
          attr_accessor :name, :size
          def self.make(x) = x
          def valid? = true
          class << self
            def hidden; end
          end
          TEXT = <<~X
            def none
            #{def_of}
          X
        end
      end
      """##,
      "1 module A, 2 class C, 3 constant LIMIT, 4 property name, 4 property size, 5 method make, "
        + "6 method valid?, 8 method hidden, 10 constant TEXT"
    ),
    (
      "Lua",
      ##"""
      local M = {}
      --[[ function none() ]]
      function M.open(a) return [[ function none2() ]] end
      M.close = function() end
      local function helper() end
      """##,
      "3 function open, 4 function close, 5 function helper"
    ),
    (
      "Perl",
      ##"""
      package Shop::Cart;
      use constant { LIMIT => 3, MAX => 4 };
      sub total { my $x = "sub none {"; return $x }
      =pod

      sub none { }

      =cut
      sub empty;
      sub last_one($a) { grep /=/, @_ }
      sub behind { "/" }
      """##,
      "1 module Shop::Cart, 2 constant LIMIT, 2 constant MAX, 3 function total, "
        + "9 function empty -, 10 function last_one, 11 function behind"
    ),
    (
      "Shell",
      ##"""
      #!/bin/sh
      # don't
      alias ll='ls -l'
      function start {
        echo "stop() {"
      }
      größe() { cat <<X
      none() { :; }
      X
      }
      """##,
      "3 macro ll, 4 function start, 7 function größe"
    ),
    (
      "SQL",
      ##"""
      create table if not exists shop.items (id int, "größe" text not null, primary key (id));
      CREATE OR REPLACE FUNCTION shop.total(a int) RETURNS int AS $$ create table none (x int); $$ LANGUAGE sql;
      create unique index items_id on items (id);
      create view big as select 'create view none' from items;
      """##,
      "1 table items, 1 field id, 1 field größe, 2 function total, 3 index items_id, 4 view big"
    ),
    (
      "Vue",
      ##"""
      <template><p>function none() {}</p></template>
      <!--
      <script>function none() {}</script> -->
      <script setup lang='ts' generic="T extends A<B>">
      interface Größe { a: number }
      function total<T>(a: T): T { return a }
      </script>
      <script src="x" />
      <script lang="coffee">
      function none() {}
      </script>
      <style>.none {}</style>
      """##,
      "5 interface Größe, 5 property a, 6 function total"
    ),
    (
      "Svelte", "<p>{none}</p>\n<script>\n  export const a = 1\n  const b = () => {}",
      "3 constant a, 4 function b"
    ),
    // Tags that do not end are read once, however many there are.
    ("Vue", String(repeating: "<script \n", count: 200_000), ""),
  ]

  @Test(arguments: programs) func definitions(language: String, text: String, definitions: String) throws {
    var text = text
    let found = try text.withUTF8 { bytes in
      let outline = try #require(Outline(of: language, in: UnsafeRawBufferPointer(bytes)))
      let places = DefinitionPlaces(UnsafeRawBufferPointer(bytes), Language(rawValue: language))
      return outline.definitions.map { definition in
        #expect(definition.extent.contains(definition.name.lowerBound), "\(language)")
        let line = bytes[..<definition.name.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        let name = String(decoding: bytes[definition.name], as: UTF8.self)
        #expect(definition.isDeclarationOnly || places.canBe(definition.name), "\(language) \(line) \(name)")
        return "\(line) \(definition.kind) \(name)" + (definition.isDeclarationOnly ? " -" : "")
      }
    }
    #expect(found.joined(separator: ", ") == definitions)
  }

  /// Lines that need not be read as a program: `f` is defined in none of them.
  static let otherPlaces: [(language: String, text: String)] = [
    ("C", "* of the f\nx.f = y->f + !f; (f, 1);\nreturn f();\n// call f\n/* or f */\nputs(\"to f\");"),
    ("C", "#include <f>\n#define G f\n * where a (f) is\n  refs_f(); f_1"),
    ("C++", "a = f + -f"), ("C#", "#region f"),
    ("Go", "import \"a/f\"\nfunc g(f int) {\nx.f(f: 1, y: f)\nf.g()\n f: 1,\n\"f\"\ngo f()"),
    ("Java", "new f();\nx.f(f.g());\nimport f.g;\n* see the f\nf g = h(1, f h);"),
    ("JavaScript", "new f(x.f, this.f(f));\nreturn f()\n// f\n\"the f is\""),
    ("Python", "f(f.g)\nx = g.f(f())\nreturn f\nimport f\n# the f\n'f', [f], f.g"),
    ("Rust", "use f;\nx.f(&f, a::f::<f>);\n/// a `b`'s f\nlet f: f = 1;"),
    ("Shell", "git checkout f\nx=$f\n# f (or f\nf --all"),
    ("Swift", "x.f = f(f: 1) + f(f)\n/// the f\n\"f \\(f) f\""),
    ("Ruby", "# the f"), ("Markdown", "if_ of"),
  ]

  @Test(arguments: otherPlaces) func noDefinitions(language: String, text: String) {
    var text = text
    let found = text.withUTF8 { bytes in
      let places = DefinitionPlaces(UnsafeRawBufferPointer(bytes), Language(rawValue: language))
      return bytes.indices.filter { bytes[$0] == UInt8(ascii: "f") && places.canBe($0..<$0 + 1) }
        .map { String(decoding: bytes[..<$0].suffix(20), as: UTF8.self) }
    }
    #expect(found == [], "\(language)")
  }

  /// Lines that look as if nothing were defined there.
  static let hiddenPlaces: [(language: String, text: String)] = [
    ("C", " */ int f(void) { return 1; }"), ("C", "char\n* f(void) { return 0; }"),
    ("C", "static int x = '\"', f;"), ("Go", "const (\n\tf = 1\n)"),
    ("Python", "a = f = 1"), ("Python", "if x: f = 1"), ("Python", "def \\\n f(): pass"),
    ("JavaScript", "exports.f = function () {}"), ("JavaScript", "x = { \"f\": function () {} }"),
    ("Shell", "alias a=b \\\n  f=c"), ("Shell", "alias 'f'=c"), ("Swift", "let (a, f) = (1, 2)"),
    ("Swift", "let (f, a) = (1, 2)"), ("Java", "class A { /* x */ int[] f; }"),
    ("Java", "class f extends A {}"), ("Java", "interface\n  f permits A {}"),
    ("Rust", "struct A { a: B, pub(crate) f: C }"),
  ]

  @Test(arguments: hiddenPlaces) func possibleDefinitions(language: String, text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      let buffer = UnsafeRawBufferPointer(bytes)
      let outline = try #require(Outline(of: language, in: buffer))
      let names = outline.definitions.map(\.name).filter { String(decoding: bytes[$0], as: UTF8.self) == "f" }
      let places = DefinitionPlaces(buffer, Language(rawValue: language))
      #expect(names.map(places.canBe) == [true], "\(language)")
    }
  }

  /// A name that stands in comments, strings and code of a program is used where it is code.
  static let uses: [(language: String, text: String, lines: [Int])] = [
    (
      "C",
      "int f(void);\nint g(void) { return f(); } // f\nchar *s = \"f()\";\nint f(void) { return f(); }\n",
      [2, 4]
    ),
    ("Swift", "func f() {}\nlet s = \"f \\(f()) f\"\n/* f /* f */ f */ f()\n", [2, 3]),
    ("Python", "def f(): pass\ns = f\"f {f()} f\"\nx = \'\'\'f\nf\'\'\'; f()\n# f\n", [2, 4]),
    (
      "JavaScript", "function f() {}\nlet s = `f ${f()} f`\nlet r = /f/g; f()\nlet d = 1 / f() / 2\n",
      [2, 3, 4]
    ),
    ("Ruby", "def f; end\ns = \"f #{f} f\"\nx = <<~A\n  f\nA\nf\n=begin\nf\n=end\n", [2, 6]),
    ("Shell", "f() { :; }\necho 'f' \"f $(f) f\" # f\ncat <<X\nf\nX\nf\n", [2, 6]),
    (
      "Rust",
      """
      fn f() {}
      let s = r#"f "f" f"#;
      let c = 'f'; f::<'a>();
      println!("f {} {{f}}", "{f}"); assert_eq!(s, "{f}"); g("{f}");
      write!(s, "{f:?}");
      bail!(r"{f}");

      """, [3, 5, 6]
    ),
    ("Vue", "<p>f</p>\n<script>\nfunction f() {} // f\nf('f')\n</script>\n{{ f() }}\n", [4]),
    (
      "SQL", "create function f() returns int as $$ select f $$;\nselect f() -- f\n, 'f''f', \"f\"\n", [2, 3]
    ),
  ]

  @Test(arguments: uses) func usesInCode(language: String, text: String, lines: [Int]) throws {
    var text = text
    let found = try text.withUTF8 { bytes in
      let buffer = UnsafeRawBufferPointer(bytes)
      let names = try #require(CodeNames(of: language, in: buffer, Definitions()))
      return buffer.indices.filter { place in
        let range = place..<place + 1
        return buffer[place] == UInt8(ascii: "f") && WordFit(of: range, in: buffer) == .whole
          && names.isUse(range)
      }.map { place in buffer[..<place].count { $0 == UInt8(ascii: "\n") } + 1 }
    }
    #expect(Set(found).sorted() == lines, "\(language): \(text)")
  }

  /// What a string computes is used, and what it only says is not: the lines that use `f` begin with `+`.
  static let strings: [(language: String, text: String)] = [
    (
      "Shell",
      #"""
      + a="$(f "$x")"
      + a="`f "b"` `b`"
      - a="`echo "f"` `# f`"
      + a="`# \`f\``" b=$(f)
      + a="${f}"
      + a="$f"
      - a='$(f) `f`' b="\$(f) \`f\` f"
      + a="${b:-$(g "`f`")}"
      + a="$(case b in f) c;; esac; (case d in (e) g;; h) f;; esac))"
      - a="f $(echo case) f"
      + cat <<X && b="$(f)"
      - f "f" '\$f \`f\`'
      + `f`
      + '$(f)' "$f"
      - X
      - cat <<\X
      - $(f) `f` $f
      - X
      - cat <<"X"
      - $(f) `f` $f
      - X
      - a=$((1<<b))
      + f && a=$(( (1<<b) + c ))
      + f
      """#
    ),
    (
      "C#",
      ##"""
      + a = $"{f()} {{f}}";
      - a = $"{{f}} {(b ? "f" : "c")}";
      + a = $$"""f {f} {{f}} }}f""";
      - a = $$"""{f} {{b}} f""";
      + a = $@"f ""{f}""";
      """##
    ),
    (
      "PHP",
      #"""
      - <?php
      + $a = "{$f}";
      + $a = "${f}";
      + $a = "$b->f c";
      + $a = "$b?->f";
      - $a = "f $b->c->f \$f {f}";
      + $a = `{$f}`;
      - $a = `f` . '$f';
      """#
    ),
    ("Scala", "+ a = s\"$f\"\n- a = s\"$$f $${f}\"\n+ a = s\"$$${f}\"\n"),
    ("Ruby", "+ a = \"#@f\"\n+ a = \"#@@f\"\n+ a = \"#$f\"\n- a = \"#f #!f @f $f\"\n"),
    (
      "Perl",
      #"""
      + $a = "$f";
      + $a = "@f";
      + $a = "${f}";
      + $a = "@{[ f("b") ]}";
      - $a = "f \$f \@f @{[ 'f' ]}" . '$f';
      + $a = qq{f {f} @{f}};
      - $a = q{$f};
      + $a = `$f`;
      + $a =~ s/f/$f/;
      - $a =~ m'$f' or $a =~ tr/$f/f/;
      - $a = <<X;
      - f
      + ${f}
      - X
      """#
    ),
    ("Swift", "+ a = \"\\(g(\"\\(f)\"))\"\n- a = \"\\(g(\"f\")) \\\\(f)\"\n+ a = #\"\\#(f)\"#\n"),
    ("Kotlin", "+ a = \"${g(\"${f}\")}\"\n+ a = \"$f\"\n- a = \"\\${f} ${g(\"f\")}\"\n"),
    ("Dart", "+ a = '${g(\"${f}\")}';\n+ a = '$f';\n- a = '\\${f}' + r'$f';\n"),
    ("TypeScript", "+ a = `${g(`${f}`)}`;\n- a = `\\${f} $f ${g(`f`)}`;\n"),
    ("Python", "+ a = f\"{g(f'{f}')}\"\n+ a = f\"{b:{f}}\"\n- a = f\"{{f}} {b['f']}\"\n"),
  ]

  @Test(arguments: strings) func usesInStrings(language: String, text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let used = lines.indices.filter { lines[$0].hasPrefix("+") }.map { $0 + 1 }
    let program = lines.map { $0.dropFirst(2) }.joined(separator: "\n")
    try usesInCode(language: language, text: program, lines: used)
  }

  /// The innermost definition with a body is the one that a use is in.
  @Test func definitionAroundAUse() throws {
    var text = "class A:\n  x = f\n  def g(self):\n    def h(): return f()\n    return f()\nf()\n"
    let found = try text.withUTF8 { bytes in
      let names = try #require(CodeNames(of: "Python", in: UnsafeRawBufferPointer(bytes), Definitions()))
      return bytes.indices.filter { bytes[$0] == UInt8(ascii: "f") && names.isUse($0..<$0 + 1) }.filter {
        WordFit(of: $0..<$0 + 1, in: UnsafeRawBufferPointer(bytes)) == .whole
      }.map { names.definition(around: $0).map { String(decoding: bytes[$0.name], as: UTF8.self) } ?? "-" }
    }
    #expect(found == ["A", "h", "g", "-"])
  }

  /// Any bytes are read to their end, and names and extents are within them.
  @Test(arguments: programs) func partsOfPrograms(language: String, text: String, definitions: String) throws
  {
    var random = SeededGenerator(seed: propertySeed(label: "outline \(language)"))
    let bytes = Array(text.utf8)
    for _ in 0..<200 {
      var part = Array(bytes[Int.random(in: 0..<bytes.count, using: &random)...])
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        part[Int.random(in: part.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      part.withUnsafeBytes { bytes in
        guard let outline = Outline(of: language, in: bytes) else { return }
        var end = 0
        for definition in outline.definitions {
          #expect(!definition.name.isEmpty && bytes.indices.contains(definition.name.upperBound - 1))
          #expect(
            definition.extent.upperBound <= bytes.count
              && definition.extent.contains(definition.name.lowerBound))
        }
        for range in outline.notCode {
          #expect(range.lowerBound >= end && range.upperBound <= bytes.count)
          end = range.upperBound
        }
      }
    }
  }

  /// Texts of nothing but what opens something are read to their end.
  @Test(arguments: [
    "{", "(", "<", "[", "\"", "'", "`${", "/*", "#if\n", "r#\"", "<<A\n", "def f(", "class A{", "=begin\n",
    "f<", "\"`", "\"$(case a in ", "\"${", "'${", "\"\\(", "\"#{", "\"@{", "f\"{", "println!(\"{{", "<<A `",
  ])
  func deepTexts(_ unit: String) throws {
    for language in Outline.languages {
      var text = String(repeating: unit, count: 20_000)
      text.withUTF8 { bytes in
        _ = Outline(of: language, in: UnsafeRawBufferPointer(bytes))?.definitions.count
      }
    }
  }
}
