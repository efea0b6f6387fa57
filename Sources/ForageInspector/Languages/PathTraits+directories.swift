/// Collects the traits of the folders of a path, from the root down.
struct FolderContext {
  /// Parent folders that give some of their subfolders a meaning.
  private enum Parent {
    case none, godeps, yarn, gradle, maven, docs, inst, tests, carthage, packages, tinyMCE
  }

  private var parent = Parent.none
  private var isInCodeMirror = false
  private var isInPackages = false

  /// Returns the traits that a folder gives its contents.
  mutating func enter(_ name: UnsafeRawBufferPointer, isAtRoot: Bool) -> FileTraits {
    var traits: FileTraits = []
    if PathTraits.vendoredFolders.contains(name) { traits.insert(.vendored) }
    if isAtRoot {
      if PathTraits.vendoredRootFolders.contains(name) { traits.insert(.vendored) }
      if PathTraits.documentRootFolders.contains(name) { traits.insert(.documentation) }
    }
    if PathTraits.documentFolders.contains(name) { traits.insert(.documentation) }
    if name.contains(UInt8(ascii: ".")), PathTraits.isDocument(name), name.last != UInt8(ascii: ".") {
      traits.insert(.documentation)
    }
    if PathTraits.generatedFolders.contains(name) { traits.insert(.generated) }
    switch name.last {
    case UInt8(ascii: "s"):
      if name.hasSuffix("node_modules") { traits.insert(.generated) }
      if name.hasSuffix("Godeps") { traits.insert(.generated) }
    case UInt8(ascii: "y"):
      if Self.isThirdParty(name) { traits.insert(.vendored) }
    case UInt8(ascii: "e"), UInt8(ascii: "t"):
      if name.hasSuffix(".xctemplate") || name.hasSuffix(".imageset") { traits.insert(.vendored) }
    case UInt8(ascii: "r"):
      // The rule of github-linguist also matches `Vvendor`.
      if name.hasSuffix("endor"), name.count > 5,
        name.dropLast(5).allSatisfy({ $0 == UInt8(ascii: "V") || $0 == UInt8(ascii: "v") })
      {
        traits.insert(.vendored)
      }
    default: break
    }
    if isInPackages, Self.endsInVersion(name) { traits.insert(.vendored) }
    traits.formUnion(below(name))
    if isInCodeMirror, !name.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 }) {
      isInCodeMirror = false
    }
    parent = Self.parent(name)
    if name.equals("codemirror") || name.equals("CodeMirror") || name.equals("Codemirror")
      || name.equals("codeMirror")
    {
      isInCodeMirror = true
    }
    if name.equals("packages") || name.equals("Packages") { isInPackages = true }
    return traits
  }

  /// Returns the traits that a folder has because of its parent.
  private func below(_ name: UnsafeRawBufferPointer) -> FileTraits {
    switch parent {
    case .godeps where name.equals("_workspace"): return .vendored
    case .yarn where PathTraits.yarnFolders.contains(name): return .vendored
    case .gradle where name.equals("wrapper"), .maven where name.equals("wrapper"): return .vendored
    case .docs where PathTraits.siteFolders.contains(name): return .vendored
    case .inst where name.equals("extdata"): return .vendored
    case .inst where name.equals("doc"): return .documentation
    case .tests where name.equals("fixtures"): return .vendored
    case .carthage where name.equals("Build"): return .generated
    case .tinyMCE
    where name.hasPrefix("langs") || name.hasPrefix("plugins") || name.hasPrefix("themes")
      || name.hasPrefix("utils"):
      return .vendored
    default: break
    }
    guard isInCodeMirror else { return [] }
    return name.hasPrefix("lib") || name.hasPrefix("mode") || name.hasPrefix("theme")
      || name.hasPrefix("addon") || name.hasPrefix("keymap") || name.hasPrefix("demo") ? .vendored : []
  }

  private static func parent(_ name: UnsafeRawBufferPointer) -> Parent {
    switch PathTraits.parentFolders.first(name) {
    case nil: return .none
    case 0: return .godeps
    case 1: return .yarn
    case 2: return .gradle
    case 3: return .maven
    case 4, 5: return .docs
    case 6: return .inst
    case 7: return .carthage
    case 8: return .tinyMCE
    default: return .tests
    }
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
  /// Folders of generated files.
  static let generatedFolders = WordTable(words: "Pods .idea __generated__ htmlcov")
  /// Parent folders that give some subfolders a meaning; ``FolderContext`` uses their positions.
  static let parentFolders = WordTable(
    words: """
      Godeps .yarn gradle .mvn doc docs inst Carthage tiny_mce test tests Test Tests spec specs Spec Specs
      """)
  /// Folders in `.yarn` that Yarn writes.
  static let yarnFolders = WordTable(words: "releases plugins sdks versions unplugged")
  /// Folders in `doc` or `docs` that generators of web sites write.
  static let siteFolders = WordTable(
    words: """
      build _build theme themes _theme _themes template templates _template _templates static _static
      """)
}
