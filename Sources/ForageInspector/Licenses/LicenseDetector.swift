import ForageGit

/// Finds the license files of a tree.
enum LicenseFiles {
  /// Larger files are not licenses (1 MiB); the longest known ones have 50 KB.
  private static let textLimit = 1 << 20
  /// The most files that are read; a `LICENSES` folder as REUSE defines it has a few dozen.
  private static let countLimit = 200
  /// Folders of the root that hold licenses, in lowercase; `LICENSES` is that of REUSE.
  private static let folders: Set<String> = ["licenses", "licences", "license", "licence"]

  /// Returns the licenses of license files in the root and in a license folder, ordered by path; several
  /// licenses of one file keep the order of its text. Counts the files that cannot be read.
  static func find(
    _ listing: TreeListing, _ repository: GitRepository
  ) -> (licenses: [InspectionReport.License], unread: Int) {
    let found = listing.files.lazy.filter { $0.kind != .symlink && isCandidate($0.path) }
    var unread = 0
    let licenses = found.prefix(countLimit).flatMap { file -> [InspectionReport.License] in
      guard let bytes = try? repository.blob(file.id, limit: textLimit) else {
        unread += 1
        return []
      }
      if FilePointer.isPointer(bytes) { return [] }
      let verdict = LicenseDetector.verdict(on: bytes)
      if !verdict.identifiers.isEmpty {
        return verdict.identifiers.map {
          .init(spdx: $0, path: file.path, hasOtherText: verdict.hasRemarks ? true : nil)
        }
      }
      let spdx = verdict.nearest == nil && isReuse(file.path) ? identifier(named: file.path) : nil
      return [.init(spdx: spdx, path: file.path, nearest: verdict.nearest)]
    }.enumerated().sorted { ($0.element.path, $0.offset) < ($1.element.path, $1.offset) }.map(\.element)
    return (licenses, unread)
  }

  /// Whether a path is that of a license file: by its name in the root, or a text in a license folder.
  static func isCandidate(_ path: String) -> Bool {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return LicenseDetector.isLicenseFile(path)
    }
    let name = path[path.utf8.index(after: slash)...]
    // The names of the folders have seven or eight bytes, which excludes most paths quickly.
    let length = path.utf8.distance(from: path.startIndex, to: slash)
    guard length == 7 || length == 8, !name.utf8.contains(UInt8(ascii: "/")) else { return false }
    guard folders.contains(path[..<slash].lowercased()) else { return false }
    // A folder `license` may be a module of a program, so names decide there; files in `LICENSES` may have
    // any name.
    return isReuse(path) || name.lowercased().hasSuffix(".txt") || LicenseDetector.isLicenseFile(name)
  }

  private static func isReuse(_ path: String) -> Bool { path.hasPrefix("LICENSES/") }

  /// Returns the identifier that names a file in `LICENSES`.
  private static func identifier(named path: String) -> String? {
    let name = path.dropFirst("LICENSES/".count)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[..<dot])
  }
}

