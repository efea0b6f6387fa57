import ForageInspector
import Foundation
import Testing

private let samplesFolder = ProcessInfo.processInfo.environment["FORAGE_LINGUIST_SAMPLES"]

/// Labelled samples: `FORAGE_LINGUIST_SAMPLES` names the folder `samples` of a checkout of github-linguist.
@Suite("Labelled samples") struct LanguageSamplesTests {
  /// Folders whose name is not that of their language, for it cannot be one or has changed.
  private static let renamed = ["Fstar": "F*", "ProC": "Pro*C"]
  /// The least part that must be right.
  private static let goal = 0.92

  /// Each file is named as it would be if its name alone did not settle that it cannot count.
  @Test(.enabled(if: samplesFolder != nil)) func share() throws {
    let root = URL(fileURLWithPath: try #require(samplesFolder), isDirectory: true)
    var classifier = LanguageClassifier()
    var (right, all) = (0, 0)
    var wrong: [String: Int] = [:]
    for language in try names(in: root) {
      let directory = root.appendingPathComponent(language, isDirectory: true)
      let special = directory.appendingPathComponent("filenames", isDirectory: true)
      let files =
        try names(in: directory).filter { $0 != "filenames" }.map { directory.appendingPathComponent($0) }
        + ((try? names(in: special)) ?? []).map { special.appendingPathComponent($0) }
      for file in files {
        let bytes = [UInt8](try Data(contentsOf: file).prefix(LanguageClassifier.prefixLimit))
        let verdict = classifier.classify(
          path: file.lastPathComponent, size: bytes.count, attributes: .detectable
        ) { bytes }
        all += 1
        let expected = Self.renamed[language] ?? language
        let told = verdict?.languageName ?? "none"
        if told == expected { right += 1 } else { wrong["\(expected) as \(told)", default: 0] += 1 }
      }
    }
    try #require(all > 0)
    let share = Double(right) / Double(all)
    print("right: \(right) of \(all), \((share * 1000).rounded() / 10) %")
    for (what, count) in wrong.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      print("  \(count) \(what)")
    }
    #expect(share >= Self.goal)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".DS") }.sorted()
  }
}
