import ForageCore
package import ForageFoundation

/// The clock of a server relative to the clock of this machine.
package struct ServerClock {
  /// Seconds of difference that are ignored: `Date` has whole seconds, and answers take time.
  static let tolerance = 2.0

  /// Seconds by which the server's clock is ahead; 0 without a `Date` and within the tolerance.
  let offset: Double

  /// Compares the clocks.
  ///
  /// - Parameter time: When the answer arrived, by this machine's clock.
  package init(_ response: HTTPResponse, at time: Date) {
    let said = response.header("date").flatMap(Self.date)
    let difference = said.map { $0.timeIntervalSince(time) } ?? 0
    offset = abs(difference) > Self.tolerance ? difference : 0
  }

  /// A moment of the server's clock by this machine's.
  package func local(_ moment: Date) -> Date { moment.addingTimeInterval(-offset) }

  /// Reads a date of a header field, `Tue, 15 Nov 1994 08:12:31 GMT` (RFC 9110, section 5.6.7); `nil` for anything else, the two
  /// obsolete forms included.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = months.firstIndex(of: parts[2])
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return DatePoint("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.start
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
