/// Shortens names of files so that the file itself can still be told from others.
package enum PlaceText {
  /// A text cut in the middle; of a file (`owner/name:path`) the owner goes first, then folders, then the repository.
  package static func fitted(_ text: String, to limit: Int) -> String {
    guard TextWidth.width(of: text, beyond: limit) > limit else { return text }
    guard let colon = text.firstIndex(of: ":"), text[..<colon].contains("/"),
      !text[...colon].contains(where: \.isWhitespace), text[colon...].dropFirst().first != " "
    else { return TextWidth.truncatedInside(text, to: limit) }
    let path = String(text[colon...].dropFirst())
    let repository = (text[..<colon].split(separator: "/").last.map(String.init) ?? "") + ":"
    let room = limit - TextWidth.of(repository)
    let fitted = self.path(path, to: room)
    return room > 0 && isWhole(fitted, path) ? repository + fitted : self.path(path, to: limit)
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
