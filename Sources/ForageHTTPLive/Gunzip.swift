import CZlib

/// Decompresses what `gzip` and zlib's `deflate` make (RFC 1952, RFC 1950), with zlib.
///
/// libcurl can do it, too, but takes a stream that is cut for a whole one, and fails at the second of
/// several.
enum Gunzip {
  enum Failure: Error { case cut, damaged, tooLarge }

  /// - Parameter limit: The most bytes that may come out.
  /// - Returns: The contents of all streams that follow each other; what stands behind them is ignored, as
  ///   gzip(1) does.
  static func decompress(_ packed: [UInt8], upTo limit: Int) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard forage_inflate_start(&stream) == Z_OK else { throw .damaged }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    var start = 0
    while true {
      let (status, read, written) = inflate(&stream, packed[start...], &part)
      start += read
      guard written <= limit - output.count else { throw .tooLarge }
      output += part[..<written]
      switch status {
      case Z_STREAM_END:
        guard packed[start...].starts(with: signature) else { return output }
        inflateReset(&stream)
      case Z_OK: continue
      // Nothing was left to read or to write.
      case Z_BUF_ERROR: throw .cut
      default: throw .damaged
      }
    }
  }

  /// What a stream of gzip begins with.
  private static let signature: [UInt8] = [0x1F, 0x8B]

  private static func inflate(
    _ stream: inout z_stream, _ input: ArraySlice<UInt8>, _ output: inout [UInt8]
  ) -> (status: Int32, read: Int, written: Int) {
    output.withUnsafeMutableBufferPointer { output in
      input.withUnsafeBufferPointer { input in
        // zlib only reads the input, but its type does not say so.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let status = CZlib.inflate(&stream, Z_NO_FLUSH)
        return (status, input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
      }
    }
  }
}
