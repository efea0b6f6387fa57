/// Masks secrets in untrusted text.
///
/// A secret is found in any case, plain, in Base64 at any alignment and in hexadecimal; each of these also
/// percent-encoded, as HTML entities or with the escapes of JSON (repeatedly, too), and interrupted by a line
/// break with indentation. A beginning of at least half of a secret is masked as well, and at both ends of a
/// text a shorter part, because the text may be truncated.
package struct SecretRedaction: Sendable {
  /// The minimum length in bytes of a secret that is masked; shorter texts occur in results by chance.
  package static let shortest = 6
  /// The minimum length in bytes of a part of a secret that is masked; shorter ones occur by chance.
  private static let shortestPart = 8

  /// The forms of the secrets in lower case, longest first.
  fileprivate let forms: [[UInt8]]
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
    var forms: Set<[UInt8]> = []
    for secret in secrets where !Self.isTooShort(secret) {
      let bytes = Array(secret.utf8)
      // A line break may stand anywhere within a form.
      forms.insert(bytes.filter { !SecretText.isLineBreak($0) }.map(SecretText.lowercased))
      forms.insert(bytes.flatMap { [SecretText.digits[Int($0 >> 4)], SecretText.digits[Int($0 & 15)]] })
      for alignment in 0..<3 {
        let base64 = Self.base64(bytes, alignment: alignment)
        forms.insert(base64.map(SecretText.lowercased))
        // The URL-safe alphabet (RFC 4648, section 5).
        forms.insert(
          base64.map {
            $0 == UInt8(ascii: "+")
              ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : SecretText.lowercased($0)
          })
      }
    }
    self.forms = forms.filter { !$0.isEmpty }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
    }
    var beginnings = [[Int]](repeating: [], count: 256)
    for (index, form) in self.forms.enumerated() { beginnings[Int(form[0])].append(index) }
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
      let form = forms[index]
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
      if match.count == form.count || isPart || isCut { end = max(end ?? 0, match.end) }
    }
    return end.map { .found(end: $0) } ?? .nothing
  }

  // MARK: Forms

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
          isEnd || held.count - indentation >= longest.count || held.contains(where: SecretText.isLineBreak)
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
      let lower = held.dropFirst(start).prefix(redaction.forms.first?.count ?? 0).map(SecretText.lowercased)
      for form in redaction.forms where form.count > SecretRedaction.shortestPart {
        for dropped in 1...(form.count - SecretRedaction.shortestPart)
        where lower.starts(with: form[dropped...]) {
          return form.count - dropped
        }
      }
      return nil
    }
  }
}
