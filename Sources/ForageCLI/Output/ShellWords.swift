import Forage

/// Splits a command that a variable holds into words, as a shell splits them; nothing is expanded or started.
enum ShellWords {
  /// The command ends within quotes or after a backslash.
  struct Unfinished: Error {}

  /// The words of a command.
  ///
  /// Words are separated by spaces, tabs and line breaks. Single quotes keep everything up to the next one;
  /// in double quotes a backslash stands for itself except before `"`, `\`, `$` and a backtick; elsewhere it
  /// keeps the next character. Before a line break it leaves both out, except in single quotes. A pair of
  /// quotes alone is an empty word.
  ///
  /// - Throws: `Unfinished`.
  static func split(_ text: String) throws(Unfinished) -> [String] {
    var rest = text.unicodeScalars[...]
    return try words(&rest, upTo: nil)
  }

  /// The words up to a separator outside of quotes, which is taken, too, or to the end.
  private static func words(_ rest: inout Substring.UnicodeScalarView, upTo separator: Unicode.Scalar?)
    throws(Unfinished) -> [String]
  {
    var words: [String] = []
    // `nil` between words: a word can be empty.
    var word: String.UnicodeScalarView?
    func add(_ scalar: Unicode.Scalar) { word = (word ?? .init()) + [scalar] }
    while let scalar = rest.popFirst(), scalar != separator {
      switch scalar {
      case " ", "\t", "\n":
        if let ended = word { words.append(String(ended)) }
        word = nil
      case "'":
        guard let end = rest.firstIndex(of: "'") else { throw Unfinished() }
        word = (word ?? .init()) + rest[..<end]
        rest = rest[end...].dropFirst()
      case "\"":
        word = word ?? .init()
        try quoted(&rest).forEach(add)
      case "\\":
        guard let next = rest.popFirst() else { throw Unfinished() }
        if next != "\n" { add(next) }
      default: add(scalar)
      }
    }
    return words + (word.map { [String($0)] } ?? [])
  }

  /// The words of a command that a variable of the environment holds.
  ///
  /// - Throws: `ForageError` where quotes in it are not closed.
  static func words(_ command: String, of variable: String) throws(ForageError) -> [String] {
    try commands(command, of: variable, separator: nil).first ?? []
  }

  /// The words of the commands that a variable of the environment holds.
  ///
  /// - Parameter separator: What parts the commands, outside of quotes and without a backslash before it;
  ///   `nil` for a single command.
  /// - Throws: `ForageError` where quotes in it are not closed.
  static func commands(_ text: String, of variable: String, separator: Unicode.Scalar?) throws(ForageError)
    -> [[String]]
  {
    var commands: [[String]] = []
    var rest = text.unicodeScalars[...]
    do throws(Unfinished) {
      while !rest.isEmpty { commands.append(try words(&rest, upTo: separator)) }
      return commands
    } catch {
      throw ForageError(
        "\(variable) ends within quotes or after a backslash: \(text)",
        hint: "write it as on a command line, with a quote or a backslash that is meant after a backslash")
    }
  }

  /// What double quotes hold, up to the closing one, which is taken, too.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(Unfinished)
    -> [Unicode.Scalar]
  {
    var found: [Unicode.Scalar] = []
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return found }
      guard scalar == "\\", let next = rest.first, "\"\\$`\n".unicodeScalars.contains(next) else {
        found.append(scalar)
        continue
      }
      rest.removeFirst()
      if next != "\n" { found.append(next) }
    }
    throw Unfinished()
  }
}
