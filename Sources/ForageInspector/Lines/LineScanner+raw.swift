extension LineScanner {
  /// Scans `"..."` or `#"..."#` after an `r`; false if no quote follows.
  mutating func rustRaw() -> Bool {
    var place = at
    var hashes = 0
    while place < count, bytes[place] == UInt8(ascii: "#") {
      place += 1
      hashes += 1
    }
    guard place < count, bytes[place] == UInt8(ascii: "\"") else { return false }
    code()
    at = place + 1
    rawString(quotes: 1, hashes: hashes, isMultiline: true)
    return true
  }

  /// Scans `#"..."#` or `#"""..."""#` with any number of `#`; a run of `#` without a quote is code.
  mutating func swiftRaw() -> Bool {
    code()
    var hashes = 0
    while at < count, bytes[at] == UInt8(ascii: "#") {
      at += 1
      hashes += 1
    }
    guard at < count, bytes[at] == UInt8(ascii: "\"") else { return true }
    let isTriple =
      at + 2 < count && bytes[at + 1] == UInt8(ascii: "\"") && bytes[at + 2] == UInt8(ascii: "\"")
    at += isTriple ? 3 : 1
    rawString(quotes: isTriple ? 3 : 1, hashes: hashes, isMultiline: isTriple)
    return true
  }

  /// Scans up to the closing quotes and the `#` after them.
  private mutating func rawString(quotes: Int, hashes: Int, isMultiline: Bool) {
    while at < count {
      switch bytes[at] {
      case 0x0A:
        guard isMultiline else { return }
        endLine()
        skipSpaceInString()
      case UInt8(ascii: "\""):
        var seen = 0
        while at < count, bytes[at] == UInt8(ascii: "\"") {
          at += 1
          seen += 1
        }
        guard seen >= quotes else { continue }
        // Without `#` the first quotes close the string; further ones are not part of it.
        if hashes == 0 {
          at -= seen - quotes
          return
        }
        var marks = 0
        while marks < hashes, at < count, bytes[at] == UInt8(ascii: "#") {
          at += 1
          marks += 1
        }
        if marks == hashes { return }
      default:
        at += 1
      }
    }
  }

  /// Scans `R"word(...)word"`; false if no parenthesis follows within the 16 characters that the delimiter
  /// may have.
  mutating func cppRaw(_ token: SyntaxRule) -> Bool {
    let wordStart = at + token.open.count
    var wordEnd = wordStart
    while wordEnd < count, wordEnd - wordStart <= 16, bytes[wordEnd] != UInt8(ascii: "("),
      bytes[wordEnd] != UInt8(ascii: "\""), bytes[wordEnd] != 0x0A
    {
      wordEnd += 1
    }
    guard wordEnd < count, bytes[wordEnd] == UInt8(ascii: "(") else { return false }
    let length = wordEnd - wordStart
    code()
    at = wordEnd + 1
    while at < count {
      if bytes[at] == 0x0A {
        endLine()
        skipSpaceInString()
        continue
      }
      let isClosing =
        bytes[at] == UInt8(ascii: ")") && at + length + 1 < count
        && bytes[at + length + 1] == UInt8(ascii: "\"")
        && (0..<length).allSatisfy { bytes[at + 1 + $0] == bytes[wordStart + $0] }
      if isClosing {
        at += length + 2
        return true
      }
      at += 1
    }
    return true
  }

  /// Scans a string between equal runs of three or more quotes.
  mutating func quoteRun() -> Bool {
    let quote = bytes[at]
    code()
    var length = 0
    while at < count, bytes[at] == quote {
      at += 1
      length += 1
    }
    // `""""""` is an empty string.
    var run = 0
    while at < count {
      let byte = bytes[at]
      if byte == 0x0A {
        endLine()
        skipSpaceInString()
        run = 0
        continue
      }
      at += 1
      run = byte == quote ? run + 1 : 0
      if run == length { return true }
    }
    return true
  }

  /// Scans the delimiter word after `<<`; the text begins on the next line. False if no word follows.
  mutating func heredoc(_ token: SyntaxRule) -> Bool {
    guard lostHeredocs < Self.lostHeredocLimit else { return false }
    var place = at + token.open.count
    // `<<<` is not a heredoc, except in PHP, which has a token of its own for it.
    if at > lineStart, bytes[at - 1] == UInt8(ascii: "<") { return false }
    if place < count, bytes[place] == UInt8(ascii: "<") { return false }
    var mayIndent = token.open.count > 2
    while place < count, bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "~") {
      mayIndent = true
      place += 1
    }
    // Shells and PHP allow spaces here; in other languages a space means an operator.
    if token.isMultiline {
      while place < count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    }
    guard place < count else { return false }
    var quote: UInt8 = 0
    switch bytes[place] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      quote = bytes[place]
      place += 1
    case UInt8(ascii: "\\"):
      place += 1
    default: break
    }
    let start = place
    // A word is limited to 80 bytes, more than people write.
    if quote != 0 {
      while place < count, bytes[place] != quote, bytes[place] != 0x0A, place - start < 80 { place += 1 }
      guard place < count, bytes[place] == quote else { return false }
    } else {
      while place < count, Self.isWord(bytes[place]), place - start < 80 { place += 1 }
    }
    guard place > start, quote != 0 || !(0x30...0x39).contains(bytes[start]) else { return false }
    code()
    if heredocs < Self.heredocLimit {
      heredocStarts[heredocs] = start
      heredocCounts[heredocs] = place - start
      heredocIndents[heredocs] = mayIndent ? 1 : 0
      heredocs += 1
    }
    at = quote != 0 ? place + 1 : place
    return true
  }

  /// At the beginning of the line after heredocs: counts the lines of each, up to its delimiter word.
  mutating func skipHeredocs() {
    let waiting = heredocs
    heredocs = 0
    for number in 0..<waiting {
      let start = heredocStarts[number]
      let length = heredocCounts[number]
      guard lostHeredocs < Self.lostHeredocLimit else { return }
      guard let end = heredocEnd(start, length, mayIndent: heredocIndents[number] == 1) else {
        lostHeredocs += 1
        continue
      }
      while at < end {
        skipSpaceInString()
        skipLine()
        if at < count { endLine() }
      }
    }
  }

  /// Returns the index of the line that has a heredoc's delimiter word; nil if there is none.
  private func heredocEnd(_ wordStart: Int, _ length: Int, mayIndent: Bool) -> Int? {
    var line = at
    while line < count {
      var place = line
      if mayIndent {
        while place < count, Self.isSpace(bytes[place]) { place += 1 }
      }
      if length <= count - place, (0..<length).allSatisfy({ bytes[place + $0] == bytes[wordStart + $0] }) {
        let end = place + length
        if end == count || bytes[end] == 0x0A || bytes[end] == 0x0D { return line }
        // In PHP, and in nested calls of Ruby, code may follow the word.
        if mayIndent, [UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: ")")].contains(bytes[end]) {
          return line
        }
      }
      line = lineEnd(from: place) + 1
    }
    return nil
  }
}
