extension PathTraits {
  /// Files that tools or other projects put into a repository under a fixed name.
  static let vendoredNames: Set<String> = [
    "configure", "config.guess", "config.sub", "aclocal.m4", "libtool.m4", "ltoptions.m4", "ltsugar.m4",
    "ltversion.m4", "lt~obsolete.m4", "dotnet-install.ps1", "dotnet-install.sh", "cpplint.py", "erlang.mk",
    ".indent.pro", "gradlew", "gradlew.bat", "mvnw", "mvnw.cmd", "fabfile.py", "waf", ".osx", "Vagrantfile",
    "Jenkinsfile", ".gitattributes", ".gitignore", ".gitmodules", ".DS_Store", "proguard.pro",
    "proguard-rules.pro", "swfobject.js", "prototype.js", "effects.js", "controls.js", "dragdrop.js", "d3.js",
    "d3.v3.js", "modernizr.js", "react.js", "react-dom.js", "html5shiv.js", "html5-3.6-respond-1.4.2.js",
    "bootbox.js", "pdf.worker.js", "jquery.fn.gantt.js", "jquery.fancyBox.js", "fuelux.js", "slick.js",
    "run.n", "ui-bootstrap.js", "normalize.css", "normalize.less", "normalize.scss", "normalize.styl",
    "animate.css", "animate.less", "animate.scss", "animate.styl", "skeleton.css", "skeleton.less",
    "skeleton.scss", "foundation.css", "foundation.less", "foundation.scss", "font-awesome.css",
    "font-awesome.less", "font-awesome.scss", "fontawesome.css", "octicons.css", "select2.css", "bulma.css",
    "materialize.css", "materialize.js", "leaflet.draw-src.js", "leaflet.js", "leaflet-src.js", "MochiKit.js",
    "mootools.js", "es6-shim.js", ".gitpod.Dockerfile",
  ]

  /// Files that tools write under a fixed name: locks and the like.
  static let generatedNames: Set<String> = [
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb",
    "composer.lock", "Cargo.lock", "Cargo.toml.orig", "Gemfile.lock", "Gopkg.lock", "glide.lock", "go.sum",
    "poetry.lock", "pdm.lock", "uv.lock", "pixi.lock", "Pipfile.lock", "pubspec.lock", "mix.lock",
    "deno.lock",
    "flake.lock", "MODULE.bazel.lock", ".terraform.lock.hcl", "Package.resolved", "esy.lock", "Podfile.lock",
    "Cartfile.resolved", "Chart.lock", ".pnp.js", ".pnp.cjs", ".pnp.mjs", ".pnp.loader.mjs", "ppport.h",
    "gradle.lockfile", "packages.lock.json", "paket.lock", "conda-lock.yml", "conan.lock",
  ]

  /// Whether a lowercase name is that of a script or style sheet that others wrote.
  static func isVendored(_ lower: [UInt8]) -> Bool {
    if ends(lower, ".js") {
      if ends(lower, ".min.js") || ends(lower, "-min.js") || ends(lower, "-vsdoc.js") { return true }
      if ends(lower, ".intellisense.js") { return true }
      return [
        "jquery", "bootstrap", "angular", "yahoo-", "shbrush", "modernizr.custom", "modernizr-", "knockout-",
      ]
      .contains { lower.starts(with: $0.utf8) }
    }
    if ends(lower, ".css") || ends(lower, ".less") || ends(lower, ".scss") || ends(lower, ".styl") {
      if ends(lower, ".min.css") || ends(lower, "-min.css") || ends(lower, "import.css") { return true }
      if ends(lower, "import.less") || ends(lower, "import.scss") || ends(lower, "import.styl") {
        return true
      }
      return ["bootstrap", "jquery", "custom.bootstrap"].contains { lower.starts(with: $0.utf8) }
    }
    return ends(lower, ".sublime-project") || ends(lower, ".sublime-workspace")
  }

  /// Whether a lowercase name ends as those do that a tool writes.
  static func isGenerated(_ lower: [UInt8]) -> Bool {
    let suffixes: [StaticString]
    switch lower.last {
    case UInt8(ascii: "o"): suffixes = [".pb.go"]
    case UInt8(ascii: "y"): suffixes = ["_pb2.py", "_pb2_grpc.py"]
    case UInt8(ascii: "i"): suffixes = ["_pb2.pyi", "_pb2_grpc.pyi"]
    case UInt8(ascii: "c"): suffixes = [".pb.cc", ".pb-c.c", ".zep.c", ".grpc.pb.cc"]
    case UInt8(ascii: "h"): suffixes = [".pb.h", ".pb-c.h", ".zep.h", ".pbobjc.h"]
    case UInt8(ascii: "m"): suffixes = [".pbobjc.m"]
    case UInt8(ascii: "t"): suffixes = [".pb.swift", ".grpc.swift", ".g.dart", ".freezed.dart", ".pb.dart"]
    case UInt8(ascii: "s"):
      suffixes = [".designer.cs", ".g.cs", ".g.i.cs", "_pb.js", "_pb.d.ts", "_pb.ts", ".feature.cs"]
    case UInt8(ascii: "b"): suffixes = [".designer.vb", "_pb.rb", ".nib", ".xib"]
    case UInt8(ascii: "p"): suffixes = [".js.map", ".css.map", ".zep.php"]
    case UInt8(ascii: "j"): suffixes = [".pbxproj"]
    case UInt8(ascii: "a"): suffixes = [".xcworkspacedata"]
    case UInt8(ascii: "e"): suffixes = [".xcuserstate"]
    default: return false
    }
    return suffixes.contains { ends(lower, $0) }
  }

  /// Names of documents about the project, with any extension.
  static func isDocumentation(_ name: ArraySlice<UInt8>) -> Bool {
    switch name.first {
    case UInt8(ascii: "R"), UInt8(ascii: "r"), UInt8(ascii: "L"), UInt8(ascii: "l"), UInt8(ascii: "C"),
      UInt8(ascii: "I"):
      break
    default: return false
    }
    switch String(decoding: name.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self) {
    case "README", "Readme", "readme", "LICENSE", "LICENCE", "License", "Licence", "license", "licence",
      "COPYING", "INSTALL", "CONTRIBUTING", "CHANGELOG", "CHANGES", "CHANGE", "CITATION", "CITATIONS":
      return true
    default:
      return false
    }
  }
}
