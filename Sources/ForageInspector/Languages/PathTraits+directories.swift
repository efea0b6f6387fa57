extension PathTraits {
  /// Directory names that mark all that is inside, wherever they are unless the mark says otherwise.
  static let directories: [String: DirectoryMark] = {
    var marks: [String: DirectoryMark] = [:]
    for name in [
      "node_modules", "bower_components", "vendor", "vendors", "Vendor", "Vendors", "dist", "cache",
      "testdata",
      "extern", "external", "externals", "Extern", "External", "Externals", "3rdparty", "3rdParty",
      "3rd_party",
      "3rd-party", "3rd-Party", "3rd_Party", "third_party", "third-party", "thirdparty", "thirdParty",
      "third_Party", "third-Party", "ThirdParty", "Thirdparty", "Third_Party", "Third-Party", "Third_party",
      "Third-party", "admin_media", "env", "Carthage", "Sparkle", "tinymce", "tiny_mce", "mathjax", "MathJax",
      "ckeditor", "fckeditor", "codemirror", "extjs", "flow-typed", "elm-stuff", "puphpet", ".vscode",
      ".github",
      ".obsidian", ".teamcity", ".xvba_modules", ".google_apis", "Crashlytics.framework", "Fabric.framework",
      "BuddyBuildSDK.framework", "Realm.framework", "RealmSwift.framework", ".sonarlint",
    ] { marks[name] = .vendored }
    for name in ["Pods", ".idea", "__generated__", "htmlcov", ".pnp"] { marks[name] = .generated }
    for name in ["documentation", "Documentation", "groovydoc", "Groovydoc", "javadoc", "Javadoc"] {
      marks[name] = .documentation
    }
    for name in ["deps", "dependencies", "Dependencies", "debian", "vignettes", "rebar"] {
      marks[name] = .vendoredAtRoot
    }
    for name in [
      "doc", "docs", "Doc", "Docs", "man", "Man", "examples", "Examples", "demo", "demos", "Demo",
      "Demos", "sample", "samples", "Sample", "Samples",
    ] { marks[name] = .documentationAtRoot }
    return marks
  }()

  /// Directory names that mean something below certain others only.
  static let nested: [String: (parents: Set<String>, mark: DirectoryMark)] = [
    "fixtures": (["test", "tests", "Test", "Tests", "spec", "specs", "Spec", "Specs"], .vendored),
    "wrapper": (["gradle", ".mvn"], .vendored),
    "_workspace": (["Godeps"], .vendored),
    "releases": ([".yarn"], .vendored),
    "plugins": ([".yarn"], .vendored),
    "sdks": ([".yarn"], .vendored),
    "versions": ([".yarn"], .vendored),
    "unplugged": ([".yarn"], .vendored),
    "extdata": (["inst"], .vendored),
    "doc": (["inst"], .documentation),
    "build": (["doc", "docs"], .vendored),
    "_build": (["doc", "docs"], .vendored),
    "themes": (["doc", "docs"], .vendored),
    "_themes": (["doc", "docs"], .vendored),
    "templates": (["doc", "docs"], .vendored),
    "_templates": (["doc", "docs"], .vendored),
    "static": (["doc", "docs"], .vendored),
    "_static": (["doc", "docs"], .vendored),
  ]
}
