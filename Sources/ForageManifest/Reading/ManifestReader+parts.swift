import ForageCore
import Yams

extension ManifestReader {
  /// A mapping, read key by key. A key that is absent is `nil`; one that cannot be read is `nil` and reported.
  struct Part {
    fileprivate let reader: ManifestReader
    let node: Node
    fileprivate let members: [String: Member]
    /// The known names that are nearest to unknown ones, so that they are not reported as missing too.
    let misspelled: Set<String>

    subscript(name: String) -> Member? { members[name] }

    /// Returns a member, or reports that it is missing, with an example of how to add it.
    func required(_ name: String, example: String) -> Member? {
      if let member = members[name] { return member }
      if !misspelled.contains(name) {
        reader.report(node, "\"\(name)\" is missing", hint: "add it, for example: \(example)")
      }
      return nil
    }

    /// The member, which is required if there is an example.
    private func member(_ name: String, _ example: String?) -> Member? {
      example.map { required(name, example: $0) } ?? members[name]
    }

    func path(_ name: String, example: String? = nil, isSingular: Bool = true) -> JSONPath? {
      member(name, example).flatMap { reader.path($0.value, name, isSingular: isSingular) }
    }

    func rule(_ name: String, example: String? = nil) -> ValueRule? {
      member(name, example).flatMap { reader.rule($0.value, name, type: nil) }
    }

    func word<Word: RawRepresentable & CaseIterable>(
      _ name: String, _ type: Word.Type, example: String? = nil
    ) -> Word? where Word.RawValue == String {
      member(name, example).flatMap { reader.word($0, type) }
    }

    func flag(_ name: String) -> Bool? {
      members[name].flatMap { member in
        if member.value.bool == nil { reader.report(member.value, "\(name) takes true or false") }
        return member.value.bool
      }
    }

    func whole(_ name: String, _ range: ClosedRange<Int>) -> Int? {
      members[name].flatMap { member in
        if let number = member.value.int, range.contains(number) { return number }
        reader.report(
          member.value, "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
      }
    }

    /// A text on one line; another value is not reported.
    func line(_ name: String) -> String? { members[name].flatMap { reader.line($0.value) } }

    /// Reports every key that is not among some.
    func refuse(except names: [String], _ problem: (_ name: String) -> (message: String, hint: String)) {
      for (name, member) in members where !names.contains(name) {
        let (message, hint) = problem(name)
        reader.report(member.key, message, hint: hint)
      }
    }
  }

  func part(_ member: Member, _ known: [String], example: String? = nil) -> Part? {
    part(member.value, of: member.name, known: known, hint: example.map { "for example: " + $0 })
  }

  /// A mapping with known keys; an unknown one is reported with the nearest known one.
  func part(_ node: Node, of what: String, known: [String], hint: String? = nil) -> Part? {
    guard let read = entries(node, of: what, hint: hint) else { return nil }
    var (found, misspelled): ([String: Member], Set<String>) = ([:], [])
    for member in read {
      do throws(YAMLProblem) {
        try StrictYAML.check(member, among: known, hint: hint)
        found[member.name] = member
      } catch {
        report(error)
        if let nearest = NearestName.of(member.name, among: known) { misspelled.insert(nearest) }
      }
    }
    return Part(reader: self, node: node, members: found, misspelled: misspelled)
  }

  /// The members of a member's mapping with any keys; empty if it is none.
  func entries(_ member: Member, example: String? = nil) -> [Member] {
    entries(member.value, of: member.name, hint: example.map { "for example: " + $0 }) ?? []
  }

  /// The members of a mapping with any keys.
  func entries(_ node: Node, of what: String, hint: String? = nil) -> [Member]? {
    do throws(YAMLProblem) { return try StrictYAML.members(node, of: what, hint: hint) } catch {
      report(error)
      return nil
    }
  }

  /// Reads one of a fixed set of words.
  func word<Word: RawRepresentable & CaseIterable>(_ member: Member, _ type: Word.Type) -> Word?
  where Word.RawValue == String {
    let known = Word.allCases.map(\.rawValue)
    guard let text = StrictYAML.text(member.value) else {
      report(member.value, "\(member.name) takes one of: \(known.joined(separator: ", "))")
      return nil
    }
    if let word = Word(rawValue: text) { return word }
    report(
      member.value, "\(member.name) does not accept \"\(text)\"",
      hint: NearestName.hint(for: text, among: known, written: { "\"\($0)\"" })
        ?? "accepted values: \(known.joined(separator: ", "))")
    return nil
  }

  /// A text that fulfils a condition; another value is reported.
  func checkedText(
    _ node: Node, _ message: String, hint: String? = nil, where isValid: (String) -> Bool
  ) -> String? {
    if let text = StrictYAML.text(node), isValid(text) { return text }
    report(node, message, hint: hint)
    return nil
  }

  func line(_ node: Node) -> String? { StrictYAML.text(node).flatMap { Self.isLine($0) ? $0 : nil } }

  /// Whether a text is not blank and has no control characters.
  static func isLine(_ text: String) -> Bool {
    !text.trimmingWhitespace().isEmpty
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  func path(_ node: Node, _ what: String, isSingular: Bool) -> JSONPath? {
    guard let text = StrictYAML.text(node), text.hasPrefix("$") else {
      report(node, "\(what) takes a path such as $.name")
      return nil
    }
    do throws(JSONPath.Failure) {
      let path = try JSONPath(text)
      if isSingular, !path.isSingular {
        report(
          node, "\(what) takes one value, but \(text) can select several",
          hint: "replace * by a number, or add: as: join")
        return nil
      }
      return path
    } catch {
      report(
        node, "\(text) is not a valid path: \(error.reason)",
        hint: "paths consist of $, .name, ['name'], [0] and [*]")
      return nil
    }
  }
}
