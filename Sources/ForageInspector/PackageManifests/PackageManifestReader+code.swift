/// Manifests that are programs; they are parsed, not executed.
extension PackageManifestReader {
  /// Counts the calls of `.package(` in a `Package.swift` outside comments and strings.
  static func swiftPackages(_ bytes: [UInt8]) -> Int {
    var cursor = ByteCursor(bytes)
    var count = 0
    while let byte = cursor.peek {
      switch byte {
      case UInt8(ascii: "/") where cursor.stands("//"):
        cursor.skipLine()
      case UInt8(ascii: "/") where cursor.stands("/*"):
        skipNestedComment(&cursor)
      case UInt8(ascii: "\""):
        if cursor.stands("\"\"\"") {
          cursor.skip(3)
          cursor.skip(past: "\"\"\"")
        } else {
          cursor.skip()
          skipString(&cursor)
        }
      case UInt8(ascii: ".") where cursor.stands(".package"):
        cursor.skip(".package".utf8.count)
        cursor.skip { $0 == 0x20 }
        if cursor.take("(") { count += 1 }
      default:
        cursor.skip()
      }
    }
    return count
  }

  private static func skipNestedComment(_ cursor: inout ByteCursor) {
    cursor.skip(2)
    var depth = 1
    while depth > 0, cursor.peek != nil {
      if cursor.stands("*/") {
        depth -= 1
        cursor.skip(2)
      } else if cursor.stands("/*") {
        depth += 1
        cursor.skip(2)
      } else {
        cursor.skip()
      }
    }
  }

  /// Advances to the end of a string within a line.
  private static func skipString(_ cursor: inout ByteCursor) {
    while let byte = cursor.peek, byte != 0x0A {
      cursor.skip()
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\") { cursor.skip() }
    }
  }

  /// Returns the word after `VERSION` in the first `project(...)` of a `CMakeLists.txt`.
  static func cmakeVersion(_ bytes: [UInt8]) -> String? {
    var cursor = ByteCursor(bytes)
    var isAtWord = true
    while let byte = cursor.peek {
      if byte == UInt8(ascii: "#") {
        cursor.skipLine()
      } else if isAtWord, cursor.stands("project") || cursor.stands("PROJECT") {
        cursor.skip("project".utf8.count)
        cursor.skip { $0 <= 0x20 }
        if cursor.take("(") { return argument(&cursor) }
      } else {
        isAtWord = !LineScanner.isWord(byte)
        cursor.skip()
      }
    }
    return nil
  }

  private static func argument(_ cursor: inout ByteCursor) -> String? {
    var isNext = false
    while let byte = cursor.peek, byte != UInt8(ascii: ")") {
      if byte == UInt8(ascii: "#") {
        cursor.skipLine()
      } else if byte == UInt8(ascii: "\"") {
        cursor.skip()
        let text = cursor.string(byte)
        if isNext { return text }
      } else if byte <= 0x20 {
        cursor.skip()
      } else {
        let word = cursor.text { $0 > 0x20 && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "\"") }
        if isNext { return word }
        isNext = word == "VERSION"
      }
    }
    return nil
  }
}
