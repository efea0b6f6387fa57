package import ForageCore

/// One list that an API gives out: how it is asked for, how its pages follow each other and how its rows are read.
package struct ManifestList: Sendable {
  /// How a page is asked for.
  package var request: ManifestRequest
  /// How pages follow each other.
  package var paging: ManifestPaging
  /// Leads to the rows.
  package var items: JSONPath
  /// How a row becomes a result.
  package var map: ManifestMap
  /// Where the number of all results stands.
  package var total: Total?
  /// How it is sorted, by key.
  package var sorts: [String: Sort] = [:]

  /// Where the number of all results stands.
  package struct Total: Hashable, Sendable {
    /// The place.
    package enum Place: Hashable, Sendable {
      /// In the answer's body.
      case path(JSONPath)
      /// In a header field.
      case header(String)
    }

    /// The place.
    package var place: Place
    /// Whether there may be more than it says.
    package var isAtLeast = false
  }

  /// The parameters that ask for an order, in each direction.
  package struct Sort: Hashable, Sendable {
    /// Largest, newest, Z first.
    package var descending: [Parameter]
    /// Smallest, oldest, A first.
    package var ascending: [Parameter]
  }

  /// A name and a value of an address.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String
  }
}

/// How the pages of a list follow each other.
package struct ManifestPaging: Hashable, Sendable {
  /// How the next page is asked for.
  package enum Style: Hashable, Sendable {
    /// There is one answer.
    case single
    /// By its number; the first has this one.
    case page(start: Int)
    /// By how many results come before it; the first has this number.
    case offset(start: Int)
    /// By what the page before says, in a parameter where that is not a place of the request.
    case cursor(parameter: String?, next: JSONPath)
    /// By an address that the page before says: in its `Link` field, or in its body.
    case link(JSONPath?)
  }

  /// Where an answer says that there is a further page.
  package enum More: Hashable, Sendable {
    /// In its body; nothing, null, false, 0 and an empty text mean no.
    case path(JSONPath)
    /// In a header field; nothing and an empty text mean no.
    case header(String)
  }

  /// The largest page that a manifest may ask for: more is no page any more.
  package static let largestSize = 1000

  /// How the next page is asked for.
  package var style = Style.single
  /// Where an answer says that there is a further page; `nil` where a full page says it.
  package var more: More?
  /// The largest page that the API gives out.
  package var size: Int
  /// How many results of one query can be reached, `nil` for all.
  package var maximumTotal: Int?
}

/// How a request for a page is made.
package struct ManifestRequest: Sendable {
  /// The methods that there are: both only ask.
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// Where an address begins.
  package enum Origin: Hashable, Sendable {
    /// At the base.
    case base
    /// At a scheme, host and port.
    case fixed(String)
  }

  /// The method.
  package var method = Method.get
  /// Where the address begins.
  package var origin: Origin
  /// The parts of the path between slashes, behind that of the base.
  package var segments: [RequestText]
  /// The parameters in order.
  package var parameters: [(name: String, value: RequestText)] = []
  /// Header fields in order.
  package var headers: [(name: String, value: String)] = []
  /// The body, which only `POST` has.
  package var body: RequestBody?

  /// Whether the address begins with the base.
  package var usesBase: Bool { origin == .base }
}

/// A text of a request with places for what changes.
package struct RequestText: Hashable, Sendable {
  /// What changes.
  package enum Place: String, CaseIterable, Hashable, Sendable {
    /// The words of the query, with the qualifiers that are part of the text.
    case text
    /// How many results are wanted.
    case size
    /// The number of the page.
    case page
    /// How many results come before.
    case offset
    /// What the page before says.
    case cursor
  }

  /// A part of the text.
  package enum Part: Hashable, Sendable {
    case text(String)
    case place(Place)
  }

  /// The parts in order.
  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// The places in it.
  package var places: [Place] { parts.compactMap { if case .place(let place) = $0 { place } else { nil } } }

  /// What takes the places; what is `nil` leaves out the parameter or member that asks for it.
  package struct Values: Sendable {
    var text: String?
    var size: Int
    var page: Int?
    var offset: Int?
    var cursor: String?

    func value(_ place: Place) -> String? {
      switch place {
      case .text: text
      case .size: String(size)
      case .page: page.map(String.init)
      case .offset: offset.map(String.init)
      case .cursor: cursor
      }
    }
  }

  /// The text with its places taken; `nil` when one has no value.
  func filled(_ values: Values) -> String? {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .place(let place):
        guard let value = values.value(place) else { return nil }
        result += value
      }
    }
    return result
  }
}

/// A JSON value of a request with places for what changes.
package indirect enum RequestBody: Hashable, Sendable {
  case fixed(JSONTree)
  case text(RequestText)
  case array([RequestBody])
  case object([String: RequestBody])

  /// The value with its places taken; a member or element whose place has no value is left out.
  ///
  /// A text that is nothing but the place of a number becomes that number.
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

  /// The places in it.
  package var places: [RequestText.Place] {
    switch self {
    case .fixed: []
    case .text(let text): text.places
    case .array(let elements): elements.flatMap(\.places)
    case .object(let members): members.values.flatMap(\.places)
    }
  }
}
