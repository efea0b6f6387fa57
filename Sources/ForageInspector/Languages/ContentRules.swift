/// Rules that tell by its contents which of several languages with the same extension a file is in.
///
/// Each looks for words that are usual in one language and impossible or rare in the others; where none is
/// found, the usual language of the extension stands.
enum ContentRules {
  /// The language of a text whose name ends in `suffix` (lowercase, with its dot); nil if nothing tells.
  static func language(_ suffix: String, _ text: SourceText) -> String? {
    generic(suffix, text) ?? systems(suffix, text) ?? scripts(suffix, text) ?? functional(suffix, text)
      ?? basics(suffix, text)
      ?? markup(suffix, text) ?? usual(suffix)
  }

  /// The usual language where the first popular one, or else the first of the alphabet, would seldom be
  /// right.
  static func usual(_ suffix: String) -> String? { usualNames[suffix] }

  private static let usualNames: [String: String] = [
    ".md": "Markdown", ".yaml": "YAML", ".yml": "YAML", ".txt": "Text", ".json": "JSON",
    ".properties": "Java Properties",
    ".vcf": "vCard", ".plist": "XML Property List", ".sql": "SQL", ".v": "Verilog", ".pp": "Puppet",
    ".s": "Unix Assembly", ".l": "Lex", ".f": "Fortran", ".for": "Fortran", ".m4": "M4",
    ".cfg": "INI", ".mod": "Modula-2", ".toc": "TeX", ".cl": "OpenCL", ".cls": "TeX",
    ".frm": "Visual Basic 6.0",
    ".bas": "VBA", ".gd": "GDScript", ".sch": "Scheme", ".star": "Starlark", ".sls": "Salt", ".yy": "Yacc",
    ".scm": "Scheme", ".ftl": "FreeMarker", ".tl": "Teal", ".tpl": "Smarty", ".mc": "Monkey C",
    ".nu": "Nushell",
    ".lean": "Lean 4", ".uc": "UnrealScript", ".workflow": "HCL", ".x": "RPC",
    ".nb": "Wolfram Language",
    ".typ": "Typst", ".vba": "VBA", ".srt": "SubRip Text", ".svx": "Survex data", ".gml": "XML",
    ".asc": "AsciiDoc",
    ".res": "ReScript", ".pbt": "Protocol Buffer Text Format", ".pc": "pkg-config", ".pod": "Pod",
    ".tst": "Scilab",
    ".shader": "ShaderLab", ".fx": "HLSL", ".qs": "Q#", ".rsc": "RouterOS Script", ".cue": "CUE",
    ".bi": "FreeBASIC",
    ".odin": "Odin", ".jq": "jq", ".mask": "Unity3D Asset", ".ncl": "NCL", ".tact": "Tact",
  ]
}
