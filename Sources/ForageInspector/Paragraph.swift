/// Extracts what a project is from a README (Markdown, reStructuredText or plain text), without markup: the
/// first paragraph of prose, or a later one that says `NAME is a …`, or what stands behind the name in the
/// title.
enum Paragraph {
  /// The length limit of a description in characters, about two lines of a terminal; longer text is cut at a
  /// word.
  static let limit = 300
  /// The characters of a paragraph that are examined for markup: enough for ``limit`` characters after links
  /// are reduced, and few enough that crafted text cannot make the patterns slow.
  private static let rawLimit = 2000

  /// A shorter paragraph is rather a title, a greeting or the name of a section: it is a description only if
  /// there is no longer one, and if no section follows the title before it.
  private static let leastWords = 4
  /// The fewest words of a description.
  private static let fewestWords = 3

  /// The most bytes of the title of a section that says what the section is about.
  private static let longestTitle = 200

  /// The most lines in which a sentence is looked for that says what the project is.
  private static let sayingLines = 100

  /// Returns the paragraph that can be a description as one line; nil if there is none.
  static func first(of text: String) -> String? {
    let all = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false)
    let body = all[frontMatterEnd(all)...]
    let found = prose(body)
    guard let title = title(of: body) else { return found?.text }
    if let start = saying(title.name, body), let said = prose(body[start...])?.text, says(said, title.name) {
      return said
    }
    // A paragraph of a later section is rather about something else.
    if let tagline = title.tagline, (found?.headings ?? 2) > 1 { return shortened(tagline) }
    return found?.text
  }

  /// The name in the first heading, and what stands behind it if that is long enough to be a description.
  private static func title(of body: ArraySlice<Substring>) -> (name: String, tagline: String?)? {
    var isCode = false
    let first = body.indices.first { index in
      if body[index].hasPrefix("```") || body[index].hasPrefix("~~~") { isCode.toggle() }
      let isUnderlined = index + 1 < body.endIndex && isUnderline(trimmed(body[index + 1]))
      return !isCode && (body[index].hasPrefix("# ") || isUnderlined && !trimmed(body[index]).isEmpty)
    }
    guard let first else { return nil }
    let text = plain(whole(body[first].drop { $0 == "#" || $0 == " " }.description))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let parts = text.wholeMatch(of: /(.+?)(?: [-–—|]+ |: )(.+)/) else {
      return text.isEmpty ? nil : (text, nil)
    }
    let tagline = String(parts.output.2)
    return (String(parts.output.1), wordCount(tagline) >= leastWords ? tagline : nil)
  }

  /// The line at which a paragraph says what the project with a name is, before the sections about its use.
  private static func saying(_ name: String, _ body: ArraySlice<Substring>) -> Int? {
    var isCode = false
    let lowercased = name.lowercased()
    for index in body.indices.prefix(sayingLines) {
      let line = body[index]
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isCode.toggle() }
      let isUnderlined = index + 1 < body.endIndex && isUnderline(trimmed(body[index + 1]))
      if line.hasPrefix("#") || isUnderlined, isAside(line.drop { $0 == "#" }) { return nil }
      let isFirst =
        index == body.startIndex || trimmed(body[index - 1]).isEmpty || body[index - 1].hasPrefix("#")
      // Markup may stand before the name.
      let isNamed = isFirst && !isCode && line.prefix(name.count + 4).lowercased().contains(lowercased)
      if isNamed, line.utf8.count <= rawLimit, says(plain(String(line)), name) { return index }
    }
    return nil
  }

  private static func says(_ text: String, _ name: String) -> Bool {
    guard text.prefix(name.count).lowercased() == name.lowercased() else { return false }
    return text.dropFirst(name.count).contains(/^ (is|are) (an?|the)\b/)
  }

  /// The first paragraph that can be a description as one line, and how many headings stand before it.
  private static func prose(_ body: ArraySlice<Substring>) -> (text: String, headings: Int)? {
    var headings = 0
    return prose(body, &headings).map { ($0, headings) }
  }

  private static func prose(_ body: ArraySlice<Substring>, _ headings: inout Int) -> String? {
    var lines: [Substring] = []
    var fence: Substring?
    // What ends the comment, heading or table of HTML that a line is in.
    var end: String?
    // Whether indented lines belong to a directive or field of reStructuredText.
    var isDirective = false
    // The level of a heading whose section is left out, with those below it.
    var left: Int?
    func enter(_ level: Int, _ title: Substring) {
      headings += 1
      if left.map({ level <= $0 }) ?? true { left = isAside(title) ? level : nil }
    }
    // A paragraph that only says where to read about the project, and a short one.
    var (pointer, short): (String?, String?)
    func take() -> String? {
      defer { lines = [] }
      guard left == nil, let text = joined(lines) else { return nil }
      let own = withoutPointers(text)
      if wordCount(own) >= leastWords { return shortened(withoutLead(own)) }
      if wordCount(text) >= leastWords {
        pointer = pointer ?? text
      } else if headings < 2 {
        short = short ?? text
      }
      return nil
    }
    for (position, raw) in zip(body.indices, body) {
      let line = trimmed(raw)
      if let open = fence {
        if line.hasPrefix(open) { fence = nil }
        continue
      }
      if let closing = end ?? hidden(line) {
        if end == nil, closing == Self.headingEnd { headings += 1 }
        end = line.contains(closing) ? nil : closing
        continue
      }
      if !line.isEmpty, raw.first?.isWhitespace == false { isDirective = false }
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        fence = line.prefix(3)
      } else if isUnderline(line) {
        // The previous line was a heading.
        if let pointer { return shortened(pointer) }
        if let title = lines.last { enter(line.first == "=" ? 1 : 2, title) }
        lines = []
        continue
      } else if line.isEmpty || isDirective {
        // It ends a paragraph.
      } else if isSkipped(line, raw, position) {
        isDirective = line.hasPrefix("..") || line.hasPrefix(":")
      } else if lines.isEmpty, !line.hasPrefix("<"), raw.hasPrefix("    ") || raw.hasPrefix("\t") {
        // Code.
      } else {
        let item = line.prefixMatch(of: /([-*+]|[0-9]+[.)])\s+/)?.output.0
        if item != nil || line.prefixMatch(of: /<(p|div|center|hr)\b/) != nil {
          if let found = take() { return found }
        }
        lines.append(line.dropFirst(item?.count ?? 0).drop { $0 == ">" || $0 == " " })
        if !line.contains("</p>") { continue }
      }
      if let found = take() { return found }
      guard line.hasPrefix("#") else { continue }
      // What follows is about something else.
      if let pointer { return shortened(pointer) }
      enter(line.prefix { $0 == "#" }.count, line.drop { $0 == "#" })
    }
    return take() ?? (pointer ?? short).flatMap(shortened)
  }

  /// A text without a last sentence that leads to a list.
  private static func withoutLead(_ text: String) -> String {
    guard text.hasSuffix(":") else { return text }
    return text.ranges(of: ". ").last.map { String(text[...$0.lowerBound]) } ?? String(text.dropLast())
  }

  /// Cuts a text at a word to at most ``limit`` characters; nil for an empty text.
  static func shortened(_ text: String) -> String? {
    if text.isEmpty { return nil }
    guard text.count > limit else { return text }
    let cut = text.prefix(limit - 1)
    let word = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
    return word + "…"
  }

  /// The lines as one; nil where they are no description.
  private static func joined(_ lines: [Substring]) -> String? {
    let raw = whole(lines.joined(separator: " "))
    guard plain(withoutLinks(raw)).contains(where: \.isLetter) else { return nil }
    let text = plain(raw).split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing(
      /^welcome to .*?[.!]+(\s|$)/.ignoresCase(), with: "", maxReplacements: 1)
    return wordCount(text) < fewestWords || isMenu(text) || isNotice(text) ? nil : text
  }

  /// Removes the first sentences that say where to read about the project, as in "See the website for
  /// documentation."
  private static func withoutPointers(_ text: String) -> String {
    var rest = text[...]
    while let sentence = rest.prefixMatch(
      of: /(see|visit|(please )?(follow|consult)|for (more|further) \w+)\b.*?[.!?](\s+|$)/.ignoresCase())?
      .output.0,
      sentence.contains(/\b(home ?page|web ?site|documentation|docs|guide|wiki|manual)\b/.ignoresCase())
    {
      rest = rest.dropFirst(sentence.count)
    }
    return String(rest)
  }

  /// The beginning of a text, without a tag that is cut.
  private static func whole(_ text: String) -> String {
    guard text.count > rawLimit else { return text }
    let cut = text.prefix(rawLimit)
    guard let start = cut.lastIndex(of: "<"), !cut[start...].contains(">") else { return String(cut) }
    return String(cut[..<start])
  }

  /// Removes links with their texts, and addresses.
  private static func withoutLinks(_ text: String) -> String {
    var result = withoutImages(text)
    result.replace(/\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/, with: "")
    result.replace(/<a\s.*?<\/a\s*>/, with: "")
    result.replace(/`[^`<]*<[^`>]*>`__?/, with: "")
    result.replace(/https?:\S+/, with: "")
    return result
  }

  /// The words of a text; scripts without spaces have about two letters a word.
  private static func wordCount(_ text: String) -> Int {
    let letters = text.unicodeScalars.count { $0.value >= 0x2E80 && $0.properties.isAlphabetic }
    return max(letters / 2, text.split(separator: " ").count { $0.contains(where: \.isLetter) })
  }

  /// Whether a text is a row of names, as of links or languages.
  private static func isMenu(_ text: String) -> Bool {
    let names = text.split(separator: /[|·•]/)
    return names.count > 2 && names.allSatisfy { wordCount(String($0)) <= leastWords }
  }

  /// Whether a section is about something other than the project.
  private static func isAside(_ title: Substring) -> Bool {
    // The patterns take the square of its length.
    guard title.utf8.count <= longestTitle else { return false }
    return title.wholeMatch(
      of:
        /\W*(donations|sponsors?|backers|for enterprise|(table of )?contents|news|announcements?|got a question|faq|frequently asked questions)\W*/
        .ignoresCase()) != nil
      || title.wholeMatch(
        of:
          /\W*(using .*|usage|(how to )?(use|install|build|run|contribute)|install(ing|ation)?|building|(getting|get) started|quick ?start)\W*/
          .ignoresCase()) != nil
      || title.wholeMatch(
        of:
          /\W*(set ?up|requirements|prerequisites|examples?|contributing|licen[sc]es?|documentation|swift package manager|thanks.*|.*stability|(project )?status)\W*/
          .ignoresCase()) != nil
  }

  /// Whether a text begins with news, a warning, or where to read something else.
  private static func isNotice(_ text: String) -> Bool {
    let sentence = text.prefixMatch(of: /.*?[.!?](\s|$)/)?.output.0 ?? text[...]
    return sentence.contains(
      /^\W*(this (is an automatically|repository is (a )?(read-only|mirror))|\S+ powers|(used|trusted|loved) by|thank(s| you)|copyright)\b/
        .ignoresCase())
      || sentence.contains(
        /^(\[!|(note|notice|news|update|warning|important|announcement|attention|latest release)\s*[:!])/
          .ignoresCase())
      || sentence.contains(/^(we('|’| a)re|please (see|refer|read)|this readme)\b/.ignoresCase())
      || sentence.contains(
        /\b(to announce|now (live|available)|sponsor(s|ed|ing)?|hiring|sign up|% off)\b/.ignoresCase())
      || isInstruction(sentence)
  }

  /// Whether a sentence says what to do, or leads to a list, rather than what the project is.
  private static func isInstruction(_ sentence: Substring) -> Bool {
    sentence.contains(
      /^(begin by|using|to (install|build|use|run|get|start|add)|(first|simply|just),? \w+|if you|you can)\b/
        .ignoresCase())
      || sentence.contains(
        /^(please|add|run|install|download|click|join|check out|looking for|try|get|special thanks|become|follow)\s/
          .ignoresCase())
      || sentence.contains(
        /^(for (any )?(questions?|support|help|bugs)|the (minimum|latest|current|newest))\b/.ignoresCase())
      || sentence.contains(/^this \w+ has .*\bfeatures\b/.ignoresCase())
  }

  /// What ends a heading of HTML.
  private static let headingEnd = "</h"

  /// The end of what a line begins that is no text: a comment, heading or table of HTML.
  private static func hidden(_ line: Substring) -> String? {
    if line.hasPrefix("<!--") { return "-->" }
    if line.contains(/<table\b/) { return "</table>" }
    return line.prefixMatch(of: /<h[1-6]\b/) == nil ? nil : headingEnd
  }

  /// Whether a line is not prose: a heading, directive, rule, table or link definition.
  private static func isSkipped(_ line: Substring, _ raw: Substring, _ position: Int) -> Bool {
    if line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix("..") || line.hasPrefix("[![") {
      return true
    }
    if line.hasPrefix(":"), line.dropFirst().contains(":") { return true }
    if line.hasPrefix("["), line.contains("]:") { return true }
    // A heading in AsciiDoc or Org.
    return line.hasPrefix("= ") || line.hasPrefix("* ") && position == 0
  }

  private static func isUnderline(_ line: Substring) -> Bool {
    guard let first = line.first, "=-~^*+_#".contains(first), line.count >= 2 else { return false }
    return line.allSatisfy { $0 == first }
  }

  /// Returns the index of the line after a YAML front matter; 0 if there is none.
  private static func frontMatterEnd(_ lines: [Substring]) -> Int {
    guard lines.first == "---" else { return 0 }
    return lines.dropFirst().firstIndex(of: "---").map { $0 + 1 } ?? 0
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }

  private static func withoutImages(_ text: String) -> String {
    text.replacing(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/, with: "")
  }

  /// Removes images, link targets, tags and emphasis.
  private static func plain(_ text: String) -> String {
    // Images first, because a link may contain one and then has no text left.
    var result = withoutImages(text)
    result.replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/) { String($0.1) }
    result.replace(/`([^`<]*[^`<\s])\s*<[^`>]*>`__?/) { String($0.1) }
    result.replace(/<(https?:[^>]*)>/) { String($0.1) }
    // References whose targets stand elsewhere: of Markdown, but not "[WIP]" at the beginning, and of
    // reStructuredText.
    result.replace(/([\s(])\[([a-zA-Z][^\[\]`]*)\](?=\W|$)/) { String($0.1) + String($0.2) }
    result.replace(/`([^`<>]+)`_/) { String($0.1) }
    result.replace(/(^|[\s(])([a-zA-Z][a-zA-Z0-9.+\-]*)_(?=[\s.,;:!?)]|$)/) { String($0.1) + String($0.2) }
    result.replace(/<[a-zA-Z\/!][^>]*>/, with: "")
    result.replace(/\*\*|__|`+/, with: "")
    result.replace(/(^|\s)[*_]([^*_]+)[*_](?=\W|$)/) { String($0.1) + String($0.2) }
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&"),
    ] {
      result.replace(entity, with: character)
    }
    return result
  }
}
