#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SearchSession {
  /// Encodes the session as JSON for `init(encoded:)`.
  ///
  /// A session that contains only names, as after most first pages, is written without the library's encoder,
  /// which would take as long as the rest of encoding and storing.
  public func encoded() throws -> [UInt8] {
    guard ready.isEmpty, parts.allSatisfy(\.pending.isEmpty) else {
      return [UInt8](try JSONEncoder().encode(self))
    }
    var text = JSONText()
    text.object {
      $0.member("fingerprint", fingerprint)
      $0.member("base", base)
      $0.list("emitted", emitted) { text, name in
        text.object {
          $0.member("kind", name.kind.rawValue)
          $0.member("id", name.id)
          $0.member("forgeID", name.forgeID)
          if let aliases = name.aliases { $0.list("aliases", aliases) { $0.string($1) } }
          if let related = name.related {
            $0.list("related", related) { text, other in
              text.object {
                $0.member("id", other.id)
                $0.member("why", other.why.rawValue)
              }
            }
          }
          if let roots = name.roots { $0.list("roots", roots) { $0.string($1) } }
        }
      }
      $0.list("ready", [Int]()) { _, _ in }
      $0.list("parts", parts) { text, part in
        text.object {
          $0.member("provider", part.provider)
          $0.member("kind", part.kind.rawValue)
          $0.member("pageSize", part.pageSize)
          $0.list("pending", [Int]()) { _, _ in }
          $0.list("observed", [Int]()) { _, _ in }
          $0.member("used", part.used)
          $0.list("seen", part.seen) { $0.string($1) }
          $0.member("cursor", part.cursor)
          $0.member("isEnded", part.isEnded)
          if let isTruncated = part.isTruncated { $0.member("isTruncated", isTruncated) }
          $0.member("failures", part.failures)
          if let total = part.total {
            $0.name("total")
            $0.object {
              $0.member("value", total.value)
              $0.member("relation", total.relation.rawValue)
            }
          }
          if let exclusion = part.exclusion {
            $0.name("exclusion")
            $0.object {
              $0.member("isSkipped", exclusion.isSkipped)
              $0.member("reason", exclusion.reason)
              $0.member("hint", exclusion.hint)
            }
          }
        }
      }
    }
    return text.bytes
  }

  /// Decodes the output of `encoded`.
  ///
  /// - Throws: `DecodingError` for other data.
  public init(encoded bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(SearchSession.self, from: Data(bytes))
  }
}

/// JSON under construction.
private struct JSONText {
  var bytes: [UInt8] = []
  /// Whether a comma is needed before the next element.
  private var needsComma = false

  mutating func object(_ members: (inout JSONText) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func list<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
  ) {
    self.name(name)
    open(UInt8(ascii: "["))
    for element in elements { write(&self, element) }
    close(UInt8(ascii: "]"))
  }

  mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: Int) {
    self.name(name)
    bytes += String(value).utf8
    needsComma = true
  }

  mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bytes += (value ? "true" : "false").utf8
    needsComma = true
  }

  mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ text: String) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<32:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    comma()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func comma() { if needsComma { bytes.append(UInt8(ascii: ",")) } }
}
