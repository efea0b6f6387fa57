/// One configuration file, parsed as git parses it; includes are not followed.
///
/// Used where git ignores includes, too: for a repository's format and `.gitmodules`.
package struct ConfigFile: Sendable, Hashable {
  /// A setting of the file.
  package struct Entry: Sendable, Hashable {
    /// `section.key` or `section.subsection.key`; section and key in lower case, the subsection as written.
    package let key: String
    /// The value; nil for a key without `=`, which means true.
    package let value: String?

    /// Creates an entry.
    package init(key: String, value: String?) {
      self.key = key
      self.value = value
    }
  }

  /// The entries in the order of the file.
  package let entries: [Entry]

  /// Parses a configuration file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the name of the file for errors.
  /// - Throws: `corrupt` with the number of the first invalid line.
  package init(_ bytes: [UInt8], name: String) throws(GitError) {
    var parser = Parser(bytes: bytes)
    guard parser.parse() else {
      throw GitError(
        .corrupt, "line \(parser.line) of \(name) is not a valid configuration line",
        hint: "correct the line")
    }
    entries = parser.entries
  }

  /// Returns the last value of a key.
  package func string(_ key: String) -> String? {
    entries.last { $0.key == key }?.value
  }
}

private struct Parser {
  let bytes: [UInt8]
  var position = 0
  var line = 1
  var section = ""
  var entries: [ConfigFile.Entry] = []

  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    var byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\r"), current == UInt8(ascii: "\n") {
      position += 1
      byte = UInt8(ascii: "\n")
    }
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  /// Parses the file; false at an invalid line, whose number is then in `line`.
  mutating func parse() -> Bool {
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C:
        _ = next()
      case UInt8(ascii: "#"), UInt8(ascii: ";"):
        while let skipped = next(), skipped != UInt8(ascii: "\n") {}
      case UInt8(ascii: "["):
        guard parseSection() else { return false }
      default:
        guard parseKey() else { return false }
      }
    }
    return true
  }

  private mutating func parseSection() -> Bool {
    _ = next()
    var name: [UInt8] = []
    while let byte = current {
      if byte == UInt8(ascii: "]") {
        _ = next()
        section = String(decoding: name, as: UTF8.self)
        return !name.isEmpty
      }
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { return parseSubsection(name) }
      guard isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else {
        return false
      }
      name.append(lowercased(byte))
      _ = next()
    }
    return false
  }

  private mutating func parseSubsection(_ name: [UInt8]) -> Bool {
    while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { _ = next() }
    guard current == UInt8(ascii: "\"") else { return false }
    _ = next()
    var text = name + [UInt8(ascii: ".")]
    while let byte = current, byte != UInt8(ascii: "\n") {
      _ = next()
      if byte == UInt8(ascii: "\"") {
        guard current == UInt8(ascii: "]") else { return false }
        _ = next()
        section = String(decoding: text, as: UTF8.self)
        return true
      }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = current, escaped != UInt8(ascii: "\n") else { return false }
        _ = next()
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return false
  }

  private mutating func parseKey() -> Bool {
    guard !section.isEmpty, let first = current, isLetter(first) else { return false }
    var key: [UInt8] = []
    while let byte = current, isAlphanumeric(byte) || byte == UInt8(ascii: "-") {
      key.append(lowercased(byte))
      _ = next()
    }
    while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { _ = next() }
    let name = "\(section).\(String(decoding: key, as: UTF8.self))"
    switch current {
    case UInt8(ascii: "="):
      _ = next()
      guard let value = parseValue() else { return false }
      entries.append(.init(key: name, value: value))
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#"), UInt8(ascii: ";"):
      entries.append(.init(key: name, value: nil))
    default:
      return false
    }
    return true
  }

  private mutating func parseValue() -> String? {
    var value: [UInt8] = []
    var kept = 0
    var quoted = false
    var comment = false
    while let byte = next() {
      if byte == UInt8(ascii: "\n") {
        guard quoted else { break }
        line -= 1
        return nil
      }
      if comment { continue }
      switch byte {
      case UInt8(ascii: " ") where !quoted, UInt8(ascii: "\t") where !quoted:
        if !value.isEmpty { value.append(byte) }
        continue
      case UInt8(ascii: "#") where !quoted, UInt8(ascii: ";") where !quoted:
        comment = true
        continue
      case UInt8(ascii: "\""):
        quoted.toggle()
      case UInt8(ascii: "\\"):
        guard let escaped = next() else { return nil }
        switch escaped {
        case UInt8(ascii: "\n"): continue
        case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): value.append(escaped)
        default: return nil
        }
      default:
        value.append(byte)
      }
      kept = value.count
    }
    if quoted { return nil }
    return String(decoding: value.prefix(kept), as: UTF8.self)
  }
}

func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
