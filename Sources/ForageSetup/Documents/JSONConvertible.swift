package import ForageCore
package import ForageFoundation

/// A value that can be a member of a JSON document.
package protocol JSONConvertible {
  var json: JSONTree { get }
}

extension JSONTree {
  /// An object of the members that are there, in the order of the literal.
  package init(_ members: KeyValuePairs<String, (any JSONConvertible)?>) {
    self = .members(members.map { ($0, $1?.json) })
  }
}

extension JSONTree: JSONConvertible {
  package var json: JSONTree { self }
}

extension String: JSONConvertible {
  package var json: JSONTree { .string(self) }
}

extension Int: JSONConvertible {
  package var json: JSONTree { .integer(self) }
}

extension Bool: JSONConvertible {
  package var json: JSONTree { .bool(self) }
}

extension Double: JSONConvertible {
  package var json: JSONTree { .double(self) }
}

extension Date: JSONConvertible {
  package var json: JSONTree { .string(Timestamp.text(self)) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package var json: JSONTree { .array(map(\.json)) }
}
