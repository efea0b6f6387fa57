func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
