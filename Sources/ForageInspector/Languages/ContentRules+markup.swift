extension ContentRules {
  /// Rules for markup, documents and data.
  static func markup(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".md":
      return t.line("(define_insn", "(define_expand", "(define_", "(match_", ";;")
        && t.line(where: { $0.starts(with: "(define_".utf8) })
        ? "GCC Machine Description" : "Markdown"
    case ".html":
      return t.has("<emu-", "</emu-") || t.line(where: { $0.starts(with: "<emu-".utf8) })
        || t.line("<pre class=metadata>")
        ? "Ecmarkup" : "HTML"
    case ".json":
      if t.has("\"openapi\":", "\"openapi\" :") { return "OASv3-json" }
      return t.has("\"swagger\":", "\"swagger\" :") ? "OASv2-json" : "JSON"
    case ".yaml", ".yml":
      if t.flush("openapi:", "\"openapi\":") { return "OASv3-yaml" }
      if t.flush("swagger:", "\"swagger\":") { return "OASv2-yaml" }
      return t.line("\t") || t.bytes.starts(with: "\t".utf8)
        || t.lines.contains { $0.start > $0.indent && t.bytes[Int($0.indent)] == 0x09 }
        ? "MiniYAML" : "YAML"
    case ".txt":
      if t.first("[Adblock", "! Title", "[uBlock") { return "Adblock Filter List" }
      return t.has("*For Vim version", "vim:tw=78", "vim:ft=help", "ft=help") ? "Vim Help File" : "Text"
    case ".plist":
      return t.first("<?xml", "<!DOCTYPE plist", "<plist") ? "XML Property List" : "OpenStep Property List"
    case ".vcf":
      return t.first("BEGIN:VCARD") || t.line("BEGIN:VCARD") ? "vCard" : t.first("##fileformat") ? "TSV" : nil
    case ".res", ".gst", ".csl":
      // A `<%` begins a Gosu template, not XML.
      if t.first("<?xml", "<style", "<root") || t.first("<") && !t.first("<%") { return "XML" }
      return suffix == ".res" ? "ReScript" : suffix == ".gst" ? "Gosu" : "Kusto"
    case ".gml":
      if t.first("<?xml") || t.line("<gml:", "<graphml") { return "XML" }
      if t.line("graph", "Creator") && t.line("node", "edge", "graph [", "graph") && t.has("[") && !t.has(";")
      {
        return "Graph Modeling Language"
      }
      return t.line("G04", "%FS", "%MO", "D10*") || t.ends("*%") ? "Gerber Image" : "Game Maker Language"
    case ".gts":
      return t.line("G04", "%FS", "%MO") || t.ends("*%") ? "Gerber Image" : "Glimmer TS"
    case ".ncl":
      if t.first("<?xml", "<ncl") { return "XML" }
      if t.line("G04", "%FS") || t.ends("*%") { return "Gerber Image" }
      if t.first("THE_TITLE", "THE TITLE") || t.line("THE_TITLE:") { return "Text" }
      return t.line("let", "{", "in") && !t.line("begin", "load ", ";") ? "Nickel" : "NCL"
    case ".brd":
      return t.first("<?xml", "<!DOCTYPE eagle", "<eagle") ? "Eagle" : "KiCad Legacy Layout"
    case ".pbt":
      return t.anyCase.line("$pbexportheader", "global type", "forward") || t.has("Save Format v3")
        ? "PowerBuilder"
        : "Protocol Buffer Text Format"
    case ".pod":
      return t.line("=begin pod", "=begin ", "=for ") && !t.line("=head1", "=pod", "=cut")
        || t.line("=begin pod") ? "Pod 6" : "Pod"
    case ".srt":
      return t.has(" --> ") ? "SubRip Text" : "SRecode Template"
    case ".svx":
      return t.line("*begin", "*end", "*include", "*data", "*export", ";") ? "Survex data" : "mdsvex"
    case ".yy":
      return t.first("{") && t.has("\":") ? "JSON" : "Yacc"
    case ".nl":
      return t.line("(define ", "(", ";") || t.first("#!") ? "NewLisp" : "NL"
    default:
      return nil
    }
  }
}
