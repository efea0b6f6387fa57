package import ForageCore
import Yams

extension YAMLReader {
  private static var longestField: Int { 40 }

  /// The fields of a provider's own: each with the word for its type, or with more about it.
  ///
  /// - Parameter reserved: Names that no field can have.
  package func fieldDefinitions(_ member: StrictYAML.Member, reserved: [String] = []) -> [FieldDefinition] {
    var taken = Set(reserved.map { $0.lowercased() })
    return entries(member, example: "fields: {votes: number, venue: {type: text, column: 3}}").compactMap {
      entry in
      if FieldType.known[entry.name] != nil {
        report(
          entry.key, "\"\(entry.name)\" is a field that every provider can have, and is not declared",
          hint: "remove it here, and use it as it is: it has its type, title and unit already")
        return nil
      }
      guard Self.isFieldName(entry.name), !FieldDefinition.isTaken(entry.name) else {
        report(
          entry.key, "\"\(entry.name)\" is not a valid name for a field of your own",
          hint:
            "use letters and digits, beginning with a lower-case letter, and no known field or qualifier name"
        )
        return nil
      }
      // Names of qualifiers ignore case.
      guard taken.insert(entry.name.lowercased()).inserted else {
        report(entry.key, "\"\(entry.name)\" is the name of something else, too", hint: "use another name")
        return nil
      }
      let name = ResultField(rawValue: entry.name)
      guard entry.value.mapping != nil else {
        return type(entry, among: Self.typesOfFields).map { FieldDefinition(name, $0) }
      }
      guard
        let part = part(
          entry, ["type", "title", "column", "unit"], example: "\(entry.name): {type: number}"),
        let type = part.required("type", example: "type: number").flatMap({
          self.type($0, among: Self.typesOfFields)
        })
      else { return nil }
      return FieldDefinition(
        name, type, title: text("title", part), column: part.whole("column", 1...FieldDefinition.lastColumn),
        unit: text("unit", part))
    }
  }

  private static var typesOfFields: [String] { FieldType.allCases.map(\.rawValue) }

  /// The type that a member names.
  ///
  /// - Parameter words: The words for the types that it can be. Another word for one of them is not reported.
  package func type(_ member: StrictYAML.Member, among words: [String]) -> FieldType? {
    let type = StrictYAML.text(member.value).flatMap { FieldType.byWord[$0] }
    if let type, words.contains(where: { FieldType.byWord[$0] == type }) { return type }
    return word(member, among: words).flatMap { FieldType.byWord[$0] }
  }

  private static func isFieldName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("a"..."z").contains(first), name.utf8.count <= longestField
    else { return false }
    return name.consists(of: "a"..."z", "A"..."Z", "0"..."9")
  }

  /// A text of a few words; an empty one is none.
  private func text(_ name: String, _ part: YAMLPart<Self>) -> String? {
    guard let member = part[name], StrictYAML.text(member.value)?.isEmpty != true else { return nil }
    return checkedText(
      member.value, "\(name) takes a text on one line, of at most \(Self.longestField) characters"
    ) {
      Self.isLine($0) && $0.count <= Self.longestField
    }
  }
}
