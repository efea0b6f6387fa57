extension ContentRules {
  /// Rules for extensions of many unrelated formats, where the contents must show the language, and for
  /// manual pages.
  static func generic(_ suffix: String, _ t: SourceText) -> String? {
    switch suffix {
    case ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9":
      if isManualPage(t) { return "Roff Manpage" }
      return t.line(where: isRequest) ? "Roff" : "Text"
    case ".1in", ".1m", ".1x", ".3in", ".3m", ".3p", ".3pm", ".3qt", ".3x", ".man", ".mdoc":
      return isManualPage(t) ? "Roff Manpage" : "Roff"
    case ".msg":
      if t.flush("cplusplus", "namespace ", "struct ", "message ", "packet ", "class ", "enum ", "import ") {
        return "OMNeT++ MSG"
      }
      return isFieldList(t) ? "ROS Interface" : nil
    case ".srv", ".action":
      return isFieldList(t) && t.flush("---") ? "ROS Interface" : nil
    case ".network", ".target", ".service", ".socket", ".mount", ".timer", ".container":
      // systemd units consist of sections of settings.
      return t.line(where: isSection) && t.has("=") ? "INI" : nil
    case ".url":
      return t.flush("[InternetShortcut]") ? "INI" : nil
    case ".app":
      return t.line("{application,", "{'application',", "{application ,") && t.ends("}.") ? "Erlang" : nil
    case ".alg":
      return t.anyCase.line("comment ", "begin", "integer ", "real ", "boolean ", "procedure ")
        || t.line(where: { $0.first == 0x23 && $0.last == 0x23 && $0.count > 2 }) ? "ALGOL" : nil
    case ".cmp":
      return isGerber(t) ? "Gerber Image" : nil
    case ".resource":
      return t.flush("*** Settings", "*** Variables", "*** Keywords") ? "RobotFramework" : nil
    case ".sol":
      if t.line("pragma solidity") || t.line("contract ", "abstract contract ", "interface ", "library ") {
        return "Solidity"
      }
      return isGerber(t) ? "Gerber Image" : nil
    case ".stl":
      return t.first("solid") && t.flush("endsolid") ? "STL" : nil
    case ".tag":
      return t.line("<%@", then: "tag", "taglib", "include", "attribute", "variable") || t.has("<%!", "<%=")
        ? "Java Server Pages" : nil
    case ".p8":
      // Lua cartridges of PICO-8; private keys have the same extension.
      return t.has("pico-8 cartridge") || t.line("function ", "local ", "__lua__") ? "Lua" : nil
    default:
      return nil
    }
  }

  /// Whether a text has a title (which names the manual section) and a heading, in man or mdoc macros.
  static func isManualPage(_ t: SourceText) -> Bool {
    t.flush(".TH", "'TH") && t.flush(".SH", "'SH")
      || t.flush(".Dd", "'Dd") && t.flush(".Sh", "'Sh")
        && t.lines.contains { t.starts($0, ".Dt") || t.starts($0, "'Dt") }
  }

  /// Whether a line is a roff request or comment: `.br`, `.\"`.
  private static func isRequest(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == UInt8(ascii: "."), line.count >= 3 else { return false }
    let start = line.startIndex
    if line[start + 1] == UInt8(ascii: "\\"), line[start + 2] == UInt8(ascii: "\"") { return true }
    return SourceText.isNameByte(line[start + 1]) && SourceText.isNameByte(line[start + 2])
      && (line.count == 3 || line[start + 3] == 0x20 || line[start + 3] == 0x09)
  }

  /// Whether a text consists of `type name` lines and comments only.
  private static func isFieldList(_ t: SourceText) -> Bool {
    var hasField = false
    for line in t.lines {
      let bytes = t.slice(line)
      guard let first = bytes.first else { continue }
      if first == UInt8(ascii: "#") || first == UInt8(ascii: "@") || first == UInt8(ascii: "-") { continue }
      guard SourceText.isNameByte(first) else { return false }
      if t.words(of: line).count > 1 { hasField = true }
    }
    return hasField
  }

  /// Whether a line is `[section]`, also when commented out.
  private static func isSection(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.drop { $0 == UInt8(ascii: "#") || $0 == 0x20 }
    return line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]")
  }

  /// Whether a text has Gerber commands: `G04 ...*`, `%FSLAX24Y24*%`, `D10*`.
  static func isGerber(_ t: SourceText) -> Bool {
    t.line("G04", "%FS", "%MO")
      || t.line(where: { line in
        guard line.count == 4, line.last == UInt8(ascii: "*"), let first = line.first else { return false }
        return "DGMT".utf8.contains(first) && line.dropFirst().dropLast().allSatisfy { $0 &- 0x30 < 10 }
      })
  }
}
