import ForageCore

/// A fragment of text with the positions of the query's words.
struct TextMatch {
  /// The maximum number of fragments to decode for an item; GitHub returns two per file.
  static let maximumCount = 20
  /// The maximum number of positions to decode for a fragment.
  static let maximumPlaces = 200

  /// What the fragment comes from: `content` or `path` of a file.
  var property: String?
  var fragment: String
  /// The positions as ranges of Unicode scalars.
  var places: [Range<Int>]

  init?(_ object: JSONTree) {
    guard let fragment = object.text("fragment"), !fragment.isEmpty else { return nil }
    self.fragment = fragment
    property = object.text("property")
    let reported = object.objects("matches", upTo: Self.maximumPlaces).compactMap { match -> ReportedMatch? in
      guard let indices = match["indices"]?.array, indices.count == 2, let start = indices[0].integer,
        let end = indices[1].integer, start >= 0, end > start
      else { return nil }
      return ReportedMatch(text: match.text("text"), range: start..<end)
    }
    places = Self.places(reported, in: fragment)
  }

  var value: FieldValue {
    .record([
      "text": .text(fragment),
      "matches": .items(places.map { .items([.number($0.lowerBound), .number($0.upperBound)]) }),
    ])
  }

  /// A position as the response reports it.
  struct ReportedMatch {
    var text: String?
    var range: Range<Int>
  }

  /// The positions as ranges of Unicode scalars.
  ///
  /// GitHub does not document the unit of its offsets. Each position comes with its text, so the unit is
  /// chosen for which the most positions match their text: code points, then UTF-16, then UTF-8. Positions
  /// that match in no unit are dropped.
  static func places(_ reported: [ReportedMatch], in fragment: String) -> [Range<Int>] {
    let scalars = Array(fragment.unicodeScalars)
    var best: [Range<Int>] = []
    for width in [{ _ in 1 }, { UTF16.width($0) }, { UTF8.width($0) }] as [(Unicode.Scalar) -> Int] {
      let found = converted(reported, scalars, width: width)
      if found.count > best.count { best = found }
      if best.count == reported.count { break }
    }
    return best
  }

  /// The positions that match their text if offsets are in a given unit.
  private static func converted(
    _ reported: [ReportedMatch], _ scalars: [Unicode.Scalar], width: (Unicode.Scalar) -> Int
  ) -> [Range<Int>] {
    var scalarAt: [Int: Int] = [:]
    var offset = 0
    for (index, scalar) in scalars.enumerated() {
      scalarAt[offset] = index
      offset += width(scalar)
    }
    scalarAt[offset] = scalars.count
    return reported.compactMap { match in
      guard let start = scalarAt[match.range.lowerBound], let end = scalarAt[match.range.upperBound] else {
        return nil
      }
      if let text = match.text, !text.unicodeScalars.elementsEqual(scalars[start..<end]) { return nil }
      return start..<end
    }
  }
}
