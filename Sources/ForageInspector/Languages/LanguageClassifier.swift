/// Tells the language of a file as GitHub's language bar does: from its name if that is enough, else from the
/// beginning of its contents.
///
/// A file is judged in two steps, so that names can be judged before any contents are at hand:
/// ``classifyByName(_:size:)`` and, where its answer asks for them, ``classifyByContent(_:contents:)``.
package struct LanguageClassifier: Sendable {
  /// The most dots of a name at which an extension may begin, from the right; the longest known has two.
  private static let extensionDots = 3
  /// The longest extension worth a look-up, in bytes with the dot.
  private static let longestExtension = 24
  /// How much of a file is looked at, in bytes: as much as GitHub's rules look at.
  package static let prefixLimit = 50 << 10

  /// What a name alone tells.
  package struct NameClassification: Sendable {
    /// The verdict as long as the contents are not known.
    package fileprivate(set) var verdict: LanguageVerdict?
    /// Whether the contents can change the verdict.
    package fileprivate(set) var needsContents = false
    /// The first entry of the languages that share the extension.
    fileprivate var candidates: Int?
    /// Where the extension begins in the name.
    fileprivate var suffix = 0
    fileprivate var isDetectable: Bool?
    fileprivate var traits: FileTraits = []
    /// Whether it is said elsewhere whether the file is generated.
    fileprivate var isGenerationKnown = false
  }

  private var attributes: LinguistAttributes
  /// Whether some rules of the attributes are not heeded because there are too many.
  var isCut: Bool { attributes.isCut }
  private let table = LanguageTable.shared
  /// The directory of the file that was judged last, with a slash at its end.
  private var directory: [UInt8] = []
  private var directoryTraits: FileTraits = []

  /// Makes a classifier that heeds these `.gitattributes` files; among files of one directory the last wins.
  package init(attributes: [GitAttributesFile]) {
    self.attributes = LinguistAttributes(attributes)
    [].withUnsafeBytes { self.attributes.enter($0) }
  }

  /// Tells the language of a file at once.
  ///
  /// - Parameters:
  ///   - path: the path relative to the root of the repository.
  ///   - size: the file's bytes; see ``classifyByName(_:size:)``.
  ///   - readPrefix: gives the beginning of the contents, ``prefixLimit`` bytes being enough; nil if it
  ///     cannot. Called at most once, and only if the name is not decisive.
  /// - Returns: nil if the file is binary or its language is not known.
  package mutating func classify(
    path: some StringProtocol, size: Int = .max, readPrefix: () -> [UInt8]?
  ) -> LanguageVerdict? {
    var path = String(path)
    let classification = path.withUTF8 { classifyByName(UnsafeRawBufferPointer($0), size: size) }
    guard classification.needsContents else { return classification.verdict }
    guard let contents = readPrefix() else { return classification.verdict }
    return path.withUTF8 { classifyByContent(classification, path: UnsafeRawBufferPointer($0), contents: contents) }
  }

  /// Tells of a file what its path tells; files of one directory are best judged one after the other.
  ///
  /// A file counts if its language is for programming or markup and the path is not vendored, generated or
  /// documentation, `.gitattributes` having the last word on each. The contents are asked for where they
  /// decide the language of a file that may count, or may say that a program wrote it. Where a shared
  /// extension remains and the file cannot count anyway, the likeliest language is named.
  ///
  /// - Parameters:
  ///   - path: the path relative to the root of the repository.
  ///   - size: the file's bytes; small files of some languages are not worth the look whether they are
  ///     generated.
  package mutating func classifyByName(_ path: UnsafeRawBufferPointer, size: Int) -> NameClassification {
    var classification = NameClassification()
    let nameStart = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let folder = UnsafeRawBufferPointer(rebasing: path[..<nameStart])
    let name = path.from(nameStart)
    guard !name.isEmpty else { return classification }
    enter(folder)

    let values = attributes.values(of: path, nameStart: nameStart)
    classification.traits = directoryTraits.union(PathTraits.file(name, in: folder))
    classification.traits.set(.vendored, values?.isVendored)
    classification.traits.set(.generated, values?.isGenerated)
    classification.traits.set(.documentation, values?.isDocumentation)
    classification.isDetectable = values?.isDetectable
    classification.isGenerationKnown = values?.isGenerated != nil

    if let named = values?.language {
      guard case .known(let language) = named else { return classification }
      decide(&classification, Int(language), name, size)
      return classification
    }
    if let language = table.language(filename: name) {
      decide(&classification, language, name, size)
      return classification
    }
    if let (entry, suffix) = candidates(name) {
      classification.candidates = entry
      classification.suffix = suffix
      classifyExtension(&classification, entry, name.from(suffix), size)
    } else {
      classification.needsContents = classification.traits.isEmpty && size > 0 && !BinaryExtensions.contains(name)
    }
    return classification
  }

  /// Tells the language of a file whose contents ``classifyByName(_:size:)`` asked for.
  ///
  /// - Parameters:
  ///   - path: the path that was judged.
  ///   - contents: the beginning of the file; bytes beyond ``prefixLimit`` are not looked at.
  /// - Returns: nil if the file is binary or its language is not known.
  package func classifyByContent(
    _ classification: NameClassification, path: UnsafeRawBufferPointer, contents: [UInt8]
  ) -> LanguageVerdict? {
    let nameStart = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let name = path.from(nameStart)
    guard !contents.isEmpty, !SourceText.isBinary(contents) else { return nil }
    let beginning = contents.count <= Self.prefixLimit ? contents : Array(contents[..<Self.prefixLimit])
    // Where no extension is shared, only an editor's mode, the interpreter or XML can tell.
    let needsAll = classification.candidates != nil || ManualPages.contains(name)
    let text = needsAll ? SourceText(beginning) : SourceText(endsOf: beginning)
    guard let language = language(of: text, classification, name) else { return nil }
    var traits = classification.traits
    if !classification.isGenerationKnown, GeneratedText.isGenerated(name, text) { traits.insert(.generated) }
    return verdict(language, traits, classification.isDetectable)
  }

  /// Looks at a directory unless it is that of the last file.
  private mutating func enter(_ folder: UnsafeRawBufferPointer) {
    let isSame = directory.withUnsafeBytes { $0.elementsEqual(folder) }
    if isSame { return }
    directory.removeAll(keepingCapacity: true)
    directory.append(contentsOf: folder)
    directoryTraits = PathTraits.directory(folder)
    attributes.enter(folder)
  }

  private func verdict(_ language: Int, _ traits: FileTraits, _ isDetectable: Bool?) -> LanguageVerdict {
    let counts = traits.isEmpty && (isDetectable ?? table.records[language].kind.counts)
    return LanguageVerdict(language: UInt16(language), traits: traits, counts: counts)
  }

  /// The name decides the language; what remains is whether a program wrote the file.
  private func decide(
    _ classification: inout NameClassification, _ language: Int, _ name: UnsafeRawBufferPointer, _ size: Int
  ) {
    let verdict = verdict(language, classification.traits, classification.isDetectable)
    classification.verdict = verdict
    guard verdict.counts, !classification.isGenerationKnown, classification.candidates != nil else { return }
    classification.needsContents = size >= GeneratedText.leastSize(name)
  }

  private func classifyExtension(
    _ classification: inout NameClassification, _ entry: Int, _ suffix: UnsafeRawBufferPointer, _ size: Int
  ) {
    let (first, next) = table.next(extension: entry)
    let isGeneric = GenericExtensions.contains(suffix)
    if next == nil, !isGeneric { return decide(&classification, first, suffix, size) }
    var mayCount = classification.isDetectable ?? false
    var rest: Int? = entry
    while !mayCount, classification.isDetectable == nil, let at = rest {
      let (language, next) = table.next(extension: at)
      mayCount = table.records[language].kind.counts
      rest = next
    }
    classification.needsContents = mayCount && classification.traits.isEmpty && size > 0
    if isGeneric { return }
    let usual = ContentRules.usual(String(decoding: suffix, as: UTF8.self).lowercased())
    classification.verdict = verdict(
      usual.flatMap(table.language(named:)) ?? first, classification.traits, classification.isDetectable)
  }

  /// The longest known extension of a name and the first entry of the languages that have it.
  private func candidates(_ name: UnsafeRawBufferPointer) -> (entry: Int, suffix: Int)? {
    var found: (entry: Int, suffix: Int)?
    var at = name.count - 1
    var dots = 0
    while at >= 0, dots < Self.extensionDots, name.count - at <= Self.longestExtension {
      if name[at] == UInt8(ascii: ".") {
        if let entry = table.first(extension: name.from(at)) { found = (entry, at) }
        dots += 1
      }
      at -= 1
    }
    return found
  }

  /// The language by an editor's mode, the interpreter, or the rules on content, in that order.
  private func language(
    of text: SourceText, _ classification: NameClassification, _ name: UnsafeRawBufferPointer
  ) -> Int? {
    if let mode = text.mode, let language = table.language(named: mode) { return language }
    if let interpreter = text.interpreter, let languages = table.languages(interpreter: interpreter) {
      var rest = classification.candidates
      while let at = rest {
        let (language, next) = table.next(extension: at)
        if languages.contains(language) { return language }
        rest = next
      }
      return languages.first
    }
    guard let entry = classification.candidates else {
      if text.isXML { return table.language(named: "XML") }
      return ManualPages.contains(name) ? table.language(named: ManualPages.language(text)) : nil
    }
    let (first, next) = table.next(extension: entry)
    let suffix = name.from(classification.suffix)
    let isGeneric = GenericExtensions.contains(suffix)
    if next == nil, !isGeneric { return first }
    let ruled = ContentRules.language(String(decoding: suffix, as: UTF8.self).lowercased(), text)
    if let ruled, let language = table.language(named: ruled) { return language }
    return isGeneric ? nil : first
  }
}

extension FileTraits {
  /// Inserts or removes a trait if that is said.
  fileprivate mutating func set(_ trait: FileTraits, _ value: Bool?) {
    switch value {
    case true?: insert(trait)
    case false?: remove(trait)
    case nil: break
    }
  }
}