/// Identifies licenses by comparison with the texts of the SPDX license list.
package enum LicenseDetector {
  /// The bytes of a text that are examined: the longest license in the list has some 36 KB, and a longer file
  /// continues with licenses of other works.
  private static let textLimit = 128 * 1024
  /// The length limit of an SPDX expression in bytes; real ones have a handful of identifiers.
  private static let expressionLimit = 120
  /// The bytes at the beginning of a text in which a tag decides; those farther below are of parts of other
  /// works.
  private static let tagLimit = 2048

  /// Whether a file name (without directories) is that of a license: `LICENSE`, `COPYING.LESSER`,
  /// `LICENSE-MIT`, `MIT-LICENSE.txt`, `UNLICENSE`, `foo.license`, `Apache-2.0.txt` and variants in any case,
  /// but not source code such as `license.go`.
  package static func isLicenseFile(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    if name.hasSuffix(".license"), name.utf8.count > ".license".utf8.count { return true }
    if name.hasSuffix(".txt"), knownIdentifiers.contains(String(name.dropLast(".txt".count))) { return true }
    let stem = String(name.prefix { $0 != "." })
    guard isLicenseStem(stem) else { return false }
    guard stem.utf8.count < name.utf8.count, let dot = name.lastIndex(of: ".") else { return true }
    let suffix = String(name[dot...])
    if textExtensions.contains(suffix) { return true }
    return LanguageTable.shared.languages(extension: suffix).isEmpty && !FileExtensions.isBinary(suffix[...])
  }

  /// Returns the one expression of an `SPDX-License-Identifier:` at the beginning of a line, or else the SPDX
  /// identifiers of all licenses in a text, in its order and without repetition; none, and the nearest
  /// license, if something else is added to them or too much is missing. Remarks beside a long license, which
  /// change nothing of it, are told.
  ///
  /// Line breaks, case, quotes, comment markers, titles and copyright lines are ignored. The text of a GNU
  /// license alone yields `-only`; a notice with "or later" before the text or instead of it yields
  /// `-or-later`.
  package static func verdict(on text: [UInt8]) -> (
    identifiers: [String], nearest: String?, hasRemarks: Bool
  ) {
    if let expression = declared(in: text.prefix(tagLimit)) { return ([expression], nil, false) }
    let comparison = LicenseComparison(LicenseText(Array(text.prefix(textLimit))))
    let found = comparison.identifiers
    // A license that becomes another one later is not that one yet.
    let delayed = found.filter(["BUSL-1.1", "FSL-1.1-ALv2", "FSL-1.1-MIT"].contains)
    return (
      delayed.isEmpty ? found : delayed, found.isEmpty ? comparison.nearest : nil, comparison.hasRemarks
    )
  }

  private static func isLicenseStem(_ stem: String) -> Bool {
    switch stem {
    case "license", "licence", "licenses", "licences", "copying", "unlicense", "unlicence", "copyright",
      "ofl":
      return true
    case "copying2", "copying3", "copyingv2", "copyingv3", "copying-lesser", "copying_lesser":
      return true
    default:
      let words = stem.split { $0 == "-" || $0 == "_" || $0 == " " }
      guard words.count > 1, let first = words.first, let last = words.last else { return false }
      return first == "license" || first == "licence" || first == "copying" || last == "license"
        || last == "licence"
    }
  }

  /// The identifiers, in lowercase, that may name a license file (`MIT.txt`), as in REUSE.
  private static let knownIdentifiers: Set<String> = Set(
    LicenseList.entries.map { $0.identifier.lowercased() }.flatMap {
      $0.hasSuffix("-only") ? [$0, String($0.dropLast("-only".count))] : [$0]
    })

  private static let textExtensions: Set<String> = [
    ".md", ".markdown", ".mkd", ".txt", ".text", ".rst", ".html", ".htm", ".adoc", ".asciidoc", ".org",
    ".rtf",
    ".lesser", ".lib",
  ]

  /// Returns the expression of the first `SPDX-License-Identifier:` that begins a line, apart from signs of
  /// comments.
  private static func declared(in bytes: ArraySlice<UInt8>) -> String? {
    let tag = Array("SPDX-License-Identifier:".utf8)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let start = line.indices.first(where: { line[$0...].starts(with: tag) }),
        isCommentSign(line[..<start]), let expression = expression(line[(start + tag.count)...])
      else { continue }
      return expression
    }
    return nil
  }

  /// Whether the beginning of a line has no words other than those that begin comments, and a byte order
  /// mark.
  private static func isCommentSign(_ bytes: ArraySlice<UInt8>) -> Bool {
    let words = bytes.split { !isNameByte($0) && $0 < 0x80 || [0xEF, 0xBB, 0xBF].contains($0) }
    return words.allSatisfy {
      ["dnl", "rem", "c"].contains(String(decoding: $0, as: UTF8.self).lowercased())
    }
  }

  /// Returns an SPDX expression with single spaces between its words; nil if there is none or the text is too
  /// long. What the end of a comment leaves may be behind it.
  private static func expression(_ bytes: ArraySlice<UInt8>) -> String? {
    let allowed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.prefix {
      isNameByte($0) && $0 != UInt8(ascii: "_") || " \t.+-():".utf8.contains($0)
    }
    // A sentence goes on.
    let end = bytes[allowed.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
    if let sign = end.first, ",;?!".utf8.contains(sign) { return nil }
    var words = allowed.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    // The end of an XML comment, `-->`, leaves its dashes.
    while let last = words.last, last.allSatisfy({ $0 == "-" }) { words.removeLast() }
    let text = words.joined(separator: " ")
    return text.utf8.count <= expressionLimit && isExpression(text) ? text : nil
  }

  /// Whether a byte is a letter, a digit or `_`.
  private static func isNameByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == UInt8(ascii: "_") }

  /// Whether identifiers and operators alternate.
  private static func isExpression(_ text: String) -> Bool {
    let words = text.split { " ()".contains($0) }
    return words.count.isMultiple(of: 2) == false
      && words.enumerated().allSatisfy { number, word in
        let isOperator = ["AND", "OR", "WITH"].contains(word.uppercased())
        return isOperator == !number.isMultiple(of: 2)
      } && words.allSatisfy { $0.first.map { $0.isLetter || $0.isNumber } == true }
  }
}

