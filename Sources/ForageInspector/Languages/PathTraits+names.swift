extension PathTraits {
  /// Whole names of files that come from other projects.
  private static let vendoredNames = WordTable(
    words: """
      configure config.guess config.sub aclocal.m4 libtool.m4 ltoptions.m4 ltsugar.m4 ltversion.m4
      lt~obsolete.m4 dotnet-install.ps1 dotnet-install.sh cpplint.py _esy erlang.mk .indent.pro run.n
      jquery.fn.gantt.js jquery.fancybox.js jquery.fancybox.css fuelux.js jquery.dataTables.js bootbox.js
      pdf.worker.js leaflet.draw-src.js leaflet.draw.css Control.FullScreen.css Control.FullScreen.js
      leaflet.spin.js wicket-leaflet.js .sublime-project .sublime-workspace effects.js controls.js
      dragdrop.js dojo.js MochiKit.js ckeditor.js Chart.js shCore.js shLegacy.js fabfile.py waf .osx
      .gitattributes .gitignore .gitmodules gradlew gradlew.bat mvnw mvnw.cmd html5shiv.js Vagrantfile
      octicons.css sprockets-octicons.scss activator activator.bat proguard.pro proguard-rules.pro
      Jenkinsfile .gitpod.Dockerfile
      """)

  private static let generatedNames = WordTable(
    words: """
      flake.lock MODULE.bazel.lock bun.lock bun.lockb .terraform.lock.hcl esy.lock mise.lock
      .secrets.baseline Manifest.toml JuliaManifest.toml gradlew gradlew.bat mvnw
      """)

  static func isVendored(_ name: UnsafeRawBufferPointer, in directory: UnsafeRawBufferPointer) -> Bool {
    if vendoredNames.contains(name) { return true }
    if directory.isEmpty, name.equals("rebar") { return true }
    switch name.last {
    case UInt8(ascii: "s"):
      if name.hasSuffix(".js") { return isVendoredScript(name) || isVendoredAsset(name, directory) }
      if name.hasSuffix(".d.ts") { return true }
      if name.hasSuffix("css") || name.hasSuffix(".less") || name.hasSuffix(".sass") {
        return isVendoredStyle(name) || isVendoredAsset(name, directory)
      }
    case UInt8(ascii: "l"):
      if name.hasSuffix(".styl") { return isVendoredStyle(name) || isVendoredAsset(name, directory) }
      if name.hasSuffix(".xml") || name.hasSuffix(".html") { return isInExtJS(directory) }
    case UInt8(ascii: "t"):
      if name.hasSuffix(".txt") { return isInExtJS(directory) }
    case UInt8(ascii: "e"):
      return name.count == 9 && name.hasSuffix(anyCase: ".ds_store")
    default: break
    }
    return false
  }

  private static let generatedSuffixes: [StaticString] = [
    ".nib", ".xcworkspacedata", ".xcuserstate", "composer.lock", "Cargo.lock", "deno.lock", "Gopkg.lock",
    "glide.lock", "poetry.lock", "pdm.lock", "uv.lock", "pixi.lock", "Pipfile.lock", ".esy.lock",
    "Cargo.toml.orig", "Package.resolved", "npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml",
  ]
  /// The suffixes that count in any case.
  private static let toolSuffixes: [StaticString] = [
    ".designer.vb", ".designer.cs", ".feature.cs", "_tlb.pas", ".js.map", ".css.map",
  ]
  /// The suffixes of files that the compiler of Zephir writes, behind a name.
  private static let zephirSuffixes: [StaticString] = [".zep.c", ".zep.h", ".zep.php"]

  static func isGenerated(_ name: UnsafeRawBufferPointer, in directory: UnsafeRawBufferPointer) -> Bool {
    generatedNames.contains(name) || name.hasPrefix(".pnp.")
      || name.hasPrefix("mise.") && name.hasSuffix(".lock")
      || name.count == 8 && name.hasSuffix(anyCase: "mvnw.cmd")
      || generatedSuffixes.contains { name.hasSuffix($0) }
      || toolSuffixes.contains { name.hasSuffix(anyCase: $0) }
      || zephirSuffixes.contains { name.count > $0.count && name.hasSuffix($0) }
      || isQueryDescription(name, directory) || isVersionedManifest(name)
  }

  /// Whether a file is `query-` and 64 hexadecimal digits in a folder `.sqlx`, which SQLx writes.
  private static func isQueryDescription(
    _ name: UnsafeRawBufferPointer, _ directory: UnsafeRawBufferPointer
  ) -> Bool {
    guard name.count == 75, name.hasPrefix("query-"), name.hasSuffix(".json"), isLast(".sqlx/", directory)
    else { return false }
    return name[6..<70].allSatisfy { $0 &- 0x30 < 10 || (0x61...0x66).contains($0) }
  }

  /// Whether a file is a versioned Julia manifest, such as `Manifest-v1.11.toml`.
  private static func isVersionedManifest(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.hasSuffix(".toml") else { return false }
    let rest = name.hasPrefix("Julia") ? name.from(5) : name
    guard rest.hasPrefix("Manifest-v") else { return false }
    let version = rest[10..<(rest.count - 5)]
    return version.contains(UInt8(ascii: ".")) && version.first != UInt8(ascii: ".")
      && version.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
  }

  /// Whether a folder's path ends with this component (given with its slash).
  static func isLast(_ folder: StaticString, _ directory: UnsafeRawBufferPointer) -> Bool {
    guard directory.hasSuffix(folder) else { return false }
    let before = directory.count - folder.count - 1
    return before < 0 || directory[before] == UInt8(ascii: "/")
  }
}
