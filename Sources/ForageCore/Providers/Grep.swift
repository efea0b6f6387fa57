/// The patterns of a search with rg, of which a text must match one.
package struct GrepPatterns: Sendable, Equatable {
  package enum Syntax: Sendable {
    case literal
    /// That of the crate `regex` of Rust.
    case rust
    case pcre2
  }

  package var texts: [String]
  package var syntax: Syntax

  package init(_ texts: [String], _ syntax: Syntax) { (self.texts, self.syntax) = (texts, syntax) }
}

/// A clone that is searched, or a part of it.
package struct GrepLocation: Sendable, Hashable {
  /// The root of the clone, absolute, without links.
  package var root: String
  /// The path that is searched in it, relative to the root; empty for all.
  package var path: [UInt8]

  package init(root: String, path: [UInt8] = []) { (self.root, self.path) = (root, path) }

  /// The absolute path.
  package var absolutePath: [UInt8] {
    path.isEmpty ? Array(root.utf8) : Array(root.utf8) + [UInt8(ascii: "/")] + path
  }
}

/// The paths that rg is given to search.
package struct GrepTargets: Sendable {
  /// Clones and files of them, in the order in which rg searches them.
  package var locations: [GrepLocation] = []
  /// The number of files of each location; `unknownSize` where that is not known.
  package var sizes: [Int] = []
  /// The clones that are searched because it is not known what they have.
  package var unclear = 0

  /// More than most clones have, so that it counts as much work.
  package static let unknownSize = 1_000

  package init() {}
}

/// A search for all matching lines of some clones.
package struct CodeLines: Sendable {
  package var query: QueryExpression
  /// The locations that are searched; `nil` for every clone of the catalogue and the one that contains the
  /// current folder.
  package var locations: [GrepLocation]?
  /// The lines before and after each match.
  package var context = 0

  package init(_ query: QueryExpression, in locations: [GrepLocation]?) {
    (self.query, self.locations) = (query, locations)
  }
}
