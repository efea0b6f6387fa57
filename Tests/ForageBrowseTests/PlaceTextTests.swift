import ForageBrowse
import ForageCore
import Testing

/// The name of a file is the last part of its place that is cut.
struct PlaceTextTests {
  private static let place =
    "swift-server/async-http-client:Sources/AsyncHTTPClient/ConnectionPool/HTTP1/HTTP1Connection.swift"

  @Test(
    arguments: [
      (200, place),
      (80, "swift-server/async-http-client:…/ConnectionPool/HTTP1/HTTP1Connection.swift"),
      (60, "async-http-client:Sources/…/HTTP1/HTTP1Connection.swift"),
      (34, "…/HTTP1/HTTP1Connection.swift"), (23, "…/HTTP1Connection.swift"), (21, "HTTP1Connection.swift"),
    ] as [(Int, String)])
  func aFile(_ width: Int, _ expected: String) {
    #expect(PlaceText.fitted(Self.place, to: width) == expected)
    var row = FrameRow()
    row.add(Self.place, width: width, keepsEnd: true)
    #expect(row.text.trimmingWhitespace() == expected)
  }

  @Test(arguments: [
    "swift-server/async-http-client#1234", "Show HN: a/b", "TCP/IP: a/guide", "", ":", "a/b:",
  ])
  func otherTexts(_ text: String) {
    for width in 0...40 {
      #expect(TextWidth.of(PlaceText.fitted(text, to: width)) <= width)
      if !text.hasSuffix(":") {
        #expect(PlaceText.fitted(text, to: width) == TextWidth.truncatedInside(text, to: width))
      }
    }
  }

  @Test(arguments: [false, true]) func everyWidth(_ isShort: Bool) {
    for width in 0...100 {
      #expect(TextWidth.of(PlaceText.fitted(Self.place, to: width, isShort: isShort)) <= width)
    }
  }
}
