import ForagePlatform

/// Classifies files by language as GitHub's language statistics do: by name if that decides, or else by the
/// beginning of the contents.
///
/// There are two steps, so that names can be classified before any contents are read:
/// ``classifyByName(_:size:attributes:)`` and, if its result needs contents,
/// ``classifyByContent(_:path:contents:)``.
package struct LanguageClassifier: Sendable {
  /// The number of dots, from the right, at which an extension may begin; the longest known extension has
  /// two.
  private static let extensionDots = 3
  /// The bytes at the beginning of a file that the rules examine, as many as GitHub's rules do.
  package static let prefixLimit = 50 << 10
  /// The average length of a line, in bytes, above which a script or style sheet counts as minified.
  private static let minifiedLineLength = 110
  /// Programs write few files with these extensions. They are not read for a marker of a generator unless
  /// they are large enough (64 KiB) to change a share noticeably.
  private static let rarelyGenerated: Set<String> = [".c", ".cc", ".cpp", ".m"]
  private static let largeSize = 64 << 10

  package struct NameClassification: Sendable {
    /// The verdict while the contents are unknown.
    package fileprivate(set) var verdict: LanguageVerdict?
    /// Whether the contents can change the verdict.
    package fileprivate(set) var needsContents = false
    /// The known extension in lower case, with its dot; nil if it has none.
    fileprivate var suffix: String?
    fileprivate var isDetectable: Bool?
    fileprivate(set) var traits: FileTraits = []
    /// Whether the name is that of a binary file.
    fileprivate(set) var isBinary = false
    /// Whether attributes decide if the file is generated.
    fileprivate var isGenerationKnown = false
  }

  private let table = LanguageTable.shared
  /// The folder of the last file, with a trailing slash.
  private var folder = ""
  private var folderTraits: FileTraits = []

  package init() {}

  /// Classifies a file in one call.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the repository.
  ///   - size: in bytes; see ``classifyByName(_:size:attributes:)``.
  ///   - attributes: those of the path; nil if there are none.
  ///   - readPrefix: returns the first ``prefixLimit`` bytes of the file, or nil if it cannot be read. Called
  ///     at most once, and only if the name does not decide.
  /// - Returns: nil if the file is binary or its language is unknown.
  package mutating func classify(
    path: String, size: Int = .max, attributes: LinguistAttributes? = nil, readPrefix: () -> [UInt8]?
  ) -> LanguageVerdict? {
    let classification = classifyByName(path, size: size, attributes: attributes)
    guard classification.needsContents, let contents = readPrefix() else { return classification.verdict }
    return contents.withUnsafeBytes { classifyByContent(classification, path: path, contents: $0) }
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
  ///   - attributes: those of the path; nil if there are none.
  package mutating func classifyByName(
    _ path: String, size: Int, attributes: LinguistAttributes?
  ) -> NameClassification {
    var classification = NameClassification()
    let name = Self.name(of: path)
    guard !name.isEmpty else { return classification }
    let folder = path.dropLast(name.count)
    if folder != self.folder {
      self.folder = String(folder)
      folderTraits = FileTraits.ofFolder(folder)
    }
    classification.traits = folderTraits.union(FileTraits.ofFile(path))
    classification.traits.set(.vendored, attributes?.isVendored)
    classification.traits.set(.generated, attributes?.isGenerated)
    classification.traits.set(.documentation, attributes?.isDocumentation)
    classification.isDetectable = attributes?.isDetectable
    classification.isGenerationKnown = attributes?.isGenerated != nil

    if let named = attributes?.language {
      // GitHub ignores what follows a comma.
      let language = table.language(named: named) ?? table.language(named: named.prefix { $0 != "," })
      classification.verdict = language.map { verdict($0, classification) }
    } else if let language = table.language(filename: String(name)) {
      classification.verdict = verdict(language, classification)
    } else if let suffix = knownExtension(name) {
      classification.suffix = suffix
      classifyExtension(&classification, suffix, size)
    } else {
      classification.isBinary = FileExtensions.isBinary(name)
      classification.needsContents = classification.traits.isEmpty && size > 0 && !classification.isBinary
    }
    return classification
  }

  /// Classifies a file whose result of ``classifyByName(_:size:attributes:)`` needs contents.
  ///
  /// - Parameter contents: the beginning of the file; bytes after ``prefixLimit`` are ignored.
  /// - Returns: nil if the file is binary or its language is unknown.
  package func classifyByContent(
    _ classification: NameClassification, path: String, contents: UnsafeRawBufferPointer
  ) -> LanguageVerdict? {
    var text = UnsafeRawBufferPointer(rebasing: contents.prefix(Self.prefixLimit))
    guard !text.isEmpty, !LanguageHints.isBinary(text) else { return nil }
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = UnsafeRawBufferPointer(rebasing: text.dropFirst(3)) }
    let name = Self.name(of: path)
    guard let language = language(of: text, classification, name) else { return nil }
    var classification = classification
    if !classification.isGenerationKnown, isGenerated(name, text) { classification.traits.insert(.generated) }
    return verdict(language, classification)
  }

  private static func name(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
  }

  private func verdict(_ language: Int, _ classification: NameClassification) -> LanguageVerdict {
    let traits = classification.traits
    let counts = traits.isEmpty && (classification.isDetectable ?? table.records[language].kind.counts)
    return LanguageVerdict(language: UInt16(language), traits: traits, counts: counts)
  }

  private func classifyExtension(_ classification: inout NameClassification, _ suffix: String, _ size: Int) {
    let candidates = table.languages(extension: suffix)
    let isGeneric = FileExtensions.generic.contains(suffix)
    if candidates.count == 1, !isGeneric {
      let verdict = verdict(candidates[0], classification)
      classification.verdict = verdict
      guard verdict.counts, !classification.isGenerationKnown else { return }
      // Markers of a generator can exclude the file.
      let isSuspect = suffix == ".js" || suffix == ".css" || FileTraits.generators.covers(suffix)
      let leastSize = Self.rarelyGenerated.contains(suffix) ? Self.largeSize : 1
      classification.needsContents = isSuspect && size >= leastSize
      return
    }
    let mayCount = classification.isDetectable ?? candidates.contains { table.records[$0].kind.counts }
    classification.needsContents = mayCount && classification.traits.isEmpty && size > 0
    guard !isGeneric else { return }
    let usual = LanguageRules.shared.usual(suffix).flatMap(table.language(named:))
    classification.verdict = (usual ?? candidates.first).map { verdict($0, classification) }
  }

  /// Returns the longest known extension of a name, in lower case and with its dot.
  private func knownExtension(_ name: Substring) -> String? {
    let name = name.lowercased()
    let dots = name.utf8.indices.reversed().lazy.filter { name.utf8[$0] == UInt8(ascii: ".") }
    return dots.prefix(Self.extensionDots).map { String(name[$0...]) }
      .last { !table.languages(extension: $0).isEmpty }
  }

  /// Returns the language by modeline, interpreter, XML declaration, as a manual page, or by the rules on
  /// contents, in this order.
  private func language(
    of text: UnsafeRawBufferPointer, _ classification: NameClassification, _ name: Substring
  ) -> Int? {
    if let mode = LanguageHints.mode(text), let language = table.language(named: mode) { return language }
    let suffix = classification.suffix ?? ""
    let candidates = table.languages(extension: suffix)
    let interpreted = LanguageHints.languages(text)
    if let first = interpreted.first { return candidates.first(where: interpreted.contains) ?? first }
    guard let first = candidates.first else {
      if LanguageHints.isXML(text) { return table.language(named: "XML") }
      guard FileExtensions.manualPage.matches(name) else { return nil }
      return table.language(named: LanguageRules.shared.language(".man", text) ?? "Roff")
    }
    let isGeneric = FileExtensions.generic.contains(suffix)
    if candidates.count == 1, !isGeneric { return first }
    let rules = LanguageRules.shared
    let language = (rules.language(suffix, text) ?? rules.usual(suffix)).flatMap(table.language(named:))
    return language ?? (isGeneric ? nil : first)
  }

  /// Whether a text has a marker of a generator, or has long lines as minified scripts have.
  private func isGenerated(_ name: Substring, _ text: UnsafeRawBufferPointer) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let suffix = name[dot...].lowercased()
    if suffix == ".js" || suffix == ".css" {
      let lines = text.count { $0 == UInt8(ascii: "\n") } + (text.last == UInt8(ascii: "\n") ? 0 : 1)
      if text.count / lines > Self.minifiedLineLength { return true }
    }
    return FileTraits.generators.language(suffix, text) != nil
  }
}

