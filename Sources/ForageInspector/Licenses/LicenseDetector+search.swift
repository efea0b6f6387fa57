extension LicenseDetector {
  /// The most licenses that are reported for one text; collections of bundled works have some dozen.
  private static let countLimit = 16
  /// The most places of a text that are compared with one license; only crafted texts have more.
  private static let attemptLimit = 6
  /// The most comparisons at one place; more than one is necessary only where a license repeats itself.
  private static let seedLimit = 3
  /// The words before a notice in which a denial counts: "this is not licensed under".
  private static let denialReach = 4

  /// The words that may be added to a license or be missing from it: two of a short one, one more for each fifty
  /// words, and at most 42, which is a long sentence.
  ///
  /// With it, of the 696 texts that version 3.28.0 of the list has for its own tests and does not deprecate, 667
  /// are told as themselves, 20 as a license with the same text, 9 are unknown and none is told as another one.
  private static func tolerance(of template: LicenseTemplate) -> Int { 2 + min(template.required / 50, 40) }

  /// A part of a text that is a license, or is like one.
  private struct Finding {
    let entry: Int
    let match: LicenseMatch
    /// Whether so little was added or is missing that the license is the same.
    let isSure: Bool
    /// The number of words of the license.
    let length: Int

    /// The words that speak for this license rather than for another one at the same place.
    var score: Int { match.equal - 4 * match.differences - (match.changesMeaning ? 16 : 0) }
  }

  /// A shingle of a license that a text has, too.
  private struct Hit {
    let place: Int
    let position: Int

    var diagonal: Int { place - position }
  }

  /// Compares a text with the texts of the license list; the licenses are in its order and without
  /// repetition. The nearest license is that of the longest part that is like one without being the same. The other
  /// words of the text may restrict a license.
  ///
  /// - Parameter declared: the licenses that a tag of the text declares.
  static func compared(
    _ text: LicenseText, declared: [String] = []
  ) -> (identifiers: [String], nearest: String?, isRestricted: Bool) {
    var found: [Finding] = []
    for (entry, hits) in hits(in: text) { found += findings(of: entry, at: hits, in: text, besides: found) }
    // Parts of one text can be a license of their own: a notice, or the license without its last clause.
    var chosen: [Finding] = []
    for finding in found.sorted(by: isBetter)
    where !chosen.contains(where: { isPart(finding, of: $0) }) {
      chosen.append(finding)
    }
    chosen.sort { $0.match.range.lowerBound < $1.match.range.lowerBound }
    let nearest = chosen.filter { !$0.isSure && entry($0).kind == .text }
      .max { $0.match.equal < $1.match.equal }
    let sure = chosen.filter(\.isSure)
    let identifiers = identifiers(of: sure, in: text)
    let quoted = LicenseList.entries.indices.filter { declared.contains(LicenseList.entries[$0].identifier) }
    return (
      Array(identifiers.prefix(countLimit)), nearest.map { entry($0).identifier },
      !(identifiers + declared).isEmpty
        && isRestricted(text, by: chosen, count: identifiers.count, quoted)
    )
  }

  /// Whether words around a license or in it restrict what it permits. Collections of licenses have terms of other
  /// works between them, so there only what is before the first one counts, and what is in one.
  private static func isRestricted(
    _ text: LicenseText, by found: [Finding], count: Int, _ quoted: [Int]
  ) -> Bool {
    // Only its title says that it is for noncommercial use.
    if found.contains(where: { entry($0).identifier.hasPrefix("CC-BY-NC") }) { return false }
    let rest = LicenseRestrictions(text, found.map { ($0.entry, $0.match) }, quoted: quoted)
    guard count > 1, let first = found.first else {
      return rest.restrict(in: text.words.indices)
    }
    return rest.restrict(in: 0..<first.match.range.lowerBound, isCollection: true)
      || found.contains { $0.isSure && rest.restrict(in: $0.match.others.joined(), isCollection: true) }
  }

  private static func entry(_ finding: Finding) -> LicenseList.Entry { LicenseList.entries[finding.entry] }

  private static func isBetter(_ one: Finding, _ other: Finding) -> Bool {
    if one.score != other.score { return one.score > other.score }
    return (one.length, one.entry) < (other.length, other.entry)
  }

  /// Whether most of a part of the text belongs to another one.
  private static func isPart(_ one: Finding, of other: Finding) -> Bool {
    one.match.range.clamped(to: other.match.range).count * 2 > one.match.range.count
  }

  /// Returns the shingles of a text by the licenses that have them, the likeliest licenses first.
  private static func hits(in text: LicenseText) -> [(Int, [Hit])] {
    let places = text.words.indices.filter { !text.isFree[$0] }
    var found: [Int: [Hit]] = [:]
    let length = LicenseList.shingleLength
    for first in 0..<max(0, places.count - length + 1) {
      var hash: UInt32 = 0x811C_9DC5
      for place in places[first..<(first + length)] {
        hash = (hash ^ UInt32(bitPattern: text.words[place])) &* 0x0100_0193
        hash ^= hash >> 15
      }
      LicenseList.find(shingle: hash &* 0x9E37_79B1) { shingle in
        found[shingle.entry, default: []].append(Hit(place: places[first], position: shingle.position))
      }
    }
    // Half of the shingles remain where one word of ten is another.
    return found.filter { $0.value.count * 2 >= LicenseList.entries[$0.key].shingles }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
  }

  /// Returns the places of a text where a license is, or where something like it is, except where others that
  /// are known are more like it.
  private static func findings(
    of entry: Int, at hits: [Hit], in text: LicenseText, besides known: [Finding]
  ) -> [Finding] {
    let template = LicenseTemplate(
      LicenseList.symbols(of: entry), hasVersion: LicenseList.entries[entry].kind == .notice)
    let slack = template.words.count / 4 + 100
    var result: [Finding] = []
    var rest = hits
    for _ in 0..<attemptLimit {
      guard let first = rest.first else { break }
      let near = rest.filter { abs($0.diagonal - first.diagonal) <= slack }
      rest.removeAll { abs($0.diagonal - first.diagonal) <= slack }
      guard Set(near.map(\.position)).count * 2 >= LicenseList.entries[entry].shingles else { continue }
      let rival = known.lazy.filter { known in near.allSatisfy { known.match.range.contains($0.place) } }
        .map(\.score).max()
      // With more differences the score would be lower than the rival's.
      let limit = min(template.required / 3 + 4, rival.map { (template.words.count - $0) / 4 } ?? .max)
      if limit >= 0, let finding = best(entry, template, near, text, limit) {
        result.append(finding)
        if finding.isSure { break }
      }
    }
    return result
  }

  private static func best(
    _ entry: Int, _ template: LicenseTemplate, _ hits: [Hit], _ text: LicenseText, _ limit: Int
  ) -> Finding? {
    var best: LicenseMatch?
    let middle = hits.count / 2
    for hit in (hits[middle...] + hits[..<middle]).prefix(seedLimit) {
      let limit = best.map { $0.differences - 1 } ?? limit
      guard limit >= 0 else { break }
      if let match = template.match(text, at: hit.place, position: hit.position, limit: limit) {
        best = match
      }
    }
    return best.map { match in
      Finding(
        entry: entry, match: match,
        isSure: !match.changesMeaning && match.differences <= tolerance(of: template),
        length: template.words.count)
    }
  }

  private static func identifiers(of found: [Finding], in text: LicenseText) -> [String] {
    let found = found.filter { entry($0).kind != .notice || !isDenied($0, in: text) }
    let stated = found.filter { entry($0).kind == .notice }
    let texts = Set(found.lazy.filter { entry($0).kind == .text }.map { base(of: entry($0).identifier) })
    var result: [(identifier: String, place: Int)] = found.compactMap { finding in
      let identifier = entry(finding).identifier
      let place = finding.match.range.lowerBound
      switch entry(finding).kind {
      case .exception: return nil
      // The text of the license says as much; a notice behind it may be its own recommendation.
      case .notice: return texts.contains(base(of: identifier)) ? nil : (identifier, place)
      case .text:
        // A notice before the text decides between `-only` and `-or-later`.
        let notice = stated.first {
          $0.match.range.lowerBound < place && base(of: entry($0).identifier) == base(of: identifier)
        }
        return (notice.map { entry($0).identifier } ?? identifier, place)
      }
    }
    for finding in found where entry(finding).kind == .exception {
      // An exception belongs to the license before it, or to the first one if it begins the text.
      let exception = entry(finding).identifier
      let fitting = result.indices.filter { isException(exception, from: result[$0].identifier) }
      let before = fitting.last { result[$0].place < finding.match.range.lowerBound }
      if let number = before ?? fitting.first { result[number].identifier += " WITH " + exception }
    }
    var seen: Set<String> = []
    return result.map(\.identifier).filter { seen.insert($0).inserted }
  }

  /// Returns an identifier without what it says of later versions.
  private static func base(of identifier: String) -> Substring {
    for suffix in ["-only", "-or-later"] where identifier.hasSuffix(suffix) {
      return identifier.dropLast(suffix.count)
    }
    return identifier[...]
  }

  /// Whether an exception is made from a license: nearly all are from GNU licenses.
  private static func isException(_ exception: String, from license: String) -> Bool {
    let families =
      ["LLVM-exception", "Swift-exception"].contains(exception) ? ["Apache-2.0"] : ["GPL", "LGPL", "AGPL"]
    return families.contains { license.hasPrefix($0) } && !license.contains(" WITH ")
  }

  private static func isDenied(_ finding: Finding, in text: LicenseText) -> Bool {
    let start = finding.match.range.lowerBound
    return text.words[max(0, start - denialReach)..<start].contains { denials.contains($0) }
  }

  private static let denials = Set(["not", "never", "neither", "longer"].map(LicenseText.symbol))
}
