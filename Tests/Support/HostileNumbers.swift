/// Numbers that hardly any program expects, in place of those of a text.
public enum HostileNumbers {
  /// Numbers at the limits of types and beyond them, fractions, and a text.
  public static let values = [
    "9223372036854775807", "-9223372036854775808", "-1", "0", "2147483647", "2147483648", "1.5", "1e308",
    "-1e308", "1e-320", "1e19", "18446744073709551616", "1e400", "\"text\"",
  ]

  /// A text for each of its numbers and each of the values, in which the value is in place of the number.
  ///
  /// - Parameter inQuotes: Whether numbers between double quotes are replaced, too; in JSON these are texts.
  public static func variants(of text: String, inQuotes: Bool = false) -> [String] {
    let bytes = Array(text.utf8)
    return numbers(in: bytes, inQuotes: inQuotes).flatMap { place in
      values.map { value in
        var changed = bytes
        changed.replaceSubrange(place, with: value.utf8)
        return String(decoding: changed, as: UTF8.self)
      }
    }
  }

  /// The places of the numbers: digits that belong to no word, with their sign, fraction and exponent.
  private static func numbers(in bytes: [UInt8], inQuotes: Bool) -> [Range<Int>] {
    var (found, position, isQuoted): ([Range<Int>], Int, Bool) = ([], 0, false)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\"), isQuoted {
        position += 2
      } else if isQuoted, !inQuotes {
        isQuoted = byte != UInt8(ascii: "\"")
        position += 1
      } else if isDigit(byte)
        || byte == UInt8(ascii: "-") && bytes[(position + 1)...].prefix(1).contains(where: isDigit)
      {
        let isOfWord = position > 0 && isLetter(bytes[position - 1])
        let rest = bytes[(position + 1)...].prefix { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: ".") }
        if !isOfWord, !rest.contains(where: { isLetter($0) && $0 | 0x20 != UInt8(ascii: "e") }) {
          found.append(position..<rest.endIndex)
        }
        position = rest.endIndex
      } else {
        if byte == UInt8(ascii: "\""), !inQuotes { isQuoted = true }
        position += 1
      }
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
