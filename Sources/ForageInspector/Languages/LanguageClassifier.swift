/// Classifies files by language as GitHub's language statistics do: by name if that decides, or else by the
/// beginning of the contents.
///
/// There are two steps, so that names can be classified before any contents are read:
/// ``classifyByName(_:size:)`` and, if its result needs contents, ``classifyByContent(_:path:contents:)``.
package struct LanguageClassifier: Sendable {
  /// The number of dots, from the right, at which an extension may begin; the longest known extension has
  /// two.
  private static let extensionDots = 3
  /// The length of the longest extension that is looked up, in bytes with the dot.
  private static let longestExtension = 24
  /// The bytes at the beginning of a file that the rules examine, as many as GitHub's rules do.
  package static let prefixLimit = 50 << 10

  package struct NameClassification: Sendable {
    /// The verdict while the contents are unknown.
    package fileprivate(set) var verdict: LanguageVerdict?
    /// Whether the contents can change the verdict.
    package fileprivate(set) var needsContents = false
    /// The index in the name where the known extension begins; nil if it has none.
    fileprivate var suffix: Int?
    fileprivate var isDetectable: Bool?
    fileprivate(set) var traits: FileTraits = []
    /// Whether the name is that of a binary file.
    fileprivate(set) var isBinary = false
    /// Whether attributes decide if the file is generated.
    fileprivate var isGenerationKnown = false
  }

  private var attributes: LinguistAttributes
  /// Whether a limit excluded some rules of the attributes.
  var isCut: Bool { attributes.isCut }
  private let table = LanguageTable.shared
  /// The directory of the last file, with a trailing slash.
  private var directory: [UInt8] = []
  private var directoryTraits: FileTraits = []

  /// Creates a classifier that applies these `.gitattributes` files; of several files for one directory the
  /// last wins.
  package init(attributes: [GitAttributesFile]) {
    self.attributes = LinguistAttributes(attributes)
    [].withUnsafeBytes { self.attributes.enter($0) }
  }

  /// Classifies a file in one call.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the repository.
  ///   - size: in bytes; see ``classifyByName(_:size:)``.
  ///   - readPrefix: returns the first ``prefixLimit`` bytes of the file, or nil if it cannot be read. Called
  ///     at most once, and only if the name does not decide.
  /// - Returns: nil if the file is binary or its language is unknown.
  package mutating func classify(
    path: some StringProtocol, size: Int = .max, readPrefix: () -> [UInt8]?
  ) -> LanguageVerdict? {
    var path = String(path)
    let classification = path.withUTF8 { classifyByName(UnsafeRawBufferPointer($0), size: size) }
    guard classification.needsContents else { return classification.verdict }
    guard let contents = readPrefix() else { return classification.verdict }
    return path.withUTF8 {
      classifyByContent(classification, path: UnsafeRawBufferPointer($0), contents: contents)
    }
  }

  /// Classifies a file by its path. Files of one directory are classified fastest one after another.
  ///
  /// A file counts if its language is for programming or markup and it is not vendored, generated or
  /// documentation; `.gitattributes` overrides each of these. The result needs contents where they decide the
  /// language of a file that may count, or may show that the file is generated. If a shared extension remains
  /// and the file cannot count, the result has the likeliest language.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the repository.
  ///   - size: in bytes; small files of some languages are not checked for markers of generators.
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
      classification.verdict = verdict(Int(language), classification)
    } else if let language = table.language(filename: name) {
      classification.verdict = verdict(language, classification)
    } else if let suffix = knownExtension(name) {
      classification.suffix = suffix
      classifyExtension(&classification, name.from(suffix), size)
    } else {
      classification.isBinary = BinaryExtensions.contains(name)
      classification.needsContents = classification.traits.isEmpty && size > 0 && !classification.isBinary
    }
    return classification
  }

  /// Classifies a file whose result of ``classifyByName(_:size:)`` needs contents.
  ///
  /// - Parameter contents: the beginning of the file; bytes after ``prefixLimit`` are ignored.
  /// - Returns: nil if the file is binary or its language is unknown.
  package func classifyByContent(
    _ classification: NameClassification, path: UnsafeRawBufferPointer, contents: [UInt8]
  ) -> LanguageVerdict? {
    let nameStart = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let name = path.from(nameStart)
    guard !contents.isEmpty, !SourceText.isBinary(contents) else { return nil }
    let beginning = contents.count <= Self.prefixLimit ? contents : Array(contents[..<Self.prefixLimit])
    // Without a shared extension only a modeline, the interpreter or an XML declaration decides.
    let needsAll = classification.suffix != nil || ManualPages.contains(name)
    let text = needsAll ? SourceText(beginning) : SourceText(endsOf: beginning)
    guard let language = language(of: text, classification, name) else { return nil }
    var classification = classification
    if !classification.isGenerationKnown, GeneratedText.isGenerated(name, text) {
      classification.traits.insert(.generated)
    }
    return verdict(language, classification)
  }

  /// Computes the traits and rules of a directory, unless it is the current one.
  private mutating func enter(_ folder: UnsafeRawBufferPointer) {
    let isSame = directory.withUnsafeBytes { $0.elementsEqual(folder) }
    if isSame { return }
    directory.removeAll(keepingCapacity: true)
    directory.append(contentsOf: folder)
    directoryTraits = PathTraits.directory(folder)
    attributes.enter(folder)
  }

  private func verdict(_ language: Int, _ classification: NameClassification) -> LanguageVerdict {
    let traits = classification.traits
    let counts = traits.isEmpty && (classification.isDetectable ?? table.records[language].kind.counts)
    return LanguageVerdict(language: UInt16(language), traits: traits, counts: counts)
  }

  private func classifyExtension(
    _ classification: inout NameClassification, _ suffix: UnsafeRawBufferPointer, _ size: Int
  ) {
    var candidates = table.languages(extension: suffix)
    guard let first = candidates.next() else { return }
    let isGeneric = Self.genericExtensions.contains(suffix)
    if candidates.next() == nil, !isGeneric {
      let verdict = verdict(first, classification)
      classification.verdict = verdict
      guard verdict.counts, !classification.isGenerationKnown else { return }
      // Markers of a generator can exclude the file.
      classification.needsContents = size >= GeneratedText.leastSize(suffix)
      return
    }
    let mayCount =
      classification.isDetectable
      ?? table.languages(extension: suffix).contains { table.records[$0].kind.counts }
    classification.needsContents = mayCount && classification.traits.isEmpty && size > 0
    if isGeneric { return }
    let usual = ContentRules.usual(String(decoding: suffix, as: UTF8.self).lowercased())
    classification.verdict = verdict(usual.flatMap(table.language(named:)) ?? first, classification)
  }

  /// Returns the index where the longest known extension of a name begins.
  private func knownExtension(_ name: UnsafeRawBufferPointer) -> Int? {
    var found: Int?
    var at = name.count - 1
    var dots = 0
    while at >= 0, dots < Self.extensionDots, name.count - at <= Self.longestExtension {
      if name[at] == UInt8(ascii: ".") {
        if table.isKnown(extension: name.from(at)) { found = at }
        dots += 1
      }
      at -= 1
    }
    return found
  }

  /// Returns the language by modeline, interpreter or the rules on contents, in this order.
  private func language(
    of text: SourceText, _ classification: NameClassification, _ name: UnsafeRawBufferPointer
  ) -> Int? {
    if let mode = text.mode, let language = table.language(named: mode) { return language }
    let suffix = name.from(classification.suffix ?? name.count)
    let candidates = Array(table.languages(extension: suffix))
    if let interpreter = text.interpreter, let languages = table.languages(interpreter: interpreter) {
      return candidates.first(where: languages.contains) ?? languages.first
    }
    guard let first = candidates.first else {
      if text.isXML { return table.language(named: "XML") }
      return ManualPages.contains(name) ? table.language(named: ManualPages.language(text)) : nil
    }
    let isGeneric = Self.genericExtensions.contains(suffix)
    if candidates.count == 1, !isGeneric { return first }
    let ruled = ContentRules.language(String(decoding: suffix, as: UTF8.self).lowercased(), text)
    if let ruled, let language = table.language(named: ruled) { return language }
    return isGeneric ? nil : first
  }
}

extension FileTraits {
  /// Inserts or removes a trait; nil leaves it as it is.
  fileprivate mutating func set(_ trait: FileTraits, _ value: Bool?) {
    switch value {
    case true?: insert(trait)
    case false?: remove(trait)
    case nil: break
    }
  }
}

package struct LanguageVerdict: Sendable, Hashable {
  /// The language, as an index of ``LanguageTable/shared``.
  package let language: UInt16
  /// Reasons why the file may not be the project's own work.
  package let traits: FileTraits
  /// Whether the file counts in the language statistics.
  package let counts: Bool

  /// Whether the file's lines count: those of every text of the project itself, also of data and prose.
  var hasLines: Bool { traits.isDisjoint(with: [.vendored, .generated]) }

  /// The language's own name.
  package var languageName: String { LanguageTable.shared.name(Int(language)) }

  /// The name under which the file's bytes are counted: the language's group, or else the language.
  package var name: String { LanguageTable.shared.name(group) }

  /// The language under which the file's bytes are counted, as an index of ``LanguageTable/shared``.
  package var group: Int { Int(LanguageTable.shared.records[Int(language)].group) }
}
