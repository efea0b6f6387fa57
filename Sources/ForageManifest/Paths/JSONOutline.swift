import ForageCore

/// The parts of a JSON value that paths lead to. Everything else is skipped without being built.
struct JSONOutline: Hashable, Sendable {
  /// Whether a path ends here, so that the value is read completely.
  private var isWhole = false
  private var members: [String: JSONOutline] = [:]
  /// The outline of all elements of an array; empty if no path leads into one.
  private var elements: [JSONOutline] = []
  /// Whether a path leads to all values of an object.
  private var hasEveryMember = false

  /// Adds the value at a path.
  mutating func add(_ steps: [JSONPath.Step]) {
    guard !isWhole else { return }
    guard let step = steps.first else {
      self = JSONOutline()
      isWhole = true
      return
    }
    switch step {
    case .member(let name): members[name, default: JSONOutline()].add(Array(steps.dropFirst()))
    case .element, .all:
      if elements.isEmpty { elements = [JSONOutline()] }
      elements[0].add(Array(steps.dropFirst()))
      if step == .all { hasEveryMember = true }
    }
  }

  /// Reads the parts of the next value; an array that no path leads into is empty.
  func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> JSONTree {
    if isWhole { return try reader.tree() }
    switch try reader.peek() {
    case UInt8(ascii: "{"):
      // Paths to all values of an object are rare.
      if hasEveryMember { return try reader.tree() }
      try reader.count()
      var found: [String: JSONTree] = [:]
      try reader.object { name, reader throws(JSONTree.Failure) in
        if let part = members[name] { found[name] = try part.read(&reader) } else { try reader.skip() }
      }
      return .object(found)
    case UInt8(ascii: "["):
      guard let part = elements.first else {
        try reader.skip()
        return .array([])
      }
      try reader.count()
      var found: [JSONTree] = []
      try reader.array { reader throws(JSONTree.Failure) in found.append(try part.read(&reader)) }
      return .array(found)
    default: return try reader.tree()
    }
  }

  /// Reads the parts of a text, of which all values are counted.
  func read(_ bytes: [UInt8], maximumValues: Int) throws(JSONTree.Failure) -> JSONTree {
    try JSONReader.read(bytes, maximumValues: maximumValues) { reader throws(JSONTree.Failure) in
      try read(&reader)
    }
  }
}

extension Manifest {
  /// The parts of an answer that the manifest and its errors read.
  var outline: JSONOutline {
    var outline = JSONOutline()
    for name in ManifestErrors.usualMembers { outline.add([.member(name)]) }
    for rule in [errors.message, errors.code].compactMap(\.self) {
      for path in rule.paths { outline.add(path.steps) }
    }
    if let path = retryAfter?.path { outline.add(path.steps) }
    for list in [search, feed].compactMap(\.self) {
      // The rows themselves, even if nothing of them is read.
      outline.add(list.items.steps + [.member("")])
      for path in list.map.paths { outline.add(list.items.steps + path.steps) }
      if case .path(let path) = list.total?.place { outline.add(path.steps) }
      if case .path(let path) = list.paging.more { outline.add(path.steps) }
      switch list.paging.style {
      case .cursor(_, let path): outline.add(path.steps)
      case .link(let path?): outline.add(path.steps)
      case .single, .page, .offset, .link(nil): break
      }
    }
    return outline
  }
}

extension ManifestMap {
  /// The paths of a row that are read.
  fileprivate var paths: [JSONPath] {
    let rules = [id, url, title] + fields.map(\.rule) + [repository, mirrorOf, link].compactMap(\.self)
    return rules.flatMap(\.paths) + (fragments.map { [$0.each] } ?? [])
  }
}

extension ValueRule {
  fileprivate var paths: [JSONPath] {
    switch source {
    case .path(let path), .exists(let path): [path]
    case .first(let rules), .template(_, let rules): rules.flatMap(\.paths)
    case .constant: []
    }
  }
}
