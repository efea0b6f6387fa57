/// Tells the language of a file as GitHub's language bar does: from its name if that is enough, else from the
/// beginning of its contents.
package struct LanguageClassifier: Sendable {
  /// The most dots of a name at which an extension may begin, from the right; the longest known has two.
  private static let extensionDots = 3
  /// The longest extension worth a look-up, in bytes with the dot.
  private static let longestExtension = 24
  /// How much of a file is looked at, in bytes: rules need the beginning only, and all of a long file costs.
  private static let prefixLimit = 32 * 1024

  private let attributes: LinguistAttributes
  /// Whether some rules of the attributes are not heeded because there are too many.
  var isCut: Bool { attributes.isCut }
  private let table: LanguageTable

  /// Makes a classifier that heeds these `.gitattributes` files; among files of one directory the last wins.
  package init(attributes: [GitAttributesFile]) {
    self.attributes = LinguistAttributes(attributes)
    table = .shared
  }

  /// Tells the language of a file.
  ///
  /// A file counts if its language is for programming or markup and the path is not vendored, generated or
  /// documentation, `.gitattributes` having the last word on each. Where a shared name remains and the file
  /// cannot count anyway, the likeliest language is named without reading it.
  ///
  /// - Parameters:
  ///   - path: the path relative to the root of the repository.
  ///   - readPrefix: gives the beginning of the contents, 32 KiB being enough; nil if it cannot. Called at
  ///   most
  ///     once, and only if the name is not decisive.
  /// - Returns: nil if the file is binary or its language is not known.
  package func classify(path: some StringProtocol, readPrefix: () -> [UInt8]?) -> LanguageVerdict? {
    let bytes = Array(path.utf8)
    let traits = PathTraits(bytes)
    guard traits.nameStart < bytes.count else { return nil }
    let values = attributes.isEmpty ? LinguistAttributes.Values() : attributes.values(of: bytes)
    let isExcluded =
      values.isVendored ?? traits.isVendored || values.isGenerated ?? traits.isGenerated
      || values.isDocumentation ?? traits.isDocumentation

    func verdict(_ index: Int, isGenerated: Bool = false) -> LanguageVerdict {
      let language = table.languages[index]
      let counts = !isExcluded && !isGenerated && (values.isDetectable ?? language.kind.counts)
      return LanguageVerdict(name: language.displayName, counts: counts)
    }

    if let name = values.language, let index = table.language(named: name) { return verdict(index) }
    if let index = table.language(filename: bytes, traits.nameStart..<bytes.count) { return verdict(index) }

    let (suffix, candidates) = candidates(bytes, from: traits.nameStart)
    if let first = candidates.first {
      let displayName = table.languages[first].displayName
      if candidates.allSatisfy({ table.languages[$0].displayName == displayName }) { return verdict(first) }
      let mayCount =
        !isExcluded && candidates.contains { values.isDetectable ?? table.languages[$0].kind.counts }
      guard mayCount, values.isDetectable != false else {
        return verdict(ContentRules.usual(suffix).flatMap(table.language(named:)) ?? first)
      }
    } else if isExcluded || BinaryExtensions.contains(bytes[traits.nameStart...]) {
      return nil
    }

    guard let prefix = readPrefix() else {
      return candidates.first.map {
        verdict(ContentRules.usual(suffix).flatMap(table.language(named:)) ?? $0)
      }
    }
    let text = SourceText(prefix.count > Self.prefixLimit ? Array(prefix[..<Self.prefixLimit]) : prefix)
    guard !text.isBinary, let index = language(of: text, suffix: suffix, candidates: candidates) else {
      return nil
    }
    return verdict(index, isGenerated: values.isGenerated == nil && text.saysGenerated)
  }

  /// The longest known extension of a name and the languages that have it.
  private func candidates(_ path: [UInt8], from start: Int) -> (suffix: String, languages: [Int]) {
    var dots: [Int] = []
    var at = path.count - 1
    while at >= start, dots.count < Self.extensionDots, path.count - at <= Self.longestExtension {
      if path[at] == UInt8(ascii: ".") { dots.append(at) }
      at -= 1
    }
    for dot in dots.reversed() {
      if let found = table.languages(extension: path, dot..<path.count) { return found }
    }
    return ("", [])
  }

  /// The language by an editor's mode, the interpreter, or the rules on content, in that order.
  private func language(of text: SourceText, suffix: String, candidates: [Int]) -> Int? {
    if let mode = text.mode, let index = table.language(named: mode) { return index }
    if let interpreter = text.interpreter, let languages = table.languages(interpreter: interpreter) {
      return candidates.first { languages.contains($0) } ?? languages.first
    }
    guard !candidates.isEmpty else { return text.first("<?xml") ? table.language(named: "XML") : nil }
    if let name = ContentRules.language(suffix, text), let index = table.language(named: name) {
      return index
    }
    return candidates.first
  }
}
