import ForageFoundation

#if !canImport(Darwin)
  // It has the normal forms of Unicode, which FoundationEssentials lacks.
  @_spi(_Unicode) import Swift
#endif

/// Masks secrets in untrusted text: the one way in which words from outside lose them, where they come in.
///
/// A secret is found as it is and in both normal forms of Unicode; as bytes of Latin-1, as UTF-8 that was
/// read as Latin-1, and with replacement characters for its letters beyond ASCII; in Base64 (RFC 4648,
/// sections 4 and 5) at any alignment, as in the credentials of Basic authentication. In all of them any
/// letter may be escaped: percent-encoded up to three times, `+` for a space, and as in strings of JSON,
/// Python and C (`\u00fc`, `\"`, `\xfc`), behind several backslashes where one text holds another; a string
/// of JSON may be percent-encoded or in Base64 itself. Of a secret with several lines each line is found.
/// Characters that `SafeText.seen` says nothing is seen of, also escaped ones, may be between its letters,
/// and other white space for its spaces.
///
/// Not found are other encodings (UTF-16, Windows-1252, entities of HTML, octal digits), a part of a secret,
/// a text that is half in one normal form and half in the other, and a secret that a line break was put into.
package struct SecretRedaction: Sendable {
  private typealias Text = UnsafeBufferPointer<UInt8>

  /// The minimum length in bytes of a secret that is masked; shorter texts occur in results by chance.
  package static let shortest = 6
  /// The minimum length in bytes of a line of a secret that is masked alone.
  private static let shortestLine = 16
  /// The maximum number of backslashes of one escape: a quotation mark has 31 in the fifth of nested texts.
  private static let backslashes = 32
  /// The maximum number of readings of a text that are followed at a time.
  private static let maximumStates = 16

  /// The spellings of the secrets by their first byte.
  private var candidates = [[[UInt8]]](repeating: [], count: 256)
  /// Whether a secret has a space, for which other white space may be written.
  private let hasSpaces: Bool
  private let mask: [UInt8]
  /// Whether there is nothing to mask.
  package let isEmpty: Bool

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; those that are too short are ignored.
  ///   - mask: The replacement.
  package init(_ secrets: some Sequence<String>, mask: String = "•••") {
    self.mask = Array(mask.utf8)
    let texts = secrets.flatMap { secret in
      let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
      // A variable can end with a line break, which a program leaves out.
      let whole = [secret, secret.trimmingWhitespace()]
      let seen = whole.map { String(String.UnicodeScalarView($0.unicodeScalars.compactMap(SafeText.seen))) }
      return whole + seen + lines.filter { $0.utf8.count >= Self.shortestLine }
    }
    hasSpaces = texts.contains { $0.utf8.contains(UInt8(ascii: " ")) }
    let spellings = Set(texts.filter { !Self.isTooShort($0) }.flatMap(Self.spellings))
    isEmpty = spellings.isEmpty
    for spelling in spellings { candidates[Int(spelling[0])].append(spelling) }
  }

  /// Whether a secret is too short to be found in a text.
  package static func isTooShort(_ secret: String) -> Bool { secret.utf8.count < shortest }

  // MARK: Spellings

  private static func spellings(_ secret: String) -> [[UInt8]] {
    let text = Array(secret.unicodeScalars)
    // Equal as strings, so they are compared as scalars.
    let plain = Set([text] + (text.allSatisfy(\.isASCII) ? [] : normalForms(secret)))
    let encoded = plain.flatMap { [utf8($0)] + latin1($0) + escaped($0) }
    return encoded + plain.flatMap(misread) + encoded.flatMap(base64)
  }

  /// The composed and the decomposed form.
  private static func normalForms(_ text: String) -> [[Unicode.Scalar]] {
    #if canImport(Darwin)
      [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping].map {
        Array($0.unicodeScalars)
      }
    #else
      [Array(text._nfc), Array(text._nfd)]
    #endif
  }

  private static func utf8(_ text: some Sequence<Unicode.Scalar>) -> [UInt8] {
    text.flatMap { Array(String($0).utf8) }
  }

  /// What a string of JSON has, also with letters of ASCII alone, which text around it may encode once more;
  /// nothing if that is the text itself.
  private static func escaped(_ text: [Unicode.Scalar]) -> [[UInt8]] {
    let string = JSONTree.string(String(String.UnicodeScalarView(text))).encoded().dropFirst().dropLast()
    let scalars = String(decoding: string, as: UTF8.self).unicodeScalars
    let ascii = [false, true].map { isUpper in
      scalars.map { scalar in
        if scalar.isASCII { return String(scalar) }
        return String(scalar).utf16.map { unit in
          let digits = String(unit, radix: 16, uppercase: isUpper)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }.joined()
    }
    let forms = [String(decoding: string, as: UTF8.self)] + ascii
    // Some writers escape a slash.
    return (forms + forms.map { $0.replacing("/", with: "\\/") }).map { Array($0.utf8) }.filter {
      $0 != utf8(text)
    }
  }

  /// The bytes of Latin-1, if it has all letters and some are beyond ASCII.
  private static func latin1(_ text: [Unicode.Scalar]) -> [[UInt8]] {
    text.allSatisfy(\.isASCII) || !text.allSatisfy { $0.value < 256 }
      ? [] : [text.map { UInt8(truncatingIfNeeded: $0.value) }]
  }

  /// What becomes of letters beyond ASCII in a wrong encoding: UTF-8 as Latin-1, and replacement characters.
  private static func misread(_ text: [Unicode.Scalar]) -> [[UInt8]] {
    if text.allSatisfy(\.isASCII) { return [] }
    let asLatin1 = utf8(utf8(text).map { Unicode.Scalar($0) })
    // Replacement characters alone are no secret.
    guard text.count(where: \.isASCII) >= shortest else { return [asLatin1] }
    let replaced: [(Unicode.Scalar) -> [Unicode.Scalar]] = [
      { _ in ["\u{FFFD}"] }, { _ in ["?"] },
      { Array(repeating: "\u{FFFD}", count: String($0).utf8.count) },
    ]
    return [asLatin1] + replaced.map { replace in utf8(text.flatMap { $0.isASCII ? [$0] : replace($0) }) }
  }

  /// The digits of bytes behind zero, one and two others: those before further bytes, and those at the end
  /// with and without their padding.
  private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
    let standard = (0..<3).flatMap { alignment in
      let digits = Data([UInt8](repeating: 0, count: alignment) + secret).base64EncodedData()
      // A digit has six bits. The first and the last one of the secret may have bits of its neighbours.
      let (first, last) = ((alignment * 8 + 5) / 6, (alignment + secret.count) * 8 / 6)
      let unpadded = digits.prefix { $0 != UInt8(ascii: "=") }
      return [Array(digits[first..<last]), Array(unpadded[first...]), Array(digits[first...])]
    }
    let replaced: [UInt8: UInt8] = [
      UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
    ]
    return standard + standard.map { $0.map { replaced[$0] ?? $0 } }
  }

  // MARK: Masking

  /// The text with each secret replaced by the mask.
  package func redacted(_ text: String) -> String {
    isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
  }

  /// The bytes of a text with each secret replaced by the mask.
  ///
  /// A line of JSON remains one: a number that contains a secret becomes the mask as a string. The work is
  /// proportional to the length of the text.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    if isEmpty { return bytes }
    let written = bytes.withUnsafeBufferPointer { masked(secrets(in: $0), in: $0) } ?? bytes
    return written.withUnsafeBufferPointer { text in
      guard let seen = seen(text) else { return written }
      let found = seen.bytes.withUnsafeBufferPointer(secrets).map {
        seen.places[$0.lowerBound]..<seen.places[$0.upperBound]
      }
      return masked(found, in: text) ?? written
    }
  }

  /// Where the masks of secrets belong, the first one first.
  private func secrets(in text: Text) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place < text.count {
      let end = endOfSecret(in: text, at: place)
      if end > place {
        found.append(Self.beginning(text, of: place, behind: found.last?.upperBound ?? 0)..<end)
        place = end
      } else {
        place += 1
      }
    }
    return found
  }

  /// The text with the mask in place of each range; `nil` if there is none.
  private func masked(_ ranges: [Range<Int>], in text: Text) -> [UInt8]? {
    if ranges.isEmpty { return nil }
    let isJSON = text.first { !Self.isBlank($0) }.map("{[".utf8.contains) ?? false
    var result: [UInt8] = []
    var (copied, place, isInString) = (0, 0, false)
    for range in ranges where range.upperBound > copied {
      let range = max(copied, range.lowerBound)..<range.upperBound
      while isJSON, place < range.lowerBound {
        if text[place] == UInt8(ascii: "\"") { isInString.toggle() }
        place += isInString && text[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      let number = isJSON && !isInString ? Self.number(around: range, in: text, behind: copied) : nil
      result += text[copied..<(number ?? range).lowerBound]
      result += number == nil ? mask : Array("\"".utf8) + mask + Array("\"".utf8)
      copied = (number ?? range).upperBound
    }
    return result + text[copied...]
  }

  /// The number of JSON behind a place that a range is a part of; `nil` if it is none.
  private static func number(around range: Range<Int>, in text: Text, behind start: Int) -> Range<Int>? {
    func isOfNumber(_ byte: UInt8) -> Bool { "0123456789+-.eE".utf8.contains(byte) }
    guard text[range].allSatisfy(isOfNumber),
      let before = text[start..<range.lowerBound].lastIndex(where: { !isOfNumber($0) }),
      let sign = text[...before].last(where: { !isBlank($0) }), ":,[".utf8.contains(sign)
    else { return nil }
    return before + 1..<(text[range.upperBound...].firstIndex { !isOfNumber($0) } ?? text.count)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\n\r".utf8.contains(byte) }

  /// Where the mask of a secret begins: at the backslash before it, if that escapes its first letter.
  private static func beginning(_ text: Text, of place: Int, behind start: Int) -> Int {
    guard escapedLetters[text[place]] != nil else { return place }
    var first = place
    while first > start, text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (place - first).isMultiple(of: 2) ? place : place - 1
  }

  /// Where the longest secret that begins at a place ends; 0 if there is none.
  private func endOfSecret(in text: Text, at place: Int) -> Int {
    var end = 0
    Self.read(text, at: place) { bytes, _, length in
      let first = UInt8(truncatingIfNeeded: bytes)
      // The byte itself comes first, and finds what an escape for it would.
      if first == text[place], length > 1 { return }
      for spelling in candidates[Int(first)] {
        end = max(end, Self.end(of: spelling, in: text, at: place))
      }
    }
    return end
  }

  private static func end(of spelling: [UInt8], in text: Text, at start: Int) -> Int {
    var (index, place) = (0, start)
    while index < spelling.count {
      guard place < text.count else { return 0 }
      if mayEscape(text[place]) { return end(of: spelling, from: index, in: text, at: place) }
      guard text[place] == spelling[index] else { return 0 }
      (index, place) = (index + 1, place + 1)
    }
    return place
  }

  /// The same from a byte of the spelling that may be escaped; what looks like an escape may also be the
  /// secret's own.
  private static func end(of spelling: [UInt8], from index: Int, in text: Text, at place: Int) -> Int {
    var states = [(index: index, place: place)]
    var end = 0
    // That with the fewest bytes first, so that none is followed twice.
    while let next = states.indices.min(by: { states[$0].index < states[$1].index }) {
      let (index, place) = states.remove(at: next)
      if index == spelling.count { end = max(end, place) }
      guard index < spelling.count, place < text.count else { continue }
      read(text, at: place) { bytes, count, length in
        let isNext =
          index + count <= spelling.count
          && (0..<count).allSatisfy { spelling[index + $0] == UInt8(truncatingIfNeeded: bytes >> ($0 * 8)) }
        let state = (index: index + count, place: place + length)
        guard isNext, states.count < maximumStates, !states.contains(where: { $0 == state }) else { return }
        states.append(state)
      }
    }
    return end
  }

  // MARK: Unseen characters

  /// The text without the characters that nothing is seen of, with the place of each byte and of its end;
  /// `nil` if there are none.
  private func seen(_ text: Text) -> (bytes: [UInt8], places: [Int])? {
    var (bytes, places): ([UInt8], [Int]) = ([], [])
    var (copied, place) = (0, 0)
    while place < text.count {
      let (start, length, seen) = Self.seen(text, at: place)
      if seen == nil || hasSpaces && seen == " " && text[start] != UInt8(ascii: " ") {
        bytes += text[copied..<start]
        places += copied..<start
        if seen != nil {
          bytes.append(UInt8(ascii: " "))
          places.append(start)
        }
        copied = start + length
      }
      place = start + length
    }
    if copied == 0 { return nil }
    return (bytes + text[copied...], places + (copied...text.count))
  }

  /// What is seen of the character at a place, which may be escaped.
  ///
  /// - Returns: Where it begins, behind backslashes that are no part of it; its length; what is seen of it,
  ///   and any other character for one that is seen as it is.
  private static func seen(_ text: Text, at place: Int) -> (start: Int, length: Int, seen: Unicode.Scalar?) {
    if text[place] == UInt8(ascii: "\\") { return seenBehindBackslashes(text, at: place) }
    if text[place] < 0x80 { return (place, 1, SafeText.seen(Unicode.Scalar(text[place]))) }
    var bytes = text[place...].prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return (place, 1, "\u{FFFD}") }
    return (place, UTF8.width(scalar), SafeText.seen(scalar))
  }

  private static func seenBehindBackslashes(_ text: Text, at place: Int)
    -> (start: Int, length: Int, seen: Unicode.Scalar?)
  {
    let run = text[place...].prefix { $0 == UInt8(ascii: "\\") }.count
    // The others escape each other: an escape in the nth of nested texts has the nth power of two.
    let start = place + run - (run & -run)
    var (length, seen): (Int, Unicode.Scalar?) = (place + run - start, "\\")
    readBackslash(text, at: start) { bytes, count, readLength in
      guard count > 1 || bytes < 0x20 || bytes == 0x7F else { return }
      var letters = (0..<count).map { UInt8(truncatingIfNeeded: bytes >> ($0 * 8)) }.makeIterator()
      var decoder = UTF8()
      guard case .scalarValue(let scalar) = decoder.decode(&letters) else { return }
      let shown = SafeText.seen(scalar)
      // Of white space behind several backslashes the escape is seen.
      if shown == nil || shown == " " && run & -run == 1 { (length, seen) = (readLength, shown) }
    }
    return (start, length, seen)
  }

  // MARK: Escapes

  private static func mayEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+")
  }

  /// What the letters after a backslash stand for in JSON.
  private static let escapedLetters = Dictionary(
    uniqueKeysWithValues: zip("\"\\/nrtbf".utf8, "\"\\/\n\r\t\u{8}\u{C}".utf8))

  /// Passes on everything that the text may stand for at a place: the byte itself, and the letter of an
  /// escape.
  ///
  /// - Parameter found: Receives the bytes in UTF-8, the first one lowest, their number, and the length of
  ///   what stands for them.
  private static func read(
    _ text: Text, at place: Int, _ found: (_ bytes: UInt32, _ count: Int, _ length: Int) -> Void
  ) {
    found(UInt32(text[place]), 1, 1)
    switch text[place] {
    case UInt8(ascii: "+"): found(UInt32(UInt8(ascii: " ")), 1, 1)
    case UInt8(ascii: "%"): readPercent(text, at: place, found)
    case UInt8(ascii: "\\"): readBackslash(text, at: place, found)
    default: break
    }
  }

  /// Reads `%2F`, and `%252F` within an address that is itself encoded.
  private static func readPercent(
    _ text: Text, at place: Int, _ found: (_ bytes: UInt32, _ count: Int, _ length: Int) -> Void
  ) {
    var digits = place + 1
    while let byte = number(text, at: digits, digits: 2), digits <= place + 5 {
      found(byte, 1, digits + 2 - place)
      if byte != UInt32(UInt8(ascii: "%")) { return }
      digits += 2
    }
  }

  private static func readBackslash(
    _ text: Text, at place: Int, _ found: (_ bytes: UInt32, _ count: Int, _ length: Int) -> Void
  ) {
    let run = text[place...].prefix(backslashes + 1).prefix { $0 == UInt8(ascii: "\\") }.count
    for length in [2, 4, 8, 16, 32] where length <= run { found(UInt32(UInt8(ascii: "\\")), 1, length) }
    let letter = place + run
    guard run <= backslashes, letter < text.count else { return }
    func foundScalar(_ value: UInt32, digits: Int) {
      guard let bytes = Unicode.Scalar(value).flatMap(UTF8.encode) else { return }
      let packed = bytes.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << ($1.offset * 8) }
      found(packed, bytes.count, run + 1 + digits)
    }
    switch text[letter] {
    case UInt8(ascii: "u"):
      guard let unit = number(text, at: letter + 1, digits: 4) else { return }
      guard UTF16.isLeadSurrogate(UInt16(unit)) else { return foundScalar(unit, digits: 4) }
      let second = letter + 5
      let others = text[min(second, text.count)...].prefix(backslashes).prefix { $0 == UInt8(ascii: "\\") }
        .count
      guard others > 0, second + others < text.count, text[second + others] == UInt8(ascii: "u"),
        let trail = number(text, at: second + others + 1, digits: 4), UTF16.isTrailSurrogate(UInt16(trail))
      else { return }
      foundScalar(0x10000 + (unit & 0x3FF) << 10 + (trail & 0x3FF), digits: 4 + others + 5)
    case UInt8(ascii: "U"):
      if let value = number(text, at: letter + 1, digits: 8) { foundScalar(value, digits: 8) }
    case UInt8(ascii: "x"):
      guard let value = number(text, at: letter + 1, digits: 2) else { return }
      // A byte in a text of bytes, a letter in another one.
      found(value, 1, run + 3)
      foundScalar(value, digits: 2)
    case let letter: if let byte = escapedLetters[letter] { found(UInt32(byte), 1, run + 1) }
    }
  }

  /// A number of so many hexadecimal digits; `nil` if there are fewer.
  private static func number(_ text: Text, at place: Int, digits: Int) -> UInt32? {
    guard place + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for digit in text[place..<place + digits] {
      guard let next = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(next)
    }
    return value
  }
}
