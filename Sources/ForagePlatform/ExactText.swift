/// A name or path that is compared by its bytes, as in git; a `String` also equals another composition of its
/// characters.
package struct ExactText: Sendable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }
}

extension ExactText: Hashable, Comparable, ExpressibleByStringLiteral {
  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package init(stringLiteral text: String) { self.text = text }
}
