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
    return all.entry(name.from(dot + 1)) != nil
  }

  /// Whether the last extension of a name is in the list, in any case.
  static func contains(_ name: ArraySlice<UInt8>) -> Bool { name.withUnsafeBytes { contains($0) } }
}
