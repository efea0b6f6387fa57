/// Converts a text to UTF-8 with iconv(3); `nil` if it does not know the encoding, or the bytes do not fit
/// it.
package func convertedToUTF8(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
  #if canImport(Darwin)
    // iconv is a separate library there.
    return nil
  #else
    guard let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No single byte of a known encoding becomes more than 6 bytes of UTF-8 (decomposed sequences).
    var output = [CChar](repeating: 0, count: bytes.count * 6 + 16)
    let capacity = output.count
    let written: Int? = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var from = source.baseAddress
        var fromLeft = source.count
        var to = target.baseAddress
        var toLeft = capacity
        let status = iconv(converter, &from, &fromLeft, &to, &toLeft)
        return status == -1 || fromLeft > 0 ? nil : capacity - toLeft
      }
    }
    return written.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
  #endif
}
