import ForageCore

/// Finds the word that was probably meant by one that is not known.
package enum Suggestion {
  /// The nearest of several words, else the only one that begins like the unknown one, or that it begins with.
  package static func of(_ word: String, among known: some Collection<String>) -> String? {
    if let nearest = NearestName.of(word, among: known) { return nearest }
    let word = word.lowercased()
    guard word.count > 1 else { return nil }
    let alike = known.filter { $0.lowercased().hasPrefix(word) || word.hasPrefix($0.lowercased()) }
    return alike.count == 1 ? alike.first : nil
  }
}
