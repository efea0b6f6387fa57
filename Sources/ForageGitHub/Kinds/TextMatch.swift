import ForageCore

/// A piece of text with the places at which the words of a query stand in it.
struct TextMatch {
  /// Pieces of one item that are read: GitHub gives two of a file.
  static let maximumCount = 20
  /// Places in one piece that are read: no piece is so long that more would be told apart.
  static let maximumPlaces = 200

  /// Where it stands: `content` or `path` of a file.
  var property: String?
  var fragment: String
  /// The places in Unicode scalars, the second behind the end.
  var places: [Range<Int>]

  init?(_ object: AnswerObject) {
    guard let fragment = object.text("fragment"), !fragment.isEmpty else { return nil }
    self.fragment = fragment
    property = object.text("property")
    let told = object.objects("matches", upTo: Self.maximumPlaces).compactMap { match -> Told? in
      guard let indices = match.numbers("indices"), indices.count == 2, indices[0] >= 0,
        indices[1] > indices[0]
      else { return nil }
      return Told(text: match.text("text"), range: indices[0]..<indices[1])
    }
    places = Self.places(told, in: fragment)
  }

  /// The piece as the value of a field.
  var value: FieldValue {
    .record([
      "text": .text(fragment),
      "matches": .items(places.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
    ])
  }

  /// A place as the answer tells it.
  struct Told {
    var text: String?
    var range: Range<Int>
  }

  /// The places in Unicode scalars.
  ///
  /// The documentation does not say in what the API counts, and with other scripts and emoji it matters. Each place comes with its own
  /// text, so the unit is the one in which the most places hold what they should: code points first, then UTF-16, then UTF-8. A place that
  /// holds something else in every unit is left out.
  static func places(_ told: [Told], in fragment: String) -> [Range<Int>] {
    let scalars = Array(fragment.unicodeScalars)
    var best: [Range<Int>] = []
    for width in [{ _ in 1 }, { UTF16.width($0) }, { UTF8.width($0) }] as [(Unicode.Scalar) -> Int] {
      let found = converted(told, scalars, width: width)
      if found.count > best.count { best = found }
      if best.count == told.count { break }
    }
    return best
  }

  /// The places that hold their text when offsets count units of a width.
  private static func converted(
    _ told: [Told], _ scalars: [Unicode.Scalar], width: (Unicode.Scalar) -> Int
  ) -> [Range<Int>] {
    var scalarAt: [Int: Int] = [:]
    var offset = 0
    for (index, scalar) in scalars.enumerated() {
      scalarAt[offset] = index
      offset += width(scalar)
    }
    scalarAt[offset] = scalars.count
    return told.compactMap { match in
      guard let start = scalarAt[match.range.lowerBound], let end = scalarAt[match.range.upperBound] else {
        return nil
      }
      if let text = match.text, !text.unicodeScalars.elementsEqual(scalars[start..<end]) { return nil }
      return start..<end
    }
  }
}
