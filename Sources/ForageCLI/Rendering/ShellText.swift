extension String {
  /// The word as a shell needs it: in quotes, where a character means something to a shell.
  var shellQuoted: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (48...57).contains(byte) || "-_./=:@+,%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
