/// The lines of a preprocessor.
extension SourceLexer {
  private enum Directive { case define, begin, alternative, end, other }

  /// Reads `#` and the word behind it; `false`: this is no directive.
  mutating func readDirective() -> Bool {
    let start = position
    var place = position + 1
    while byte(place) == 32 || byte(place) == 9 { place += 1 }
    let nameStart = place
    while byte(place) | 32 &- 97 < 26 { place += 1 }
    let directive = directive(from: nameStart, to: place)
    if !features.contains(.preprocessor), directive == .other || directive == .define { return false }
    position = place
    switch directive {
    case .define:
      isInDirective = true
      readMacro(from: start)
    case .begin:
      let isLeftOut = isZero(at: place)
      openConditionals.append(isLeftOut)
      if isLeftOut {
        if skippedConditional == nil { skippedConditional = openConditionals.count }
      } else {
        addConditional(.begin)
      }
      isInDirective = true
    case .alternative:
      if skippedConditional == openConditionals.count {
        skippedConditional = nil
        openConditionals[openConditionals.count - 1] = false
        addConditional(.begin)
      } else if !openConditionals.isEmpty {
        addConditional(.alternative)
      }
      isInDirective = true
    case .end:
      if skippedConditional == openConditionals.count {
        skippedConditional = nil
        openConditionals.removeLast()
      } else if let isLeftOut = openConditionals.popLast(), !isLeftOut {
        addConditional(.end)
      }
      isInDirective = true
    case .other:
      skipDirective()
    }
    return true
  }

  private mutating func addConditional(_ kind: Conditional.Kind) {
    guard skippedConditional == nil else { return }
    conditionals.append(Conditional(kind: kind, tokenCount: tokens.count))
  }

  private func directive(from start: Int, to end: Int) -> Directive {
    var hash = WordTable.seed
    for place in start..<end { hash = WordTable.step(hash, text[place]) }
    switch words.word(forHash: hash) {
    case .define: return .define
    case .if, .ifdef, .ifndef: return .begin
    case .else, .elif, .elseif, .elifdef, .elifndef: return .alternative
    case .endif: return .end
    default: return .other
    }
  }

  /// `#if 0`, whose branch is no code in practice.
  private func isZero(at place: Int) -> Bool {
    guard features.contains(.preprocessor) else { return false }
    var place = place
    while byte(place) == 32 || byte(place) == 9 { place += 1 }
    return byte(place) == UInt8(ascii: "0") && byte(place + 1) <= 32
  }

  /// The name of a macro, and where its lines end.
  private mutating func readMacro(from start: Int) {
    var place = position
    while byte(place) == 32 || byte(place) == 9 { place += 1 }
    let nameStart = place
    while grammar.actions[Int(byte(place))] == .word || grammar.actions[Int(byte(place))] == .digit {
      place += 1
    }
    position = place
    guard place > nameStart, skippedConditional == nil else { return }
    var end = place
    while end < text.count {
      if text[end] == Mark.newline {
        var before = end - 1
        if byte(before) == 13 { before -= 1 }
        guard byte(before) == Mark.backslash, features.contains(.lineContinuation) else { break }
      }
      end += 1
    }
    macros.append(Macro(name: nameStart..<place, extent: start..<end))
  }

  /// The rest of a line such as `#include` or `#error`, whose quotes are prose.
  private mutating func skipDirective() {
    while position < text.count {
      let byte = text[position]
      if byte == Mark.newline {
        guard self.byte(position - 1) == Mark.backslash else { return }
      } else if byte == Mark.slash {
        if self.byte(position + 1) == Mark.star {
          readBlockComment()
          continue
        }
        if self.byte(position + 1) == Mark.slash {
          readLineComment()
          return
        }
      } else if byte == Mark.quote {
        let start = position
        position += 1
        while position < text.count, text[position] != Mark.quote, text[position] != Mark.newline {
          position += 1
        }
        if self.byte(position) == Mark.quote { position += 1 }
        addNotCode(start, min(position, text.count))
        continue
      }
      position += 1
    }
  }
}
