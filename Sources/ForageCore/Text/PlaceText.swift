/// Shortens names of files so that the file itself can still be told from others.
package enum PlaceText {
  /// A text cut in the middle; of a file (`owner/name:path`) folders go first, then the owner, then the
  /// repository.
  ///
  /// - Parameter isShort: Whether the owner of a file's repository goes in any case, as it does in other
  ///   rows.
  package static func fitted(_ text: String, to limit: Int, isShort: Bool = false) -> String {
    let fits = TextWidth.width(of: text, beyond: limit) <= limit
    guard !fits || isShort else { return text }
    guard let (repository, path) = parts(text) else {
      return fits ? text : TextWidth.truncatedInside(text, to: limit)
    }
    let isShort = isShort || !hasRoom(for: repository, beside: path, in: limit)
    let name = (isShort ? shortName(repository) : repository) + ":"
    let room = limit - TextWidth.of(name)
    let fitted = self.path(path, to: room)
    return room > 0 && isWhole(fitted, path) ? name + fitted : self.path(path, to: limit)
  }

  /// Whether a text is that of a file whose repository loses its owner at a width.
  package static func needsShortName(_ text: String, in limit: Int) -> Bool {
    // No text is wider than its bytes are many.
    guard text.utf8.count > limit, let (repository, path) = parts(text) else { return false }
    return !hasRoom(for: repository, beside: path, in: limit)
  }

  /// Whether the whole name of a repository leaves room for the name of a file.
  ///
  /// - Parameter gap: The columns between both.
  package static func hasRoom(for repository: String, beside path: String, in limit: Int, gap: Int = 1)
    -> Bool
  {
    let used = TextWidth.of(repository)
    let room = limit - used - gap
    if TextWidth.width(of: path, beyond: max(0, room)) <= room { return true }
    // Folders say more than the rest of a long name.
    return used <= limit * 2 / 5 && isWhole(self.path(path, to: max(1, room)), path)
  }

  /// The name of a repository or folder without what it is in.
  package static func shortName(_ repository: String) -> String {
    repository.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The repository and the path of a file.
  private static func parts(_ text: String) -> (repository: String, path: String)? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon].contains("/"),
      !text[...colon].contains(where: \.isWhitespace), text[colon...].dropFirst().first != " "
    else { return nil }
    return (String(text[..<colon]), String(text[colon...].dropFirst()))
  }

  /// A path cut to a width: folders in its middle are left out first, and the name of the file is cut last.
  package static func path(_ path: String, to limit: Int) -> String {
    guard TextWidth.width(of: path, beyond: limit) > limit else { return path }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    for start in names.indices.dropFirst() {
      let end = "…/" + names[start...].joined(separator: "/")
      for text in start > 1 ? [names[0] + "/" + end, end] : [end] where TextWidth.of(text) <= limit {
        return text
      }
    }
    return TextWidth.truncatedInside(String(names.last ?? ""), to: limit)
  }

  /// Whether a shortened path still has the whole name of its file.
  package static func isWhole(_ fitted: String, _ path: String) -> Bool {
    fitted.split(separator: "/").last == path.split(separator: "/").last
  }
}
