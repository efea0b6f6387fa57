/// Parses the `Link` header of RFC 8288.
package enum LinkHeader {
  /// The target of a relation.
  ///
  /// - Parameters:
  ///   - relation: The relation, for example `next`.
  ///   - header: The field's value, with links in any order.
  /// - Returns: The text between `<` and `>` of the first link with the relation; `nil` if there is none.
  package static func target(_ relation: String, in header: String) -> String? {
    for link in parts(of: header, separator: ",") {
      guard let open = link.firstIndex(of: "<"), let close = link[open...].firstIndex(of: ">") else {
        continue
      }
      let parameters = parts(of: link[link.index(after: close)...], separator: ";")
      if parameters.contains(where: { names($0, relation) }) {
        return String(link[link.index(after: open)..<close])
      }
    }
    return nil
  }

  /// Splits a text at a separator, ignoring separators inside quotes and angle brackets.
  private static func parts(of text: some StringProtocol, separator: Character) -> [String] {
    var result = [""]
    var isQuoted = false
    var isBracketed = false
    for character in text {
      if character == "\"", !isBracketed { isQuoted.toggle() }
      if !isQuoted, character == "<" || character == ">" { isBracketed = character == "<" }
      if character == separator, !isQuoted, !isBracketed {
        result.append("")
      } else {
        result[result.count - 1].append(character)
      }
    }
    return result
  }

  /// Whether a parameter is a `rel` that contains the relation.
  private static func names(_ parameter: String, _ relation: String) -> Bool {
    let sides = parameter.split(separator: "=", maxSplits: 1)
    guard sides.count == 2, sides[0].filter({ !$0.isWhitespace }).lowercased() == "rel" else { return false }
    return sides[1].split { $0 == " " || $0 == "\t" || $0 == "\"" }.contains { $0.lowercased() == relation }
  }
}
