import ForagePlatform

/// Reads the bytes of a terminal's keyboard and mouse, which may arrive in pieces.
///
/// Sources: ECMA-48 (CSI, SS3, OSC, DCS), "XTerm Control Sequences" (keys, modifyOtherKeys, bracketed paste,
/// SGR mouse), "Comprehensive keyboard handling in terminals" (`CSI u`), rxvt's `rxvt.1` (`ESC O a`, `CSI 3
/// ^`). What is no key is swallowed whole, a reply of the terminal too, so that no part of it counts as keys.
/// The 8-bit controls of a VT220 count as well, as a byte and in UTF-8.
package struct KeyDecoder: Sendable {
  /// How long a bare Esc waits for the rest of a sequence before it counts as the key: longer over a network.
  private static let escapeDelay: (here: Duration, overSSH: Duration) = (
    .milliseconds(50), .milliseconds(150)
  )
  /// How long a sequence that has begun waits for its end before it is left out.
  private static let sequenceDelay: Duration = .milliseconds(500)
  /// How long a paste that has begun waits for more before what is there counts.
  private static let pasteDelay: Duration = .seconds(2)
  /// The most bytes of a paste: more than any query. The rest of a longer one is left out.
  static let maximumPaste = 64 * 1024
  /// The most bytes of a sequence; a longer one is no key.
  private static let maximumSequence = 64

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// What begins a sequence or a string behind Esc; with 0x40 added it is an 8-bit control by itself.
  private static let introducers = Array("[O]P_^X".utf8)

  /// What a byte belongs to.
  private enum State: Sendable {
    case ground
    /// Behind Esc.
    case escape
    /// Within a UTF-8 sequence.
    case character
    /// Within CSI or SS3.
    case sequence
    /// Within OSC, DCS, APC, PM or SOS, which end with ST or BEL.
    case string
    /// The same behind Esc, which may begin ST.
    case stringEscape
    /// Within the three bytes of a report of the mouse in the form of X10.
    case mouse
  }

  private let escapeTime: Duration
  private var state = State.ground
  /// The bytes of a sequence or character so far; of a string what began it, and the last byte.
  private var pending: [UInt8] = []
  /// Whether Alt belongs to what is read: behind Esc, whether there were two.
  private var isAlt = false
  /// The bytes of a paste that has not ended.
  private var paste: [UInt8]?

  /// - Parameter isRemote: Whether the keys come over a network.
  package init(isRemote: Bool = false) {
    escapeTime = isRemote ? Self.escapeDelay.overSSH : Self.escapeDelay.here
  }

  /// - Parameter environment: The variables of the process, of which ssh sets some.
  package init(environment: [String: String]) {
    self.init(isRemote: ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false })
  }

  /// When `timeOut` is due after the last byte; `nil` if nothing waits.
  package var delay: Duration? {
    if paste != nil { return Self.pasteDelay }
    return switch state {
    case .ground, .character: nil
    case .escape: escapeTime
    case .sequence, .string, .stringEscape, .mouse: Self.sequenceDelay
    }
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [BrowseInput] {
    var found: [BrowseInput] = []
    for byte in bytes {
      if paste != nil { endPaste(byte, &found) } else { read(byte, &found) }
    }
    return found
  }

  /// Takes a waiting Esc for the key and a paste without an end for one that ended, and leaves out a sequence
  /// that has no end.
  package mutating func timeOut() -> [BrowseInput] {
    if let text = paste {
      paste = nil
      return [.paste(String(decoding: text, as: UTF8.self))]
    }
    defer { if state != .character { (state, pending, isAlt) = (.ground, [], false) } }
    return state == .escape ? Array(repeating: .key(.escape), count: isAlt ? 2 : 1) : []
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
    switch state {
    case .ground: start(byte, &found)
    case .escape: readBehindEscape(byte, &found)
    case .character: readCharacter(byte, &found)
    case .sequence: readSequence(byte, &found)
    case .string: readString(byte, &found)
    case .stringEscape:
      end()
      if byte != UInt8(ascii: "\\") {
        state = .escape
        readBehindEscape(byte, &found)
      }
    case .mouse:
      // All three are 0x20 and more.
      guard byte >= 0x20 else {
        end()
        return read(byte, &found)
      }
      pending.append(byte)
      if pending.count == 3 { end() }
    }
  }

  private mutating func end() { (state, pending, isAlt) = (.ground, [], false) }

  private mutating func start(_ byte: UInt8, _ found: inout [BrowseInput]) {
    switch byte {
    case Self.escape: state = .escape
    case 0x80...0x9F: readControl(byte, isRaw: true, &found)
    case 0xC2...0xF4: (state, pending) = (.character, [byte])
    default: if let key = Self.key(byte) { found.append(.key(key)) }
    }
  }

  /// The key of a byte by itself.
  private static func key(_ byte: UInt8) -> BrowseKey? {
    switch byte {
    case 0x0D: .enter
    case 0x09: .tab
    case 0x08, 0x7F: .backspace
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }

  private mutating func readBehindEscape(_ byte: UInt8, _ found: inout [BrowseInput]) {
    let beginsSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
    if isAlt, !beginsSequence {
      isAlt = false
      found.append(.key(.escape))
    }
    switch byte {
    case _ where beginsSequence: (state, pending) = (.sequence, [byte])
    case _ where Self.introducers.contains(byte): (state, pending) = (.string, [byte, byte])
    // Some terminals write Alt with a key as one more Esc before its sequence.
    case Self.escape: isAlt = true
    case 0x80...0x9F:
      isAlt = true
      readControl(byte, isRaw: true, &found)
    case 0xC2...0xF4: (state, pending, isAlt) = (.character, [byte], true)
    default:
      end()
      if let key = Self.key(byte) { found.append(.key(key.withAlt)) }
    }
  }

  /// Takes an 8-bit control for Esc and a character; one that begins nothing is left out.
  ///
  /// - Parameter isRaw: Whether it is a byte by itself, as then the one that ends a string is.
  private mutating func readControl(_ byte: UInt8, isRaw: Bool, _ found: inout [BrowseInput]) {
    guard Self.introducers.contains(byte - 0x40) else { return end() }
    readBehindEscape(byte - 0x40, &found)
    if isRaw, state == .string { pending[0] = byte }
  }

  /// Reads on in a string, which ends with ST or BEL. One that was cut is followed by a key or by another
  /// sequence.
  private mutating func readString(_ byte: UInt8, _ found: inout [BrowseInput]) {
    switch byte {
    case Self.escape: state = .stringEscape
    case 0x07, 0x18, 0x1A: end()
    case 0x9C where pending[0] >= 0x80 || pending[1] == 0xC2: end()
    case 0x00..<0x08, 0x0E..<0x20:
      end()
      read(byte, &found)
    default: pending[1] = byte
    }
  }

  private mutating func readCharacter(_ byte: UInt8, _ found: inout [BrowseInput]) {
    guard byte & 0xC0 == 0x80 else {
      end()
      return read(byte, &found)
    }
    pending.append(byte)
    guard pending.count == Self.length(pending[0]) else { return }
    if pending[0] == 0xC2, byte < 0xA0 { return readControl(byte, isRaw: false, &found) }
    if let text = String(validating: pending, as: UTF8.self), let character = text.first {
      found.append(.key(isAlt ? .alt(character) : .character(character)))
    }
    end()
  }

  /// The bytes of a UTF-8 sequence, from its first byte.
  private static func length(_ first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

  private mutating func readSequence(_ byte: UInt8, _ found: inout [BrowseInput]) {
    // A control character ends a damaged sequence.
    guard byte >= 0x20, byte < 0x7F else {
      end()
      return read(byte, &found)
    }
    // The rest of a long one is left out up to its end.
    if pending.count <= Self.maximumSequence { pending.append(byte) }
    let isControl = pending[0] == UInt8(ascii: "[")
    let isEnd: Bool
    if isControl, byte == UInt8(ascii: "["), pending.count == 2 {
      // The console of Linux: ESC [ [ A.
      isEnd = false
    } else if isControl, byte == UInt8(ascii: "$") {
      // rxvt: CSI 3 $; in replies it stands before the end.
      isEnd = pending.count > 2 && pending[1...].dropLast().allSatisfy { (0x30...0x39).contains($0) }
    } else {
      isEnd = byte >= 0x40 || !isControl && !(0x30...0x3B).contains(byte)
    }
    guard isEnd else { return }
    let (sequence, isAlt) = (pending, isAlt)
    end()
    guard sequence.count <= Self.maximumSequence else { return }
    // Before a report it was the key.
    if isAlt, Self.isReport(sequence) { found.append(.key(.escape)) }
    if sequence == Array("[M".utf8) {
      state = .mouse
    } else {
      take(sequence, isAlt, &found)
    }
  }

  /// Whether a sequence is a report of the mouse or a reply of the terminal, by its first parameter.
  private static func isReport(_ sequence: [UInt8]) -> Bool {
    sequence.count > 1 && "<=>?!".utf8.contains(sequence[1]) || sequence == Array("[M".utf8)
  }

  /// Takes a whole sequence, without its Esc.
  ///
  /// - Parameter isAlt: Whether Alt belongs to its key.
  private mutating func take(_ sequence: [UInt8], _ isAlt: Bool, _ found: inout [BrowseInput]) {
    let text = String(decoding: sequence.dropFirst().dropLast(), as: UTF8.self)
    let end = Character(Unicode.Scalar(sequence[sequence.count - 1]))
    if text.hasPrefix("<") { return takeMouse(text.dropFirst(), isPress: end == "M", &found) }
    // Replies of the terminal, and the function keys of the console of Linux.
    guard !Self.isReport(sequence), text.first != "[" else { return }
    // Parts behind a colon are alternatives.
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      part.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    }
    let code = numbers.first?.first ?? 0
    let modifiers = KeyModifiers(numbers.count > 1 ? numbers[1] : [])
    guard !modifiers.isRelease else { return }
    let key: BrowseKey?
    switch end {
    case "~" where code == 200:
      paste = []
      return
    case "~" where code == 27 && numbers.count > 2: key = modifiers.key(code: numbers[2].first ?? 0)
    case "u" where sequence[0] == UInt8(ascii: "["):
      // The key itself, with Shift, and at its place on a keyboard of Latin letters.
      let codes = numbers[0] + [0, 0]
      let isShifted = modifiers.hasShift && codes[1] > 0
      key =
        modifiers.isCommand && code >= 0x80 && codes[2] > 0
        ? modifiers.key(code: codes[2]) : modifiers.key(code: isShifted ? codes[1] : code)
    case "~", "^", "$", "@": key = Self.numbered[code].map { modifiers.applied(to: $0) }
    default:
      let table = sequence[0] == UInt8(ascii: "O") ? Self.keypad : Self.cursor
      // rxvt's small letters have no numbers, as reports have.
      key = end.isLowercase && !text.isEmpty ? nil : table[end].map { modifiers.applied(to: $0) }
    }
    if let key { found.append(.key(isAlt ? KeyModifiers.alt.applied(to: key) : key)) }
  }

  /// The keys of `CSI … ~`, and of `^`, `$` and `@` in rxvt.
  private static let numbered: [Int: BrowseKey] = [
    1: .home, 7: .home, 4: .end, 8: .end, 3: .delete, 5: .pageUp, 6: .pageDown,
  ]
  /// The keys of `CSI … LETTER`.
  private static let cursor: [Character: BrowseKey] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab, "a": .up, "b": .down,
    "c": .right, "d": .left,
  ]
  /// The keys of `SS3 LETTER`: also those of the numeric keypad.
  private static let keypad: [Character: BrowseKey] = {
    var keys = cursor
    (keys["a"], keys["b"], keys["c"], keys["d"]) = (.up, .down, .wordRight, .wordLeft)
    (keys["M"], keys["Z"], keys["I"], keys[" "]) = (.enter, nil, .tab, .character(" "))
    for (letter, character) in zip("jklmnopqrstuvwxyX", "*+,-./0123456789=") {
      keys[letter] = .character(character)
    }
    return keys
  }()

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

/// The modifiers of a key: one more than a sum of 1 for Shift, 2 for Alt, 4 for Ctrl and others, then the
/// type of the event.
private struct KeyModifiers {
  private let bits: Int
  /// Whether the key was released, which Kitty can tell.
  let isRelease: Bool

  init(_ parts: [Int]) {
    bits = max(0, min(parts.first ?? 1, 256) - 1)
    isRelease = parts.count > 1 && parts[1] == 3
  }

  static let alt = KeyModifiers([3])

  var hasShift: Bool { bits & 1 != 0 }
  private var hasAlt: Bool { bits & 2 != 0 }
  private var hasControl: Bool { bits & 4 != 0 }
  /// Whether a character with them is not text.
  var isCommand: Bool { hasAlt || hasControl }

  /// A key with the modifiers: Alt and Ctrl move and delete by words.
  func applied(to key: BrowseKey) -> BrowseKey {
    guard isCommand else { return hasShift && key == .tab ? .backTab : key }
    switch key {
    case .left: return .wordLeft
    case .right: return .wordRight
    case .backspace: return .deleteWordBefore
    case .delete: return .deleteWordAfter
    default: return key
    }
  }

  /// The key of a Unicode code point (`CSI u` and modifyOtherKeys), or of Kitty's keypad; `nil` for what is
  /// no key here.
  func key(code: Int) -> BrowseKey? {
    switch code {
    case 9: return hasShift ? .backTab : .tab
    case 13, 57414: return .enter
    case 27: return .escape
    case 8, 127: return applied(to: .backspace)
    case 0x5B where hasControl: return .escape
    case 57399...57408: return .character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30))))
    case 57409...57413: return .character(Array("./*-+")[code - 57409])
    case 57415: return .character("=")
    case 57416: return .character(",")
    case 57417...57424:
      return applied(to: [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end][code - 57417])
    case 57426: return applied(to: .delete)
    // Kitty's other keys have no character.
    case 57344...63743: return nil
    default: break
    }
    guard code >= 0x20, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
    let character = Character(scalar)
    if hasControl, let letter = String(character).lowercased().first, letter.isASCII, letter.isLetter {
      // What a terminal sends for these without the protocol.
      switch letter {
      case "h": return .backspace
      case "i": return .tab
      case "m": return .enter
      default: return .control(letter)
      }
    }
    if hasControl { return nil }
    return hasAlt ? .alt(character) : .character(character)
  }
}

/// A key of the keyboard.
package enum BrowseKey: Hashable, Sendable {
  case character(Character)
  /// A letter together with Ctrl.
  case control(Character)
  /// A character together with Alt.
  case alt(Character)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// Keys for words, as Alt or Ctrl with an arrow, Backspace or Delete.
  case wordLeft, wordRight, deleteWordBefore, deleteWordAfter

  /// The same key with Alt; what has no meaning with it is the key alone.
  fileprivate var withAlt: BrowseKey {
    switch self {
    case .character(let character): .alt(character)
    case .backspace: .deleteWordBefore
    default: self
    }
  }
}

/// Input from the terminal.
package enum BrowseInput: Hashable, Sendable {
  case key(BrowseKey)
  /// Text that was pasted, as one piece.
  case paste(String)
  /// The left button was pressed; both count from 0.
  case click(column: Int, row: Int)
  case wheel(isUp: Bool)
}
