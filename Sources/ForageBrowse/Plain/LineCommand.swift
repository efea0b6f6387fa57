import ForageCore

/// The meaning of a line of `forage browse --plain`.
package enum LineCommand: Hashable, Sendable {
  case search(String)
  /// Show everything about a result.
  case open(Int)
  case mark(BrowseMark, Int)
  /// Open its page in the browser.
  case page(Int)
  /// Open its file, or its clone, in the editor.
  case edit(Int)
  /// Clone it; the default folder without one.
  case clone(Int, folder: String?)
  case facts(Int)
  case more, feed, random, refresh, help, quit
  case kind(String)
  case sort(String?)
  /// Which providers are asked; none to list them.
  case providers([String])
  case nothing

  /// Reads a line. What is no command is searched for; a `/` before a word makes any word a search.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that there are; `kind WORD` with another word is a search.
  ///   - providers: The ids of the providers, likewise.
  package init(_ line: String, kinds: [String], providers: [String]) {
    let text = line.trimmingWhitespace()
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else {
      self = .nothing
      return
    }
    if first.hasPrefix("/") {
      let query = String(text.dropFirst()).trimmingWhitespace()
      self = query.isEmpty ? .nothing : .search(query)
      return
    }
    let number = words.count > 1 ? Self.number(words[1]) : nil
    switch (Self.otherNames[first] ?? first, words.count) {
    case (_, 1) where Self.number(first) != nil: self = .open(Self.number(first) ?? 0)
    case ("more", 1): self = .more
    case ("feed", 1): self = .feed
    case ("random", 1): self = .random
    case ("refresh", 1): self = .refresh
    case ("help", 1): self = .help
    case ("quit", 1): self = .quit
    case ("s", 2) where number != nil: self = .mark(.star, number ?? 0)
    case ("f", 2) where number != nil: self = .mark(.favorite, number ?? 0)
    case ("o", 2) where number != nil: self = .page(number ?? 0)
    case ("e", 2) where number != nil: self = .edit(number ?? 0)
    case ("i", 2) where number != nil: self = .facts(number ?? 0)
    case ("c", 2...) where number != nil:
      let folder = words.dropFirst(2).joined(separator: " ")
      self = .clone(number ?? 0, folder: folder.isEmpty ? nil : folder)
    case ("kind", 2) where kinds.contains(words[1]): self = .kind(words[1])
    case ("sort", 2) where words[1] == "relevance": self = .sort(nil)
    case ("sort", 2) where BrowseState.sorts.contains(words[1]): self = .sort(words[1])
    case ("providers", 1): self = .providers([])
    case ("providers", 2...) where words.dropFirst().allSatisfy(providers.contains):
      self = .providers(Array(words.dropFirst()))
    default: self = .search(text)
    }
  }

  /// Long names of commands, and keys of the full screen, with the names that mean the same here.
  private static let otherNames = [
    "open": "o", "edit": "e", "star": "s", "favorite": "f", "q": "quit", "?": "help",
  ]

  private static func number(_ word: String) -> Int? {
    word.utf8.allSatisfy { (48...57).contains($0) } ? Int(word) : nil
  }

  /// The commands, with what they do.
  package static let commands: [(command: String, does: String)] = [
    ("WORDS", "search for the words"), ("/WORDS", "search also for a word that is a command"),
    ("3", "show everything about result 3"),
    ("s 3, star 3", "star result 3, or remove the star"),
    ("f 3, favorite 3", "add result 3 to the favorites, or remove it"),
    ("o 3, open 3", "open the page of result 3, or its file"),
    ("e 3, edit 3", "open the file of result 3, or its clone, in the editor"),
    ("c 3 [FOLDER]", "clone result 3"), ("i 3", "facts of the clone of result 3"),
    ("more", "the next results"), ("feed", "what providers offer without a query"),
    ("random", "ten of the feed at random"), ("refresh", "ask every provider again"),
    ("kind KIND", "search for results of a kind, for example: kind issue"),
    ("sort KEY", "sort by relevance, stars or updated"),
    ("providers [ID...]", "list the providers, or choose some"), ("help, ?", "these commands"),
    ("quit, q", "quit; the end of input too"),
  ]
}
