import ForageInspector
import TestSupport
import Testing

/// The comparison of texts with those of the SPDX license list.
@Suite struct LicenseComparisonTests {
  private func identifiers(_ text: String) -> [String] {
    LicenseDetector.verdict(on: Array(text.utf8)).identifiers
  }

  private func verdict(_ words: [String]) -> (
    identifiers: [String], nearest: String?, hasRemarks: Bool
  ) {
    LicenseDetector.verdict(on: Array(words.joined(separator: " ").utf8))
  }

  @Test(arguments: [
    (LicenseTexts.mit, ["MIT"]),
    (LicenseTexts.bsd2 + LicenseTexts.bsdEnd, ["BSD-2-Clause"]),
    (LicenseTexts.bsd3, ["BSD-3-Clause"]),
    (LicenseTexts.isc, ["ISC"]),
    (LicenseTexts.zlib, ["Zlib"]),
    (LicenseTexts.apacheNotice, ["Apache-2.0"]),
    (LicenseTexts.gpl2Notice, ["GPL-2.0-or-later"]),
    ("\(LicenseTexts.apacheNotice)\n\n\(LicenseTexts.mit)", ["Apache-2.0", "MIT"]),
    (LicenseTexts.gpl2Notice.replacing("version 2", with: "version 3"), ["GPL-3.0-or-later"]),
    ("\(LicenseTexts.mit)\n\n\(LicenseTexts.bsd3)\n\(LicenseTexts.mit)", ["MIT", "BSD-3-Clause"]),
    ("\(LicenseTexts.isc)\n-----\n\(LicenseTexts.zlib)\n-----\n\(LicenseTexts.mit)", ["ISC", "Zlib", "MIT"]),
  ])
  func realTexts(text: String, expected: [String]) {
    #expect(identifiers(text) == expected)
    // Neither the width of the lines, signs of comments nor the ends of lines matter.
    for width in [1, 7, 15] {
      // A line with a copyright remains one.
      let words = text.split(separator: "\n").filter { !$0.hasPrefix("Copyright") }.joined(separator: " ")
        .split(separator: " ")
      let lines = stride(from: 0, to: words.count, by: width).map {
        "// " + words[$0..<min($0 + width, words.count)].joined(separator: " ")
      }
      #expect(identifiers(lines.joined(separator: "\r\n")) == expected, "\(width) words a line")
    }
  }

  /// Each text is told as itself, whichever words that may be absent it has, however it is written. A run
  /// takes every sixth text.
  @Test func allTextsOfTheList() throws {
    var random = SeededGenerator(seed: propertySeed())
    var same = 0
    var wrong: [String] = []
    let texts = LicenseSample.texts.dropFirst(Int.random(in: 0..<6, using: &random)).enumerated()
      .filter { $0.offset.isMultiple(of: 6) }.map(\.element)
    for entry in texts {
      let sample = LicenseSample(entry)
      let words = sample.words(using: &random)
      let text =
        Array("\(sample.identifier)\n\nCopyright (c) 2021-2026 J. Doe <doe@example.org>\n\n".utf8)
        + LicenseSample.written(words, using: &random)
      let found = LicenseDetector.verdict(on: text).identifiers
      if found == [sample.identifier] {
        same += 1
      } else if !found.isEmpty {
        wrong.append("\(sample.identifier): \(found)")
      }
    }
    #expect(same >= texts.count * 9 / 10, "\(wrong)")
    #expect(wrong.count <= texts.count / 20, "\(wrong)")
    #expect(texts.count > 100)
  }

