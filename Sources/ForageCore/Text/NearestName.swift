/// Finds likely corrections of misspelled names.
package enum NearestName {
  /// The most characters of a word that are compared.
  private static let longest = 64

  /// The candidate with the smallest edit distance to `word`, if it is near enough, else the only one that
  /// begins with it or that it begins with.
  ///
  /// - Parameter byBeginning: Whether a common beginning counts.
  /// - Returns: A candidate within a third of the word's length (at most three edits), among equally near
  ///   ones one that begins with the word, then the first in the alphabet. `nil` if there is none.
  package static func of(
    _ word: String, among candidates: some Collection<String>, byBeginning: Bool = true
  ) -> String? {
    let target = Array(word.lowercased().unicodeScalars.prefix(longest))
    let limit = min(3, target.count / 3)
    let near = candidates.compactMap { name -> (distance: Int, others: Int, name: String)? in
      let scalars = Array(name.lowercased().unicodeScalars)
      let distance = editDistance(target, scalars)
      return distance > limit ? nil : (distance, scalars.starts(with: target) ? 0 : 1, name)
    }
    if let best = near.min(by: { $0 < $1 }) { return best.name }
    guard byBeginning, (2...longest).contains(word.utf8.count) else { return nil }
    let word = word.lowercased()
    let alike = Set(candidates).filter { $0.lowercased().hasPrefix(word) || word.hasPrefix($0.lowercased()) }
    return alike.count == 1 ? alike.first : nil
  }

  /// The hint that asks whether the nearest candidate was meant; `nil` if there is none.
  ///
  /// - Parameter written: How the hint writes the candidate.
  package static func hint(
    for word: String, among candidates: some Collection<String>, written: (String) -> String = { $0 }
  ) -> String? {
    of(word, among: candidates).map { "did you mean \(written($0))?" }
  }

  /// The optimal string alignment distance: counts insertions, deletions, substitutions and transpositions of
  /// adjacent characters.
  static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
