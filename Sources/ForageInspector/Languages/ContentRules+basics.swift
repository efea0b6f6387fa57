extension ContentRules {
  /// Rules for BASIC dialects, ActionScript, Pascal, Puppet, TeX classes and languages that share their
  /// extensions.
  static func basics(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".bas", ".bi", ".frm", ".vba":
      return basic(suffix, t)
    case ".cls":
      if t.line("\\NeedsTeXFormat", "\\ProvidesClass", "\\def", "\\newcommand", "\\RequirePackage", "%") {
        return "TeX"
      }
      if t.line("VERSION 1.0 CLASS", "Attribute VB_Name") {
        return t.line("BEGIN") && t.has("MultiUse = -1  'True", "MTSTransactionMode")
          && t.line("Persistable", "DataBindingBehavior", "MTSTransactionMode")
          ? "Visual Basic 6.0" : "VBA"
      }
      let lower = t.anyCase
      if lower.line("class ", then: "extends %", "[", "%persistent")
        && t.has("Property ", "ClassMethod ", "Method ", "%")
      {
        return "ObjectScript"
      }
      if lower.line(
        "routine-level", "method public", "end method", "define ", "using progress", "&scoped-define",
        "block-level", "end class")
      {
        return "OpenEdge ABL"
      }
      return lower.line("public ", "private ", "global ", "@istest", "/**", "abstract ", "virtual ")
        ? "Apex" : nil
    case ".as":
      if t.line(
        "package", "import ", "public class", "class ", "dynamic class", "intrinsic class", "package ")
        && (t.has(":void", ": void", ":String", ":Number", "import flash", "import mx")
          || t.line("import ", "package"))
      {
        return "ActionScript"
      }
      return t.line(
        "#include", "#pragma", "void ", "[Setting", "int ", "string ", "funcdef ", "shared ", "enum ",
        "namespace ")
        || t.has("@ ", "@>", "&in", "&out") ? "AngelScript" : "ActionScript"
    case ".asc":
      if t.has("-----BEGIN ", "---- BEGIN ") || t.line("ssh-") { return "Public Key" }
      return t.line("function ", "#define", "struct ", "import ", "export ", "//") && !t.flush("= ", "== ")
        ? "AGS Script" : "AsciiDoc"
    case ".ash":
      return t.line("import ", "import<", "script ", "notify ")
        || t.has("$item", "$skill", "my_", "cli_execute") ? "KoLmafia ASH" : "AGS Script"
    case ".asy":
      return t.first("Version ") && t.line("SymbolType", "LINE ", "SYMATTR ") ? "LTspice Symbol" : "Asymptote"
    case ".pp":
      return t.anyCase.line(
        "unit ", "program ", "interface", "implementation", "uses ", "begin", "end.", "{$")
        && !t.line("class ", then: "{", "(") ? "Pascal" : "Puppet"
    case ".fx":
      // FLUX nodes list inputs and outputs around an arrow, which HLSL shaders lack.
      return t.has(") => (", ")=>(") || t.line("=>") || t.ends("=>") ? "FLUX" : "HLSL"
    case ".toc":
      return t.line("## ") ? "World of Warcraft Addon Data" : "TeX"
    case ".bst":
      return t.line("ENTRY", "FUNCTION ", "FUNCTION{", "READ", "INTEGERS", "STRINGS")
        ? "BibTeX Style" : "BuildStream"
    case ".dsp":
      return t.line("# Microsoft Developer Studio") || t.has("Microsoft Developer Studio")
        ? "Microsoft Developer Studio Project" : "Faust"
    case ".ftl":
      return t.has("<#", "${", "[#", "</#") ? "FreeMarker" : t.has(" = ", "-term", "=\n") ? "Fluent" : nil
    case ".tpl":
      return t.has("{{") ? "Go Template" : "Smarty"
    case ".mc":
      if t.anyCase.line(
        "messageid=", "messageidtypedef", "severitynames", "facilitynames", "languagenames")
      {
        return "Win32 Message File"
      }
      return t.line(
        "divert(", "define(", "dnl", "include(", "OSTYPE(", "DOMAIN(", "FEATURE(", "MAILER(", "VERSIONID(")
        ? "M4" : "Monkey C"
    case ".m4":
      // The macros of Autoconf, and M4's own macros with the prefix `m4_`.
      return t.has("AC_DEFUN(", "AC_PREREQ(", "AC_INIT(", "AT_SETUP(", "AS_IF(")
        || t.line(where: { $0.starts(with: "m4_".utf8) || $0.starts(with: "_m4_".utf8) }) ? "M4Sugar" : "M4"
    case ".mqh":
      return t.has("class ", "input ", "#property strict", "MqlTick", "override")
        && !t.has("extern ", "OrderSend(") ? "MQL5" : "MQL4"
    case ".rno":
      return t.flush(".TH", ".SH", ".PP", ".\\\"", ".so", ".de") || t.has("\\f", "'\\\"") ? "Roff" : "RUNOFF"
    case ".rsc":
      return t.line("module ", "import ", "data ", "public ", "@doc") ? "Rascal" : "RouterOS Script"
    case ".properties":
      return t.line("[", ";") ? "INI" : "Java Properties"
    case ".cfg":
      return t.flush("global", "defaults", "frontend ", "backend ", "listen ") ? "HAProxy" : "INI"
    case ".vhost":
      return t.line("server {", "server{", "location ", "listen ", "upstream ") ? "Nginx" : "ApacheConf"
    case ".workflow":
      return t.first("<?xml") ? "XML" : "HCL"
    case ".cue":
      return t.line("FILE \"", "TRACK ", "PERFORMER ", "REM ", "INDEX ") ? "Cue Sheet" : "CUE"
    case ".odin":
      return t.line("package ", "import ", "//") || t.has(":: proc")
        ? "Odin" : "Object Data Instance Notation"
    case ".ice":
      return t.first("{") ? "JSON" : "Slice"
    case ".tact":
      return t.first("{") && t.has("\":") ? "JSON" : "Tact"
    case ".mps":
      return t.first("<?xml") || t.has("<model") ? "JetBrains MPS" : "Mathematical Programming System"
    case ".mojo":
      return t.first("<?xml") || t.has("<mojo") ? "XML" : "Mojo"
    case ".sw":
      return t.first("<?xml", "<") ? "XML" : "Sway"
    case ".typ":
      return t.first("<?xml", "<") ? "XML" : "Typst"
    case ".tsp":
      return t.line("NAME", "TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE") ? "TSPLIB data" : "TypeSpec"
    case ".mask":
      return t.first("%YAML") ? "Unity3D Asset" : "Mask"
    case ".pkl":
      return isPickle(t) ? "Pickle" : "Pkl"
    default:
      return nil
    }
  }

  /// Whether lines have the numbered memo slots of a protocol 0 pickle: `(dp0`, `S'a'`, `p1`.
  private static func isPickle(_ t: SourceText) -> Bool {
    t.line(where: { line in
      line.first == UInt8(ascii: "p") && line.count > 1 && line.dropFirst().allSatisfy { $0 &- 0x30 < 10 }
    }) && !t.has(" = ", "{")
  }

  private static func basic(_ suffix: String, _ t: SourceText) -> String {
    let lower = t.anyCase
    if suffix == ".vba" {
      return t.first("\"") || t.line("\" Vimball", "UseVimball", "finish") ? "Vim script" : "VBA"
    }
    if suffix == ".frm" {
      if t.line("VERSION 5.00") { return t.has("Begin VB.", "Object = ") ? "Visual Basic 6.0" : "VBA" }
      return "INI"
    }
    if suffix == ".bi" { return isFreeBasic(lower) ? "FreeBASIC" : "QuickBASIC" }
    if t.line("Type=", "Group=", "Version=", "B4A=true", "B4J=true", "ModulesStructureVersion")
      && t.line("@EndOfDesignText@")
    {
      return "B4X"
    }
    if t.line("Attribute VB_Name") {
      return lower.has(
        "declare ptrsafe", "thisworkbook", "activesheet", "application.", "worksheet", "range(")
        ? "VBA" : "Visual Basic 6.0"
    }
    if lower.line("option vba", "option explicit", "public sub ", "private sub ", "public function ")
      && !isFreeBasic(lower)
    {
      return "VBA"
    }
    if isFreeBasic(lower) { return "FreeBASIC" }
    if lower.line(
      "declare sub", "declare function", "'$include", "rem $include", "defint ", "'$dynamic", "'$static",
      "_title")
      || lower.has("_newimage", "_limit", "$include:")
    {
      return "QuickBASIC"
    }
    return t.line(where: { (0x30...0x39).contains($0.first ?? 0) }) ? "BASIC" : "VBA"
  }

  private static func isFreeBasic(_ t: SourceText) -> Bool {
    t.line(
      "#include", "#lang", "#define", "#ifdef", "#ifndef", "#pragma", "extern \"c", "namespace ", "return ")
      || t.word("byref as", "as integer ptr", "as any ptr", "as zstring ptr", "cast(")
  }
}
