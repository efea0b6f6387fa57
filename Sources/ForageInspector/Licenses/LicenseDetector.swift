import ForageGit

/// Identifies licenses by comparison with the texts of the SPDX license list.
package enum LicenseDetector {
  /// The bytes of a text that are examined: the longest license in the list has some 36 KB, and a longer file
  /// continues with licenses of other works.
  private static let textLimit = 128 * 1024
  /// The length limit of an SPDX expression in bytes; real ones have a handful of identifiers.
  private static let expressionLimit = 120
  /// The bytes at the beginning of a text in which a tag decides; those farther below are of parts of other
  /// works.
  private static let tagLimit = 2048

  /// Whether a file name (without directories) is that of a license: `LICENSE`, `COPYING.LESSER`,
  /// `LICENSE-MIT`, `MIT-LICENSE.txt`, `UNLICENSE`, `foo.license`, `Apache-2.0.txt` and variants in any case,
  /// but not source code such as `license.go`.
  package static func isLicenseFile(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    if name.hasSuffix(".license"), name.utf8.count > ".license".utf8.count { return true }
    if name.hasSuffix(".txt"), knownIdentifiers.contains(String(name.dropLast(".txt".count))) { return true }
    let stem = String(name.prefix { $0 != "." })
    guard isLicenseStem(stem) else { return false }
    guard stem.utf8.count < name.utf8.count, let dot = name.lastIndex(of: ".") else { return true }
    let suffix = String(name[dot...])
    if textExtensions.contains(suffix) { return true }
    return LanguageTable.shared.languages(extension: suffix).isEmpty && !FileExtensions.isBinary(suffix[...])
  }

  /// Returns the one expression of an `SPDX-License-Identifier:` at the beginning of a line, or else the SPDX
  /// identifiers of all licenses in a text, in its order and without repetition; none, and the nearest license, if
  /// something else is added to them or too much is missing.
  ///
  /// Line breaks, case, quotes, comment markers, titles and copyright lines are ignored. The text of a GNU license
  /// alone yields `-only`; a notice with "or later" before the text or instead of it yields `-or-later`.
  package static func verdict(on text: [UInt8]) -> (identifiers: [String], nearest: String?) {
    if let expression = declared(in: text.prefix(tagLimit)) { return ([expression], nil) }
    let comparison = LicenseComparison(LicenseText(Array(text.prefix(textLimit))))
    let found = comparison.identifiers
    // A license that becomes another one later is not that one yet.
    let delayed = found.filter(["BUSL-1.1", "FSL-1.1-ALv2", "FSL-1.1-MIT"].contains)
    return (delayed.isEmpty ? found : delayed, found.isEmpty ? comparison.nearest : nil)
  }

  private static func isLicenseStem(_ stem: String) -> Bool {
    switch stem {
    case "license", "licence", "licenses", "licences", "copying", "unlicense", "unlicence", "copyright",
      "ofl":
      return true
    case "copying2", "copying3", "copyingv2", "copyingv3", "copying-lesser", "copying_lesser":
      return true
    default:
      let words = stem.split { $0 == "-" || $0 == "_" || $0 == " " }
      guard words.count > 1, let first = words.first, let last = words.last else { return false }
      return first == "license" || first == "licence" || first == "copying" || last == "license"
        || last == "licence"
    }
  }

  /// The identifiers, in lowercase, that may name a license file (`MIT.txt`), as in REUSE.
  private static let knownIdentifiers: Set<String> = Set(
    LicenseList.entries.map { $0.identifier.lowercased() }.flatMap {
      $0.hasSuffix("-only") ? [$0, String($0.dropLast("-only".count))] : [$0]
    })

  private static let textExtensions: Set<String> = [
    ".md", ".markdown", ".mkd", ".txt", ".text", ".rst", ".html", ".htm", ".adoc", ".asciidoc", ".org",
    ".rtf",
    ".lesser", ".lib",
  ]

  /// Returns the expression of the first `SPDX-License-Identifier:` that begins a line, apart from signs of comments.
  private static func declared(in bytes: ArraySlice<UInt8>) -> String? {
    let tag = Array("SPDX-License-Identifier:".utf8)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let start = line.indices.first(where: { line[$0...].starts(with: tag) }),
        isCommentSign(line[..<start]), let expression = expression(line[(start + tag.count)...])
      else { continue }
      return expression
    }
    return nil
  }

  /// Whether the beginning of a line has no words other than those that begin comments, and a byte order mark.
  private static func isCommentSign(_ bytes: ArraySlice<UInt8>) -> Bool {
    let words = bytes.split { !isNameByte($0) && $0 < 0x80 || [0xEF, 0xBB, 0xBF].contains($0) }
    return words.allSatisfy {
      ["dnl", "rem", "c"].contains(String(decoding: $0, as: UTF8.self).lowercased())
    }
  }

  /// Returns an SPDX expression with single spaces between its words; nil if there is none or the text is too long.
  /// What the end of a comment leaves may be behind it.
  private static func expression(_ bytes: ArraySlice<UInt8>) -> String? {
    let allowed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.prefix {
      isNameByte($0) && $0 != UInt8(ascii: "_") || " \t.+-():".utf8.contains($0)
    }
    // A sentence goes on.
    let end = bytes[allowed.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
    if let sign = end.first, ",;?!".utf8.contains(sign) { return nil }
    var words = allowed.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    // The end of an XML comment, `-->`, leaves its dashes.
    while let last = words.last, last.allSatisfy({ $0 == "-" }) { words.removeLast() }
    let text = words.joined(separator: " ")
    return text.utf8.count <= expressionLimit && isExpression(text) ? text : nil
  }

  /// Whether a byte is a letter, a digit or `_`.
  private static func isNameByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == UInt8(ascii: "_") }

  /// Whether identifiers and operators alternate.
  private static func isExpression(_ text: String) -> Bool {
    let words = text.split { " ()".contains($0) }
    return words.count.isMultiple(of: 2) == false
      && words.enumerated().allSatisfy { number, word in
        let isOperator = ["AND", "OR", "WITH"].contains(word.uppercased())
        return isOperator == !number.isMultiple(of: 2)
      } && words.allSatisfy { $0.first.map { $0.isLetter || $0.isNumber } == true }
  }
}
