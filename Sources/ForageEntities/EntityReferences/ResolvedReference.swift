package import ForageCore
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup

/// A thing that a command line names.
package struct ResolvedReference: Sendable {
  /// The argument that names it; of a range of numbers the one number.
  package var text: String
  /// The entity on a forge, `nil` for a clone without a remote on a forge and for a result of another kind of
  /// site.
  package var entity: EntityReference?
  /// The root of the clone, absolute: of a path that was given, or of the clone of a result of the last list.
  package var path: String?
  /// The result of the last list, of a favorite or of the clone.
  package var result: SearchResult?
  /// Whether the result is what its provider says of it, so that it need not be asked again.
  var hasDetails = false
  /// The page of the entity, where it is not the usual one.
  var page: String?

  package init(
    text: String, entity: EntityReference? = nil, path: String? = nil, result: SearchResult? = nil
  ) {
    (self.text, self.entity, self.path, self.result) = (text, entity, path, result)
  }

  /// The id that results have: the canonical id of the entity, or the path of a clone without a forge.
  package var id: String { entity?.id ?? result?.id ?? path ?? text }

  /// Whether it is a clone without a remote on a forge.
  package var isLocal: Bool { entity == nil && path == id }

  package var kind: ResultKind { entity?.kind ?? result?.kind ?? .repo }

  /// The name for people, in the spelling of the forge or of the command line.
  package var title: String {
    if let result { return result.title }
    return entity.map { $0.title(spelledAsIn: text) } ?? path ?? text
  }

  /// The title as messages name it, with the host in front where it would mean something else without it.
  package func name(_ forage: Forage) -> String {
    entity.map { forage.shortName("\($0.host)/\(title)") } ?? title
  }

  /// The page; `nil` for a clone of a server without pages, and for a file whose commit the forge is not
  /// known to have.
  package var url: String? {
    let isWithoutPage =
      result?.kind == .code || result?.kind == .repo && result?[.path] != nil && result?[.host] == nil
    return result?.url ?? (isWithoutPage ? nil : page ?? entity?.webAddress)
  }

  /// The page that is opened in a browser: an address that was given as it is.
  package var pageAddress: String? {
    ReferencePath.isWebAddress(text) ? text : result?.pageAddress ?? url
  }

  /// The same without its file on this disk: the page is then that of its repository's current state, unless
  /// there is another one.
  package var withoutFile: ResolvedReference {
    var reference = self
    if kind == .code {
      reference.result?[.file] = nil
      reference.result?.url = url ?? entity?.webAddress
    }
    return reference
  }

  /// The largest file that is shown: the same as of those that are searched.
  package static let fileLimit = CodeSettings.defaultMaximumFileSize

  /// Whether the file on this disk in which something was found is there, and no link leads to another one.
  package var isThere: Bool { result?.clonedFile.map { $0.files.isFile($0.path) } ?? false }

  /// A file in a clone with its text as it is on this disk, of one that is too large with its size alone;
  /// `nil` for other results and where it cannot be read.
  package var file: SearchResult? {
    guard var item = result, let (files, path) = item.clonedFile else { return nil }
    if let size = files.entry(path)?.size, size > Self.fileLimit, files.isFile(path) {
      item.set("size", size)
      return item
    }
    guard let bytes = (try? files.read(path, limit: Self.fileLimit))?.bytes else { return nil }
    // A forge that found it, too, may have another revision.
    if let commit = item[.commit]?.text, let ref = item[.ref]?.text, commit != ref,
      item.id.contains("/blob/\(ref)/")
    {
      item.set(.ref, commit)
      if item.url?.contains("/blob/\(ref)/") == true { item.url = nil }
    }
    item.setContents(bytes)
    return item
  }

  /// The repository, where it is one.
  ///
  /// - Parameter action: What cannot be done with anything else, for example "starred".
  /// - Throws: `ForageError` for an issue, a commit, a file, an account, a topic, and what is on no forge.
  package func repository(_ action: String) throws -> EntityReference {
    guard let entity else {
      throw ForageError(
        "\(title) is not a repository on a forge and cannot be \(action)",
        hint: "write owner/name; nothing was changed")
    }
    guard entity.subject == .repository else {
      throw ForageError(
        "\(entity.title) is \(entity.noun), and only repositories can be \(action)",
        hint: entity.repository.map {
          "to name its repository, write \($0.title(spelledAsIn: text)); nothing was changed"
        }
          ?? "write owner/name; nothing was changed")
    }
    return entity
  }
}

extension SearchResult {
  /// Sets the text of a file that was found, with its size, its definitions and the places of its matches.
  mutating func setContents(_ bytes: [UInt8]) {
    set("size", bytes.count)
    set("line", firstLine?.value)
    let known = CodeText.string(bytes)
    let text = known ?? String(decoding: bytes, as: UTF8.self)
    let outline = FileOutline(path: self[.path]?.text ?? title, text: known ?? "")
    self[.symbols] = outline.symbols.isEmpty ? nil : .items(outline.symbols)
    if self[.language] == nil { set(.language, outline.language) }
    let found = Self.places(of: self[.matches]?.elements ?? [], in: text)
    self[.matches] = nil
    self[.fragments] = .items([
      .record([
        "text": .text(text), "line": .number(1),
        "matches": .items(found.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
      ])
    ])
  }

  /// Where matches are in the text of their file, in Unicode scalars from 0; those of lines that have changed
  /// or were cut are left out.
  private static func places(of matches: [FieldValue], in text: String) -> [Range<Int>] {
    let lines = Dictionary(
      matches.compactMap { match in (match["line"]?.lineNumber).map { ($0.value, match) } },
      uniquingKeysWith: { first, _ in first })
    guard !lines.isEmpty else { return [] }
    var places: [Range<Int>] = []
    var start = 0
    for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      defer { start += line.count + 1 }
      guard let match = lines[index + 1],
        String(line.last == "\r" ? line.dropLast() : line) == match["text"]?.text
      else { continue }
      for range in match["ranges"]?.ranges ?? [] where range.upperBound <= line.count {
        places.append((start + range.lowerBound)..<(start + range.upperBound))
      }
    }
    return places
  }
}

extension EntityReference {
  /// The title in the spelling of a text that names it: identity ignores case, and the id may be in lower
  /// case.
  package func title(spelledAsIn text: String) -> String {
    let name = subject == .account || subject == .topic ? title : owner + "/" + self.name
    // The same length, so that the place in lower case is that in the text.
    let lower = text.lowercased()
    guard lower != text, lower.count == text.count, let found = lower.ranges(of: name.lowercased()).last
    else {
      return title
    }
    let start = lower.distance(from: lower.startIndex, to: found.lowerBound)
    return String(text.dropFirst(start).prefix(name.count)) + title.dropFirst(name.count)
  }

  /// The noun for its kind, with an article.
  package var noun: String {
    switch subject {
    case .repository: "a repository"
    case .issue, .mergeRequest: "an issue or a pull request"
    case .commit: "a commit"
    case .file: "a file"
    case .account: "an account"
    case .topic: "a topic"
    }
  }
}
