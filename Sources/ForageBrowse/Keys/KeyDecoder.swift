import ForagePlatform

/// Reads the bytes of a terminal's keyboard and mouse, which may arrive in pieces.
///
/// Sources: ECMA-48 (CSI, SS3), "XTerm Control Sequences" (keys, bracketed paste, SGR mouse).
package struct KeyDecoder: Sendable {
  /// How long an Esc waits for the rest of a sequence before it counts as the key.
  package static let escapeDelay: Duration = .milliseconds(25)
  /// The most bytes of a paste: more than any query. The rest of a longer one is left out.
  static let maximumPaste = 64 * 1024
  /// The most bytes of a sequence; a longer one is no key.
  private static let maximumSequence = 64

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Bytes that are not a whole key yet.
  private var pending: [UInt8] = []
  /// The bytes of a paste that has not ended.
  private var paste: [UInt8]?

  package init() {}

  /// Whether a bare Esc waits: `timeOut` is due after `escapeDelay`.
  package var isAwaiting: Bool { pending == [Self.escape] }

  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [BrowseInput] {
    var found: [BrowseInput] = []
    for byte in bytes {
      if paste != nil { endPaste(byte, &found) } else { read(byte, &found) }
    }
    return found
  }

  /// Takes a waiting Esc for the key.
  package mutating func timeOut() -> [BrowseInput] {
    guard isAwaiting else { return [] }
    pending = []
    return [.key(.escape)]
  }

  private mutating func endPaste(_ byte: UInt8, _ found: inout [BrowseInput]) {
    // Room for the end, so that it is recognized however long the paste is.
    if paste?.count == Self.maximumPaste + Self.pasteEnd.count { paste?.remove(at: Self.maximumPaste) }
    paste?.append(byte)
    guard let text = paste, byte == UInt8(ascii: "~"), text.suffix(Self.pasteEnd.count) == Self.pasteEnd[...]
    else { return }
    paste = nil
    found.append(.paste(String(decoding: text.dropLast(Self.pasteEnd.count), as: UTF8.self)))
  }

  private mutating func read(_ byte: UInt8, _ found: inout [BrowseInput]) {
    guard let first = pending.first else { return start(byte, &found) }
    if first != Self.escape {
      // Within a UTF-8 sequence.
      guard byte & 0xC0 == 0x80 else {
        pending = []
        return read(byte, &found)
      }
      pending.append(byte)
      guard pending.count == Self.length(first) else { return }
      if let text = String(validating: pending, as: UTF8.self), let character = text.first {
        found.append(.key(.character(character)))
      }
      pending = []
      return
    }
    guard pending.count > 1 else {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
        pending.append(byte)
      } else {
        // Alt and a key, or two keys in quick succession.
        pending = []
        found.append(.key(.escape))
        read(byte, &found)
      }
      return
    }
    // A control character ends a damaged sequence.
    guard byte >= 0x20, byte < 0x7F else {
      pending = []
      return read(byte, &found)
    }
    pending.append(byte)
    let isEnd = pending[1] == UInt8(ascii: "O") || byte >= 0x40
    guard isEnd || pending.count > Self.maximumSequence else { return }
    let sequence = pending
    pending = []
    if isEnd { take(sequence, &found) }
  }

  private mutating func start(_ byte: UInt8, _ found: inout [BrowseInput]) {
    switch byte {
    case Self.escape: pending = [byte]
    case 0x0D, 0x0A: found.append(.key(.enter))
    case 0x09: found.append(.key(.tab))
    case 0x08, 0x7F: found.append(.key(.backspace))
    case 0x01...0x1A: found.append(.key(.control(Character(Unicode.Scalar(byte + 0x60)))))
    case 0x20...0x7E: found.append(.key(.character(Character(Unicode.Scalar(byte)))))
    case 0xC2...0xF4: pending = [byte]
    default: break
    }
  }

  /// The bytes of a UTF-8 sequence, from its first byte.
  private static func length(_ first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

  /// Takes a whole escape sequence.
  private mutating func take(_ sequence: [UInt8], _ found: inout [BrowseInput]) {
    let text = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
    let end = Character(Unicode.Scalar(sequence[sequence.count - 1]))
    if text.hasPrefix("<") { return takeMouse(text.dropFirst(), isPress: end == "M", &found) }
    let numbers = text.split(separator: ";").map { Int($0) ?? 0 }
    let key: BrowseKey? =
      switch end {
      case "A": .up
      case "B": .down
      case "C": .right
      case "D": .left
      case "H": .home
      case "F": .end
      case "Z": .backTab
      case "M" where sequence[1] == UInt8(ascii: "O"): .enter
      case "~":
        switch numbers.first {
        case 1, 7: .home
        case 4, 8: .end
        case 3: .delete
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
      default: nil
      }
    if end == "~", numbers.first == 200 { paste = [] }
    if let key { found.append(.key(key)) }
  }

  /// Takes `button;column;row`. Motion and the other buttons mean nothing here.
  private func takeMouse(_ text: Substring, isPress: Bool, _ found: inout [BrowseInput]) {
    let numbers = text.split(separator: ";").compactMap { Offset($0) }
    guard isPress, numbers.count == 3 else { return }
    switch numbers[0].value {
    // Bits 2 to 4 are Shift, Alt and Ctrl.
    case 64, 68, 72, 80: found.append(.wheel(isUp: true))
    case 65, 69, 73, 81: found.append(.wheel(isUp: false))
    case 0 where numbers[1] > 0 && numbers[2] > 0:
      found.append(.click(column: numbers[1].value - 1, row: numbers[2].value - 1))
    default: break
    }
  }
}

/// A key of the keyboard.
package enum BrowseKey: Hashable, Sendable {
  case character(Character)
  /// A letter together with Ctrl.
  case control(Character)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}

/// What comes from the terminal.
package enum BrowseInput: Hashable, Sendable {
  case key(BrowseKey)
  /// Text that was pasted, as one piece.
  case paste(String)
  /// The left button was pressed; both count from 0.
  case click(column: Int, row: Int)
  case wheel(isUp: Bool)
}
