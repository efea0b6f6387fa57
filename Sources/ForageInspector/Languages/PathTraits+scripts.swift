extension PathTraits {
  /// Whether a name that ends with `.js` is that of a known web library.
  static func isVendoredScript(_ name: UnsafeRawBufferPointer) -> Bool {
    if name.hasSuffix(".min.js") || name.hasSuffix("-min.js") || name.hasSuffix("-vsdoc.js")
      || name.hasSuffix(".intellisense.js")
    {
      return true
    }
    let stem = UnsafeRawBufferPointer(rebasing: name[..<(name.count - 3)])
    // Names without a dot, such as `jquery-ui` (but not `jquery.cookie`).
    let isPlain = !stem.contains(UInt8(ascii: "."))
    switch stem.first {
    case UInt8(ascii: "a"): return isPlain && stem.hasPrefix("angular")
    case UInt8(ascii: "b"): return stem.hasPrefix("bootstrap")
    case UInt8(ascii: "c"):
      return stem.hasPrefix("cordova") && (isPlain || isVersion(stem.from(8), parts: 2...3))
        || stem.hasPrefix("custom.bootstrap")
    case UInt8(ascii: "d"):
      guard stem.hasPrefix("d3") else { return false }
      var rest = stem.from(2)
      if rest.hasPrefix(".v") {
        rest = rest.from(2)
        guard let digit = rest.first, digit &- 0x30 < 10 else { return false }
      }
      return !rest.contains(UInt8(ascii: "."))
    case UInt8(ascii: "f"):
      return stem.equals("foundation") || stem.hasPrefix("foundation.")
    case UInt8(ascii: "j"): return stem.hasPrefix("jquery") && isJQuery(stem, isPlain: isPlain)
    case UInt8(ascii: "k"):
      guard stem.hasPrefix("knockout-") else { return false }
      let rest = stem.from(9)
      let version = rest.hasSuffix(".debug") ? UnsafeRawBufferPointer(rebasing: rest.dropLast(6)) : rest
      return isVersion(version, parts: 3...3)
    case UInt8(ascii: "L"):
      return stem.hasPrefix("Leaflet.Coordinates-") && stem.hasSuffix(".src")
    case UInt8(ascii: "m"): return isVendoredScriptOfM(stem)
    case UInt8(ascii: "M"): return isMicrosoft(stem)
    case UInt8(ascii: "p"): return stem.hasPrefix("prototype")
    case UInt8(ascii: "r"): return stem.equals("react") || isPlain && stem.hasPrefix("react-")
    case UInt8(ascii: "s"):
      return isPlain && stem.hasPrefix("shBrush") || stem.hasPrefix("slick.") && stem.count > 6
    case UInt8(ascii: "t"): return isPlain && stem.hasPrefix("tiny_mce")
    case UInt8(ascii: "y"): return isPlain && (stem.hasPrefix("yahoo-") || stem.hasPrefix("yui"))
    default: return false
    }
  }

  /// Whether a name is like `modernizr-2.8.3`, `modernizr.custom.12345`, `materialize`, `mootools-core-1.4.5`
  /// or `microsoftAjax`.
  private static func isVendoredScriptOfM(_ stem: UnsafeRawBufferPointer) -> Bool {
    if stem.hasPrefix("modernizr-") { return isVersion(stem.from(10), parts: 2...3) }
    if stem.hasPrefix("modernizr.custom.") { return isVersion(stem.from(17), parts: 1...1) }
    if stem.hasPrefix("mootools") {
      return stem.filter { $0 == UInt8(ascii: ".") }.count == 2 && stem.contains { $0 &- 0x30 < 10 }
    }
    return stem.equals("materialize") || isMicrosoft(stem)
  }

  private static func isMicrosoft(_ stem: UnsafeRawBufferPointer) -> Bool {
    var rest = stem.hasSuffix(".debug") ? UnsafeRawBufferPointer(rebasing: stem.dropLast(6)) : stem
    guard rest.hasPrefix("Microsoft") || rest.hasPrefix("microsoft") else { return false }
    rest = rest.from(9)
    if rest.hasPrefix("Mvc") || rest.hasPrefix("mvc") { rest = rest.from(3) }
    return rest.equals("Ajax") || rest.equals("ajax") || rest.equals("Validation")
      || rest.equals("validation")
  }

  /// Whether a name is that of jQuery, jQuery UI or a plug-in that comes with them.
  private static func isJQuery(_ stem: UnsafeRawBufferPointer, isPlain: Bool) -> Bool {
    if isPlain { return true }
    let rest = stem.from(6)
    if rest.hasPrefix("-ui") { return isJQueryUI(stem) }
    if rest.hasPrefix("-"), isVersion(rest.from(1), parts: 2...3) { return true }
    if rest.hasPrefix(".ui.") || rest.hasPrefix(".effects.") {
      return !rest.from(rest.hasPrefix(".ui.") ? 4 : 9).contains(UInt8(ascii: "."))
    }
    if rest.hasPrefix(".fileupload") { return !rest.from(11).contains(UInt8(ascii: ".")) }
    return rest.hasSuffix(".validate") || rest.hasSuffix(".validate.unobtrusive")
      || rest.hasSuffix(".unobtrusive-ajax")
  }

  /// Whether a name is `jquery-ui` or `jquery-ui-1.12.1`, also with one more part such as `.custom`.
  private static func isJQueryUI(_ stem: UnsafeRawBufferPointer) -> Bool {
    let rest = stem.from(9)
    if rest.isEmpty { return true }
    if rest.hasPrefix(".") { return !rest.from(1).contains(UInt8(ascii: ".")) }
    guard rest.hasPrefix("-") else { return false }
    let version = rest.from(1)
    if isVersion(version, parts: 2...3) { return true }
    guard let dot = version.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return isVersion(UnsafeRawBufferPointer(rebasing: version[..<dot]), parts: 2...3)
  }

  /// Whether a name that ends with `.css`, `.scss`, `.less` or `.styl` is that of a known web library.
  static func isVendoredStyle(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let stem = UnsafeRawBufferPointer(rebasing: name[..<dot])
    let suffix = name.from(dot)
    if suffix.equals(".css"), stem.hasSuffix(".min") || stem.hasSuffix("-min") { return true }
    // The rules below are for these four; `.sass` has a rule of its own.
    let isCSS = suffix.equals(".css")
    guard isCSS || suffix.equals(".less") || suffix.equals(".scss") || suffix.equals(".styl") else {
      return suffix.equals(".sass") && stem.equals("bulma")
    }
    if isCSS, stem.hasPrefix("jquery.ui.") || stem.hasPrefix("jquery.effects.") {
      return stem.filter { $0 == UInt8(ascii: ".") }.count == 2
    }
    return styles.contains(stem) || stem.hasPrefix("bootstrap") || stem.hasPrefix("custom.bootstrap")
      || stem.equals("bulma") && (isCSS || suffix.equals(".scss"))
      || isCSS && (stem.hasPrefix("fontello") || stem.hasPrefix("jquery-ui") && isJQueryUI(stem))
      || stem.hasSuffix("import")
  }

  private static let styles = WordTable(
    words: "animate font-awesome fontawesome foundation materialize normalize skeleton")

  /// Whether scripts and style sheets in these folders belong to a web library.
  static func isVendoredAsset(
    _ name: UnsafeRawBufferPointer, _ directory: UnsafeRawBufferPointer
  ) -> Bool {
    let isScript = name.hasSuffix(".js")
    let isStyle = name.hasSuffix("css")
    return hasFolder(directory) { folder in
      if folder.equals("select2") { return isScript || isStyle }
      return isScript
        ? folder.equals("flow-typed") || folder.equals("extjs")
        : folder.equals("font-awesome") || folder.equals("fontawesome") || folder.equals("Bourbon")
          || folder.equals("bourbon")
    }
  }

  static func isInExtJS(_ directory: UnsafeRawBufferPointer) -> Bool {
    hasFolder(directory) { $0.equals("extjs") }
  }

  private static func hasFolder(
    _ directory: UnsafeRawBufferPointer, where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var start = 0
    for at in directory.indices where directory[at] == UInt8(ascii: "/") {
      if isWanted(UnsafeRawBufferPointer(rebasing: directory[start..<at])) { return true }
      start = at + 1
    }
    return false
  }

  /// Whether some bytes are numbers separated by dots, `parts` of them.
  private static func isVersion(_ bytes: UnsafeRawBufferPointer, parts: ClosedRange<Int>) -> Bool {
    var count = 1
    var previousIsDigit = false
    for byte in bytes {
      if byte == UInt8(ascii: ".") {
        guard previousIsDigit else { return false }
        count += 1
        previousIsDigit = false
      } else {
        guard byte &- 0x30 < 10 else { return false }
        previousIsDigit = true
      }
    }
    return previousIsDigit && parts.contains(count)
  }
}
