/// Rules that choose by contents among languages that share an extension.
///
/// Each rule looks for text that is usual in one language and rare or impossible in the others. Without a
/// match the usual language of the extension applies.
enum ContentRules {
  /// Returns the language of a text whose name ends with `suffix` (lowercase, with its dot); nil if no rule
  /// applies.
  static func language(_ suffix: String, _ text: SourceText) -> String? {
    generic(suffix, text) ?? systems(suffix, text) ?? scripts(suffix, text) ?? functional(suffix, text)
      ?? basics(suffix, text)
      ?? markup(suffix, text) ?? usual(suffix)
  }

  /// Returns the usual language of an extension where neither the first popular language nor the first in
  /// alphabetical order is a good guess.
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
