import ForageCore
import Foundation
import Testing

@testable import ForageCLI
@testable import ForageInspector

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The page for the browser.
struct InspectHTMLTests {
  /// What an XML parser finds in a page.
  private final class Reading: NSObject, XMLParserDelegate {
    var names: [String] = []
    var attributes: [(name: String, value: String)] = []
    var ids: [String] = []
    var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes found: [String: String]
    ) {
      names.append(name)
      for (key, value) in found { attributes.append((key, value)) }
      if let id = found["id"] { ids.append(id) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  private func read(_ page: String) throws -> Reading {
    let reading = Reading()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = reading
    #expect(parser.parse(), "line \(parser.lineNumber): \(String(describing: parser.parserError))")
    return reading
  }

  private func page(_ parts: [HTMLPage.Part]) -> String {
    HTMLPage(parts: parts, now: Capture.now).text
  }

  /// Nothing in it asks anybody for anything or runs.
  private func expectSelfContained(_ reading: Reading) {
    let forbidden: Set<String> = [
      "script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image", "audio", "video",
    ]
    #expect(forbidden.isDisjoint(with: reading.names) && !reading.attributes.isEmpty)
    for (name, value) in reading.attributes {
      #expect(!name.lowercased().hasPrefix("on") && name != "src" && name != "style", "\(name)=\(value)")
      #expect(name != "href" || value.hasPrefix("#clone-"), "\(value)")
    }
  }

  @Test func singular() throws {
    var report = sampleReport()
    report.authorCount = 1
    let text = page([.report(report)])
    #expect(text.contains("<b>1</b> author<") && text.contains("<b>81,966</b> commits<"))
  }

  @Test func oneClone() throws {
    let text = page([.report(sampleReport())])
    let reading = try read(text)
    expectSelfContained(reading)
    #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"))
    #expect(
      text.contains(
        #"<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"/>"#
      ))
    #expect(text.contains("<title>tool</title>") && text.contains("prefers-color-scheme: dark"))
    for part in [
      "81,966 (21,000 merges) since 2006-11-02", "408,275", "Ünal 山田", "GPL-2.0-only (COPYING)", "C 51.3 %",
      "2026-01-01", "2 tags point to objects that are not there", "week of 2025-12-22",
    ] {
      #expect(reading.text.contains(part), "\(part)")
    }
    // 52 weeks, 7 days, 24 hours, 7 parts of the languages, 5 + 3 + 2 + 1 bars in tables.
    #expect(reading.names.count { $0 == "rect" } == 52 + 7 + 24 + 7 + 11)
    #expect(reading.attributes.contains { $0.name == "fill" && $0.value == "#89e051" })
    let labels = reading.attributes.filter { $0.name == "aria-label" }.map(\.value)
    #expect(labels.contains { $0.hasPrefix("Commits by weekday: Mo 120, Tu 340") })
    #expect(labels.contains { $0.hasPrefix("Languages: C 51.3 %") })
    #expect(!reading.names.contains("nav"))
  }

  @Test func absentSectionsLeaveNoTrace() throws {
    let report = InspectionReport(
      path: "/src/tool", gitDir: "/src/tool/.git", bare: true, worktree: false, shallow: false, empty: true)
    let reading = try read(page([.report(report)]))
    for name in ["svg", "table", "figure", "ul"] { #expect(!reading.names.contains(name), "\(name)") }
    #expect(reading.names.count { $0 == "section" } == 1)
  }

  @Test func severalClones() throws {
    var bare = smallReport()
    bare.path = "/srv/other.git/.git"
    let reading = try read(
      page([
        .report(sampleReport()),
        .failure(path: "/x/<broken>", InspectionError(.corrupt, "HEAD & more", hint: "run \"git fsck\"")),
        .report(bare),
      ]))
    expectSelfContained(reading)
    #expect(reading.ids == ["clone-1", "clone-2", "clone-3"])
    #expect(reading.attributes.filter { $0.name == "href" }.map(\.value) == reading.ids.map { "#" + $0 })
    for part in ["3 clones", "<broken>", "damaged", "HEAD & more", "run \"git fsck\"", "other.git"] {
      #expect(reading.text.contains(part), "\(part)")
    }
    // The page begins with the table of all clones.
    let names = try #require(reading.names.firstIndex(of: "main").map { reading.names[$0...] })
    let table = try #require(names.firstIndex(of: "table"))
    #expect(names.firstIndex(of: "article").map { table < $0 } == true)
    #expect(reading.text.contains("Release") && reading.text.contains("GPL-2.0-only, unknown"))
  }

  /// The name of the repository is the title; what does not fit can be unfolded.
  @Test func foldedRows() throws {
    var report = sampleReport()
    report.authors = (1...600).map {
      .init(
        name: "author \($0)", email: "a\($0)@example.com", commits: 1000 - $0, share: 0.001,
        firstAt: Capture.now, lastAt: Capture.now)
    }
    let text = page([.report(report, repository: "acme/tool")])
    let reading = try read(text)
    expectSelfContained(reading)
    #expect(text.contains("<title>acme/tool</title>") && text.contains("<h1>acme/tool</h1>"))
    let people = try #require(text.range(of: "author 1<")?.lowerBound)
    let fold = try #require(text.range(of: "<details>", range: people..<text.endIndex)?.lowerBound)
    let fifth = try #require(text.range(of: "author 5<")?.lowerBound)
    let sixth = try #require(text.range(of: "author 6<")?.lowerBound)
    #expect(fifth < fold && fold < sixth)
    #expect(text.contains("<summary>595 more</summary>"))
    #expect(text.contains("author 505<") && !text.contains("author 506<") && text.contains("<p>95 more "))
  }

  /// Each week has its number as text, not only as a bar.
  @Test func weeksHaveNumbers() throws {
    let text = page([.report(smallReport())])
    let weeks = try #require(smallReport().activity?.weeks)
    #expect(weeks.count == 52)
    for week in weeks {
      #expect(text.contains("<span>\(week.start)</span></th><td>\(week.commits)</td>"), "\(week.start)")
    }
  }

  @Test func hostileTextsStayTexts() throws {
    let text = page([.report(hostileReport())])
    let reading = try read(text)
    expectSelfContained(reading)
    #expect(reading.names.count { $0 == "style" } == 1)
    #expect(reading.text.contains("<script>alert(\"1\")</script>'&\u{FFFD}\u{241B}[31m\u{FFFD}"))
    #expect(!text.unicodeScalars.contains { $0 != "\n" && ($0.value < 32 || SafeText.isDangerous($0)) })
    // Every section of the sample is there, so that no text has been left out.
    let plain = try read(page([.report(sampleReport())]))
    #expect(reading.names == plain.names)
  }

  @Test(
    arguments: [
      ("a", "a"), ("<b a='1' c=\"2\">&amp;", "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;"),
      ("x\u{0}\u{B}\u{1B}y", "x\u{2400} \u{241B}y"), ("\u{202E}gpj.exe", "\u{FFFD}gpj.exe"),
      ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"), ("日本 🚀", "日本 🚀"), ("a\tb\nc", "a b c"),
      ("e\u{301}<", "e\u{301}&lt;"),
    ] as [(String, String)])
  func escaping(_ text: String, _ expected: String) {
    #expect(HTML.escaped(text) == expected)
    let markup: HTML = "<p>\(text)</p>"
    #expect(markup.description == "<p>\(expected)</p>")
  }
}
