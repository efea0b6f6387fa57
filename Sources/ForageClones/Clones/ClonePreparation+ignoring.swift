import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// What is left out of every search and list.
extension ClonePreparation {
  private var file: IgnoredClones { IgnoredClones(beside: forage.paths.configFile) }

  /// What is ignored, that of the settings first.
  package func ignored() throws -> [Settings.Clones.Ignored] {
    try forage.settings().clones.ignored + file.read().content.map { .init(text: $0, place: file.path) }
  }

  /// Ignores paths, clones and patterns, and reports how many clones of the catalogue each takes out.
  ///
  /// - Throws: `ForageError` for what is neither a path that exists or is written as one, nor a name, nor a
  ///   pattern.
  package func ignore(_ texts: [String], lastList: () -> LastList?) throws {
    for text in try texts.flatMap({ try patterns($0, lastList, withIgnored: false) }) {
      let clones = try count(text)
      guard try !file.set(true, for: [text]).isEmpty else {
        forage.reporter.message("\(text) is already ignored")
        continue
      }
      forage.reporter.message(
        "\(text) is ignored: \(HumanFormat.plural(clones, "clone")) left out of searches and lists, nothing deleted"
      )
    }
  }

  /// Ignores paths and patterns no longer.
  ///
  /// - Throws: `ForageError` for what is not ignored, or by the settings.
  package func includeAgain(patterns texts: [String], lastList: () -> LastList?) throws {
    let content = file.read().content
    let meant = try texts.flatMap { text in
      if content.contains(pattern(text)) { return [pattern(text)] }
      // Of several clones with the name, those that are ignored.
      let named = try patterns(text, lastList, withIgnored: true)
      let ignored = named.filter(content.contains)
      return ignored.isEmpty ? named : ignored
    }
    for text in meant {
      guard try file.set(false, for: [text]).isEmpty else {
        let way =
          FileAccess.isDirectory(text) ? "forage clones add \(text.shellQuoted)" : "forage clones scan"
        forage.reporter.message("\(text) is no longer ignored; to find new clones there, run: \(way)")
        continue
      }
      let ofSettings = try forage.settings().clones.ignored
      guard let ignored = ofSettings.first(where: { pattern($0.text) == text }) else {
        throw ForageError("\(text) is not ignored", hint: "see what is: forage clones ignore")
      }
      throw ForageError("\(text) is ignored by \(ignored.place)", hint: "remove it from that file")
    }
  }

  /// Ignores no longer what is added.
  ///
  /// - Throws: `ForageError` for a folder that another path or a pattern ignores.
  func includeAgain(_ folders: [String]) throws {
    let paths = try folders.map { try Self.folder($0, hint: "check the path; nothing was added") }
    // What is ignored in this run is not asked before the file is written.
    let ofSettings = try forage.settings().clones.ignored.map(\.text)
    let others = ofSettings + file.read().content.filter { !paths.contains($0) }
    let rest = IgnoredFolders(others, home: forage.paths.home)
    for path in paths {
      guard let ignored = rest.pattern(for: path) else { continue }
      throw ForageError(
        "\(path) cannot be added: \(ignored) is ignored",
        hint: "see what is ignored, and where: forage clones ignore")
    }
    for path in try file.set(false, for: paths) { forage.reporter.message("\(path) is no longer ignored") }
  }

  /// Ignores a clone or a folder that the next scan would find again.
  func ignoreRemoved(_ path: String) throws {
    let inside = try count(path) - 1
    _ = try file.set(true, for: [path])
    let others = inside > 0 ? " with \(HumanFormat.plural(inside, "clone")) inside it" : ""
    forage.reporter.message(
      "\(path)\(others) is ignored from now on, nothing deleted; to undo, run: forage clones ignore --remove \(path.shellQuoted)"
    )
  }

  /// The clones of the catalogue that a path or a pattern takes out.
  private func count(_ text: String) throws -> Int {
    let ignored = IgnoredFolders([text], home: forage.paths.home)
    return try forage.store.existing()?.clones().count { ignored.contains($0.path) } ?? 0
  }

  private func isPattern(_ path: String) -> Bool {
    path.contains { $0 == "*" || $0 == "?" } && !ReferencePath.exists(path)
  }

  /// An argument as the file has it: a pattern, or the paths that it means.
  ///
  /// - Throws: `ForageError` for what is none of these.
  private func patterns(_ text: String, _ lastList: () -> LastList?, withIgnored: Bool) throws -> [String] {
    let pattern = pattern(text)
    guard !isPattern(text) else { return [pattern] }
    // A path that is there is what is ignored.
    if !withIgnored, ReferencePath.exists(text) { return [pattern] }
    let found = try paths(text, lastList: lastList, withIgnored: withIgnored)
    guard found == [pattern], !withIgnored, forage.writtenPath(text) == nil else { return found }
    throw ForageError(
      "\(text) is no clone of the catalogue, and no path that exists",
      hint: "to ignore what is not there yet, write \("./\(text)".shellQuoted)")
  }

  /// An argument as the file has it: a pattern as written but for `~` and `.`, a path without links.
  private func pattern(_ text: String) -> String {
    var path = text.hasPrefix("~/") ? forage.paths.home + text.dropFirst() : text
    guard isPattern(path) else { return Self.absolute(path) }
    if path.hasPrefix("./") { path = Self.absolute(".") + path.dropFirst() }
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
