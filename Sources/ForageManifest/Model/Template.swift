import ForageCore

/// A text with placeholders such as `{text}` or `{0|segment}`. Braces around anything but a name are literal.
package struct Template: Hashable, Sendable {
  /// How a value is encoded.
  package enum Filter: String, CaseIterable, Hashable, Sendable {
    /// As one path segment; empty values, `.` and `..` are rejected.
    case segment
    /// As several path segments; each is checked as by `segment`, but the first may be empty.
    case path
    /// As the value of a query parameter.
    case query
    /// Of `owner/name`, the owner as one path segment.
    case owner
    /// Of `owner/name`, the name as one path segment.
    case name
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case value(String, Filter?)
  }

  /// Why a text is not a template.
  struct Failure: Error {
    var message: String
    var hint: String
  }

  var parts: [Part]

  /// Parses a template.
  ///
  /// - Parameters:
  ///   - names: The names of its placeholders.
  ///   - usual: The filter of placeholders that name none.
  /// - Throws: `Failure` for another name or filter.
  init(_ text: String, names: [String], usual: Filter? = nil) throws(Failure) {
    var (parts, literal, rest) = ([Part](), "", text[...])
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      rest = rest[open...].dropFirst()
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "|_-".contains($0)) }
      guard !name.isEmpty, rest[name.endIndex...].first == "}" else {
        literal += "{"
        continue
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(try Self.placeholder(name, names, usual))
      rest = rest[name.endIndex...].dropFirst()
    }
    literal += rest
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  private static func placeholder(_ text: Substring, _ names: [String], _ usual: Filter?) throws(Failure)
    -> Part
  {
    let halves = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard names.contains(halves[0]) else {
      throw Failure(
        message: "{\(text)} is not a known placeholder",
        hint: NearestName.hint(for: halves[0], among: names, written: { "{\($0)}" })
          ?? "known placeholders: \(names.map { "{\($0)}" }.joined(separator: ", "))")
    }
    guard halves.count == 2 else { return .value(halves[0], usual) }
    guard let filter = Filter(rawValue: halves[1]) else {
      let known = Filter.allCases.map(\.rawValue)
      throw Failure(
        message: "|\(halves[1]) is not a known filter",
        hint: NearestName.hint(for: halves[1], among: known, written: { "|\($0)" })
          ?? "known filters: |segment, |path, |query, |owner and |name")
    }
    return .value(halves[0], filter)
  }

  /// The names of its placeholders, in order.
  package var names: [String] { parts.compactMap { if case .value(let name, _) = $0 { name } else { nil } } }

  /// Whether values cannot change the host or structure of an address: the text before the first placeholder
  /// contains scheme and host, or is `{base}`, and every other placeholder has a filter.
  package var isSafeAddress: Bool {
    var rest = parts[...]
    switch rest.popFirst() {
    case .value("base", nil):
      // The next character must not extend the host.
      if let next = rest.first {
        guard case .text(let text) = next, ["/", "?", "#"].contains(text.prefix(1)) else { return false }
      }
    case .text(let text):
      guard text.hasPrefix("https://") || text.hasPrefix("http://"),
        text.drop(while: { $0 != ":" }).dropFirst(3).contains("/")
      else { return false }
    default: return false
    }
    return rest.allSatisfy { if case .value(_, nil) = $0 { false } else { true } }
  }

  /// The text with values inserted; `nil` if one is missing, or its filter rejects it.
  func text(_ values: [String: String]) -> String? {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .value(let name, let filter):
        guard let value = values[name], let written = Self.written(value, filter) else { return nil }
        result += written
      }
    }
    return result
  }

  /// The template without a placeholder and the slashes before it.
  func removing(_ name: String) -> Template {
    var template = self
    template.parts = parts.reduce(into: []) { kept, part in
      guard case .value(name, _) = part else {
        kept.append(part)
        return
      }
      guard case .text(var text)? = kept.last else { return }
      while text.hasSuffix("/") { text.removeLast() }
      kept[kept.count - 1] = .text(text)
    }
    return template
  }

  private static func written(_ value: String, _ filter: Filter?) -> String? {
    switch filter {
    case nil: return value
    case .query: return PercentEncoding.encode(value)
    case .segment:
      return value.isEmpty || value == "." || value == ".." ? nil : PercentEncoding.encode(value)
    case .owner, .name:
      guard let slash = value.lastIndex(of: "/") else { return nil }
      return written(
        String(filter == .owner ? value[..<slash] : value[value.index(after: slash)...]), .segment)
    case .path:
      let segments = value.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
      let encoded = segments.compactMap { written(String($0), .segment) }
      return encoded.count == segments.count ? encoded.joined(separator: "/") : nil
    }
  }
}
