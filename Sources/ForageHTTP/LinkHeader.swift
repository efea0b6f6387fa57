/// Reads the `Link` header of RFC 8288.
package enum LinkHeader {
  /// The target of a relation.
  ///
  /// - Parameters:
  ///   - relation: For example `next`.
  ///   - header: The field's value; its links may come in any order.
  /// - Returns: The text between `<` and `>` of the first link with the relation.
  package static func target(_ relation: String, in header: String) -> String? {
    var rest = Substring(header)
    while let open = rest.firstIndex(of: "<") {
      guard let close = rest[open...].firstIndex(of: ">") else { return nil }
      let target = rest[rest.index(after: open)..<close]
      let behind = rest[rest.index(after: close)...]
      // The parameters end where the next link begins; a comma inside a quoted value does not end them.
      let end = behind.firstIndex(of: "<") ?? behind.endIndex
      if relations(behind[..<end]).contains(relation) { return String(target) }
      rest = behind[end...]
    }
    return nil
  }

  private static func relations(_ parameters: Substring) -> [String] {
    parameters.split(separator: ";").flatMap { parameter -> [String] in
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "rel" else { return [] }
      return trimmed(parts[1]).split(separator: " ").map { $0.lowercased() }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let outer: Set<Character> = [" ", "\t", "\"", ","]
    let front = text.drop { outer.contains($0) }
    return String(front.reversed().drop { outer.contains($0) }.reversed())
  }
}
