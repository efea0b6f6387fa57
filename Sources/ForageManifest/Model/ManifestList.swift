package import ForageCore

/// A list of an API: its request, its paging and the mapping of its rows.
package struct ManifestList: Sendable {
  package var request: ManifestRequest
  package var paging: ManifestPaging
  package var items: JSONPath
  package var map: ManifestMap
  package var total: Total?
  /// The places in a response that say that it is partial.
  package var partial: [Partial] = []
  /// The parameters for sorting, by sort key and supported order.
  package var sorts: [String: [SortOrder: [Parameter]]] = [:]
  /// The order of the sort keys that are supported in one order only.
  var onlyOrders: [String: SortOrder] { sorts.compactMapValues { $0.count == 1 ? $0.keys.first : nil } }

  /// The place of the total number of results in a response.
  package struct Total: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
      case path(JSONPath)
      case header(String)
    }

    package var place: Place
    /// Whether the number is a lower bound.
    package var isAtLeast = false
  }

  /// A place of a response that says that results are missing.
  package struct Partial: Hashable, Sendable {
    /// The most texts of the place that are told.
    private static let mostTexts = 3

    package var path: JSONPath
    /// The reason; `nil` if the place has a text that says so.
    package var reason: String?

    /// What is missing; `nil` if the response does not say so: missing, null, false, 0, and an empty text,
    /// list or object.
    func reason(in response: JSONTree) -> String? {
      let values = path.values(in: response).filter {
        ![.null, .bool(false), .integer(0), .string(""), .array([]), .object([:])].contains($0)
      }
      guard !values.isEmpty else { return nil }
      let texts = values.compactMap(\.string)
      let more = texts.count > Self.mostTexts ? " and \(texts.count - Self.mostTexts) more" : ""
      let said = texts.isEmpty ? nil : texts.prefix(Self.mostTexts).joined(separator: ", ") + more
      return [reason, said].compactMap(\.self).joined(separator: ": ")
    }
  }

  /// A query parameter.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String
  }
}

package struct ManifestPaging: Hashable, Sendable {
  /// How the next page is requested.
  package enum Style: Hashable, Sendable {
    /// There is only one page.
    case single
    /// By page number, from a given number.
    case page(start: Int)
    /// By the number of preceding results, from a given number.
    case offset(start: Int)
    /// By a value from the previous page, in a parameter or a placeholder of the request.
    case cursor(parameter: String?, next: JSONPath)
    /// By an address from the previous page, in its `Link` header or its body.
    case link(JSONPath?)
  }

  /// The page size for APIs without paging.
  static let usualSize = 50
  /// The largest page size that a manifest may use.
  package static let largestSize = 1000

  /// How the next page is requested.
  package var style = Style.single
  /// The place in a response that says whether there is a further page; `nil` if a page as full as the first
  /// means that there is. Missing, null, false, 0 and an empty text mean no.
  package var more: JSONPath?
  /// The parameter with the number of a page, from 1, for a list whose links to further pages a proxy took
  /// away.
  package var pageParameter: String?
  /// The header field with the number of the next page, which is empty on the last one.
  package var nextPage: String?
  /// The API's maximum page size.
  package var size = ManifestPaging.usualSize
  /// The maximum number of results that can be reached for one query; `nil` for all.
  package var maximumTotal: Int?

  /// The maximum number of results that can be reached for one query, as far as the style allows.
  var reachable: Int? { style == .single ? min(size, maximumTotal ?? size) : maximumTotal }
}

package struct ManifestRequest: Sendable {
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// How an address begins.
  package enum Origin: Hashable, Sendable {
    case base
    /// With a fixed scheme, host and port.
    case fixed(String)
  }

  /// The names of placeholders: the words of the query with qualifiers that are sent as text, the page size,
  /// and the position of a page.
  static let names = ["text", "size"] + positions
  static let positions = ["page", "offset", "cursor"]
  /// The placeholders whose values are numbers.
  private static let numbers: Set<String> = ["size", "page", "offset"]

  package var method = Method.get
  package var origin: Origin
  /// The path after the origin: empty, or percent-encoded and beginning with a slash.
  package var path: Template
  /// Addresses on the same origin that search within what a qualifier names, for example a repository, in
  /// order of precedence.
  package var within: [Within] = []
  /// Whether there is no address without one of these qualifiers.
  package var needsWithin = false

  package struct Within: Sendable {
    /// The qualifier, whose value is a placeholder of its name.
    package var qualifier: String
    package var path: Template

    /// The names of the qualifiers: an account has three.
    package var names: [String] { qualifier == "owner" ? Self.ownerNames : [qualifier] }

    /// The qualifiers that name an account.
    static let ownerNames = ["owner", "user", "org"]
  }
  /// The parameters; one with a placeholder that has no value is omitted.
  package var parameters: [(name: String, value: Template)] = []
  package var headers: [(name: String, value: String)] = []
  /// The body, for `POST` only; its texts are templates.
  package var body: JSONTree?

  /// The template of a text of the body, whose placeholders have been checked.
  private static func template(_ text: String) -> Template? { try? Template(text, names: names) }

  /// The placeholders of the request.
  var places: Set<String> {
    func names(_ tree: JSONTree) -> [String] {
      switch tree {
      case .string(let text): Self.template(text)?.names ?? []
      case .array(let elements): elements.flatMap(names)
      case .object(let members): members.flatMap { names($1) }
      default: []
      }
    }
    return Set(
      path.names + within.flatMap(\.path.names) + parameters.flatMap(\.value.names)
        + (body.map(names) ?? []))
  }

  /// The body with placeholders replaced; `nil` if there is none.
  func filledBody(_ values: [String: String]) -> [UInt8]? {
    body.map { Self.filled($0, values)?.encoded() ?? [] }
  }

  /// A value with placeholders replaced. A member or element with a placeholder that has no value is omitted.
  ///
  /// A text that consists only of a numeric placeholder becomes a number.
  private static func filled(_ tree: JSONTree, _ values: [String: String]) -> JSONTree? {
    switch tree {
    case .string(let text):
      guard let template = template(text), let value = template.text(values) else { return nil }
      if case .value(let name, _)? = template.parts.first, template.parts.count == 1, numbers.contains(name) {
        return Int(value).map(JSONTree.integer)
      }
      return .string(value)
    case .array(let elements): return .array(elements.compactMap { filled($0, values) })
    case .object(let members):
      return .object(members.compactMap { name, value in filled(value, values).map { (name, $0) } })
    default: return tree
    }
  }
}
