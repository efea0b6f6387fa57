/// Commands in the strings of a shell, and what looks like a quote or a heredoc and is none.
extension SourceLexer {
  /// A `case` in an interpolation: a pattern in it ends with a bracket that was not opened.
  struct OpenCase {
    var frameCount: Int
    /// The brackets that are open around it in the interpolation.
    var depth: Int
  }

  /// Whether the closing bracket at the position is the end of a pattern.
  var endsPattern: Bool {
    guard let last = openCases.last else { return false }
    return last.frameCount == frames.count && last.depth == frames[frames.count - 1].depth
  }

  /// Reads `case` and `esac` in an interpolation; the position is behind the word.
  mutating func noteCase(_ word: Word, from start: Int) {
    guard features.contains(.shell), let frame = frames.last, frame.closer == Mark.closeParenthesis else {
      return
    }
    if word == .esac {
      if openCases.last?.frameCount == frames.count { openCases.removeLast() }
    } else if byte(position) <= 32, beginsCommand(start) {
      openCases.append(OpenCase(frameCount: frames.count, depth: frame.depth))
    }
  }

  private func beginsCommand(_ start: Int) -> Bool {
    var place = start - 1
    while byte(place) == 32 || byte(place) == 9 { place -= 1 }
    switch byte(place) {
    case Mark.newline, Mark.semicolon, Mark.bar, Mark.ampersand, Mark.openParenthesis, Mark.closeParenthesis,
      Mark.openBrace, Mark.exclamation:
      return true
    default:
      return starts(with: "then", at: place - 3) || starts(with: "else", at: place - 3)
        || starts(with: "do", at: place - 1)
    }
  }

  /// A backtick, which may end the command in a string.
  mutating func readBacktick() -> Bool {
    guard frames.last?.closer == Mark.backtick else { return false }
    endInterpolation()
    return true
  }

  /// In `"${x:-it's}"` the apostrophe opens no string, other than in `"${x#'a'}"`.
  func isPlainApostrophe() -> Bool {
    guard let frame = frames.last, frame.opener == Mark.openBrace else { return false }
    var end = position + 1
    while end < text.count {
      switch text[end] {
      case Mark.apostrophe: return false
      case Mark.quote, Mark.newline, Mark.closeBrace: return true
      default: end += 1
      }
    }
    return true
  }

  /// How far back the brackets of a calculation are looked for.
  private static let longestCalculation = 256

  /// Whether the position is between `((` and `))`, where `<<` moves bits.
  var isInCalculation: Bool {
    var depth = 0
    var place = position - 1
    while place > 0, place > position - Self.longestCalculation, text[place] != Mark.newline {
      if text[place] == Mark.closeParenthesis {
        depth += 1
      } else if text[place] == Mark.openParenthesis {
        let before = byte(place - 2)
        if depth > 0 {
          depth -= 1
        } else if text[place - 1] == Mark.openParenthesis,
          before <= 32 || before == Mark.dollar || before == Mark.semicolon
        {
          return true
        }
      }
      place -= 1
    }
    return false
  }
}
