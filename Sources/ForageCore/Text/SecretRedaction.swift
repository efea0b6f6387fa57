import ForageFoundation

/// Masks secrets in untrusted text.
///
/// A secret is found in any case, plain, in Base64 at any alignment and in hexadecimal; each of these also with
/// any of its characters percent-encoded, as references of HTML or with the escapes of JSON, in any mixture and
/// repeatedly, and interrupted by line breaks with indentation, control sequences and invisible characters. A
/// beginning or an end of at least half of a secret is masked as well, and at both ends of a text a shorter
/// part, because the text may be truncated.
package struct SecretRedaction: Sendable {
  /// The minimum length in bytes of a secret that is masked; shorter texts occur in results by chance.
  package static let shortest = 6
  /// The minimum length in bytes of a part of a secret that is masked; shorter ones occur by chance.
  private static let shortestPart = 8

  /// The maximum number of ends of a secret that are searched for; of a longer secret not every end is.
  private static let mostEnds = 128
  /// What may stand between the bytes of hexadecimal.
  private static let separators: [[UInt8]] = [[], Array(":".utf8), Array(" ".utf8), Array("-".utf8)]

  fileprivate struct Form: Hashable, Sendable {
    /// In lower case.
    var bytes: [UInt8]
    var isBase64 = false
    /// Whether it is the end of a secret, which is searched for as a whole only.
    var isEnd = false
  }

  /// The forms of the secrets, longest first.
  fileprivate let forms: [Form]
  private let beginnings: [[Int]]
  /// The pairs of bytes with which the forms begin: the bit of the second byte in the four words of the first.
  private let pairs: [UInt64]
  private let mask: [UInt8]

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; those that are too short are ignored.
  ///   - mask: The replacement.
  package init(_ secrets: some Sequence<String>, mask: String = "•••") {
    var forms: Set<Form> = []
    for bytes in secrets.flatMap(Self.spellings) where !Self.isTooShort(bytes) {
      // A line break may stand anywhere within a form.
      let plain = bytes.filter { !SecretText.isLineBreak($0) }.map(SecretText.lowercased)
      forms.insert(Form(bytes: plain))
      let last = plain.count - max(Self.shortestPart, (plain.count + 1) / 2)
      for start in stride(from: 1, through: last, by: 1 + last / Self.mostEnds)
      // No character is cut in two.
      where plain[start] & 0xC0 != 0x80 {
        forms.insert(Form(bytes: Array(plain[start...]), isEnd: true))
      }
      let pairs = bytes.map { [SecretText.digits[Int($0 >> 4)], SecretText.digits[Int($0 & 15)]] }
      for separator in Self.separators {
        forms.insert(Form(bytes: Array(pairs.joined(separator: separator))))
      }
      for alignment in 0..<3 {
        let base64 = Self.base64(bytes, alignment: alignment)
        forms.insert(Form(bytes: base64.map(SecretText.lowercased), isBase64: true))
        // The URL-safe alphabet (RFC 4648, section 5).
        let safe = base64.map {
          $0 == UInt8(ascii: "+")
            ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : SecretText.lowercased($0)
        }
        forms.insert(Form(bytes: safe, isBase64: true))
      }
    }
    self.forms = forms.filter { $0.bytes.count > 1 }.sorted {
      $0.bytes.count != $1.bytes.count
        ? $0.bytes.count > $1.bytes.count : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }
    var beginnings = [[Int]](repeating: [], count: 256)
    var pairs = [UInt64](repeating: 0, count: 256 * 4)
    for (index, form) in self.forms.enumerated() {
      beginnings[Int(form.bytes[0])].append(index)
      pairs[Self.word(form.bytes[0], form.bytes[1])] |= 1 << UInt64(form.bytes[1] & 63)
    }
    self.beginnings = beginnings
    self.pairs = pairs
    self.mask = Array(mask.utf8)
  }

  /// A secret, and what it stands for if it looks encoded itself, because it is searched in decoded texts.
  private static func spellings(_ secret: String) -> [[UInt8]] {
    var all = [Array(secret.utf8)]
    var cut: Int?
    for _ in 0..<SecretText.deepest {
      let decoded = all[all.count - 1].withUnsafeBufferPointer {
        SecretText(bytes: $0, isWhole: true).decoded(cut: &cut)
      }
      guard let decoded else { break }
      all.append(decoded.bytes)
    }
    return all
  }

  /// Whether a secret is too short to be found in a text.
  package static func isTooShort(_ secret: String) -> Bool { isTooShort(Array(secret.utf8)) }

  private static func isTooShort(_ secret: [UInt8]) -> Bool {
    secret.count { !SecretText.isLineBreak($0) } < shortest
  }

  package var isEmpty: Bool { forms.isEmpty }

  package func redacted(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
  }

  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    var stream = Stream(self)
    return bytes.withUnsafeBytes { stream.append($0) } + stream.finish()
  }

  /// The JSON text with all secrets in its strings masked.
  ///
  /// - Returns: `nil` if there are none.
  package func redacted(json bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !forms.isEmpty else { return nil }
    var result: [UInt8] = []
    // A secret begins after a quote, so that `start` is 0 only if there is none.
    var (place, start) = (0, 0)
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      let begin = place + 1
      place = begin
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(place, bytes.count)
      let content = UnsafeBufferPointer(rebasing: bytes[min(begin, end)..<end])
      scan(content, isJSON: true, isEnd: true) { found in
        result += bytes[start..<begin + found.lowerBound]
        result += mask
        start = begin + found.upperBound
      }
      place += 1
    }
    return start == 0 ? nil : result + bytes[start...]
  }

  // MARK: Finding

  /// The number of bytes that are decoded at a time, which bounds the memory that it takes.
  private static let window = 64 << 10

  /// Finds the secrets in a text.
  ///
  /// - Parameters:
  ///   - isJSON: Whether it is the content of a string of JSON.
  ///   - isEnd: Whether no more bytes follow.
  ///   - found: Called with each range to mask, in order.
  /// - Returns: The number of bytes of which is decided whether they belong to a secret.
  @discardableResult
  fileprivate func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool, isEnd: Bool, found: (Range<Int>) -> Void
  ) -> Int {
    var (place, length) = (0, Self.window)
    while place < bytes.count {
      let end = min(place + length, bytes.count)
      let (ranges, decided) = findings(
        in: UnsafeBufferPointer(rebasing: bytes[place..<end]), isJSON: isJSON,
        isWhole: isEnd && end == bytes.count)
      for range in ranges { found(place + range.lowerBound..<place + range.upperBound) }
      if decided == 0 {
        if end == bytes.count { break }
        length *= 2
      } else {
        place += decided
        length = Self.window
      }
    }
    return place
  }

  /// Finds the secrets in a text and in what its escapes stand for.
  ///
  /// - Returns: The ranges to mask, and the number of bytes of which is decided whether they belong to one.
  private func findings(in bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool, isWhole: Bool) -> (
    ranges: [Range<Int>], decided: Int
  ) {
    var findings = Findings(decided: bytes.count)
    let text = SecretText(bytes: bytes, isWhole: isWhole)
    var cut: Int?
    if isJSON, let decoded = text.decoded(onlyJSON: true, cut: &cut) {
      find(in: decoded, isWhole: isWhole, isJSON: isJSON, depth: 0, &findings)
    } else {
      find(in: text, isJSON: isJSON, depth: 0, &findings)
    }
    var decided = min(findings.decided, cut ?? bytes.count)
    var ranges: [Range<Int>] = []
    for range in findings.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    // A secret that overlaps one that may continue is decided with it.
    while let last = ranges.last, last.upperBound > decided {
      decided = min(decided, last.lowerBound)
      ranges.removeLast()
    }
    return (ranges, decided)
  }

  private struct Findings {
    /// The ranges of secrets in the text as it was written; they may overlap.
    var ranges: [Range<Int>] = []
    /// Where the first secret may begin that continues after the text.
    var decided: Int
  }

  private func find(
    in text: SecretText.Decoded, isWhole: Bool, isJSON: Bool, depth: Int, _ findings: inout Findings
  ) {
    text.bytes.withUnsafeBufferPointer { bytes in
      let text = SecretText(bytes: bytes, places: text.places, isWhole: isWhole)
      find(in: text, isJSON: isJSON, depth: depth, &findings)
    }
  }

  /// Finds the secrets in a text, and in the same text with its escapes undone once more.
  private func find(in text: SecretText, isJSON: Bool, depth: Int, _ findings: inout Findings) {
    var place = 0
    while let begin = firstBeginning(in: text, from: place) {
      place = begin + 1
      let candidates = beginnings[Int(SecretText.lowercased(text.bytes[begin]))]
      switch find(candidates, in: text, at: begin, isJSON: isJSON) {
      case .nothing: break
      case .undecided: findings.decided = min(findings.decided, text.place(begin))
      case .found(let end):
        findings.ranges.append(text.place(begin)..<text.place(end))
        place = end
      }
    }
    guard depth < SecretText.deepest else { return }
    var cut: Int?
    let decoded = text.decoded(cut: &cut)
    if let cut { findings.decided = min(findings.decided, cut) }
    if let decoded {
      find(in: decoded, isWhole: text.isWhole, isJSON: isJSON, depth: depth + 1, &findings)
    }
  }

  private static func word(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 2 | Int(second >> 6) }

  /// Whether a secret may begin with two bytes; the second one may also belong to an interruption.
  private func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
    pairs[Self.word(first, second)] >> UInt64(second & 63) & 1 != 0 || SecretText.canInterrupt(second)
      // It may stand for a space.
      || second == UInt8(ascii: "+")
  }

  /// The first offset at which a secret may begin.
  private func firstBeginning(in text: SecretText, from start: Int) -> Int? {
    (start..<text.bytes.count).first { place in
      let first = SecretText.lowercased(text.bytes[place])
      if let second = text.at(place + 1), !mayBegin(first, SecretText.lowercased(second)) { return false }
      return !beginnings[Int(first)].isEmpty
    }
  }

  private enum Finding {
    case nothing
    /// The bytes end where a secret may continue.
    case undecided
    case found(end: Int)
  }

  private func find(_ candidates: [Int], in text: SecretText, at place: Int, isJSON: Bool) -> Finding {
    var end: Int?
    for index in candidates {
      let form = forms[index].bytes
      var match = text.match(form, at: place)
      if match.isUndecided { return .undecided }
      let isPart = match.count >= max(Self.shortestPart, (form.count + 1) / 2)
      // A string of JSON is rarely cut.
      let isCut = match.isAtEnd && match.count >= (isJSON ? Self.shortestPart : Self.shortest)
      guard match.count == form.count || !forms[index].isEnd && (isPart || isCut) else { continue }
      if forms[index].isBase64 {
        // The digits after it hold bits of the secret, too.
        let limit = min(match.end + form.count, text.bytes.count)
        while match.end < limit, Self.isBase64(text.bytes[match.end]) { match.end += 1 }
        if match.end == text.bytes.count, !text.isWhole { return .undecided }
      }
      end = max(end ?? 0, match.end)
    }
    return end.map { .found(end: $0) } ?? .nothing
  }

  // MARK: Forms

  /// Whether a byte is a digit of Base64, of the URL-safe alphabet, too, or its padding.
  private static func isBase64(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(SecretText.lowercased(byte))
      || "+/-_=".utf8.contains(byte)
  }

  /// The Base64 digits (RFC 4648) that depend only on the bytes, at a given alignment.
  private static func base64(_ bytes: [UInt8], alignment: Int) -> [UInt8] {
    let all = Data([UInt8](repeating: 0, count: alignment) + bytes)
    // A digit is determined if all of its six bits are.
    return Array(all.base64EncodedData()[((alignment * 8 + 5) / 6)..<(all.count * 8 / 6)])
  }
}

