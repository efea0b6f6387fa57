/// Masks secrets in untrusted text.
///
/// A secret is found in plain form, percent-encoded, and in Base64 at any alignment, also if a line break
/// interrupts it. At the beginning and end of a text a part of a secret is masked too, because the text may
/// be truncated.
package struct SecretRedaction: Sendable {
  /// The minimum length in bytes of a part of a secret that is masked at the ends of a text; shorter ones
  /// occur by chance.
  private static let shortestPart = 8
  /// The minimum length in bytes of a secret that is masked within JSON; shorter ones occur in results by
  /// chance.
  private static let shortestInJSON = 6
  /// The maximum length in bytes of a line break within a secret.
  private static let longestBreak = 2

  /// The encoded forms of the secrets, longest first.
  private let forms: [[UInt8]]
  /// Whether a form begins with a given byte.
  private let begins: [Bool]
  private let mask: [UInt8]

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; empty ones are ignored.
  ///   - mask: The replacement.
  package init(_ secrets: some Sequence<String>, mask: String = "•••") {
    var forms: Set<[UInt8]> = []
    for secret in secrets where !secret.isEmpty {
      let bytes = Array(secret.utf8)
      forms.insert(bytes)
      guard bytes.count >= Self.shortestInJSON else { continue }
      let encoded = PercentEncoding.encode(secret)
      forms.insert(Array(encoded.utf8))
      forms.insert(Array(Self.lowercasedEscapes(encoded).utf8))
      forms.insert(Array(encoded.replacing("%20", with: "+").utf8))
      for alignment in 0..<3 {
        let base64 = Self.base64(bytes, alignment: alignment)
        forms.insert(base64)
        // The URL-safe alphabet (RFC 4648, section 5).
        forms.insert(
          base64.map {
            $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
          })
      }
    }
    self.forms = forms.sorted { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }
    var begins = [Bool](repeating: false, count: 256)
    for form in forms { if let first = form.first { begins[Int(first)] = true } }
    self.begins = begins
    self.mask = Array(mask.utf8)
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

  /// The JSON text with all secrets in its strings masked, including escaped ones.
  ///
  /// - Returns: `nil` if there are none.
  package func redacted(json bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !forms.isEmpty else { return nil }
    var result: [UInt8]?
    var (place, start, isText) = (0, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if isText {
        if byte == UInt8(ascii: "\\") || begins[Int(byte)], let end = secretInJSON(bytes, at: place) {
          result = (result ?? []) + bytes[start..<place] + mask
          (place, start) = (end, end)
          continue
        }
        if byte == UInt8(ascii: "\\") { place += 1 }
      }
      place += 1
    }
    return result.map { $0 + bytes[start...] }
  }

  // MARK: Finding

  /// The result of comparing a form at an offset.
  fileprivate enum Match {
    case none
    /// The bytes end within the form; with the number of matching bytes.
    case partial(Int)
    case whole(end: Int)
  }

  /// Compares a form with the bytes at an offset.
  fileprivate static func match(_ form: [UInt8], _ bytes: ArraySlice<UInt8>, at place: Int) -> Match {
    var (index, matched, breaks) = (place, 0, 0)
    while matched < form.count {
      guard index < bytes.endIndex else { return .partial(matched) }
      let byte = bytes[index]
      if byte == form[matched] {
        (matched, breaks) = (matched + 1, 0)
      } else if matched > 0, breaks < longestBreak, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        breaks += 1
      } else {
        return .none
      }
      index += 1
    }
    return .whole(end: index)
  }

  private func secretInJSON(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    for form in forms where form.count >= Self.shortestInJSON {
      if let end = Self.matchInJSON(form, bytes, at: place) { return end }
    }
    return nil
  }

  /// Compares a form with a JSON string at an offset.
  ///
  /// - Returns: The offset after the form.
  private static func matchInJSON(_ form: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int?
  {
    var (index, matched, breaks) = (place, 0, 0)
    while matched < form.count {
      guard let (byte, next) = unescaped(bytes, at: index) else { return nil }
      if byte == form[matched] {
        (matched, breaks) = (matched + 1, 0)
      } else if matched > 0, breaks < longestBreak, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        breaks += 1
      } else {
        return nil
      }
      index = next
    }
    return index
  }

  /// The byte at an offset of a JSON string, unescaped, and the offset of the next one; `nil` at its end and
  /// for non-ASCII escapes.
  private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> (UInt8, Int)? {
    guard place < bytes.count, bytes[place] != UInt8(ascii: "\"") else { return nil }
    guard bytes[place] == UInt8(ascii: "\\") else { return (bytes[place], place + 1) }
    guard place + 1 < bytes.count else { return nil }
    switch bytes[place + 1] {
    case UInt8(ascii: "n"): return (UInt8(ascii: "\n"), place + 2)
    case UInt8(ascii: "r"): return (UInt8(ascii: "\r"), place + 2)
    case UInt8(ascii: "t"): return (UInt8(ascii: "\t"), place + 2)
    case UInt8(ascii: "u"):
      guard place + 6 <= bytes.count,
        let code = UInt8(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16), code < 128
      else { return nil }
      return (code, place + 6)
    default: return (bytes[place + 1], place + 2)
    }
  }

  // MARK: Forms

  /// The percent-encoded text with lower-case hexadecimal digits.
  private static func lowercasedEscapes(_ text: String) -> String {
    var (result, digits) = ("", 0)
    for character in text {
      result += digits > 0 ? character.lowercased() : String(character)
      digits = character == "%" ? 2 : max(0, digits - 1)
    }
    return result
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
      if !hasBegun, let end = endOfCutSecret() {
        result += redaction.mask
        place = end
      }
      searching: while place < held.count {
        hasBegun = true
        if redaction.begins[Int(held[place])] {
          for form in redaction.forms {
            switch SecretRedaction.match(form, held[...], at: place) {
            case .none: continue
            case .partial(let count) where isEnd && count < min(SecretRedaction.shortestPart, form.count):
              continue
            case .partial:
              if !isEnd { break searching }
              result += redaction.mask
              place = held.count
            case .whole(let end):
              result += redaction.mask
              place = end
            }
            continue searching
          }
        }
        result.append(held[place])
        place += 1
      }
      held.removeFirst(min(place, held.count))
      return result
    }

    /// The offset after the end of a secret whose beginning was cut off.
    private func endOfCutSecret() -> Int? {
      for form in redaction.forms where form.count > SecretRedaction.shortestPart {
        for dropped in 1...(form.count - SecretRedaction.shortestPart)
        where held.starts(with: form[dropped...]) {
          return form.count - dropped
        }
      }
      return nil
    }
  }
}
