package import ForageCore

/// A list of an API: its request, its paging and the mapping of its rows.
package struct ManifestList: Sendable {
  package var request: ManifestRequest
  package var paging: ManifestPaging
  package var items: JSONPath
  package var map: ManifestMap
  package var total: Total?
  /// The parameters for sorting, by sort key and supported order.
  package var sorts: [String: [SortOrder: [Parameter]]] = [:]
  /// The order of the sort keys that are supported in one order only.
  var onlyOrders: [String: SortOrder] { sorts.compactMapValues { $0.count == 1 ? $0.keys.first : nil } }

  package struct Total: Hashable, Sendable {
    package var place: AnswerPlace
    /// Whether the number is a lower bound.
    package var isAtLeast = false
  }

  /// A query parameter.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String
  }
}

/// Where a response has a value.
package enum AnswerPlace: Hashable, Sendable {
  case path(JSONPath)
  case header(String)
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

  /// The largest page size that a manifest may use.
  package static let largestSize = 1000

  /// How the next page is requested.
  package var style = Style.single
  /// Where a response says whether there is a further page; `nil` if a full page means that there is. Missing and
  /// empty mean no, in the body also null, false and 0.
  package var more: AnswerPlace?
  /// The API's maximum page size.
  package var size: Int
  /// The maximum number of results that can be reached for one query; `nil` for all.
  package var maximumTotal: Int?
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

  package var method = Method.get
  /// How the address begins.
  package var origin: Origin
  /// The path segments after the path of the base address.
  package var segments: [RequestText]
  package var parameters: [(name: String, value: RequestText)] = []
  package var headers: [(name: String, value: String)] = []
  /// The body, for `POST` only.
  package var body: RequestBody?

  package var usesBase: Bool { origin == .base }
}

/// A text with placeholders.
package struct RequestText: Hashable, Sendable {
  package enum Place: String, CaseIterable, Hashable, Sendable {
    /// The words of the query, with qualifiers that are sent as text.
    case text
    case size
    case page
    /// The number of preceding results.
    case offset
    case cursor
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case place(Place)
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  package var places: [Place] { parts.compactMap { if case .place(let place) = $0 { place } else { nil } } }

  /// The values of the placeholders. A parameter or member with a placeholder without a value is omitted.
  package typealias Values = [Place: String]

  /// The text with placeholders replaced; `nil` if one has no value.
  func filled(_ values: Values) -> String? {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .place(let place):
        guard let value = values[place] else { return nil }
        result += value
      }
    }
    return result
  }
}

/// A JSON value with placeholders.
package indirect enum RequestBody: Hashable, Sendable {
  case fixed(JSONTree)
  case text(RequestText)
  case array([RequestBody])
  case object([String: RequestBody])

  /// The value with placeholders replaced. A member or element with a placeholder that has no value is
  /// omitted.
  ///
  /// A text that consists only of a numeric placeholder becomes a number.
  func filled(_ values: RequestText.Values) -> JSONTree? {
    switch self {
    case .fixed(let tree): return tree
    case .text(let text):
      guard let value = text.filled(values) else { return nil }
      if text.parts.count == 1, let place = text.places.first, [.size, .page, .offset].contains(place) {
        return Int(value).map(JSONTree.integer)
      }
      return .string(value)
    case .array(let elements): return .array(elements.compactMap { $0.filled(values) })
    case .object(let members): return .object(members.compactMapValues { $0.filled(values) })
    }
  }

  package var places: [RequestText.Place] {
    switch self {
    case .fixed: []
    case .text(let text): text.places
    case .array(let elements): elements.flatMap(\.places)
    case .object(let members): members.values.flatMap(\.places)
    }
  }
}