/// Compares a text with the texts of the license list, in both directions: what of a license is missing in
/// the text, and what of the text is in none of its licenses.
struct LicenseComparison {
  /// The most licenses that are reported for one text; collections of bundled works have some dozen.
  private static let countLimit = 16
  /// The most words in place of one or more others of a license.
  private static let replacedLimit = 4
  /// The most words that may stand before, between or behind licenses, apart from their titles.
  private static let aroundLimit = 2
  /// The most words where a license permits any, as the names of copyright holders.
  private static let gapLimit = 96

  /// The fewest words of a license beside which there can be remarks: what is added to a short one can be a
  /// part of it.
  private static let longLimit = 500

  /// Fewer words in a row can be those of a license by chance.
  private static let islandLimit = 6

  /// The words that may be missing in a license, and those that may replace others: two of a short one, one
  /// more for each hundred words, and at most 42, which is a long sentence.
  private static func tolerance(_ required: Int) -> Int { 2 + min(required / 100, 40) }

  /// A license that the text has, or is like.
  private struct Finding {
    let number: Int
    let grams: LicenseGrams
    let missing: [Int32]
    /// Whether each word of the text is one of the license.
    let isCovered: [Bool]
    /// The number of those words.
    let count: Int

    var entry: LicenseList.Entry { LicenseList.entries[number] }
    /// The words that speak for this license.
    var score: Int { count - missing.count }
    /// The place where the longest run of words of the license begins.
    let start: Int

    /// Whether the text has the license.
    var isComplete: Bool {
      if entry.kind == .notice, missing.contains(where: LicenseComparison.numbers.contains) { return false }
      return missing.count <= LicenseComparison.tolerance(grams.required)
    }
  }

  /// Numbers, by which notices of versions of one license differ.
  private static let numbers = Set((0...99).map { LicenseText.symbol("\($0)") }).subtracting([
    LicenseText.unknown
  ])

  private let text: LicenseText
  private var chosen: [Finding] = []
  /// A license that the list lacks, with the place of its title, and whether one may choose between it and
  /// the others.
  private var unlisted: (identifier: String, place: Int, isChoice: Bool)?
  /// The licenses of the text in its order; none if anything is added to them.
  private(set) var identifiers: [String] = []
  /// Whether the text has remarks beside its licenses.
  private(set) var hasRemarks = false
  /// The license that is most like the text.
  private(set) var nearest: String?

  init(_ text: LicenseText) {
    self.text = text
    let findings = Self.findings(in: text).sorted { ($1.score, $0.number) < ($0.score, $1.number) }
    var isCovered = [Bool](repeating: false, count: text.words.count)
    // The text of one license can be a part of another's.
    let complete = findings.filter(\.isComplete)
    let composed = Set(complete.filter { isComposed($0, of: complete) }.map(\.number))
    // What others have together counts only where they are not all chosen.
    for finding in complete.filter({ !composed.contains($0.number) })
      + complete.filter({ composed.contains($0.number) }) where chosen.count < Self.countLimit
    {
      let own = isCovered.indices.count { finding.isCovered[$0] && !isCovered[$0] }
      guard composed.contains(finding.number) ? own > Self.gapOfTexts : own * 2 > finding.grams.required
      else { continue }
      chosen.append(finding)
      for place in isCovered.indices where finding.isCovered[place] { isCovered[place] = true }
    }
    nearest = findings.first { $0.entry.kind != .exception }?.entry.identifier
    if !hasAdditions(besides: isCovered) { identifiers = names() } else { hasRemarks = false }
  }

  /// The fewest words between two parts of a license that belong to different texts.
  private static let gapOfTexts = 20

  /// Whether the words of a license are those of others that stand apart from each other: NCSA's are those of
  /// MIT and BSD-3-Clause.
  private func isComposed(_ finding: Finding, of complete: [Finding]) -> Bool {
    let places = text.words.indices.filter { !text.isFree[$0] }
    guard let first = places.first(where: { finding.isCovered[$0] }),
      let last = places.last(where: { finding.isCovered[$0] })
    else { return false }
    var (run, longest) = (0, 0)
    for place in places where (first...last).contains(place) {
      run = finding.isCovered[place] ? 0 : run + 1
      longest = max(longest, run)
    }
    guard longest >= Self.gapOfTexts else { return false }
    let others = complete.filter { $0.number != finding.number }
    return places.allSatisfy { place in
      !finding.isCovered[place] || others.contains { $0.isCovered[place] }
    }
  }

