/// Collects the traits of the folders of a path, from the root down.
struct FolderContext {
  private var isInCodeMirror = false
  private var isInPackages = false

  /// Returns the traits that a folder gives its contents.
  ///
  /// - Parameter pair: the names of its parent and of itself, with a slash between them; at the root its name.
  mutating func enter(_ name: UnsafeRawBufferPointer, pair: UnsafeRawBufferPointer) -> FileTraits {
    var traits = below(name, pair)
    let isAtRoot = pair.count == name.count
    if PathTraits.vendoredFolders.contains(name) || isAtRoot && PathTraits.vendoredRootFolders.contains(name)
      || Self.isThirdParty(name) || Self.isVendor(name) || name.hasSuffix(".xctemplate")
      || name.hasSuffix(".imageset") || isInPackages && Self.endsInVersion(name)
    {
      traits.insert(.vendored)
    }
    if PathTraits.documentFolders.contains(name) || isAtRoot && PathTraits.documentRootFolders.contains(name)
      || name.contains(UInt8(ascii: ".")) && PathTraits.isDocument(name) && name.last != UInt8(ascii: ".")
    {
      traits.insert(.documentation)
    }
    if PathTraits.generatedFolders.contains(name) || name.hasSuffix("node_modules")
      || name.hasSuffix("Godeps")
    {
      traits.insert(.generated)
    }
    if isInCodeMirror, !name.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 }) {
      isInCodeMirror = false
    }
    if Self.codeMirror.contains(name) { isInCodeMirror = true }
    if name.equals("packages") || name.equals("Packages") { isInPackages = true }
    return traits
  }

  private static let codeMirror = WordTable(words: "codemirror CodeMirror Codemirror codeMirror")
  /// What the names of the folders of CodeMirror begin with.
  private static let codeMirrorFolders: [StaticString] = ["lib", "mode", "theme", "addon", "keymap", "demo"]
  private static let tinyMCEFolders: [StaticString] = [
    "tiny_mce/langs", "tiny_mce/plugins", "tiny_mce/themes", "tiny_mce/utils",
  ]

  /// Returns the traits that a folder has because of its parents.
  private func below(_ name: UnsafeRawBufferPointer, _ pair: UnsafeRawBufferPointer) -> FileTraits {
    if PathTraits.vendoredPairs.contains(pair) { return .vendored }
    if pair.equals("inst/doc") { return .documentation }
    if pair.equals("Carthage/Build") { return .generated }
    if Self.tinyMCEFolders.contains(where: { pair.hasPrefix($0) }) { return .vendored }
    return isInCodeMirror && Self.codeMirrorFolders.contains { name.hasPrefix($0) } ? .vendored : []
  }

  /// Whether a name is `vendor` or `Vendor`; the rule of github-linguist also matches `Vvendor`.
  private static func isVendor(_ name: UnsafeRawBufferPointer) -> Bool {
    name.hasSuffix("endor") && name.count > 5
      && name.dropLast(5).allSatisfy { $0 == UInt8(ascii: "V") || $0 == UInt8(ascii: "v") }
  }

  /// Whether a name ends with `3rdparty`, `third_party`, `Third-Party` or a variant.
  private static func isThirdParty(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.hasSuffix("arty"), name.count > 4 else { return false }
    var end = name.count - 5
    guard name[end] | 0x20 == UInt8(ascii: "p") else { return false }
    if end > 0, name[end - 1] == UInt8(ascii: "-") || name[end - 1] == UInt8(ascii: "_") { end -= 1 }
    let head = UnsafeRawBufferPointer(rebasing: name[..<end])
    return head.hasSuffix("3rd") || head.hasSuffix("third") || head.hasSuffix("Third")
  }

  /// Whether a name ends with a number, such as `name.1`, as NuGet names its folders.
  private static func endsInVersion(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < name.count else {
      return false
    }
    return name[(dot + 1)...].allSatisfy { $0 &- 0x30 < 10 }
  }
}

extension PathTraits {
  /// Folders of third-party code, at any depth.
  static let vendoredFolders = WordTable(
    words: """
      cache dist node_modules bower_components testdata vendor vendors extern external externals Extern
      External Externals bootstrap-datepicker .vscode ace-builds MathJax admin_media env Carthage Sparkle
      Crashlytics.framework Fabric.framework BuddyBuildSDK.framework puphpet .google_apis .github .obsidian
      .teamcity xvba_modules Realm.framework RealmSwift.framework
      """)
  /// Folders of third-party code, at the root only.
  static let vendoredRootFolders = WordTable(words: "deps dependencies Dependencies debian")
  /// Folders of documentation, at any depth.
  static let documentFolders = WordTable(
    words: "documentation Documentation groovydoc Groovydoc javadoc Javadoc")
  /// Folders of documentation, at the root only.
  static let documentRootFolders = WordTable(
    words: """
      doc docs Doc Docs man Man examples Examples demo demos Demo Demos sample samples Sample Samples
      """)
  static let generatedFolders = WordTable(words: "Pods .idea __generated__ htmlcov")
  /// Folders of third-party code, or that tools write, in certain parents.
  static let vendoredPairs = WordTable(
    words: """
      Godeps/_workspace .yarn/releases .yarn/plugins .yarn/sdks .yarn/versions .yarn/unplugged
      gradle/wrapper .mvn/wrapper inst/extdata test/fixtures tests/fixtures Test/fixtures Tests/fixtures
      spec/fixtures specs/fixtures Spec/fixtures Specs/fixtures doc/build doc/_build doc/theme doc/themes
      doc/_theme doc/_themes doc/template doc/templates doc/_template doc/_templates doc/static
      doc/_static docs/build docs/_build docs/theme docs/themes docs/_theme docs/_themes docs/template
      docs/templates docs/_template docs/_templates docs/static docs/_static
      """)
}