/// Extensions with a meaning other than one language.
enum FileExtensions {
  /// Extensions of so many formats that the contents must show the language.
  static let generic = words(
    """
    .1 .2 .3 .4 .5 .6 .7 .8 .9 .action .alg .app .cmp .msg .network .resource .sol .srv .stl .tag .target .url .p8
    """)

  /// Names of manual pages, whose extensions name the section of the manual.
  static let manualPage = Pattern(#"[^\n]\.(?:[1-9](?!\d)\w*|0p|n|man|mdoc)(?:\.in)?\z"#)

  /// Whether the last extension of a name, in any case, is that of binary files, which have no language.
  static func isBinary(_ name: Substring) -> Bool {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return binary.contains(name[name.utf8.index(after: dot)...].lowercased())
  }

  private static let binary = words(
    """
    png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd xcf pdf zip gz tgz bz2 xz zst lz4 7z rar
    tar jar war apk aar deb rpm whl egg gem nupkg exe dll so dylib a o obj lib pdb class pyc wasm bin
    dat db sqlite sqlite3 ttf otf woff woff2 eot mp3 mp4 m4a m4v wav flac ogg ogv oga webm mov avi mkv
    mid swf doc docx xls xlsx ppt pptx odt ods odp npy npz pkl parquet onnx pt pth h5 blend fbx glb dds
    ktx tga keystore jks p12 pfx der mo gmo lock iso img dmg
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
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

/// What a text says of its own language, and whether it is a text.
enum LanguageHints {
  /// The lines at either end of a file in which a modeline is recognised; Vim's default is five.
  private static let modelineReach = 5
  private static let newline = UInt8(ascii: "\n")

  private static let emacs = Pattern(
    #"(?i)-\*-(?|(?:.*?[ \t;])?mode[ \t]*:[ \t]*([^\s;]+?)(?:-mode)?[ \t]*(?:;.*)?-\*-"#
      + #"|[ \t]*([^\s:;]+?)(?:-mode)?[ \t]*-\*-)"#)
  private static let vim = Pattern(
    #"(?:^|[ \t])(?:[Vv]im[<=>]?\d*|vi|ex):(?:.*?[ \t:])?(?:ft|filetype|syntax)=([^\s:]+)"#)
  /// The program of the first line; `env`, its options and its variables are skipped.
  private static let shebang = Pattern(
    #"\A#![ \t]*(?:\S*/)?(?:env(?:[ \t]+(?:-\S*|\S*=\S*))*[ \t]+(?:\S*/)?)?([^\s/]+)"#)
  /// A shell script that hands itself to another program with `exec name ... "$0" ... "$@"`.
  private static let handover = Pattern(#"\A(?:.*\R){0,4}.*\bexec[ \t]+(?:\S*/)?([^\s/]+).*\$0"#)
  /// The option `-l` selects another language.
  private static let otherScript = Pattern(#"\A#!.*\bosascript\b.*[ \t]-l"#)
  private static let xml = Pattern(#"\A(?:.*\R)?.*<\?xml version="#)

  /// Whether a text contains a NUL byte, as no source text does.
  static func isBinary(_ text: UnsafeRawBufferPointer) -> Bool {
    text.baseAddress.flatMap { memchr($0, 0, text.count) } != nil
  }

  /// Whether one of the first two lines has an XML declaration.
  static func isXML(_ text: UnsafeRawBufferPointer) -> Bool { xml.matches(text) }

  /// Returns the language or mode that an Emacs (`-*- mode: x -*-`) or Vim (`vim: ft=x`) modeline names near
  /// either end.
  static func mode(_ text: UnsafeRawBufferPointer) -> String? {
    var head = 0
    for _ in 0..<modelineReach { head = (text[head...].firstIndex(of: newline) ?? text.count - 1) + 1 }
    var tail = text.count
    if tail > head, text[tail - 1] == newline { tail -= 1 }
    for _ in 0..<modelineReach where tail > head { tail = text[head..<tail].lastIndex(of: newline) ?? head }
    let ends = Array(text[..<head]) + text[tail...]
    return ends.withUnsafeBytes { ends in
      // Vimball archives contain the modelines of their members.
      if vimball.matches(ends) { return nil }
      return emacs.group(in: ends) ?? vim.group(in: ends)
    }
  }

  private static let vimball = Pattern(#"\A(?:.*\R){0,4}.*UseVimball"#)

  /// Returns the interpreter that the first line (`#!`) names, or the program that its shell script hands
  /// itself to; nil if it names none that is known. Versions are cut where only the name is known:
  /// `python3.12` is `python3`.
  static func languages(_ text: UnsafeRawBufferPointer) -> [Int] {
    guard text.starts(with: "#!".utf8), var name = shebang.group(in: text), !otherScript.matches(text) else {
      return []
    }
    if name == "sh", let other = handover.group(in: text) { name = other }
    name = String(name.prefix { $0 != "." })
    if LanguageTable.shared.languages(interpreter: name).isEmpty {
      while let last = name.last, last.isNumber || last == "-" { name.removeLast() }
    }
    return LanguageTable.shared.languages(interpreter: name)
  }
}