  /// Returns the licenses of which a text has at least half of the shingles.
  private static func findings(in text: LicenseText) -> [Finding] {
    var hits: [Int: Int] = [:]
    for shingle in text.shingles { LicenseList.find(shingle: shingle) { hits[$0, default: 0] += 1 } }
    let textGrams = text.grams
    let grams = Set(textGrams.map(\.gram))
    return hits.filter { $0.value * 2 >= LicenseList.entries[$0.key].shingles }.map { number, _ in
      let license = LicenseGrams(LicenseTemplate(LicenseList.symbols(of: number)))
      var isCovered = [Bool](repeating: false, count: text.words.count)
      for (gram, places) in textGrams where license.all.contains(gram) {
        for place in places { isCovered[place] = true }
      }
      let start = removeIslands(&isCovered, text)
      if license.required >= longLimit { keepDensest(&isCovered, license.length + license.length / 8) }
      return Finding(
        number: number, grams: license, missing: license.missing(from: grams), isCovered: isCovered,
        count: isCovered.count { $0 }, start: start)
    }
  }

  /// Removes a few words in a row that a license has, too, between others that it has not. Returns the place
  /// where the longest run of its words begins.
  private static func removeIslands(_ isCovered: inout [Bool], _ text: LicenseText) -> Int {
    let places = text.words.indices.filter { !text.isFree[$0] && !text.isMark[$0] }
    var (at, longest) = (0, 0..<0)
    while at < places.count {
      let end = places[at...].firstIndex { !isCovered[$0] } ?? places.count
      if end - at < islandLimit { for place in places[at..<end] { isCovered[place] = false } }
      if end - at > longest.count { longest = at..<end }
      at = end + 1
    }
    return longest.isEmpty ? 0 : places[longest.lowerBound]
  }

  /// Removes the words outside of the part of a text, of so many words, that has most of them: long licenses
  /// share sentences.
  private static func keepDensest(_ isCovered: inout [Bool], _ length: Int) {
    guard isCovered.count > length else { return }
    var count = isCovered[..<length].count { $0 }
    var best = (count: count, end: length)
    for end in isCovered.indices[length...] {
      count += (isCovered[end] ? 1 : 0) - (isCovered[end - length] ? 1 : 0)
      if count > best.count { best = (count, end + 1) }
    }
    for place in isCovered.indices where !(best.end - length..<best.end).contains(place) {
      isCovered[place] = false
    }
  }

  /// Whether the text has more words than its licenses.
  private mutating func hasAdditions(besides isCovered: [Bool]) -> Bool {
    let titles = Set(
      chosen.flatMap { $0.entry.identifier.split { "-.".contains($0) } }.map {
        LicenseText.symbol(String($0))
      }
        + ["the", "license", "licence", "version"].map(LicenseText.symbol))
    let places = text.words.indices.filter { !text.isFree[$0] }
    let missing = chosen.reduce(0) { $0 + $1.missing.count }
    var replaced = 0
    var at = 0
    while at < places.count {
      guard !isCovered[places[at]] else {
        at += 1
        continue
      }
      let end = places[at...].firstIndex { isCovered[$0] } ?? places.count
      let added = places[at..<end].filter { !text.isMark[$0] && !titles.contains(text.words[$0]) }
      let count = added.count
      let before = places[..<at].suffix(3).map { text.words[$0] }
      let after = places[end...].prefix(3).map { text.words[$0] }
      let block = places[at..<end]
      at = end
      if count == 0 || count <= Self.gapLimit && chosen.contains(where: { Self.isGap($0, before, after) }) {
        continue
      }
      switch chosen.lazy.compactMap({ Self.isReplacement($0, before, after) }).first {
      case true? where count <= Self.replacedLimit: replaced += count
      case nil where count <= Self.aroundLimit: continue
      case _ where findUnlisted(in: block): continue
      // Where less is missing, the words stand between two places of a license, or of two.
      case true?
      where (count > 2 * missing + Self.replacedLimit || isOfOthers(block)) && isRemark(block),
        nil where isRemark(block):
        hasRemarks = true
      default: return true
      }
    }
    // Where hardly anything is missing, hardly anything is replaced.
    return replaced
      > min(
        max(Self.aroundLimit * chosen.count, 2 * missing),
        Self.tolerance(chosen.reduce(0) { $0 + $1.grams.required }))
  }

