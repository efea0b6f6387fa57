/// The `<script>` blocks of a component of Vue or Svelte, which are the programs in it.
enum ScriptBlocks {
  /// The languages of such components, as GitHub Linguist names them.
  static let languages: Set = ["Vue", "Svelte"]

  /// The blocks that begin on lines of their own, outside of comments, in their order: where the text of each
  /// is, and its language.
  static func of(_ text: UnsafeRawBufferPointer) -> [(range: Range<Int>, language: Language)] {
    var blocks: [(range: Range<Int>, language: Language)] = []
    var place = 0
    while place < text.count {
      let line = text.part(place..<text.count)
      let start = place + line.prefix { $0 <= 32 }.count
      if starts("<!--", at: start, text) {
        place = end(of: "-->", from: start, text) ?? text.count
      } else if starts("<script", at: start, text), let tag = endOfTag(start + 7, text) {
        let end = end(of: "</script", from: tag, text).map { $0 - 8 } ?? text.count
        if text[tag - 2] == Mark.slash {
          place = tag
        } else {
          if let language = language(text.part(start..<tag)) { blocks.append((tag..<end, language)) }
          place = end + 1
        }
      } else {
        place = text.lineEnd(from: start) + 1
      }
    }
    return blocks
  }

  /// The place behind the `>` of a tag, whose attributes may have the mark in quotes; the end of the text for
  /// a tag that does not end, `nil` if it is no tag.
  private static func endOfTag(_ start: Int, _ text: UnsafeRawBufferPointer) -> Int? {
    guard start < text.count, text[start] <= 32 || text[start] == Mark.greater || text[start] == Mark.slash
    else { return nil }
    var quote: UInt8 = 0
    for place in start..<text.count {
      let byte = text[place]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == Mark.quote || byte == Mark.apostrophe {
        quote = byte
      } else if byte == Mark.greater {
        return place + 1
      }
    }
    return text.count
  }

  /// The language of a block by its tag; `nil` for another one than JavaScript and TypeScript.
  private static func language(_ tag: UnsafeRawBufferPointer) -> Language? {
    let words = String(decoding: tag, as: UTF8.self).split { " \t\r\n\"'>=".contains($0) }
    guard let name = words.firstIndex(of: "lang").map({ words[words.index(after: $0)...].first ?? "" }) else {
      return .javaScript
    }
    switch name {
    case "js", "jsx", "javascript": return .javaScript
    case "ts", "typescript": return .typeScript
    case "tsx": return .tsx
    default: return nil
    }
  }

  private static func starts(_ word: StaticString, at place: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let count = word.utf8CodeUnitCount
    return place + count <= text.count && (0..<count).allSatisfy { text[place + $0] == word.utf8Start[$0] }
  }

  /// The place behind the next occurrence of a text.
  private static func end(of word: StaticString, from start: Int, _ text: UnsafeRawBufferPointer) -> Int? {
    var place = start
    while place < text.count {
      if text[place] == word.utf8Start[0], starts(word, at: place, text) {
        return place + word.utf8CodeUnitCount
      }
      place += 1
    }
    return nil
  }
}
