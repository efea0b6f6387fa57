import ForageCore

extension ProviderDescriptor {
  /// All properties as text, to compare two descriptors.
  var properties: [(name: String, value: String)] {
    var result: [(name: String, value: String)] = [
      ("id", id), ("name", name), ("group", group), ("hosts", hosts.joined(separator: ", ")),
      ("hasDetails", String(hasDetails)),
      ("timeLimit", timeLimit.map { "\($0)" } ?? "none"),
      (
        "vocabulary",
        vocabulary.map { "\($0.name) \($0.type) \($0.field?.rawValue ?? "")" }.joined(separator: ", ")
      ),
      ("kinds", kinds.keys.map(\.rawValue).sorted().joined(separator: ", ")),
    ]
    for (kind, abilities) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let pushes = abilities.qualifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }
      let properties = [
        ("qualifiers", pushes.joined(separator: ", ")),
        ("fields", abilities.fields.map(\.rawValue).sorted().joined(separator: ", ")),
        ("sorts", abilities.sorts.joined(separator: ", ")), ("booleans", String(abilities.booleans)),
        ("needsText", String(abilities.needsText)), ("needsToken", String(abilities.needsToken)),
        ("maximumPageSize", String(abilities.maximumPageSize)),
        ("reachable", abilities.reachable.map(String.init) ?? "all"),
        ("feed", abilities.feed.map { "by " + $0.sorts.joined(separator: ", ") } ?? "none"),
      ]
      result += properties.map { (name: kind.rawValue + " " + $0.0, value: $0.1) }
    }
    return result
  }
}
