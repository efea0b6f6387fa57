package import ForageCore
package import Yams

/// Reads a document part by part and collects all its problems.
///
/// A part that cannot be read is reported once and returned as `nil`.
package protocol YAMLReader: AnyObject {
  /// The problems in the order in which they were found.
  var problems: [YAMLProblem] { get set }
}

/// A mapping, read key by key. A key that is absent is `nil`; one that cannot be read is `nil` and reported.
package struct YAMLPart<Reader: YAMLReader> {
  package let reader: Reader
  package let node: Node
  private let members: [String: StrictYAML.Member]
  /// The known names that are nearest to unknown ones, so that they are not reported as missing too.
  package let misspelled: Set<String>

  fileprivate init(reader: Reader, node: Node, members: [String: StrictYAML.Member], misspelled: Set<String>)
  {
    self.reader = reader
    self.node = node
    self.members = members
    self.misspelled = misspelled
  }

  package subscript(name: String) -> StrictYAML.Member? { members[name] }

  /// The part with the members of another one under names that it does not have itself.
  package func inheriting(_ names: [String], from other: YAMLPart) -> YAMLPart {
    let theirs = other.members.filter { names.contains($0.key) }
    return YAMLPart(
      reader: reader, node: node, members: theirs.merging(members) { _, own in own },
      misspelled: misspelled.union(other.misspelled))
  }

  /// The part whose mappings under some names have the members of another part's that they do not have
  /// themselves.
  package func adding(_ names: [String], from other: YAMLPart) -> YAMLPart {
    var members = members
    for name in names {
      guard let own = members[name], case .mapping(var mapping) = own.value,
        let theirs = other[name]?.value.mapping
      else { continue }
      for (key, value) in theirs where mapping[key] == nil { mapping[key] = value }
      members[name] = .init(key: own.key, name: name, value: .mapping(mapping))
    }
    return YAMLPart(reader: reader, node: node, members: members, misspelled: misspelled)
  }

  /// Returns a member, or reports that it is missing, with an example of how to add it.
  package func required(_ name: String, example: String) -> StrictYAML.Member? {
    if let member = members[name] { return member }
    if !misspelled.contains(name) {
      reader.report(node, "\"\(name)\" is missing", hint: "add it, for example: \(example)")
    }
    return nil
  }

  /// The member, which is required if there is an example.
  package func member(_ name: String, _ example: String?) -> StrictYAML.Member? {
    example.map { required(name, example: $0) } ?? members[name]
  }

  package func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type, example: String? = nil
  ) -> Word? where Word.RawValue == String {
    member(name, example).flatMap { reader.word($0, type) }
  }

  package func flag(_ name: String) -> Bool? {
    members[name].flatMap { member in
      if member.value.bool == nil { reader.report(member.value, "\(name) takes true or false") }
      return member.value.bool
    }
  }

  package func whole(_ name: String, _ range: ClosedRange<Int>) -> Int? {
    members[name].flatMap { member in
      if let number = member.value.int, range.contains(number) { return number }
      let bounds =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      reader.report(member.value, "\(name) takes a whole number \(bounds)")
      return nil
    }
  }

  /// A text on one line; another value is not reported.
  package func line(_ name: String) -> String? { members[name].flatMap { reader.line($0.value) } }

  /// Reports every key that is not among some.
  package func refuse(except names: [String], _ problem: (_ name: String) -> (message: String, hint: String))
  {
    for (name, member) in members where !names.contains(name) {
      let (message, hint) = problem(name)
      reader.report(member.key, message, hint: hint)
    }
  }
}

extension YAMLReader {
  package func report(_ problem: YAMLProblem) { problems.append(problem) }

  package func report(_ node: Node, _ message: String, hint: String? = nil) {
    problems.append(StrictYAML.wrong(node, message, hint: hint))
  }

  package func part(_ member: StrictYAML.Member, _ known: [String], example: String? = nil) -> YAMLPart<Self>?
  {
    part(member.value, of: member.name, known: known, hint: example.map { "for example: " + $0 })
  }

  /// A mapping with known keys; an unknown one is reported with the nearest known one.
  package func part(_ node: Node, of what: String, known: [String], hint: String? = nil) -> YAMLPart<Self>? {
    guard let read = entries(node, of: what, hint: hint) else { return nil }
    var (found, misspelled): ([String: StrictYAML.Member], Set<String>) = ([:], [])
    for member in read {
      do throws(YAMLProblem) {
        try StrictYAML.check(member, among: known, hint: hint)
        found[member.name] = member
      } catch {
        report(error)
        if let nearest = NearestName.of(member.name, among: known) { misspelled.insert(nearest) }
      }
    }
    return YAMLPart(reader: self, node: node, members: found, misspelled: misspelled)
  }

  /// The members of a member's mapping with any keys; empty if it is none.
  package func entries(_ member: StrictYAML.Member, example: String? = nil) -> [StrictYAML.Member] {
    entries(member.value, of: member.name, hint: example.map { "for example: " + $0 }) ?? []
  }

  /// The members of a mapping with any keys.
  package func entries(_ node: Node, of what: String, hint: String? = nil) -> [StrictYAML.Member]? {
    do throws(YAMLProblem) { return try StrictYAML.members(node, of: what, hint: hint) } catch {
      report(error)
      return nil
    }
  }

  /// Reads one of a fixed set of words.
  package func word<Word: RawRepresentable & CaseIterable>(_ member: StrictYAML.Member, _ type: Word.Type)
    -> Word?
  where Word.RawValue == String {
    word(member, among: Word.allCases.map(\.rawValue)).flatMap(Word.init)
  }

  /// Reads one of some words.
  package func word(_ member: StrictYAML.Member, among known: [String]) -> String? {
    guard let text = StrictYAML.text(member.value) else {
      report(member.value, "\(member.name) takes one of: \(known.joined(separator: ", "))")
      return nil
    }
    if known.contains(text) { return text }
    report(
      member.value, "\(member.name) does not accept \"\(text)\"",
      hint: NearestName.hint(for: text, among: known, written: { "\"\($0)\"" })
        ?? "accepted values: \(known.joined(separator: ", "))")
    return nil
  }

  /// A text that fulfils a condition; another value is reported.
  package func checkedText(
    _ node: Node, _ message: String, hint: String? = nil, where isValid: (String) -> Bool
  ) -> String? {
    if let text = StrictYAML.text(node), isValid(text) { return text }
    report(node, message, hint: hint)
    return nil
  }

  /// A value of any form as JSON.
  package func tree(_ node: Node) -> JSONTree {
    switch node {
    case .mapping:
      let members = (entries(node, of: "a value") ?? []).map { ($0.name, tree($0.value)) }
      return .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    case .sequence(let sequence): return .array(sequence.map(tree))
    case .scalar(let scalar): return StrictYAML.value(scalar)
    // A document has no aliases.
    case .alias: return .null
    }
  }

  package func line(_ node: Node) -> String? { StrictYAML.text(node).flatMap { Self.isLine($0) ? $0 : nil } }

  /// Whether a text is not blank and has no control characters.
  package static func isLine(_ text: String) -> Bool {
    !text.trimmingWhitespace().isEmpty
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
