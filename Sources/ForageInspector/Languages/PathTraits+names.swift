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
      .secrets.baseline Manifest.toml JuliaManifest.toml
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

  static func isGenerated(_ name: UnsafeRawBufferPointer, in directory: UnsafeRawBufferPointer) -> Bool {
    if generatedNames.contains(name) { return true }
    switch name.last {
    case UInt8(ascii: "b"):
      return name.hasSuffix(".nib") || name.hasSuffix(anyCase: ".designer.vb")
    case UInt8(ascii: "s"):
      return name.hasSuffix(anyCase: ".designer.cs") || name.hasSuffix(anyCase: ".feature.cs")
        || name.hasPrefix(".pnp.") || name.hasSuffix(anyCase: "_tlb.pas")
    case UInt8(ascii: "a"): return name.hasSuffix(".xcworkspacedata")
    case UInt8(ascii: "e"): return name.hasSuffix(".xcuserstate")
    case UInt8(ascii: "k"):
      return name.hasSuffix("composer.lock") || name.hasSuffix("Cargo.lock") || name.hasSuffix("deno.lock")
        || name.hasSuffix("Gopkg.lock") || name.hasSuffix("glide.lock") || name.hasSuffix("poetry.lock")
        || name.hasSuffix("pdm.lock") || name.hasSuffix("uv.lock") || name.hasSuffix("pixi.lock")
        || name.hasSuffix("Pipfile.lock") || name.hasPrefix("mise.") && name.hasSuffix(".lock")
        || name.hasSuffix(".esy.lock")
    case UInt8(ascii: "g"): return name.hasSuffix("Cargo.toml.orig")
    case UInt8(ascii: "d"):
      return name.hasSuffix("Package.resolved") || name.hasSuffix(anyCase: "mvnw.cmd") && name.count == 8
    case UInt8(ascii: "n"):
      if name.hasSuffix(".json") {
        return name.hasSuffix("npm-shrinkwrap.json") || name.hasSuffix("package-lock.json")
          || isQueryDescription(name, directory)
      }
    case UInt8(ascii: "l"): return name.hasSuffix("pnpm-lock.yaml") || isVersionedManifest(name)
    case UInt8(ascii: "c"), UInt8(ascii: "h"):
      return name.count > 6 && (name.hasSuffix(".zep.c") || name.hasSuffix(".zep.h"))
    case UInt8(ascii: "p"):
      return name.count > 8 && name.hasSuffix(".zep.php") || name.hasSuffix(anyCase: ".js.map")
        || name.hasSuffix(anyCase: ".css.map")
    case UInt8(ascii: "w"): return name.equals("gradlew") || name.equals("mvnw")
    case UInt8(ascii: "t"): return name.equals("gradlew.bat")
    default: break
    }
    return name.hasPrefix(".pnp.")
  }

  /// Whether a file is `query-` and 64 hexadecimal digits in a folder `.sqlx`, which SQLx writes.
  private static func isQueryDescription(
    _ name: UnsafeRawBufferPointer, _ directory: UnsafeRawBufferPointer
  ) -> Bool {
    guard name.count == 75, name.hasPrefix("query-"), isLast(".sqlx/", directory) else { return false }
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
    let before = directory.count - folder.utf8CodeUnitCount - 1
    return before < 0 || directory[before] == UInt8(ascii: "/")
  }
}
