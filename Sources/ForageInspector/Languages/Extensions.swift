extension LanguageClassifier {
  /// Extensions of so many formats that the contents must show the language.
  static let genericExtensions = WordTable(
    words: """
      .1 .2 .3 .4 .5 .6 .7 .8 .9 .action .alg .app .cmp .msg .network .resource .sol .srv .stl .tag .target
      .url .p8
      """)
}

/// Manual pages, whose extensions name the section of the manual.
enum ManualPages {
  /// Whether a name ends with `.1` to `.9` and optional letters, `.0p`, `.n`, `.man` or `.mdoc`, and an
  /// optional `.in`.
  static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    let name = name.hasSuffix(".in") ? UnsafeRawBufferPointer(rebasing: name.dropLast(3)) : name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot + 1 < name.count else { return false }
    let suffix = name.from(dot + 1)
    if suffix.equals("0p") || suffix.equals("n") || suffix.equals("man") || suffix.equals("mdoc") {
      return true
    }
    guard suffix[0] &- 0x31 < 9 else { return false }
    return suffix.count == 1 || suffix[1] &- 0x30 >= 10 && suffix.allSatisfy(SourceText.isNameByte)
  }

  /// Returns the language of a text: manual pages have a title and a heading, other roff documents have not.
  static func language(_ text: SourceText) -> String {
    ContentRules.isManualPage(text) ? "Roff Manpage" : "Roff"
  }
}

/// Extensions of binary files, which have no language and need not be read.
enum BinaryExtensions {
  private static let all = WordTable(
    words: """
      png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd xcf pdf zip gz tgz bz2 xz zst lz4 7z rar
      tar jar war apk aar deb rpm whl egg gem nupkg exe dll so dylib a o obj lib pdb class pyc wasm bin
      dat db sqlite sqlite3 ttf otf woff woff2 eot mp3 mp4 m4a m4v wav flac ogg ogv oga webm mov avi mkv
      mid swf doc docx xls xlsx ppt pptx odt ods odp npy npz pkl parquet onnx pt pth h5 blend fbx glb dds
      ktx tga keystore jks p12 pfx der mo gmo lock iso img dmg
      """, foldsCase: true)

  /// Whether the last extension of a name is in the list, in any case.
  static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return all.contains(name.from(dot + 1))
  }
}
