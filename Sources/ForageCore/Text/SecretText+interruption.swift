extension SecretText {
  /// The maximum length in bytes of what interrupts a secret.
  private static let longestInterruption = 128
  /// Characters that a terminal does not show: soft hyphen, zero-width ones, marks of direction, byte order mark.
  private static let invisible: [[UInt8]] = {
    let ranges: [ClosedRange<UInt32>] = [
      0xAD...0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF...0xFEFF,
    ]
    return ranges.joined().compactMap { number in
      UnicodeScalar(number).map { scalar in Array(String(Character(scalar)).utf8) }
    }
  }()

  /// What interrupts a secret.
  enum Interruption {
    case none
    /// The text ends within it.
    case undecided
    case until(Int)
  }

  /// Whether an interruption may begin with a byte.
  static func canInterrupt(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7F }

  /// What interrupts a secret at an offset: line breaks with the spaces around them, control sequences and
  /// invisible characters.
  func interruption(_ index: Int) -> Interruption {
    if let byte = at(index), !Self.canInterrupt(byte) { return .none }
    var (end, isFound) = (index, false)
    while end - index < Self.longestInterruption {
      guard let byte = at(end) else {
        guard isWhole else { return .undecided }
        break
      }
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        end += 1
      } else if byte < 0x20 || byte == 0x7F {
        isFound = true
        end += 1
        if byte == 0x1B {
          guard let after = controlSequence(end) else { return .undecided }
          end = after
        }
      } else if let length = invisibleLength(end) {
        guard length > 0 else { return .undecided }
        (end, isFound) = (end + length, true)
      } else {
        break
      }
    }
    return isFound ? .until(end) : .none
  }

  /// The offset after a control sequence (ECMA-48, 5.4) whose escape character is before an offset; `nil` if
  /// more bytes are needed.
  private func controlSequence(_ start: Int) -> Int? {
    guard let introducer = at(start) else { return isWhole ? start : nil }
    guard introducer == UInt8(ascii: "[") else { return start }
    var end = start + 1
    while let byte = at(end), (0x30...0x3F).contains(byte), end - start < Self.longestInterruption {
      end += 1
    }
    guard let final = at(end) else { return isWhole ? end : nil }
    return (97...122).contains(Self.lowercased(final)) ? end + 1 : end
  }

  /// The length of the invisible character at an offset; 0 if more bytes are needed, `nil` if there is none.
  private func invisibleLength(_ index: Int) -> Int? {
    for character in Self.invisible where character[0] == bytes[index] {
      let part = bytes[index..<min(index + character.count, bytes.count)]
      guard character.starts(with: part) else { continue }
      if part.count == character.count { return part.count }
      if !isWhole { return 0 }
    }
    return nil
  }
}
