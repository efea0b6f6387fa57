/// Reasons why a file may not be the project's own work, as in github-linguist.
package struct FileTraits: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Third-party code (`linguist-vendored`).
  package static let vendored = FileTraits(rawValue: 1)
  /// Written by a program (`linguist-generated`).
  package static let generated = FileTraits(rawValue: 2)
  /// About the project (`linguist-documentation`).
  package static let documentation = FileTraits(rawValue: 4)
}

extension FileTraits {
  /// The patterns for one trait: for the path of a folder with a trailing slash, and for the path of a file.
  private struct Rule {
    let trait: FileTraits
    let folder: Pattern
    let file: Pattern

    init(_ trait: FileTraits, folders: StaticString, files: StaticString) {
      self.trait = trait
      folder = Self.pattern(folders)
      file = Self.pattern(files)
    }

    /// Makes one pattern of the lines of a text.
    private static func pattern(_ lines: StaticString) -> Pattern {
      Pattern("\(lines)".split(separator: "\n").joined(separator: "|"))
    }
  }

  private static let rules = [
    Rule(.vendored, folders: vendoredFolders, files: vendoredFiles),
    Rule(.generated, folders: generatedFolders, files: generatedFiles),
    Rule(.documentation, folders: documentationFolders, files: documentationFiles),
  ]

  /// Returns the traits that follow from a path alone, without attributes.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func of(_ path: String) -> FileTraits {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { path[...$0] } ?? ""
    return ofFolder(folder).union(ofFile(path))
  }

  /// Returns the traits that the folders of a path give their contents.
  ///
  /// - Parameter folder: the path of the folder with a trailing slash; empty for the root.
  static func ofFolder(_ folder: some StringProtocol) -> FileTraits {
    folder.isEmpty ? [] : FileTraits(rules.lazy.filter { $0.folder.matches(folder) }.map(\.trait))
  }

  /// Returns the traits that follow from the name of a file, alone or together with its folders.
  static func ofFile(_ path: some StringProtocol) -> FileTraits {
    FileTraits(rules.lazy.filter { $0.file.matches(path) }.map(\.trait))
  }
}

/// Recognises tests by their paths.
package enum TestPaths {
  /// Names of folders that hold tests in most languages.
  private static let folders: Set<String> = [
    "test", "tests", "testing", "spec", "specs", "__tests__", "testdata", "test-data", "fixtures", "t",
    "unittest", "unittests", "e2e",
  ]

  /// Whether a path is that of a test or of its data: by a folder of a usual name, or by a name such as
  /// `test_x.py`, `x_test.go`, `XTests.swift` or `x.spec.ts`.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func contains(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return false }
    if parts.dropLast().contains(where: { isFolder($0) }) { return true }
    let stem = name.prefix { $0 != "." }
    let rest = name.dropFirst(stem.count).lowercased()
    if rest.hasPrefix(".test.") || rest.hasPrefix(".spec.") { return true }
    let lower = stem.lowercased()
    if lower.hasPrefix("test_") || lower.hasPrefix("test-") || lower == "conftest" { return true }
    if ["_test", "-test", "_tests", "_spec", "-spec"].contains(where: lower.hasSuffix) { return true }
    // Camel case: "latest" is no test.
    return ["Test", "Tests", "Spec", "TestCase"].contains { stem.hasSuffix($0) && stem != $0 }
  }

  private static func isFolder(_ name: Substring) -> Bool {
    folders.contains(name.lowercased()) || name.hasSuffix("Tests") || name.hasSuffix("Test")
  }
}