  @Test func anotherHolder() throws {
    let text = LicenseTexts.mit.replacing(
      "2019 Ana Müller and others.", with: "2001, 2003-2026, Some Company GmbH & Co. KG."
    )
    .replacing("ANA\nMÜLLER", with: "SOME COMPANY GMBH, ITS SUBSIDIARIES OR ANYBODY WHO WORKS FOR THEM")
    #expect(identifiers(text) == ["MIT"])
    #expect(
      identifiers(LicenseTexts.bsd3.replacing("REGENTS", with: "NEW OWNERS OF THIS PROGRAM")) == [
        "BSD-3-Clause"
      ])
  }

  /// A sentence of a short license is much of it, one of a long license is not.
  @Test(arguments: ["MIT", "ISC", "BSD-2-Clause", "Zlib"])
  func anotherSentenceOfAShortLicense(identifier: String) throws {
    var words = try LicenseSample(identifier).required
    words.insert(
      contentsOf: "you must send each change that you make to the author within thirty days".split(
        separator: " "
      )
      .map(String.init), at: words.count / 2)
    let verdict = verdict(words)
    #expect(verdict.identifiers == [])
    #expect(verdict.nearest == identifier)
  }

  @Test(arguments: ["GPL-2.0-only", "Apache-2.0", "MPL-2.0", "EPL-2.0"])
  func smallDifferenceOfALongLicense(identifier: String) throws {
    var words = try LicenseSample(identifier).required
    // Words that the license repeats elsewhere would not be missed, and those in their place look like an
    // addition.
    let place = try #require(
      (400..<words.count - 4).first { start in
        words[(start + 1)...(start + 2)].allSatisfy { word in words.count { $0 == word } == 1 }
      })
    words.replaceSubrange(place..<place + 4, with: ["some", "other", "few", "words"])
    #expect(verdict(words).identifiers == [identifier])
  }

  /// One word that changes what is permitted makes another license, however long it is.
  @Test(arguments: ["MIT", "Apache-2.0", "GPL-3.0-only"], ["not", "noncommercial", "except"])
  func decisiveWord(identifier: String, word: String) throws {
    var words = try LicenseSample(identifier).required
    words.insert(word, at: words.count / 3)
    let verdict = verdict(words)
    #expect(verdict.identifiers == [])
    #expect(verdict.nearest == identifier)
  }

  @Test func noticesOfGNULicenses() throws {
    let text = try LicenseSample("GPL-2.0-only").required.joined(separator: " ")
    #expect(identifiers(text) == ["GPL-2.0-only"])
    #expect(identifiers("\(LicenseTexts.gpl2Notice)\n\n\(text)") == ["GPL-2.0-or-later"])
    // The text itself ends with the notice as a suggestion.
    #expect(identifiers("\(text)\n\n\(LicenseTexts.gpl2Notice)") == ["GPL-2.0-only"])
  }

  @Test(arguments: [
    ("Apache-2.0", "Swift-exception"), ("Apache-2.0", "LLVM-exception"),
    ("GPL-2.0-only", "Classpath-exception-2.0"), ("LGPL-2.1-only", "OCaml-LGPL-linking-exception"),
  ])
  func exceptions(license: String, exception: String) throws {
    let text = try LicenseSample(license).required.joined(separator: " ")
    let added = try LicenseSample(exception, .exception).required.joined(separator: " ")
    #expect(identifiers("\(text)\n\n\(added)") == ["\(license) WITH \(exception)"])
    #expect(identifiers("\(added)\n\n\(text)") == ["\(license) WITH \(exception)"])
    #expect(identifiers(added) == [])
  }

  @Test(arguments: [
    "This program is not licensed under the Apache License, Version 2.0.",
    "It is NOT covered by the terms of the Mozilla Public License, version 2.0",
    "This is not " + LicenseTexts.apacheNotice,
    "This is my software.",
  ])
  func otherText(text: String) {
    #expect(identifiers(text) == [])
    #expect(identifiers(text + "\n\n" + LicenseTexts.mit) == [])
  }

  @Test(arguments: ["All rights reserved.", "", " "])
  func nothing(text: String) {
    #expect(identifiers(text) == [])
    #expect(identifiers(text + "\n\n" + LicenseTexts.mit) == ["MIT"])
  }

  /// A license with restrictions is never the free one that it names or contains.
  @Test(arguments: [
    ("FSL-1.1-ALv2", "# Functional Source License, Version 1.1, Apache 2.0 Future License"),
    ("FSL-1.1-MIT", "# Functional Source License, Version 1.1, MIT Future License"),
    ("BUSL-1.1", "Business Source License 1.1"),
    ("CC-BY-NC-2.5", "Creative Commons Attribution-NonCommercial 2.5"),
  ])
  func restrictions(identifier: String, title: String) throws {
    let text = try LicenseSample(identifier).required.joined(separator: " ")
    #expect(identifiers(text) == [identifier])
    #expect(identifiers("\(title)\n\n\(text)") == [identifier])
    if identifier.hasPrefix("CC") { return }
    #expect(identifiers("\(text)\n\n\(LicenseTexts.apacheNotice)\n\n\(LicenseTexts.mit)") == [identifier])
  }

  /// Terms that are added to a free license, in front of it or behind it.
  @Test(arguments: [
    "You may not provide the software to third parties as a hosted or managed service.",
    "It may not be used for commercial purposes.", "For non-commercial purposes only.",
    "Additional terms apply to resellers.", "Business Source License with these changes:",
    "Free for personal use only. Ask for anything else.", "For educational use only.",
    "Use in production needs a subscription from Acme Inc.", "Redistribution in modified form is prohibited.",
    "Companies with more than 100 employees must purchase a commercial license.",
    "Copyright 2024 Acme. All rights reserved. This software is proprietary and confidential.",
    "The grant of rights does not grant to you the right to Sell the Software.",
    "This license terminates on 1 January 2027.", "You may not sell this program.",
    "The Software shall be used for Good, not Evil.",
  ])
  func addedTerms(terms: String) throws {
    let middle = LicenseTexts.mit.replacing("The above copyright", with: terms + "\n\nThe above copyright")
    for text in [terms + "\n\n" + LicenseTexts.mit, LicenseTexts.mit + "\n\n" + terms, middle] {
      let verdict = LicenseDetector.verdict(on: Array(text.utf8))
      #expect(verdict.identifiers.allSatisfy { $0 == "JSON" }, "\(verdict)")
    }
    // A long license takes its time; each is tried with a third of the terms.
    let identifier = ["GPL-3.0-only", "Apache-2.0", "MPL-2.0"][terms.utf8.count % 3]
    let words = try LicenseSample(identifier).required
    let half = words.count / 2
    for (place, words) in [[terms] + words, words + [terms], words[..<half] + [terms] + words[half...]]
      .enumerated()
    {
      #expect(verdict(words).identifiers == [], "\(identifier), place \(place)")
    }
  }

  /// Titles are no additions, sentences are.
  @Test(arguments: [
    ("# MIT License", true), ("License: MIT", true), ("The MIT License (MIT)", true),
    ("This project is licensed under the MIT license, see below.", false),
    ("The library has been written by Ana and Ben. https://example.org", false),
    ("Unless otherwise noted, all files are under this license:", false),
    ("Contributors:\n- Ana\n- Ben <ben@example.org>", false),
  ])
  func otherWords(words: String, isTitle: Bool) {
    for text in [words + "\n\n" + LicenseTexts.mit, LicenseTexts.mit + "\n\n" + words] {
      let verdict = LicenseDetector.verdict(on: Array(text.utf8))
      #expect(verdict.identifiers == (isTitle ? ["MIT"] : []))
      #expect(verdict.nearest == (isTitle ? nil : "MIT"))
    }
  }

  /// Remarks of git and of libraries beside the text change nothing of it; terms beside the same remark do.
  @Test(arguments: [("GPL-2.0-only", nil), ("GPL-2.0-only", "GCC-exception-2.0"), ("LGPL-2.1-only", nil)])
  func remarks(license: String, exception: String?) throws {
    let text = try LicenseSample(license).required.joined(separator: " ")
    let remark = """
      Note that the only valid version of the GPL as far as this project is concerned is _this_ particular version of the
      license (ie v2, not v2.2 or v3.x or whatever), unless explicitly otherwise stated.

      In particular, if you trust me to make that decision, you might note so in your copyright message.
      """
    let exception = try exception.map {
      ($0, try LicenseSample($0, .exception).required.joined(separator: " "))
    }
    let whole = "\(remark)\n\n\(exception?.1 ?? "")\n\n\(text)"
    let verdict = LicenseDetector.verdict(on: Array(whole.utf8))
    #expect(verdict.identifiers == [license + (exception.map { " WITH \($0.0)" } ?? "")])
    #expect(verdict.hasRemarks && verdict.nearest == nil)
    #expect(identifiers("\(remark)\nIt is free for personal use only.\n\n\(text)") == [])
  }

  /// A license whose holder stands in the same line, or in two.
  @Test func holdersInOneLine() {
    let words = LicenseTexts.mit.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Copyright") && identifiers(words) == ["MIT"])
    let holder = words.replacing("and others.", with: "for personal use only.")
    #expect(holder != words && identifiers(holder) == [])
    let lines = LicenseTexts.mit.replacing(
      "and others.", with: "and many\ncontributors, see the THANKS file.")
    #expect(identifiers(lines) == ["MIT"])
  }

  /// Behind a license stand those of parts; what two of them have together is no third one.
  @Test func licensesOfParts() throws {
    let apache = try LicenseSample("Apache-2.0").required.joined(separator: " ")
    let text = """
      \(apache)

      This product includes a number of modules with separate notices. A portion of one, which is published at
      https://example.org/one, is licensed as follows by the people who have written it for all of us:

      \(LicenseTexts.mit)

      This product contains a modified portion of another project, which is published at https://example.org/two
      by those who know the format of these files well, and who have written it down:

      \(LicenseTexts.bsd3)
      """
    let verdict = LicenseDetector.verdict(on: Array(text.utf8))
    #expect(verdict.identifiers == ["Apache-2.0", "MIT", "BSD-3-Clause"] && verdict.hasRemarks)
  }

  /// A license that the list lacks, of which one may choose.
  @Test func choiceOfLicenses() throws {
    let known = try LicenseSample("SSPL-1.0").required.joined(separator: " ")
    let text = """
      Contributions are subject to the user's choice of two licenses, as follows:

      1. Redis Source Available License 2.0 (RSALv2) Agreement

      You may not sell it, and must ask for anything else.

      2. Server Side Public License (SSPL)

      \(known)
      """
    #expect(identifiers(text) == ["LicenseRef-RSALv2 OR SSPL-1.0"])
  }

  @Test func missingRights() {
    let text = LicenseTexts.mit.replacing("sublicense, and/or sell copies of", with: "copies of")
    #expect(identifiers(text) == [])
  }

  @Test func proprietaryCollection() {
    let text =
      "This software is proprietary and confidential.\n\nThird-party notices:\n\n\(LicenseTexts.mit)\n\n"
      + LicenseTexts.bsd3
    #expect(identifiers(text) == [])
    #expect(
      identifiers("Notices:\n\n\(LicenseTexts.mit)\n\n\(LicenseTexts.bsd3)") == ["MIT", "BSD-3-Clause"])
  }

  @Test func commonsClause() {
    let text = "\u{201C}Commons Clause\u{201D} License Condition v1.0\n\n" + LicenseTexts.apacheNotice
    let verdict = LicenseDetector.verdict(on: Array(text.utf8))
    #expect(verdict.identifiers == [])
    #expect(verdict.nearest == "Apache-2.0")
    #expect(LicenseDetector.verdict(on: Array(LicenseTexts.apacheNotice.utf8)).nearest == nil)
  }

  @Test func relatives() throws {
    // What one license has more than another one makes the difference.
    for identifier in [
      "BSD-3-Clause-Clear", "BSD-4-Clause", "NCSA", "JSON", "X11", "MIT-0", "0BSD", "curl", "PostgreSQL",
    ] {
      #expect(verdict(try LicenseSample(identifier).required).identifiers == [identifier])
    }
  }

  @Test func craftedTexts() {
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(identifiers(String(repeating: LicenseTexts.isc + "\n", count: 150)) == ["ISC"])
      _ = identifiers(String(repeating: LicenseTexts.mit.prefix(500) + " ", count: 250))
    }
    #expect(time < .seconds(60))
  }
}
