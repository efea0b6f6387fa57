/// The patterns by which lines define names: expressions of PCRE2 on bytes, in which white space does not
/// count. A match is the name: `\K` stands before it, and what must follow is looked at only.
enum DefinitionPatterns {
  struct Row {
    var families: [LanguageFamily]
    var pattern: String

    init(_ families: LanguageFamily..., pattern: String) {
      self.families = families
      self.pattern = pattern
    }
  }

  /// Words before names that are defined, as in `struct name`.
  static let keywords: Set<String> = [
    "fn", "fun", "func", "function", "def", "defp", "sub", "proc", "let", "var", "val", "const", "static",
    "class",
    "struct", "enum", "union", "interface", "protocol", "trait", "actor", "record", "object", "namespace",
    "module",
    "type", "typealias", "typedef", "macro", "defn", "defun", "defmodule", "impl", "void", "int", "char",
    "short", "long",
    "unsigned", "signed", "float", "double", "bool", "size_t",
  ]

  // MARK: Parts of patterns

  private static let word = #"[\w\x80-\xff]"#
  private static let indentation = #"[ \t]*+"#
  private static let name = #"\K[A-Za-z_\x80-\xff]\#(word)*+"#
  /// The next word is none of a sentence such as "class of objects".
  private static let noSentence =
    #"(?!(?:a|an|the|of|is|in|on|at|to|and|or|not|for|from|with|that|this|which|it|as|if|when|will|can|must"#
    + #"|should|has|have|does|are|was|were|be|by|its)\b(?!\s*+[({<:]))"#
  /// Whether the next word can be a type or the name of a function.
  private static let noStatement =
    #"(?!(?:return|else|if|while|for|foreach|switch|case|goto|using|new|delete|throw|import|from|package|do|try"#
    + #"|catch|await|yield|elif|elseif|elsif|unless|until|assert|raise|print|echo|end|and|or|not|in|with|when"#
    + #"|match|guard|defer|go|select|sizeof|use|module|require|include|extension|impl|super|function|func|this)\b)"#
  /// What stands before the last part of a name: `A.B.`, `A::`, `List<T>.`.
  private static let scope = #"(?:\#(word)++(?:<[^<>]*+>)?(?:::~?|\?\.|\.|:)(?=\#(word)))*+"#
  private static let attributes =
    #"(?:[#]\[[^\]]*+\]\s*+|@(?!(?:interface|implementation|protocol|type|typep|opaque)\b)\#(word)++"#
    + #"(?:\([^()]*+\))?\s++)*+"#
  /// What may stand before a keyword.
  private static let modifiers =
    #"(?:(?:public|private|protected|internal|fileprivate|package|open|export|default|declare|static|final"#
    + #"|abstract|async|inline|virtual|override|extern(?:\s++"[^"]*+")?+|unsafe|sealed|partial|mutating"#
    + #"|nonmutating|nonisolated|indirect|lazy|weak|convenience|required|dynamic|suspend|data|companion"#
    + #"|annotation|inner|value|constexpr|local|global|crate|pub|infix|tailrec|explicit|readonly|distributed"#
    + #"|transient|volatile|native|synchronized|friend|typedef|Public|Private|Protected|Friend|Shared"#
    + #"|template\s*+<[^{;]*?>|case(?=\s++(?:class|object)))(?:\([^()]*+\))?\s++)*+"#
  /// What stands before a member that has no keyword.
  private static let memberModifiers =
    #"(?:(?:public|private|protected|internal|static|override|virtual|abstract|final|async|readonly|synchronized"#
    + #"|native|sealed|partial|unsafe|transient|volatile|pub(?:\([^()]*+\))?)\s++)++"#
    + #"(?!(?:val|var|let|const|func|fun|fn|def|class|struct|enum|interface|protocol|trait|import|use|mod|type"#
    + #"|actor|extension|subscript|init|case)\b)"#
  /// A word of a type, as in `const List<T> *`.
  private static let type =
    #"(?:[A-Za-z_]\#(word)*+(?:(?:::|\.)\#(word)++)*+(?:<(?:[^;(){}<>]|<[^<>]*+>)*+>)?(?:\[\])*+[\s*&?]++"#
    + #"|[*&]++\s*+)"#

  // MARK: Functions, types, members and macros