// swift-format-ignore-file
/// Facts about names and generators from `vendor.yml`, `documentation.yml` and `generated.rb` of
/// github-linguist at b45dbe9b2825a43285bcd035861be91cc0a7299e. Each line is a pattern.
extension FileTraits {
  static var vendoredFolders: StaticString {
    #"""
    ^(?:deps|[Dd]ependencies|debian)/
    (?:^|/)(?:cache|dist|node_modules|bower_components|testdata|vendors?|V+endor|[Ee]xtern(?:als?)?|env|Carthage)/
    (?:^|/)(?:bootstrap-datepicker|ace-builds|MathJax|admin_media|Sparkle|puphpet|xvba_modules)/
    (?:^|/)\.(?:github|google_apis|obsidian|teamcity|vscode)/
    (?:^|/)(?:BuddyBuildSDK|Crashlytics|Fabric|Realm|RealmSwift)\.framework/
    (?:3rd|[Tt]hird)[-_]?[Pp]arty/
    \.(?:imageset|xctemplate)/
    (?:^|/)(?:Godeps/_workspace|gradle/wrapper|\.mvn/wrapper|inst/extdata|(?:[Tt]ests?|[Ss]pecs?)/fixtures)/
    (?:^|/)\.yarn/(?:releases|plugins|sdks|versions|unplugged)/
    (?:^|/)docs?/_?(?:build|themes?|templates?|static)/
    (?:^|/)tiny_mce/(?:langs|plugins|themes|utils)
    (?:^|/)[Cc]ode[Mm]irror/(?:[\d.]+/)*(?:lib|mode|theme|addon|keymap|demo)
    (?:^|/)[Pp]ackages/(?:.*/)?[^/]+\.\d+/
    """#
  }
  static var vendoredFiles: StaticString {
    #"""
    ^rebar\z
    (?:^|/)(?:configure|config\.(?:guess|sub)|(?:aclocal|libtool|ltoptions|ltsugar|ltversion|lt~obsolete)\.m4)\z
    (?:^|/)(?:gradlew|gradlew\.bat|mvnw|mvnw\.cmd|activator|activator\.bat|waf|Vagrantfile|Jenkinsfile)\z
    (?:^|/)(?:cpplint\.py|fabfile\.py|erlang\.mk|dotnet-install\.(?:ps1|sh)|proguard(?:-rules)?\.pro|_esy|run\.n)\z
    (?:^|/)\.(?:git(?:attributes|ignore|modules)|gitpod\.Dockerfile|sublime-(?:project|workspace)|osx|indent\.pro)\z
    (?:^|/)\.(?i:ds_store)\z
    [-.]min\.(?:js|css)\z
    -vsdoc\.js\z|\.intellisense\.js\z|\.d\.ts\z
    import\.(?:css|less|scss|styl)\z
    (?:^|/)(?:custom\.)?bootstrap[^/]*\.(?:js|css|less|scss|styl)\z
    (?:^|/)(?:animate|font-?awesome|foundation|materialize|normalize|skeleton)\.(?:css|less|scss|styl)\z
    (?:^|/)(?:bulma\.(?:css|sass|scss)|fontello[^/]*\.css|(?:sprockets-)?octicons\.s?css)\z
    (?:^|/)(?:font-?awesome|[Bb]ourbon)/.*\.(?:css|less|scss|styl)\z
    (?:^|/)select2/.*\.(?:css|scss|js)\z
    (?:^|/)flow-typed/.*\.js\z
    (?:^|/)extjs/.*\.(?:js|xml|txt|html|properties)\z
    (?:^|/)(?:jquery|yui|yahoo-|tiny_mce|angular|cordova|shBrush|react-)[^/.]*\.js\z
    (?:^|/)jquery(?:-\d+(?:\.\d+){1,2}|\.(?:fn\.gantt|dataTables)|\.fileupload[^/.]*)\.js\z
    (?:^|/)jquery[^/]*\.(?:validate|validate\.unobtrusive|unobtrusive-ajax)\.js\z
    (?:^|/)jquery(?:-ui(?:-\d+(?:\.\d+){1,2})?(?:\.\w+)?|\.(?:ui|effects)\.[^/.]*|\.fancybox)\.(?:js|css)\z
    (?:^|/)(?:cordova-\d+(?:\.\d+){1,2}|d3(?:\.v\d[^/.]*)?[^/.]*|foundation(?:\.[^/]*)?|slick\.[^/]+|prototype[^/]*)\.js\z
    (?:^|/)(?:knockout-\d+\.\d+\.\d+(?:\.debug)?|modernizr-\d+(?:\.\d+){1,2}|modernizr\.custom\.\d+|materialize)\.js\z
    (?:^|/)mootools[^/.]*\d+\.\d+\.\d+[^/.]*\.js\z
    (?:^|/)[Mm]icrosoft(?:[Mm]vc)?(?:[Aa]jax|[Vv]alidation)(?:\.debug)?\.js\z
    (?:^|/)(?:Chart|MochiKit|bootbox|ckeditor|controls|dojo|dragdrop|effects|fuelux|html5shiv|react|shCore|shLegacy)\.js\z
    (?:^|/)(?:leaflet\.draw-src|leaflet\.spin|wicket-leaflet|Leaflet\.Coordinates-[^/]*\.src|pdf\.worker)\.js\z
    (?:^|/)(?:leaflet\.draw\.css|Control\.FullScreen\.(?:css|js))\z
    """#
  }
  static var generatedFolders: StaticString {
    #"""
    (?:^|/)(?:Pods|\.idea|__generated__|htmlcov|Carthage/Build)/
    (?:node_modules|Godeps)/
    """#
  }
  static var generatedFiles: StaticString {
    #"""
    \.(?:nib|xcworkspacedata|xcuserstate)\z
    (?:composer|Cargo|deno|Gopkg|glide|poetry|pdm|uv|pixi|Pipfile|\.esy)\.lock\z
    (?:Cargo\.toml\.orig|Package\.resolved|npm-shrinkwrap\.json|package-lock\.json|pnpm-lock\.yaml)\z
    (?i:\.designer\.(?:cs|vb)|\.feature\.cs|_tlb\.pas|\.(?:js|css)\.map)\z
    [^/]\.zep\.(?:c|h|php)\z
    (?:^|/)(?:flake\.lock|MODULE\.bazel\.lock|bun\.lockb?|esy\.lock|mise(?:\.[^/]+)?\.lock|\.terraform\.lock\.hcl)\z
    (?:^|/)(?:gradlew(?:\.bat)?|mvnw|(?i:mvnw\.cmd)|\.secrets\.baseline|\.pnp\.[^/]*)\z
    (?:^|/)(?:Julia)?Manifest(?:-v\d+\.\d+)?\.toml\z
    (?:^|/)\.sqlx/query-[0-9a-f]{64}\.json\z
    """#
  }
  static var documentationFolders: StaticString {
    #"""
    ^(?:[Dd]ocs?|[Mm]an|[Ee]xamples|[Dd]emos?|[Ss]amples?)/
    (?:^|/)(?:[Dd]ocumentation|[Gg]roovydoc|[Jj]avadoc|inst/doc)/
    """#
  }
  static var documentationFiles: StaticString {
    #"""
    (?:^|/)(?:CHANGE(?:S|LOG)?|CONTRIBUTING|COPYING|INSTALL|LICEN[CS]E|[Ll]icen[cs]e|README|[Rr]eadme)(?:\.|\z)
    (?:^|/)CITATION(?:\.cff|S?(?:\.(?:bib|md))?)\z
    """#
  }

  /// Texts that say that a program wrote them.
  static let generators = LanguageRules(
    #"""
    top: \A.*?
    top2: \A(?:.*\R)?.*?
    top3: \A(?:.*\R){0,2}.*?
    top5: \A(?:.*\R){0,4}.*?
    top6: \A(?:.*\R){0,5}.*?
    top10: \A(?:.*\R){0,9}
    top31: \A(?:.*\R){0,30}.*?
    top40: \A(?:.*\R){0,39}
    .cc .cpp .h .java .m .php .py .rb Protobuf: {{top3}}Generated by the protocol buffer compiler\.  DO NOT EDIT!
    .cc .cpp .go .h .java .js .m .php .py .rb Thrift: {{top6}}Autogenerated by Thrift Compiler
    .cpp .cs .h .java .js .lua .php .py Haxe: {{top3}}Generated by Haxe
    .cc .cpp .h .hpp gRPC: \A// Generated by the gRPC
    .c .cpp Cython: {{top}}Generated by Cython
    .c .h GIMP: \A/\*  ?GIMP (?:.*C-Source image dump|header image file format)
    .h JNI: {{top}}/\* DO NOT EDIT THIS FILE - it is machine generated \*/.*\R.*#include <jni\.h>
    .go Go: {{top40}}// Code generated[ ]
    .java JFlex: \A/\* The following code was generated by JFlex[ ]
      Grammar-Kit: \A// This is a generated file\. Not intended for manual editing\.
      jOOQ: {{top2}}This file is generated by jOOQ\.
    .rb Racc: \A.*\R.*\R# This file is automatically generated by Racc
      Twirp: {{top3}}Code generated by protoc-gen-twirp_ruby
    .ts Protobuf: {{top}}Code generated by protoc-gen-ts_proto\. DO NOT EDIT\.
    .dart Dart: {{top3}}(?i:generated code\W{2,3}do not modify)
    .rd roxygen2: {{top}}% Generated by roxygen2: do not edit by hand
    .rbi Tapioca: \A# typed:.*\R.*\R.*DO NOT EDIT MANUALLY.*\R.*\R# Please .*`bin/tapioca
    .g ANTLR: \A.*\R.*generated by Xtest
    .frm MySQL: {{top}}TYPE=VIEW
    .mod PCB or Fortran: {{top}}(?:PCBNEW-LibModule-V|GFORTRAN module version ')
    .dsp Visual Studio: {{top3}}# Microsoft Developer Studio Generated Build File
    .yy .yyp GameMaker: \A\s*[{[]
    .js CoffeeScript: \A// Generated by[ ]
      CoffeeScript: \A\(function\(\) \{$ && ^\}\)\.call\(this\);\R\z && __(?:bind|extends|hasProp|indexOf|slice)\b
      PEG.js: {{top5}}Generated by PEG\.js
      Protobuf: \A(?:.*\R){5}.*GENERATED CODE -- DO NOT EDIT!
      Jison: \A/\* (?:parser generated by jison|generated by jison-lex)[ ]
    .js .css Source map: ^/[*/][#@] source(?:Mapping)?URL.*\R?(?:.*\R?)?\z|sourceURL=.*\R?(?:.*\R?)?\z
    .eps .pfa .ps PostScript: ^[ \t]*(?:currentfile eexec\s|/sfnts\s+\[)
      PostScript: {{top10}}%%Creator: .*(?:\d|draw|mpage|ImageMagick|inkscape|MATLAB|PCBNEW|pnmtops|\(Unknown\))
      PostScript: {{top10}}%%Creator: .*(?:Serif Affinity|Filterimage -tops|EAGLE)
    .htm .html .xhtml pkgdown: {{top2}}<!-- Generated by pkgdown: do not edit by hand -->
      Doxygen: {{top31}}<!--\s*(?i:generated by doxygen)
      Unknown: \A.*\R.*\R<!-- This is an automatically generated file\.
      Converter: {{top31}}(?i:<meta\s.*["'=](?:org.mode|j?latex2html|groff|makeinfo|texi2html|ronn)\b) && (?i)generator
    """#)
}
