/// Replaces secrets in text from outside by a mask.
///
/// A secret is found as it is, in percent-encoding, and in Base64 at any alignment, also where a line break stands within it. At the beginning
/// and the end of a text a part of a secret counts too, because the text may be cut.
package struct SecretRedaction: Sendable {
  /// Bytes of a part of a secret that are replaced at the ends of a text: fewer occur by chance.
  private static let shortestPart = 8
  /// Bytes of a secret that is replaced within JSON: fewer occur in results by chance.
  private static let shortestInJSON = 6
  /// Bytes of a line break within a secret.
  private static let longestBreak = 2

  /// What a secret may look like, the longest first.
  private let forms: [[UInt8]]
  /// Whether a form begins with a byte.
  private let begins: [Bool]
  private let mask: [UInt8]

  /// Prepares the search for secrets.
  ///
  /// - Parameters:
  ///   - secrets: The secrets; empty ones are ignored.
  ///   - mask: What stands in their place.
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
        // The alphabet for URLs (RFC 4648, section 5).
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

  /// Whether there is nothing to replace.
  package var isEmpty: Bool { forms.isEmpty }

  /// The text with a mask in place of every secret.
  package func redacted(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
  }

  /// The bytes of a text with a mask in place of every secret.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    var stream = Stream(self)
    return bytes.withUnsafeBytes { stream.append($0) } + stream.finish()
  }

  /// The JSON text with a mask in place of every secret within its strings, also where they are escaped.
  ///
  /// - Returns: `nil` where there is none.
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

  /// What a form comes to at a place.
  fileprivate enum Match {
    case none
    /// The bytes end within the form, after so many bytes of it.
    case partial(Int)
    case whole(end: Int)
  }

  /// Compares a form with the bytes from a place on.
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

  /// Compares a form with a JSON string from a place within it on.
  ///
  /// - Returns: The place behind the form.
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

  /// The byte that stands at a place of a JSON string, and the place of the next one; `nil` at its end and for escapes beyond ASCII.
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

  /// The percent-encoded text with its hexadecimal digits in lower case.
  private static func lowercasedEscapes(_ text: String) -> String {
    var (result, digits) = ("", 0)
    for character in text {
      result += digits > 0 ? character.lowercased() : String(character)
      digits = character == "%" ? 2 : max(0, digits - 1)
    }
    return result
  }

  /// The digits of Base64 (RFC 4648) that depend on the bytes alone, when so many others stand before them.
  private static func base64(_ bytes: [UInt8], alignment: Int) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let all = [UInt8](repeating: 0, count: alignment) + bytes
    var digits: [UInt8] = []
    // A digit is known when all of its six bits are.
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
  /// Replaces secrets in bytes that arrive in pieces.
  ///
  /// What may be the beginning of a secret is held until it is known whether it is one.
  package struct Stream: Sendable {
    private let redaction: SecretRedaction
    private var held: [UInt8] = []
    private var hasBegun = false

    /// Creates a stream without bytes.
    package init(_ redaction: SecretRedaction) { self.redaction = redaction }

    /// Takes the next bytes.
    ///
    /// - Returns: The bytes that are ready.
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

    /// The place behind the end of a secret with which the bytes begin, its own beginning being cut away.
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