  /// Whether words beside a license are those of one that the list lacks.
  private mutating func findUnlisted(in places: ArraySlice<Int>) -> Bool {
    if let unlisted, let start = places.first {
      return start > unlisted.place && !chosen.contains { (unlisted.place..<start).contains($0.start) }
    }
    guard let found = LicenseRemarks.unlisted(in: places.map { text.words[$0] }) else {
      return false
    }
    unlisted = (found.identifier, places[places.startIndex + found.place], found.isChoice)
    return true
  }

  /// Whether words beside a license only say something of it or of the work: none of them changes what is
  /// permitted, and most are known. What stands behind a further license is about the works that have that
  /// one.
  private func isRemark(_ places: ArraySlice<Int>) -> Bool {
    guard firstLong != nil else { return false }
    let isOfOthers = isOfOthers(places)
    let words = LicenseRemarks.withoutKnown(places.map { text.words[$0] })
    guard words.count(where: { $0 == LicenseText.unknown }) * 4 <= words.count * 3 else { return false }
    return !words.contains(where: (isOfOthers ? LicenseRemarks.terms : LicenseRemarks.decisive).contains)
  }

  /// The place of the first long license.
  private var firstLong: Int? {
    chosen.filter { $0.entry.kind == .text && $0.grams.required >= Self.longLimit }.map(\.start).min()
  }

  /// Whether words stand behind a further license, so that they are about the works that have that one.
  private func isOfOthers(_ places: ArraySlice<Int>) -> Bool {
    guard let first = firstLong, let start = places.first else { return false }
    return chosen.contains { $0.start > first && $0.start < start }
  }

  /// Whether a license permits any words between some words.
  private static func isGap(_ finding: Finding, _ before: [Int32], _ after: [Int32]) -> Bool {
    guard let last = gram(before), let next = gram(after) else { return false }
    return finding.grams.beforeGap.contains(last) && finding.grams.afterGap.contains(next)
  }

  /// Whether words between others replace some of a license; false if they are added to it, nil if they are
  /// not within the license.
  private static func isReplacement(_ finding: Finding, _ before: [Int32], _ after: [Int32]) -> Bool? {
    guard let last = gram(before), let next = gram(after), finding.grams.all.contains(last),
      finding.grams.all.contains(next)
    else { return nil }
    return gram([before[1], before[2], after[0]]).map { !finding.grams.all.contains($0) }
  }

  private static func gram(_ words: [Int32]) -> LicenseGram? {
    words.count == 3 ? LicenseGram(words[0], words[1], words[2]) : nil
  }

  /// Returns the identifiers of the licenses, with their exceptions, in the order of the text and without
  /// repetition.
  private func names() -> [String] {
    let sorted = chosen.sorted { ($0.start, $0.number) < ($1.start, $1.number) }
    let texts = Set(sorted.lazy.filter { $0.entry.kind == .text }.map { Self.base(of: $0.entry.identifier) })
    var result: [(identifier: String, start: Int)] = sorted.compactMap { finding in
      let identifier = finding.entry.identifier
      switch finding.entry.kind {
      case .exception: return nil
      // The text of the license says as much; a notice behind it may be its own recommendation.
      case .notice: return texts.contains(Self.base(of: identifier)) ? nil : (identifier, finding.start)
      case .text: return (stated(before: finding) ?? identifier, finding.start)
      }
    }
    for exception in sorted where exception.entry.kind == .exception {
      // An exception belongs to the license before it, or to the first one if it begins the text.
      let name = exception.entry.identifier
      let fitting = result.indices.filter { Self.isException(name, from: result[$0].identifier) }
      let before = fitting.last { result[$0].start < exception.start }
      if let number = before ?? fitting.first { result[number].identifier += " WITH " + name }
    }
    if let unlisted {
      let place = result.firstIndex { $0.start > unlisted.place } ?? result.count
      result.insert((unlisted.identifier, unlisted.place), at: place)
      if unlisted.isChoice { return [result.map(\.identifier).joined(separator: " OR ")] }
    }
    var seen: Set<String> = []
    return result.map(\.identifier).filter { seen.insert($0).inserted }
  }

  /// Returns the identifier of a notice before the text of a GNU license, which decides between `-only` and
  /// `-or-later`.
  private func stated(before license: Finding) -> String? {
    let base = Self.base(of: license.entry.identifier)
    guard base != license.entry.identifier, let title = license.grams.title,
      let start = text.grams.first(where: { $0.gram == title })?.places.lowerBound, start > 0
    else { return nil }
    let notice = Self.findings(in: text.prefix(start)).filter { $0.entry.kind == .notice && $0.isComplete }
      .max { $0.score < $1.score }
    return notice.map(\.entry.identifier).flatMap { Self.base(of: $0) == base ? $0 : nil }
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
}