  static let names: [Row] = [
    // func name(, def name, fun <T> List<T>.name(
    Row(
      .c, .java, .javaScript, .keyword, .script, .functional, .sql,
      pattern: #"\#(indentation)\#(attributes)\#(modifiers)"#
        + #"(?:func|function|fun|fn|def|defp|defmacrop?+|sub|Sub|Function|proc|procedure|subroutine|macro)\b[*!]?+\s++"#
        + #"(?:\([^()]*+\)\s*+)?+(?:<[^<>()]*+>\s*+)?+`?+\#(scope)\#(name)"#
        + #"(?=[`?!*]?+\s*+(?:[({<\[=:;]|--|->|$|(?:do|is|as|begin|throws|where|abort)\b))"#),
    // let rec name a =, data name = A
    Row(
      .functional,
      pattern: #"\#(indentation)(?:let\s++(?:rec\s++)?+\#(name)(?=(?:\s++(?:\#(word)++|\([^()]*+\)))++\s*+=)"#
        + #"|data\s++\#(name)(?=[^:]*=))"#),
    // struct name {, public final class A.name<T>: B
    Row(
      .c, .java, .javaScript, .keyword, .script, .functional,
      pattern: #"\#(indentation)\#(attributes)\#(modifiers)"#
        + #"(?:class|struct|enum|enum\s++class|union|@?interface|trait|@?protocol|@implementation|actor|record|object"#
        + #"|module|namespace|defmodule|defprotocol|typealias|associatedtype|newtype|data|message|service|mod"#
        + #"|macro_rules!)\s++(?:[A-Z_]++\s++(?=\w))?+\#(scope)\#(noSentence)\#(name)"#
        + #"(?=\s*+(?:[{(<=\[]|:(?!:)|$|(?:extends|implements|where|with|final|internal|private|public|protected"#
        + #"|constructor|permits|do|of|is|as|sealed)\b))"#),
    // pub struct name;
    Row(.keyword, pattern: #"\#(indentation)pub(?:\([^()]*+\))?\s++struct\s++\#(name)(?=;)"#),
    // type name interface {, type name = A, @type name :: integer
    Row(
      .java, .javaScript, .keyword, .script, .functional,
      pattern: #"\#(indentation)\#(modifiers)@?(?:type|typep|opaque)\s++\#(name)"#
        + #"(?=\s*+(?:[=<{\[(*]|::)|\s++(?:struct|interface|func|map|chan)\b|\s++[\w.*\[\]]++\s*+(?:$|//))"#),
    // case name(Int), case name = 1
    Row(
      .java, .keyword,
      pattern: #"\#(indentation)(?:indirect\s++)?+case\s++\#(name)(?=(?:\(.*\))?\s*+(?:,.*|=[^>=].*)?$)"#),
    // #define name
    Row(.c, pattern: #"\s*+[#]\s*+define\s++\#(noSentence)\#(name)(?=\(|\s|$)"#),
    // typedef struct node name;, typedef void (*name)(int);
    Row(
      .c,
      pattern: #"typedef\b(?:[^;(]*?[\s*]\#(name)(?=\s*+(?:\[[^\]]*+\])*+\s*+[;,])"#
        + #"|[^;]*?\(\s*+\*\s*+\#(name)(?=\s*+\)))"#),
    // } name;
    Row(
      .c,
      pattern: #"\}\s*+(?:__\w++(?:\(\(.*?\)\))?\s*+)?+\#(name)(?=\s*+(?:\[[^\]]*+\])*+\s*+[;,])"#),
    // static struct commit *A::name(int x)
    Row(
      .c, .java,
      pattern: #"\#(attributes)\#(modifiers)\#(noStatement)\#(type){1,6}?\#(scope)\#(noStatement)\#(name)"#
        + #"(?=\s?\((?!\*)[^;]*$|\s?\([^;]*\{.*$)"#),
    // name(int x), where the type has a line of its own; name() {
    Row(
      .c, .script,
      pattern:
        #"\#(noStatement)\#(name)(?=\s?\((?:\)\s*+(?:\{.*)?$|(?:void|(?:const|unsigned|struct|enum|int|char"#
        + #"|long)\s[^;]*|\w++\s++\**+\w++\s*+[,)][^;]*|\w++\(\w++\s++\w++\)[^;]*)\)?\s*+\{?$))"#),
    // public static void name(, private final int name;
    Row(
      .c, .java, .javaScript, .keyword,
      pattern: #"[ \t]++\#(attributes)\#(memberModifiers)\#(type){0,3}?\#(noStatement)\#(name)"#
        + #"(?=\??\s*+(?:\((?!\*)|[{;,]|:|=[^=]|$))"#),
    // void name(int x) {
    Row(
      .c, .java,
      pattern: #"[ \t]++\#(attributes)\#(noStatement)\#(type){1,3}?\#(noStatement)\#(name)"#
        + #"(?=\([^;]*\)\s*+(?:throws\s[^{]*)?\{\s*+$)"#),
    // async name(a, b = 1) {
    Row(
      .javaScript,
      pattern: #"[ \t]++(?:(?:(?:async|get|set|static)\b|\*)\s*+)*+\#(noStatement)\#(name)"#
        + #"(?=\((?:[\w\s,=.$\[\]{}'"?]|\([^()]*+\))*+\)\s*+\{\s*+$|\([^;]*\)\s*+:\s*+[\w<>\[\]|\s.,'"]++\{\s*+$)"#
    ),
    // exports.name =, a.name = function (, name: function (, name <- function(
    Row(
      .javaScript, .script,
      pattern: #"\#(indentation)(?:(?:module\.)?exports\.\#(name)(?=\s*+=[^=])"#
        + #"|(?:[\w$]++\.)++\#(name)(?=\s*+=\s*+(?:async\s*+)?+(?:function\b|\([^()]*+\)\s*+=>|\w++\s*+=>))"#
        + #"|\#(name)(?=\s*+(?:[:=]|<-)\s*+(?:async\s*+)?+function\b))"#),
    // const name = (a) => {, const name = struct {
    Row(
      .javaScript, .keyword,
      pattern: #"\#(indentation)\#(modifiers)(?:const|let|var)\s++\#(name)"#
        + #"(?=[^=]*=\s*+(?:async\s*+)?+(?:(?:function|struct|enum|union)\b|\([^()]*+\)\s*+(?::[^=]*)?=>|\w++\s*+=>))"#
    ),
    // attr_reader :name
    Row(
      .script,
      pattern:
        #"\#(indentation)(?:attr_(?:reader|writer|accessor)|alias_method|define_method)\b[\s(]++:\#(name)"#),
    // (defun name, (define (name x)
    Row(.lisp, pattern: #"\(def[\w-]*+\s++[('(]*+\#(name)"#),
    // - (void)name:(int)x {
    Row(.c, pattern: #"[-+]\s*+\([^()]*+\)\#(name)(?=\s*+[:{]|\s*+$)"#),
    // CREATE TABLE name
    Row(
      .sql,
      pattern:
        #"(?i:\s*+create\s++(?:or\s++replace\s++)?+(?:(?:temp|temporary|unique|virtual|materialized)\s++)?+"#
        + #"(?:table|view|index|trigger|function|procedure|type)\s++(?:if\s++not\s++exists\s++)?+)(?:\w++\.)?+\#(name)"#
    ),
    // name(A) ->, name :: Int
    Row(.functional, pattern: #"\#(noStatement)\#(name)(?=\([^()]*\)\s*+(?:when\b.*?)?->|\s++::\s)"#),
    // using name =
    Row(.c, .java, pattern: #"\#(indentation)using\s++\#(name)(?=\s*+=)"#),
  ]

  // MARK: Variables and constants

  /// What is imported is defined elsewhere.
  private static let noImport = #"(?!\s*+=\s*+(?:await\s++)?+(?:require|import)\b)"#

  /// Near the left margin only: others are local.
  static let variables: [Row] = [
    // const name =, var name: Int, local name =
    Row(
      .c, .java, .javaScript, .keyword, .script, .functional,
      pattern:
        #"(?:\t|[ ]{0,4}+)\#(attributes)\#(modifiers)(?:let|var|val|const|static|local|my|our|auto)\s++"#
        + #"(?:mut\s++)?+[$@%]?+(?!(?:inline|const|async|class|func|struct)\b)\#(name)"#
        + #"(?=\s*+(?:[:;{,\[]|=[^=>]|$)|\s++by\b|\s++[\w\[][\w.*\[\]]*+\s*+(?:=|$))\#(noImport)"#),
    // static name: u8
    Row(.keyword, pattern: #"\#(indentation)static\s++(?:mut\s++)?\#(name)(?=\s*+:)"#),
    // public static var name: Int
    Row(
      .java, .javaScript, .keyword,
      pattern:
        #"\#(indentation)(?:(?:public|private|protected|internal|pub|static|class|final|export|override)\s++)++"#
        + #"(?:let|var|val|const)\s++\#(name)(?=\s*+(?:[:;={]|by\b))\#(noImport)"#),
    // name = 3, name: str = "", export name=3
    Row(
      .javaScript, .script, .functional, .keyword,
      pattern: #"(?:(?:export|alias|local|readonly)\s++)*+\#(name)"#
        + #"(?=\s*+(?::\s*+[\w.\[\], |"']++)?(?:[:+?]?=)(?![=~>]))"#),
    // static const char *name[] = {
    Row(
      .c,
      pattern: #"(?!(?:struct|class|enum|union|typedef)\s++\w++\s*+;)"#
        + #"(?:(?:static|extern|const|volatile|unsigned|signed|thread_local)\s++)*+\#(noStatement)\#(type){1,4}?\#(name)"#
        + #"(?=\s*+(?:\[[^\]]*+\])*+\s*+(?:[A-Z_]++(?:\([^()]*+\))?\s*+)?(?:=[^=>]|;\s*+$|,[^;(]*;\s*+$))"#),
    // name string `json:"name"`
    Row(.keyword, pattern: #"\t++\#(name)(?=\s++[\w.*\[\]]++\s++`\w)"#),
  ]
}
