import ForageCore
import ForageGit

/// A text with what it defines and uses, which is found out when it is first asked for; used by one thread.
final class CodeProgram {
  let text: UnsafeRawBufferPointer
  let language: String?
  private let definitions: Definitions
  /// The names, once they were asked for; `nil` inside if nothing is known of the language.
  private var known: CodeNames??

  /// - Parameter definitions: Finds what a line defines.
  init(_ text: UnsafeRawBufferPointer, of language: String?, _ definitions: Definitions) {
    (self.text, self.language, self.definitions) = (text, language, definitions)
  }

  /// What it defines and uses; `nil` if nothing is known of the language.
  var names: CodeNames? {
    if let known { return known }
    let found = CodeNames(of: language, in: text, definitions)
    known = .some(found)
    return found
  }

  /// The name that a line defines, which is known exactly if the outline was needed anyway.
  func nameDefined(by line: LineRange) -> Definitions.Name? {
    guard case .some(.some(let names)) = known else {
      return definitions.name(in: text.part(line.start..<line.end), of: language)
    }
    return names.definitions(in: line).last.map { definition in
      let name =
        definition.name.lowerBound - line.start..<min(definition.name.upperBound, line.end) - line.start
      return Definitions.Name(range: name, isVariable: definition.kind == .variable)
    }
  }

  /// Whether the line of a range may define a name: it is only known where definitions are found line by line.
  func mayDefine(inLineOf range: Range<Int>) -> Bool {
    guard CodeNames.areByLine(of: language) else { return true }
    let line = text.lineStart(before: range.lowerBound)..<text.lineEnd(from: range.lowerBound)
    return definitions.name(in: text.part(line), of: language) != nil
  }

  /// Adds to a line what a name in it defines, or what uses it.
  func addSymbol(to match: inout CodeMatch, _ role: CodeQuery.Pattern.Role, _ name: Range<Int>) {
    guard case .some(.some(let names)) = known else { return }
    switch role {
    case .text: break
    case .definition:
      let place = names.definitions.indices.search {
        names.definitions[$0].name.upperBound <= name.lowerBound
      }
      guard place < names.definitions.count else { return }
      match.definitions.append(names.symbol(names.definitions[place], line: match.line))
    case .use:
      guard match.user == nil, let user = names.definition(around: name.lowerBound) else { return }
      match.user = names.symbol(user, line: nil)
    }
  }
}
