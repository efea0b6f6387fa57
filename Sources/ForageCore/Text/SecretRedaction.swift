/// Masks secrets in untrusted text.
///
/// A secret is found in any case, plain, in Base64 at any alignment and in hexadecimal; each of these also
/// percent-encoded, as HTML entities or with the escapes of JSON (repeatedly, too), and interrupted by line
/// breaks with indentation, control sequences and invisible characters. A beginning or an end of at least half
/// of a secret is masked as well, and at both ends of a text a shorter part, because the text may be truncated.
package struct SecretRedaction: Sendable {
  /// The minimum length in bytes of a secret that is masked; shorter texts occur in results by chance.
  package static let shortest = 6
  /// The minimum length in bytes of a part of a secret that is masked; shorter ones occur by chance.
  private static let shortestPart = 8

  /// The maximum number of ends of a secret that are searched for; of a longer secret not every end is.
  private static let mostEnds = 128
  /// What may stand between the bytes of hexadecimal.
  private static let separators: [[UInt8]] = [[], Array(":".utf8), Array(" ".utf8), Array("-".utf8)]

  /// A way in which a secret may be written.
  fileprivate struct Form: Hashable, Sendable {
    /// In lower case.
    var bytes: [UInt8]
    var isBase64 = false
    /// Whether it is the end of a secret, which is searched for as a whole only.
    var isEnd = false
  }

  /// The forms of the secrets, longest first.
  fileprivate let forms: [Form]
  /// The forms that begin with a given byte.
  private let beginnings: [[Int]]
  /// Whether a secret may begin with a given byte of a text.
  fileprivate let begins: [Bool]
  private let mask: [UInt8]

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; those that are too short are ignored.
  ///   - mask: The replacement.
  package init(_ secrets: some Sequence<String>, mask: String = "•••") {
    var forms: Set<Form> = []
    for secret in secrets where !Self.isTooShort(secret) {
      let bytes = Array(secret.utf8)
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
    self.forms = forms.filter { !$0.bytes.isEmpty }.sorted {
      $0.bytes.count != $1.bytes.count
        ? $0.bytes.count > $1.bytes.count : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }
    var beginnings = [[Int]](repeating: [], count: 256)
    for (index, form) in self.forms.enumerated() { beginnings[Int(form.bytes[0])].append(index) }
    self.beginnings = beginnings
    begins = (0...UInt8.max).map { byte in
      SecretText.isEscape(byte) || !beginnings[Int(SecretText.lowercased(byte))].isEmpty
    }
    self.mask = Array(mask.utf8)
  }

  /// Whether a secret is too short to be found in a text.
  package static func isTooShort(_ secret: String) -> Bool {
    secret.utf8.count { !SecretText.isLineBreak($0) } < shortest
  }

  /// Whether there are no secrets.
  package var isEmpty: Bool { forms.isEmpty }

  /// The text with all secrets masked.
  package func redacted(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
  }

  /// The bytes of a text with all secrets masked.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    var stream = Stream(self)
    return bytes.withUnsafeBytes { stream.append($0) } + stream.finish()
  }

  /// The JSON text with all secrets in its strings masked.
  ///
  /// - Returns: `nil` if there are none.
  package func redacted(json bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !forms.isEmpty else { return nil }
    let text = SecretText(bytes: bytes, isJSON: true, isWhole: true)
    var result: [UInt8]?
    var (place, start, isText) = (0, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if isText {
        if begins[Int(byte)], case .found(let end) = find(in: text, at: place) {
          result = (result ?? []) + bytes[start..<place] + mask
          (place, start) = (end, end)
          continue
        }
        // An escape is passed as a whole, so that no secret is found within it.
        if byte == UInt8(ascii: "\\") {
          place += place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "u") ? 5 : 1
        }
      }
      place += 1
    }
    return result.map { $0 + bytes[min(start, bytes.count)...] }
  }

  // MARK: Finding

  fileprivate enum Finding {
    case nothing
    /// The bytes end where a secret may continue.
    case undecided
    case found(end: Int)
  }

  /// Looks for a secret that begins at an offset.
  fileprivate func find(in text: SecretText, at place: Int) -> Finding {
    let first = text.bytes[place]
    var candidates = beginnings[Int(SecretText.lowercased(first))]
    if SecretText.isEscape(first) {
      switch text.unescaped(place) {
      case .byte(let byte, _): candidates += beginnings[Int(byte)]
      case .undecided: return .undecided
      case .none: break
      }
      if let (scalar, _) = text.escapedScalar(place) { candidates += beginnings[Int(scalar[0])] }
    }
    var end: Int?
    for index in candidates {
      let form = forms[index].bytes
      var match = text.match(form, at: place, depth: 0)
      if match.count < form.count, form.contains(where: SecretText.isEscape) {
        for depth in 1...SecretText.deepest where !match.isUndecided {
          let other = text.match(form, at: place, depth: depth)
          if other.isUndecided || other.count > match.count { match = other }
        }
      }
      if match.isUndecided { return .undecided }
      let isPart = match.count >= max(Self.shortestPart, (form.count + 1) / 2)
      // A string of JSON is rarely cut.
      let isCut = match.isAtEnd && match.count >= (text.isJSON ? Self.shortestPart : Self.shortest)
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
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let all = [UInt8](repeating: 0, count: alignment) + bytes
    var digits: [UInt8] = []
    // A digit is determined if all of its six bits are.
    let first = (alignment * 8 + 5) / 6
    for digit in first..<all.count * 8 / 6 {
      let bit = digit * 6
      let pair = Int(all[bit / 8]) << 8 | (bit / 8 + 1 < all.count ? Int(all[bit / 8 + 1]) : 0)
      digits.append(alphabet[pair >> (10 - bit % 8) & 63])
    }
    return digits
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

    /// Creates an empty stream.
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
      held.withUnsafeBufferPointer { bytes in
        let text = SecretText(bytes: bytes, isJSON: false, isWhole: isEnd)
        while place < bytes.count {
          guard redaction.begins[Int(bytes[place])] else {
            result.append(bytes[place])
            place += 1
            continue
          }
          switch redaction.find(in: text, at: place) {
          case .undecided: return
          case .found(let end):
            result += redaction.mask
            place = end
          case .nothing:
            result.append(bytes[place])
            place += 1
          }
        }
      }
      held.removeFirst(min(place, held.count))
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
