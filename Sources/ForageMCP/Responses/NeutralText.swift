import ForageCore

/// Takes from text what a terminal or a reader would obey instead of show.
enum NeutralText {
  /// A value whose texts have no control and no bidirectional characters; line breaks and tabs stay.
  static func neutral(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .string(let text): .string(neutral(text))
    case .array(let values): .array(values.map(neutral))
    case .object(let members): .object(members.map { ($0, neutral($1)) })
    default: tree
    }
  }

  static func neutral(_ text: String) -> String {
    if text.utf8.allSatisfy({ ($0 >= 32 && $0 < 127) || $0 == 10 || $0 == 9 }) { return text }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.last == "\r" ? line.dropLast() : line
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return cells.map { SafeText.line(Substring($0)) }.joined(separator: "\t")
    }
    return lines.joined(separator: "\n")
  }
}