extension SecretRedaction {
  /// Masks secrets in a stream of bytes.
  ///
  /// Bytes that may begin a secret are held back until more bytes arrive.
  package struct Stream: Sendable {
    private let redaction: SecretRedaction
    private var held: [UInt8] = []
    private var hasBegun = false

    package init(_ redaction: SecretRedaction) { self.redaction = redaction }

    /// Adds bytes.
    ///
    /// - Returns: The bytes that can be passed on.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
      if redaction.isEmpty { return Array(bytes) }
      held.append(contentsOf: bytes)
      return take(isEnd: false)
    }

    /// Ends the stream.
    ///
    /// - Returns: The last bytes.
    package mutating func finish() -> [UInt8] { take(isEnd: true) }

    private mutating func take(isEnd: Bool) -> [UInt8] {
      var (result, place) = ([UInt8](), 0)
      // The longest form decides whether enough bytes have arrived.
      if !hasBegun, let longest = redaction.forms.first {
        let indentation = held.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        guard
          isEnd || held.count - indentation >= longest.bytes.count
            || held.contains(where: SecretText.isLineBreak)
        else { return [] }
        hasBegun = true
        if let length = lengthOfCutSecret(after: indentation) {
          result += held[..<indentation] + redaction.mask
          place = indentation + length
        }
      }
      held.removeFirst(place)
      var start = 0
      let decided = held.withUnsafeBufferPointer { bytes in
        redaction.scan(bytes, isJSON: false, isEnd: isEnd) { found in
          result += bytes[start..<found.lowerBound] + redaction.mask
          start = found.upperBound
        }
      }
      result += held[start..<decided]
      held.removeFirst(decided)
      return result
    }

    /// The length of the rest of a secret whose beginning was cut off, at an offset.
    private func lengthOfCutSecret(after start: Int) -> Int? {
      let lower = held.dropFirst(start).prefix(redaction.forms.first?.bytes.count ?? 0).map(
        SecretText.lowercased)
      for form in redaction.forms.filter({ !$0.isEnd }).map(\.bytes)
      where form.count > SecretRedaction.shortestPart {
        for dropped in 1...(form.count - SecretRedaction.shortestPart)
        where lower.starts(with: form[dropped...]) {
          return form.count - dropped
        }
      }
      return nil
    }
  }
}
