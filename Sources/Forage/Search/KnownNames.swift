import ForageCore

/// Checks the names in a request against those that the chosen providers have; the error suggests what was probably meant.
package enum KnownNames {
  /// Checks the name of a kind.
  ///
  /// - Parameters:
  ///   - known: What there is.
  ///   - what: What is wanted of the kind: `results`, or `a feed`.
  /// - Throws: `ForageError` for a kind that there is not.
  package static func checkKind(_ name: String, among known: [String], what: String) throws {
    if known.contains(name) { return }
    let other = otherKinds[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    let alias = kind(named: name, among: known) ?? other
    throw ForageError(
      "no chosen provider has \(what) of kind \"\(name)\"",
      hint: (alias ?? NearestName.of(name, among: known)).map { "did you mean \($0)?" } ?? kindsHint(known))
  }

  /// The kind whose name a word is, short or long, in the singular or the plural; `nil` for any other word.
  package static func kind(named word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    return known.first { word == $0 || word == plural($0) || $0 == longNames[word] }
  }

  private static func plural(_ name: String) -> String {
    name.hasSuffix("y") ? name.dropLast() + "ies" : name + "s"
  }

  package static func kindsHint(_ known: [String]) -> String {
    known.isEmpty ? "there are none here" : "kinds here: \(known.joined(separator: ", "))"
  }

  /// The same sort key, `nil` for none.
  ///
  /// - Throws: `ForageError` for a key that no chosen provider has.
  package static func sortKey(_ text: String?, among keys: [String]) throws -> String? {
    guard let text else { return nil }
    let known = Set(keys).sorted()
    guard known.contains(text) else {
      throw ForageError(
        "no chosen provider sorts by \"\(text)\"",
        hint: NearestName.hint(for: text, among: known)
          ?? (known.isEmpty
            ? "no order can be chosen for these results; leave it out"
            : "sort keys here: \(known.joined(separator: ", "))"))
    }
    return text
  }

  /// Longer names of kinds.
  private static let longNames = [
    "repository": "repo", "repositories": "repo", "pull-request": "pr", "pull-requests": "pr",
  ]

  /// Names of other programs for kinds.
  private static let otherKinds = [
    "project": "repo", "pull": "pr", "pulls": "pr", "file": "code", "files": "code", "account": "user",
    "people": "user", "org": "user", "organization": "user",
  ]
}
