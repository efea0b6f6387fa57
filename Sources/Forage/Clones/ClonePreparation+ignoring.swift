import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
import ForageStore

/// What is left out of every search and list.
extension ClonePreparation {
  /// A path or a pattern, and the file that has it, of the settings with the line.
  package struct Ignored: Sendable {
    package var text: String
    package var place: String
  }

  private var file: IgnoredClones { IgnoredClones(beside: forage.paths.configFile) }

  /// What is ignored, that of the settings first.
  package func ignored() throws -> [Ignored] {
    let settings = try forage.settings().clones
    return settings.ignored.map { Ignored(text: $0, place: settings.ignoredPlace) }
      + file.read().content.map { Ignored(text: $0, place: file.path) }
  }

  /// Ignores paths and patterns, and reports how many clones of the catalogue each takes out.
  package func ignore(_ texts: [String]) throws {
    for text in texts.map(pattern) {
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
  package func includeAgain(patterns texts: [String]) throws {
    for text in texts.map(known) {
      guard try file.set(false, for: [text]).isEmpty else {
        let way =
          FileAccess.isDirectory(text) ? "forage clones add \(text.shellQuoted)" : "forage clones scan"
        forage.reporter.message("\(text) is no longer ignored; to find new clones there, run: \(way)")
        continue
      }
      let settings = try forage.settings().clones
      guard settings.ignored.contains(where: { pattern($0) == text }) else {
        throw ForageError("\(text) is not ignored", hint: "see what is: forage clones ignore")
      }
      throw ForageError("\(text) is ignored by \(settings.ignoredPlace)", hint: "remove it from that file")
    }
  }

  /// Ignores no longer what is added.
  ///
  /// - Throws: `ForageError` for a folder that another path or a pattern ignores.
  func includeAgain(_ folders: [String]) throws {
    let paths = try folders.map { try Self.folder($0, hint: "check the path; nothing was added") }
    // What is ignored in this run is not asked before the file is written.
    let others = try forage.settings().clones.ignored + file.read().content.filter { !paths.contains($0) }
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

  /// An argument as the file has it; a name is the only ignored path that ends with it, where nothing else is
  /// meant.
  private func known(_ text: String) -> String {
    let (own, all) = (pattern(text), file.read().content)
    let ends = all.filter { $0.hasSuffix("/" + text) }
    return all.contains(own) || ends.count != 1 ? own : ends[0]
  }

  /// An argument as the file has it: a pattern as written but for `~` and `.`, a path without links.
  private func pattern(_ text: String) -> String {
    var path = text.hasPrefix("~/") ? forage.paths.home + text.dropFirst() : text
    let isPattern = path.contains { $0 == "*" || $0 == "?" } && !ReferencePath.exists(path)
    guard isPattern else { return Self.absolute(path) }
    if path.hasPrefix("./") { path = Self.absolute(".") + path.dropFirst() }
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
